"""Earlier benchmarks on disk: kept per pair, deleted with a way back, honest about what is damaged."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.bench import BenchRecord, BenchRequest, pair_tag
from app.core.errors import EnvironmentProblem
from app.core.settings import Pair
from app.storage.benchmarks import BenchmarkFiles
from tests.fakes.fake_bench import BenchScript, FakeBench

ONE, OTHER = "0123456789ab", "ba9876543210"


@pytest.fixture(scope="module")
def record() -> BenchRecord:
    import threading

    bench = FakeBench(BenchScript(prompts=2))
    return bench.run(None, BenchRequest(runs=2), lambda _: None, threading.Event())  # type: ignore[arg-type]


def test_what_is_saved_is_listed_for_its_pair_newest_first(tmp_path: Path, record: BenchRecord) -> None:
    files = BenchmarkFiles(tmp_path / "benchmarks")
    assert files.entries(ONE) == []
    older = files.save(ONE, replace(record, created=1000.0))
    newer = files.save(ONE, record)
    files.save(OTHER, record)
    assert files.entries(ONE) == [newer, older]
    assert BenchmarkFiles(tmp_path / "benchmarks").entries(ONE) == [newer, older]
    assert newer.verdict == "faster"
    assert files.read(newer.id) == record.document + "\n"
    assert FakeBench().read(files.read(newer.id)).points == record.points


def test_two_of_the_same_second_are_both_kept(tmp_path: Path, record: BenchRecord) -> None:
    files = BenchmarkFiles(tmp_path)
    assert files.save(ONE, record).id != files.save(ONE, record).id
    assert len(files.entries(ONE)) == 2


def test_deleted_can_be_brought_back_until_the_next_start(tmp_path: Path, record: BenchRecord) -> None:
    files = BenchmarkFiles(tmp_path)
    kept, gone = files.save(ONE, record), files.save(ONE, record)
    files.delete(kept.id)
    files.delete(gone.id)
    assert files.entries(ONE) == []
    files.restore(kept.id)
    assert files.entries(ONE) == [kept]
    assert BenchmarkFiles(tmp_path).entries(ONE) == [kept]
    with pytest.raises(EnvironmentProblem):
        files.restore(gone.id)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([f"{kept.id}.json", f"{kept.id}.line.json"])


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2}', '{"version": 1, "id": "x", "more": 1}'])
def test_a_damaged_line_is_left_out(tmp_path: Path, record: BenchRecord, text: str) -> None:
    files = BenchmarkFiles(tmp_path)
    good, bad = files.save(ONE, record), files.save(ONE, record)
    (tmp_path / f"{bad.id}.line.json").write_text(text)
    assert files.entries(ONE) == [good]


def test_a_document_that_is_gone_or_no_text_is_a_problem(tmp_path: Path, record: BenchRecord) -> None:
    files = BenchmarkFiles(tmp_path)
    entry = files.save(ONE, record)
    path = tmp_path / f"{entry.id}.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(EnvironmentProblem):
        files.read(entry.id)
    path.unlink()
    with pytest.raises(EnvironmentProblem) as found:
        files.read(entry.id)
    assert "removed" in found.value.why


def test_a_folder_that_cannot_be_made_is_a_problem(tmp_path: Path, record: BenchRecord) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(EnvironmentProblem):
        BenchmarkFiles(tmp_path / "file" / "benchmarks").save(ONE, record)


def test_the_name_of_a_file_tells_nothing_about_folders() -> None:
    tag = pair_tag(Pair("/home/somebody/target.gguf", "/home/somebody/sidecar.gguf"))
    assert len(tag) == 12
    assert int(tag, 16) >= 0
    assert tag != pair_tag(Pair("/home/somebody/target.gguf"))
    assert tag == pair_tag(
        Pair(os.path.join("/home", "somebody", "target.gguf"), "/home/somebody/sidecar.gguf")
    )
