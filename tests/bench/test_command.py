"""The command line: arguments refused early and in one line, and whole runs on tiny pairs."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.__main__ import main as slipstream
from app.bench.__main__ import main
from app.bench.command import add_arguments, plan_from_arguments
from app.bench.prompt_sets import DEFAULT
from app.core.speculation import SpeculativeType
from app.engine import loading

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numpy", "llama_cpp", "jinja2", "PySide6", "app.engine.native")


def tiny(target: Path, sidecar: Path, *more: str) -> list[str]:
    size = ("--max-tokens", "24", "--runs", "2", "--warmup-tokens", "4", "--n-ctx", "512", "--threads", "1")
    return ["--model", str(target), "--draft-model", str(sidecar), *size, *more]


def parse(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(list(argv))


def fresh(*argv: str) -> subprocess.CompletedProcess[str]:
    """In a new interpreter, which names the heavy modules it ended up with on its last line."""
    code = f"""
import sys
from app.__main__ import main as slipstream
from app.bench.__main__ import main
try:
    code = main({list(argv)!r})
except SystemExit as end:
    code = end.code
print("heavy:", [m for m in {HEAVY!r} if m in sys.modules])
sys.exit(code)
"""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--runs", "0"], "--runs: must be at least 1"),
        (["--max-tokens", "many"], "'many' is not a whole number"),
        (["--temperature", "-1"], "--temperature: must be between 0"),
        (["--algorithm", "magic"], "unknown speculative algorithm 'magic'"),
        (["--algorithm", "none"], "ordinary decoding is always measured"),
        (["--draft-tokens", "0"], "--draft-tokens: must be at least 1"),
        (["--draft-p-min", "2"], "--draft-p-min: must be between 0 and 1"),
        (["--draft-n-min", "9"], "must not be longer than the draft (7)"),
        (["--n-ubatch", "1024"], "n_ubatch must lie in 1..n_batch"),
        (["--sweep", "3-1"], "goes backwards"),
        (["--sweep", "0,1"], "must be between 1"),
        (["--sweep-p-min", "0.5"], "needs --sweep"),
        (["--prompt", " "], "a prompt is empty"),
        (["--prompt", "a", "--prompt-set", "builtin"], "not allowed with"),
        (["--prompt-file", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["--model", "nowhere.gguf", "--draft-model", "x.gguf"], "nowhere.gguf does not exist"),
        (["--model", __file__], "no sidecar was given"),
        (["--json", "nowhere/out.json"], "does not exist"),
        (["--recount", "nowhere.json"], "nowhere.json cannot be read"),
    ],
)
def test_wrong_arguments_end_early_in_one_line(argv: list[str], said: str) -> None:
    done = fresh(*argv)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_help_is_instant_and_names_every_option() -> None:
    began = time.perf_counter()
    done = fresh("-h")
    took = time.perf_counter() - began
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "heavy: []"
    assert took < 5  # measured in 0.1 s; the bound allows for a loaded machine
    for option in (
        "--algorithm", "--model", "--draft-model", "--prompt", "--prompt-file", "--prompt-set",
        "--max-tokens", "--runs", "--warmup-tokens", "--n-ctx", "--n-batch", "--n-ubatch", "--draft-tokens",
        "--draft-n-min", "--draft-p-min", "--temperature", "--seed", "--ignore-eos", "--cpu", "--draft-cpu",
        "--no-backend-sampling", "--verbose", "--json", "--report", "--sweep", "--recount", "--tau",
    ):  # fmt: skip
        assert option in done.stdout


def test_the_program_offers_the_same_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        slipstream(["bench", "--runs", "0"])
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("slipstream bench: argument --runs")
    assert slipstream(["bench", "--sweep-p-min", "0.5"]) == 2
    assert capsys.readouterr().err == "slipstream: --sweep-p-min needs --sweep.\n"


def test_defaults(default_pair: tuple[Path, Path]) -> None:
    plan = plan_from_arguments(parse())
    assert (plan.model_path, plan.draft_path) == tuple(map(str, default_pair))
    assert plan.prompts == (DEFAULT,)
    assert (plan.max_tokens, plan.runs, plan.warmup_tokens) == (512, 3, 128)
    assert (plan.n_ctx, plan.n_batch, plan.n_ubatch) == (4096, 512, 512)
    assert (plan.draft_n_max, plan.draft_n_min, plan.draft_p_min) == (7, 0, 0.0)
    assert (plan.temperature, plan.seed, plan.ignore_eos) == (0.0, 42, False)
    assert (plan.n_gpu_layers, plan.draft_n_gpu_layers, plan.backend_sampling) == ("all", "all", True)
    assert not plan.sweep
    assert not plan.automatic_length


def test_options_reach_the_plan(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> None:
    pair = ("--model", str(tiny_target), "--draft-model", str(tiny_sidecars["DSpark"]))
    plan = plan_from_arguments(
        parse(
            *pair,
            "--cpu",
            "--draft-cpu",
            "--no-backend-sampling",
            "--sweep",
            "1-3,7",
            "--sweep-p-min",
            "0,.5",
        )
    )
    assert plan.spec_types == (SpeculativeType.DRAFT_DSPARK,)
    assert (plan.n_gpu_layers, plan.draft_n_gpu_layers, plan.backend_sampling) == (0, 0, False)
    assert (plan.sweep, plan.lengths, plan.p_mins) == (True, (1, 2, 3, 7), (0.0, 0.5))
    assert plan_from_arguments(parse(*pair, "--sweep")).lengths == ()
    automatic = plan_from_arguments(parse(*pair, "--draft-tokens", "auto"))
    assert automatic.automatic_length
    without = plan_from_arguments(parse("--model", str(tiny_target), "--algorithm", "ngram-k,ngram-mod"))
    assert without.draft_path == ""
    assert without.spec_types == (SpeculativeType.NGRAM_MAP_K, SpeculativeType.NGRAM_MOD)
    assert len(plan_from_arguments(parse(*pair, "--prompt-set", "builtin")).prompts) == 24


def test_a_whole_run_with_files(
    tiny_target: Path, tiny_sidecars: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, report = tmp_path / "bench.json", tmp_path / "bench.md"
    argv = tiny(tiny_target, tiny_sidecars["DFlash2"], "--algorithm", "dflash", "--prompt", "abc def")
    assert main([*argv, "--json", str(data), "--report", str(report), "--tau"]) == 0
    out = capsys.readouterr().out
    # `dflash` takes a selector-equipped file and calls it by its name.
    assert "[DFlash2]" in out
    assert "selector top-k: 8" in out or "selector top-k: 4" in out
    assert "backend sampling: requested, not active" in out
    assert "output tokens match: yes (2 of 2 pairs)" in out
    assert report.read_text("utf-8").startswith("# ")
    assert main(["--recount", str(data)]) == 0
    assert "figures equal the recount" in capsys.readouterr().out
    text = data.read_text("utf-8")
    data.write_text(text.replace('"pairs":2,', '"pairs":3,', 1), "utf-8")
    assert main(["--recount", str(data)]) == 1
    assert "pairs is 3, recounted 2" in capsys.readouterr().out


def test_a_prompt_file_is_measured_by_category(
    tiny_target: Path, tiny_sidecars: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = tmp_path / "held out.jsonl"
    prompts.write_text('{"prompt": "abc", "category": "x"}\n{"prompt": "def", "category": "y"}\n')
    argv = tiny(tiny_target, tiny_sidecars["DSpark"], "--prompt-file", str(prompts), "--tau")
    assert main(argv) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("prompt: file held out.jsonl: 2 prompts in 2 categories") for line in lines)
    table = lines[lines.index("[mean accepted length by prompt]") + 2 :]
    assert [line.split()[:2] for line in table[:4]] == [["1", "x"], ["2", "y"], ["all", "x"], ["all", "y"]]
    assert "[by category]" in lines


def test_dflash2_refuses_a_first_generation_file_before_weights_are_loaded(
    tiny_target: Path,
    tiny_sidecars: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("weights were loaded")

    monkeypatch.setattr(loading, "Model", never)
    assert main(tiny(tiny_target, tiny_sidecars["DFlash"], "--algorithm", "dflash2")) == 2
    said = capsys.readouterr().err.strip()
    assert len(said.splitlines()) == 1
    assert "DFlash2" in said


def test_a_sidecar_of_another_kind_is_refused(
    tiny_target: Path, tiny_sidecars: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tiny(tiny_target, tiny_sidecars["DFlash"], "--algorithm", "dspark")) == 2
    assert "DFlash" in capsys.readouterr().err
