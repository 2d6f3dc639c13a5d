"""What the benchmark promises about its own numbers, on the default pair."""

from __future__ import annotations

import statistics
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from app.bench.plan import BenchPlan
from app.bench.prompts import BenchPrompt
from app.bench.runner import load, run
from app.core.conversation import ChatMessage
from app.core.events import RoundDone
from app.core.sampling import SamplingParams
from app.engine import Llama
from app.engine.loading import available_cores

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
        max_tokens=48,
        warmup_tokens=16,
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


def bare_loop(llm: Llama, tokens: list[int], n: int, on: bool) -> float:
    """Tokens per second by the wall clock of a loop that only consumes what the engine yields."""
    llm.set_speculation(on)
    made, start = 0, 0.0
    for event in llm.generate(tokens, GREEDY, n, ignore_eos=True):
        if isinstance(event, RoundDone):
            if start:
                made += len(event.round.tokens)
            else:
                start = perf_counter()
    return made / (perf_counter() - start)


def test_the_benchmark_measures_what_a_bare_loop_sees(llm: Llama, plan: BenchPlan) -> None:
    tokens = llm.chat_tokens([ChatMessage("user", QUESTION)])
    ratios: dict[str, list[float]] = {"ordinary": [], "speculative": []}
    once = replace(plan, runs=1, warmup_tokens=0)
    for _ in range(9):
        bare = {"ordinary": bare_loop(llm, tokens, plan.max_tokens, False)}
        bare["speculative"] = bare_loop(llm, tokens, plan.max_tokens, True)
        found = run(once, llm=llm).point
        assert found is not None
        for name, mode in (("ordinary", found.figures.ordinary), ("speculative", found.figures.speculative)):
            assert mode.aggregate is not None
            ratios[name].append(mode.aggregate / bare[name])
    for name, values in ratios.items():
        ratio = statistics.median(values)
        print(f"{name}: bench / bare loop, median {ratio:.4f}, {min(values):.4f} to {max(values):.4f}")
        assert 0.98 <= ratio <= 1.02


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
