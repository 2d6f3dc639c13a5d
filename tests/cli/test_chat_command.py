"""`slipstream chat` as a person or a script meets it: output, exit codes, one clear line for bad input."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def slipstream(
    *arguments: str, stdin: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        input=stdin if stdin is not None else "",
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        cwd=cwd or root,
        timeout=240,
    )


def one_line_problem(result: subprocess.CompletedProcess[str]) -> str:
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


def chat(target: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return slipstream(
        "chat", "--model", str(target), "--threads", "1", "--n-ctx", "512", *arguments, **options
    )  # type: ignore[arg-type]


def test_json_holds_everything(tiny_pair: tuple[Path, Path]) -> None:
    target, sidecar = tiny_pair
    result = chat(
        target,
        "--draft-model",
        str(sidecar),
        "-p",
        "abc",
        "--max-tokens",
        "30",
        "--temperature",
        "0",
        "--json",
    )
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["algorithm"] == "DFlash"
    assert answer["effective_draft_n_max"] == 7
    assert len(answer["tokens"]) == 30 == answer["stats"]["generation_tokens"]
    assert answer["finish_reason"] == "length"
    assert answer["model"] == str(target)
    assert answer["draft_model"] == str(sidecar)
    assert answer["load_seconds"] > 0
    assert answer["prompt_ids"]
    assert answer["text"]
    assert answer["stats"]["accepted"] > 0

    plain = chat(
        target, "--draft-model", str(sidecar), "--no-speculation", "-p", "abc", "--max-tokens", "30",
        "--temperature", "0", "--json",
    )  # fmt: skip
    ordinary = json.loads(plain.stdout)
    assert ordinary["tokens"] == answer["tokens"]
    assert ordinary["text"] == answer["text"]
    assert ordinary["algorithm"] == "none"
    assert ordinary["effective_draft_n_max"] == 0
    assert ordinary["stats"]["drafted"] == 0


def test_the_automatic_length_changes_nothing_but_the_speed(tiny_pair: tuple[Path, Path]) -> None:
    target, sidecar = tiny_pair
    arguments = [
        "--draft-model",
        str(sidecar),
        "-p",
        "abc",
        "--max-tokens",
        "30",
        "--temperature",
        "0",
        "--json",
    ]
    fixed, automatic = (
        json.loads(chat(target, *arguments, "--draft-tokens", length).stdout) for length in ("7", "auto")
    )
    assert automatic["tokens"] == fixed["tokens"]
    assert automatic["effective_draft_n_max"] == 7


def test_a_conversation_on_standard_input(tiny_target: Path) -> None:
    result = chat(tiny_target, "--max-tokens", "8", "--temperature", "0", stdin="abc\n\ndef\n")
    assert result.returncode == 0, result.stderr
    assert len([line for line in result.stdout.splitlines() if line.strip()]) >= 2


def test_chat_loads_no_qt(tiny_target: Path) -> None:
    code = (
        "import sys; from app.__main__ import main; "
        f"main(['chat', '--model', {str(tiny_target)!r}, '-p', 'abc', '--max-tokens', '2']); "
        "sys.exit(any(m.startswith('PySide6') for m in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, capture_output=True)


def test_non_ascii_paths(tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "Модели и 'кавычки' №1"
    folder.mkdir()
    target, sidecar = (Path(shutil.copy(p, folder / f"имя {p.name}")) for p in tiny_pair)
    result = chat(target, "--draft-model", str(sidecar), "-p", "Привет", "--max-tokens", "4", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["algorithm"] == "DFlash"


def test_the_default_pair_is_used_without_a_model() -> None:
    result = slipstream("chat", "-p", "Say hello.", "--max-tokens", "4", "--temperature", "0", "--json")
    assert result.returncode == 0, result.stderr
    assert "SmolLM2" in json.loads(result.stdout)["model"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--draft-tokens", "0"], "at least 1"),
        (["--draft-tokens", "many"], "not a number"),
        (["--temperature", "-1"], "between 0"),
        (["--max-tokens", "0"], "at least 1"),
        (["--nonsense"], "--nonsense"),
        (["--json"], "needs a prompt"),
        (["-p", "  "], "prompt is empty"),
        (["--algorithm", "magic", "-p", "x"], "magic"),
        (["--algorithm", "eagle3", "-p", "x"], "eagle3"),
        (["--algorithm", "draft", "-p", "x"], "--draft-model"),
    ],
)
def test_bad_arguments(tiny_target: Path, arguments: list[str], said: str) -> None:
    assert said in one_line_problem(chat(tiny_target, *arguments))


def test_bad_files(tiny_pair: tuple[Path, Path], tiny_sidecars: dict[str, Path], tmp_path: Path) -> None:
    target, sidecar = tiny_pair
    text = tmp_path / "notes.gguf"
    text.write_text("this is no model", "utf-8")
    empty = tmp_path / "empty.gguf"
    empty.touch()
    short = tmp_path / "short.gguf"
    short.write_bytes(target.read_bytes()[:-1000])
    short_sidecar = tmp_path / "short-sidecar.gguf"
    short_sidecar.write_bytes(sidecar.read_bytes()[:-1000])

    def problem(model: Path, *arguments: str) -> str:
        return one_line_problem(chat(model, *arguments, "-p", "abc"))

    assert "not there" in problem(tmp_path / "missing.gguf")
    assert "not a GGUF" in problem(text)
    assert "empty" in problem(empty)
    assert "short.gguf" in problem(short)
    assert "is a sidecar" in problem(sidecar)
    assert "is a directory" in problem(tmp_path) or "folder" in problem(tmp_path)
    assert "not there" in problem(target, "--draft-model", str(tmp_path / "missing.gguf"))
    assert "short-sidecar.gguf" in problem(target, "--draft-model", str(short_sidecar))
    same = problem(target, "--draft-model", str(target))
    assert "own draft" in same or "ordinary model" in same
    both = problem(target, "--draft-model", str(tiny_sidecars["DSpark"]), "--algorithm", "dflash")
    assert "DSpark" in both
    first = problem(target, "--draft-model", str(sidecar), "--algorithm", "dflash2")
    assert "DFlash2" in first


def test_a_prompt_longer_than_the_context(tiny_target: Path) -> None:
    line = one_line_problem(chat(tiny_target, "-p", "abc " * 3000))
    assert "fit" in line
    assert "512" in line


def test_a_context_beyond_the_memory(tiny_target: Path) -> None:
    line = one_line_problem(
        slipstream("chat", "--model", str(tiny_target), "--n-ctx", "900000000", "-p", "abc")
    )
    assert "GiB" in line


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_pipe_that_cannot_encode_the_text(tiny_target: Path, encoding: str) -> None:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for form in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "app", "chat", "--model", str(tiny_target), "--n-ctx", "256",
             "--threads", "1", "--max-tokens", "100", "--ignore-eos", "-p", "x", *form],
            capture_output=True, env=environment, cwd=root, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr == b""


def test_interrupting_it_ends_quietly(tiny_target: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    child = subprocess.Popen(
        [sys.executable, "-m", "app", "chat", "--model", str(tiny_target), "--threads", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=root,
    )  # fmt: skip
    time.sleep(4)  # behind the imports, also on a busy machine
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 130, errors
    assert b"Traceback" not in errors
