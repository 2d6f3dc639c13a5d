"""What a benchmark file gives back, and what the window gets of it."""

from __future__ import annotations

import csv
import io
import json
import pickle
from pathlib import Path

import pytest

from app.bench.local_bench import LocalBench, plan_for, record_of
from app.bench.printed import printed
from app.bench.reading import read_result
from app.bench.record import to_document
from app.bench.report import markdown
from app.bench.result import BenchResult
from app.bench.runner import load
from app.core.bench import PROMPT, BenchRequest
from app.core.errors import EnvironmentProblem
from app.core.pair_settings import PairSettings
from tests.bench.support import plan_for as small_plan


@pytest.mark.parametrize("name", ["result", "swept"])
def test_a_file_gives_back_what_was_measured(name: str, request: pytest.FixtureRequest) -> None:
    measured: BenchResult = request.getfixturevalue(name)
    text = json.dumps(to_document(measured))
    again = read_result(text)
    assert again.points == measured.points
    assert again.environment == measured.environment
    assert again.recommendation == measured.recommendation
    assert to_document(again) == to_document(measured)
    assert markdown(again) == markdown(measured)
    assert printed(again, per_prompt=True) == printed(measured, per_prompt=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "slipstream-bench", "version": 99}',
        '{"format": "slipstream-bench", "version": 1}',
    ],
)
def test_what_is_no_benchmark_is_refused_in_words(text: str) -> None:
    with pytest.raises(EnvironmentProblem) as found:
        read_result(text)
    assert found.value.code == "benchmark-unreadable"


def test_a_record_is_picklable_and_the_same_from_a_file(swept: BenchResult) -> None:
    record = record_of(swept)
    assert pickle.loads(pickle.dumps(record)) == record
    again = LocalBench().read(record.document)
    assert (again.points, again.advice, again.table) == (record.points, record.advice, record.table)
    assert again.sections == record.sections
    assert any(s.title == "Summary" for s in record.sections)
    assert record.report.startswith("# Speculative decoding benchmark")


def test_the_csv_has_a_row_for_every_pair(result: BenchResult) -> None:
    rows = list(csv.DictReader(io.StringIO(record_of(result).table)))
    pairs = [pair for point in result.points for pair in point.pairs]
    assert len(rows) == len(pairs)
    first = pairs[0].times
    assert float(rows[0]["speedup"]) == pytest.approx(first.ratio, abs=1e-4)
    assert {row["category"] for row in rows} == {"letters", "digits"}


def test_the_plan_speaks_of_the_pair_that_is_loaded(tiny_pair: tuple[Path, Path]) -> None:
    import threading

    plan = small_plan(*tiny_pair)
    with load(plan, lambda *_: None, threading.Event()) as llm:
        asked = BenchRequest(PROMPT, "abc", runs=2, max_tokens=8, settings=PairSettings(n_ctx=999))
        made = plan_for(asked, llm)
    assert (made.n_ctx, made.n_threads, made.spec_types) == (512, 1, plan.spec_types)
    assert [p.text for p in made.prompts] == ["abc"]
