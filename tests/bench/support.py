"""Pieces the benchmark's tests share: small plans on the tiny pairs, and pairs of runs made of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.bench.plan import BenchPlan
from app.bench.prompts import BenchPrompt
from app.core.bench_values import Pair, PairTimes, Run
from app.core.rounds import NATIVE, NO_ROLLBACK, ORDINARY, SPECULATIVE, Round, RoundTimings
from app.core.speculation import SpeculativeType

PROMPTS = (
    BenchPrompt("abc def", "letters"),
    BenchPrompt("ghi jkl mno", "letters"),
    BenchPrompt("1 2 3 4", "digits"),
)


def plan_for(target: Path, sidecar: Path, **changes: Any) -> BenchPlan:
    """Seconds of work: one prompt, 2 passes of 40 tokens, one thread."""
    kind = SpeculativeType.DRAFT_DSPARK if "dspark" in sidecar.name else SpeculativeType.DRAFT_DFLASH
    plan = BenchPlan(
        model_path=str(target),
        draft_path=str(sidecar),
        spec_types=(kind,),
        prompts=PROMPTS[:1],
        workload="test",
        max_tokens=40,
        runs=2,
        warmup_tokens=4,
        n_ctx=512,
        n_threads=1,
    )
    return replace(plan, **changes)


def ordinary_round(token: int, seconds: float) -> Round:
    return Round(ORDINARY, 0, (token,), 0, seconds=seconds, timings=RoundTimings(decode=seconds))


def draft_round(tokens: Sequence[int], verified: int, seconds: float) -> Round:
    accepted = len(tokens) - 1
    rejected = tuple(range(verified - accepted))
    return Round(
        SPECULATIVE,
        0,
        tuple(tokens),
        accepted,
        drafted=tuple(range(verified)),
        verified=verified,
        rejected=rejected,
        rollback=NATIVE if rejected else NO_ROLLBACK,
        seconds=seconds,
        timings=RoundTimings(draft=seconds / 10, decode=seconds / 2),
    )


def made_pair(ordinary_rate: float, speculative_rate: float, prompt: int = 0, number: int = 0) -> Pair:
    """100 tokens in each mode at these rates; every second draft of one is accepted."""
    tokens = list(range(100))
    ordinary = Run(ORDINARY, "length", tuple(ordinary_round(t, 1 / ordinary_rate) for t in tokens))
    rounds = tuple(draft_round(tokens[i : i + 2], 2, 2 / speculative_rate) for i in range(0, 100, 2))
    return Pair(prompt, number, ordinary, Run(SPECULATIVE, "length", rounds))


def times(ratio: float, seconds: float = 1.0) -> PairTimes:
    """An ordinary run of 100 tokens and a speculative one that is `ratio` times as fast."""
    return PairTimes(100, seconds, 100, seconds / ratio)
