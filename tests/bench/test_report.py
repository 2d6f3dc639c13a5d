"""JSON, Markdown and recount: the numbers agree with the recorded rounds, and nobody's name is in them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.bench import private
from app.bench.printed import printed
from app.bench.private import Scrubber
from app.bench.record import ROUND_COLUMNS, to_document, write_json
from app.bench.recount import differences, read_document, recount_pairs
from app.bench.report import markdown, write_report
from app.bench.result import BenchResult
from app.bench.spelling import speedup
from app.core.bench_values import Speedup
from app.core.errors import EnvironmentProblem
from app.core.events import Problem


@pytest.fixture
def document(result: BenchResult, tmp_path: Path) -> dict[str, Any]:
    write_json(result, tmp_path / "bench.json")
    return read_document(tmp_path / "bench.json")


def test_every_figure_equals_the_recount(document: dict[str, Any]) -> None:
    compared, wrong = differences(document)
    assert wrong == []
    # All prompts and two categories, some 50 figures each.
    assert compared > 120


def test_a_swept_file_is_recounted_as_well(swept: BenchResult) -> None:
    compared, wrong = differences(json.loads(json.dumps(to_document(swept))))
    assert wrong == []
    assert compared > 120


def set_column(name: str, value: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    """Changes one column of one recorded round of a speculative run."""

    def change(document: dict[str, Any]) -> None:
        row = document["points"][0]["pairs"][1]["speculative"]["rounds"][3]
        i = ROUND_COLUMNS.index(name)
        row[i] = value(row[i])

    return change


@pytest.mark.parametrize(
    ("change", "figure"),
    [
        (set_column("accepted", lambda n: n + 1), "draft.accepted "),
        (set_column("drafted", lambda d: d[:-1]), "draft.drafted "),
        (set_column("verified", lambda n: n - 1), "draft.verified "),
        (set_column("microseconds", lambda n: n + 100_000), "speedup.ratio "),
        (set_column("tokens", lambda t: [*t[:-1], t[-1] + 1]), "matching_pairs "),
        (set_column("timings", lambda t: [t[0] + 1000, *t[1:]]), "draft.draft_seconds "),
        (set_column("rollback", lambda _: "checkpoint"), "draft.native_rollbacks "),
    ],
)
def test_a_changed_round_is_noticed(document: dict[str, Any], change: Any, figure: str) -> None:
    changed = copy.deepcopy(document)
    change(changed)
    _, wrong = differences(changed)
    assert any(f": {figure}" in line for line in wrong), wrong


def test_a_changed_figure_is_noticed(document: dict[str, Any]) -> None:
    document["points"][0]["figures"]["speedup"]["high"] *= 1.001
    _, wrong = differences(document)
    assert len(wrong) == 1
    assert "speedup.high" in wrong[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no json", "is no benchmark file"),
        ('{"format": "other"}', "is no benchmark file"),
        ('{"format": "slipstream-bench", "version": 99}', "version 99"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(content)
    with pytest.raises(EnvironmentProblem, match=said):
        read_document(path)


def test_the_report_shows_the_recounted_numbers(result: BenchResult, document: dict[str, Any]) -> None:
    text = markdown(result)
    again = recount_pairs(document, document["points"][0]["pairs"])
    for row in (
        f"| ordinary throughput | {again['ordinary.median']:.1f} tok/s (median) |",
        f"| speculative throughput | {again['speculative.median']:.1f} tok/s (median) |",
        f"| throughput change | {100 * again['throughput_change']:+.1f} % |",
        f"| proposed | {again['draft.drafted']} |",
        f"| accepted | {again['draft.accepted']} |",
        f"| acceptance rate | {100 * again['draft.acceptance_rate']:.1f} % |",
        f"| verification steps | {again['draft.steps']} |",
        f"| rollbacks | {again['draft.rollbacks']} |",
        f"| target decode/sync | {again['draft.decode_seconds']:.3f} s |",
        f"| draft time | {again['draft.draft_seconds']:.3f} s |",
        f"| process time | {again['draft.process_seconds']:.3f} s |",
    ):
        assert row in text
    assert f"{again['speedup.ratio']:.3f}x (95 % interval of a repeat {again['speedup.low']:.3f} to" in text


def test_the_report_has_everything_that_is_asked_for(result: BenchResult) -> None:
    text = markdown(result)
    labels = (
        "library version", "library commit", "operating system", "Python", "CPU", "backend", "GPU", "memory",
        "target", "quantisation", "draft", "algorithm", "n_ctx", "n_batch", "n_ubatch", "draft_n_max",
        "draft_p_min", "backend sampling", "ignore_eos", "prompt or workload", "generated tokens", "speedup",
        "checkpoint time", "runs deterministic", "first divergence", "selector top-k", "nextn layout",
    )  # fmt: skip
    missing = [label for label in labels if f"| {label} |" not in text]
    assert missing == []
    for title in ("## Errors and warnings", "## By category", "## Prompts", "## Files", "## DFlash2"):
        assert title in text
    assert result.files[0].sha256 in text


def test_markdown_tables_survive_any_text(result: BenchResult) -> None:
    plan = replace(result.plan, workload="a | b <b>c</b> *d* `e`\nf")
    text = markdown(replace(result, plan=plan))
    assert r"| prompt or workload | a \| b \<b>c\</b> \*d\* \`e\`<br>f |" in text


def test_private_paths_and_names_are_left_out(
    result: BenchResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that is written, for a user in a folder of their own with a message that names both."""
    home = tmp_path / "zaphodbeeblebrox"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "zaphodbeeblebrox")
    monkeypatch.setattr(private.platform, "node", lambda: "heartofgold.magrathea")
    model = str(home / "secret folder" / "model.gguf")
    pair = replace(result.pair, target_path=model)
    changed = replace(
        result,
        pair=pair,
        plan=replace(result.plan, model_path=model),
        warnings=(f"{model} was slow on heartofgold, said zaphodbeeblebrox.",),
        errors=(Problem(f"{home / 'notes'} could not be read.", "Ask ZaphodBeeblebrox."),),
    )
    write_json(changed, tmp_path / "b.json")
    write_report(changed, tmp_path / "b.md")
    for text in ((tmp_path / "b.json").read_text("utf-8"), (tmp_path / "b.md").read_text("utf-8")):
        assert "model.gguf" in text
        assert "was slow on" in text
        for secret in ("zaphod", "secret folder", "heartofgold", str(tmp_path)):
            assert secret not in text.lower() if secret.islower() else secret not in text
    assert Scrubber()("root of 2, localhost") == "root of 2, localhost"
    # A relative folder is an ordinary word.
    assert Scrubber(["models/a.gguf"])("models are in models/a.gguf") == "models are in a.gguf"


