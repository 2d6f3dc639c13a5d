"""Prompts: the built-in sets and both forms of the user's file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from app.bench.command import PROMPT_SETS
from app.bench.prompt_sets import SETS
from app.bench.prompts import BenchPrompt, read_prompts
from app.core.errors import EnvironmentProblem


def test_the_built_in_set_has_24_prompts_in_8_categories() -> None:
    counts = Counter(prompt.category for prompt in SETS["builtin"])
    assert set(counts) == {
        "coding", "math", "writing", "Q&A", "reasoning", "summarisation", "translation", "copy-edit",
    }  # fmt: skip
    assert set(counts.values()) == {3}
    assert len({prompt.text for prompts in SETS.values() for prompt in prompts}) == 24 + 6 + 6
    assert tuple(SETS) == PROMPT_SETS


def test_lines_are_prompts(tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("\ufeffWarum schnurren Katzen?\n\n  Second prompt.  \n", "utf-8")
    assert read_prompts(file) == (BenchPrompt("Warum schnurren Katzen?"), BenchPrompt("Second prompt."))


def test_json_lines_carry_categories(tmp_path: Path) -> None:
    file = tmp_path / "prompts.jsonl"
    file.write_text('{"prompt": "a\\nb", "category": "two lines"}\n\n{"prompt": "c"}\n', "utf-8")
    assert read_prompts(file) == (BenchPrompt("a\nb", "two lines"), BenchPrompt("c"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no prompt"),
        (b"\n \n", "holds no prompt"),
        (b'{"prompt": "a"}\n{"category": "b"}\n', "Line 2"),
        (b'{"prompt": "a"}\nplain\n', "Line 2"),
        (b'{"prompt": "  "}\n', "Line 1"),
        (b"\xff\xfe\x00", "not UTF-8"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "prompts.txt"
    file.write_bytes(content)
    with pytest.raises(EnvironmentProblem, match=said):
        read_prompts(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="nowhere"):
        read_prompts(tmp_path / "nowhere.txt")
