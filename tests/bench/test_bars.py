"""What the benchmark promises about its own numbers, on the default pair."""

from __future__ import annotations

import statistics
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from app.bench.measure import PairTimes, speedup
from app.bench.plan import BenchPlan
from app.bench.prompts import BenchPrompt
from app.bench.runner import load, run
from app.core.conversation import ChatMessage
from app.core.events import Event, RoundDone
from app.core.sampling import SamplingParams
from app.engine import Llama
from app.engine.load_options import available_cores

pytestmark = [pytest.mark.real, pytest.mark.benchmark, pytest.mark.slow]

QUESTION = "Explain how a steam engine works, step by step."
GREEDY = SamplingParams(temperature=0.0, seed=42)


@pytest.fixture(scope="module")
def plan(default_pair: tuple[Path, Path]) -> BenchPlan:

    from app.gguf.kinds import sidecar_type

    target, draft = default_pair
    return BenchPlan(
        model_path=str(target),
        draft_path=str(draft),
        spec_types=(sidecar_type(draft),),
        prompts=(BenchPrompt(QUESTION),),
        workload="test",
        max_tokens=32,
        warmup_tokens=8,
        draft_n_max=3,
        n_ctx=1024,
        # One core stays free: a thread that has to wait for its core stops all of them at every barrier.
        n_threads=max(available_cores() - 1, 1),
        ignore_eos=True,
    )


@pytest.fixture(scope="module")
def llm(plan: BenchPlan) -> Iterator[Llama]:

    with load(plan, lambda *_: None, threading.Event()) as llm:
        yield llm


class Watch:
    """Stands between the engine and whoever consumes a reply; counts tokens by the wall clock."""

    def __init__(self) -> None:
        self.runs: list[tuple[int, float]] = []

    def around(self, events: Iterator[Event]) -> Iterator[Event]:
        made, start = 0, 0.0
        for event in events:
            if isinstance(event, RoundDone):
                if start:
                    made += len(event.round.tokens)
                else:
                    start = perf_counter()  # the first round after a switch is not timed
            yield event
        if made:
            self.runs.append((made, perf_counter() - start))


def bare_loop(llm: Llama, tokens: list[int], n: int, on: bool) -> tuple[int, float]:
    """Tokens and seconds of a loop that only consumes what the engine yields."""
    llm.set_speculation(on)
    watch = Watch()
    for _ in watch.around(llm.generate(tokens, GREEDY, n, ignore_eos=True)):
        pass
    return watch.runs[0]


def test_the_benchmark_measures_what_a_bare_loop_sees(
    llm: Llama, plan: BenchPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within 2 %: each of its runs by the wall clock outside, and against runs of a bare loop."""
    tokens = llm.chat_tokens([ChatMessage("user", QUESTION)])
    once = replace(plan, runs=1, warmup_tokens=0, max_tokens=24)
    watch, original = Watch(), Llama.generate
    against: dict[bool, list[PairTimes]] = {False: [], True: []}
    inside: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(9):
        bare = {False: bare_loop(llm, tokens, once.max_tokens, False)}
        watch.runs.clear()
        with monkeypatch.context() as patch:
            patch.setattr(Llama, "generate", lambda *a, **k: watch.around(original(*a, **k)))
            point = run(once, llm=llm).point
        bare[True] = bare_loop(llm, tokens, once.max_tokens, True)
        assert point is not None
        (pair,) = point.pairs
        assert len(watch.runs) == 2
        for on, measured, (made, seconds) in zip(
            (False, True), (pair.ordinary, pair.speculative), watch.runs, strict=True
        ):
            assert measured.timed_tokens == made
            inside[on].append(seconds / measured.timed_seconds)
            against[on].append(PairTimes(*bare[on], measured.timed_tokens, measured.timed_seconds))
    for on, values in inside.items():
        share, found = statistics.median(values), speedup([against[on]])
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        print(
            f"speculation {on}: wall clock / measured {share:.4f}; bench / bare loop {found.ratio:.4f} "
            f"({found.low:.4f} to {found.high:.4f})"
        )
        assert 0.98 <= share <= 1.02
        # On a busy machine two runs differ by more; then the interval is wide and must hold the bar.
        assert found.low <= 1.02
        assert found.high >= 0.98


def test_a_repeat_lies_in_the_earlier_interval(llm: Llama, plan: BenchPlan) -> None:
    inside, earlier = 0, None
    for _ in range(11):
        point = run(plan, llm=llm).point
        assert point is not None
        found = point.figures.speedup
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        if earlier is not None:
            inside += earlier[0] <= found.ratio <= earlier[1]
        print(f"{found.ratio:.4f} ({found.low:.4f} to {found.high:.4f})")
        earlier = (found.low, found.high)
    assert inside >= 9
