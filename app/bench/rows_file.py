"""A benchmark as CSV: one row for every pair of runs, for whoever goes on computing in a sheet."""

from __future__ import annotations

import csv
import io

from app.bench.result import BenchResult
from app.core.bench_values import DraftChoice, Pair
from app.core.stats import ratio

COLUMNS = (
    "draft_length", "p_min", "prompt", "category", "run", "ordinary_tokens", "ordinary_seconds",
    "ordinary_tokens_per_second", "speculative_tokens", "speculative_seconds",
    "speculative_tokens_per_second", "speedup", "drafted", "verified", "accepted", "same_text",
    "ordinary_finish", "speculative_finish",
)  # fmt: skip


def csv_text(result: BenchResult) -> str:
    """Tokens and seconds are those that are timed; prompt and run count from 1."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for point in result.points:
        for pair in point.pairs:
            writer.writerow(_row(point.choice, pair, result.plan.prompts[pair.prompt].category))
    return out.getvalue()


def _row(choice: DraftChoice, pair: Pair, category: str) -> tuple[object, ...]:
    times, rounds = pair.times, pair.speculative.rounds
    return (
        "auto" if choice.automatic else choice.n_max,
        choice.p_min,
        pair.prompt + 1,
        category,
        pair.number + 1,
        times.ordinary_tokens,
        f"{times.ordinary_seconds:.6f}",
        _rate(times.ordinary_tokens, times.ordinary_seconds),
        times.speculative_tokens,
        f"{times.speculative_seconds:.6f}",
        _rate(times.speculative_tokens, times.speculative_seconds),
        f"{times.ratio:.4f}" if times.usable else "",
        sum(len(r.drafted) for r in rounds),
        sum(r.verified for r in rounds),
        sum(r.accepted for r in rounds),
        "yes" if pair.matches else "no",
        pair.ordinary.finish_reason,
        pair.speculative.finish_reason,
    )


def _rate(tokens: int, seconds: float) -> str:
    value = ratio(tokens, seconds)
    return f"{value:.3f}" if value is not None else ""