def test_terminal_output_names_every_part(result: BenchResult) -> None:
    text = printed(result, per_prompt=True)
    lines = text.splitlines()
    labels = [line.partition(":")[0] for line in lines]
    assert labels[:8] == [
        "target", "draft", "algorithm", "prompt", "runs", "warm-up", "settings", "backend sampling",
    ]  # fmt: skip
    for title in (
        "[ordinary]",
        "[DFlash2]",
        "[comparison]",
        "[by category]",
        "[mean accepted length by prompt]",
    ):
        assert title in lines
    part = labels[lines.index("[DFlash2]") : lines.index("[comparison]")]
    for label in (
        "load time", "run 1", "run 2", "aggregate", "median", "spread", "draft proposed", "verified",
        "accepted", "acceptance by position", "rollbacks", "target decode+sync", "draft", "process",
        "checkpoint", "selector top-k", "nextn layout",
    ):  # fmt: skip
        assert label in part
    part = labels[lines.index("[comparison]") :]
    for label in (
        "output tokens match",
        "runs deterministic",
        "first divergence",
        "speedup",
        "throughput change",
    ):
        assert label in part


def test_a_sweep_prints_its_table_and_recommendation(swept: BenchResult) -> None:
    lines = printed(swept).splitlines()
    at = lines.index("[sweep]")
    assert [line.split()[0] for line in lines[at + 2 : at + 5]] == ["1", "3", "7"]
    assert any(line.startswith("recommendation: ") for line in lines)
    assert "Recommended: " in markdown(swept)


def test_words_for_a_speedup() -> None:
    assert speedup(None) == "—"
    assert speedup(Speedup(1.5, None, None, 1)).startswith("1.500x from 1 pair: too few")
    assert speedup(Speedup(1.5, 1.4, 1.6, 3)).endswith("1.400 to 1.600, 3 pairs): faster")
    assert speedup(Speedup(0.5, 0.4, 0.6, 3)).endswith("slower")
    assert speedup(Speedup(1.01, 0.95, 1.07, 3)).endswith("no speedup or slowdown is claimed")
    assert speedup(Speedup(0.5, 0.0, 5998.0, 3)).startswith("0.500x, within noise: the runs (3 pairs)")
    assert "for prompts like these" in speedup(Speedup(1.5, 1.4, 1.6, 6, over_prompts=True))
