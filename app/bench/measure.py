"""From timed pairs of runs to a speedup that says how sure it is. Standard library only; knows no engine.

A pair is one ordinary and one speculative run of the same prompt, one right after the other, so that
what slows the machine for a while slows both. Pass i is the i-th pair of every prompt; its speedup
compares the time of the whole workload.

The interval is a bootstrap of the whole benchmark: in log space each prompt's pairs scatter around the
prompt's own ratio with one common standard deviation; centre and deviation are drawn as uncertain as
so few pairs leave them (normal and chi-square), the passes are drawn anew, and their median is taken.
So it holds the median that a repeat of the benchmark would show with 95 % probability, not only the
middle of the numbers at hand, which with three runs would be far too sure of itself.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence

from app.core.bench_values import PairTimes, Speedup

REPLICATES = 1000
SEED = 20240521
CONFIDENCE = 0.95
# Fewer prompts than this say nothing about prompts in general.
MIN_PROMPTS = 5
# With two pairs a draw may land anywhere; exp() must not overflow there.
_FAR = 50.0

Groups = Sequence[Sequence[PairTimes]]


def workload_ratio(pairs: Sequence[PairTimes]) -> float:
    """Speedup of one pass: throughput over all of its prompts, speculative over ordinary."""
    return (sum(p.speculative_tokens for p in pairs) / sum(p.speculative_seconds for p in pairs)) / (
        sum(p.ordinary_tokens for p in pairs) / sum(p.ordinary_seconds for p in pairs)
    )


def pass_ratios(groups: Groups) -> list[float]:
    """Speedup of each pass. `groups[g][i]` is the i-th pair of prompt g; all prompts have as many."""
    return [workload_ratio(pairs) for pairs in zip(*groups, strict=True)]


def speedup(groups: Groups) -> Speedup | None:
    """Median of the passes with its interval; None without a pair. All groups have the same length."""
    ratios = pass_ratios(groups)
    if not ratios:
        return None
    ratio, n = statistics.median(ratios), sum(map(len, groups))
    model = _Model(groups)
    if model.degrees >= 1:
        draws = sorted(model.repeat(len(ratios)) for _ in range(REPLICATES))
        low, high = quantile(draws, 0.5 - CONFIDENCE / 2), quantile(draws, 0.5 + CONFIDENCE / 2)
        return Speedup(ratio, min(low, ratio), max(high, ratio), n)
    if len(groups) >= MIN_PROMPTS:
        chance = random.Random(SEED)
        pairs = [group[0] for group in groups]
        draws = sorted(workload_ratio(chance.choices(pairs, k=len(pairs))) for _ in range(REPLICATES))
        low, high = quantile(draws, 0.5 - CONFIDENCE / 2), quantile(draws, 0.5 + CONFIDENCE / 2)
        return Speedup(ratio, min(low, ratio), max(high, ratio), n, over_prompts=True)
    return Speedup(ratio, None, None, n)


def chances(choices: Sequence[Groups]) -> list[float] | None:
    """How likely each choice is the fastest, the last entry being ordinary decoding itself.

    Each choice's true speedup is drawn as uncertain as its own pairs leave it. None when one of the
    choices has too few pairs to tell how uncertain it is.
    """
    # Each choice has its own chance, or all of them would be lucky together.
    models = [_Model(groups, SEED + i) for i, groups in enumerate(choices)]
    if not models or any(m.degrees < 1 for m in models):
        return None
    wins = [0] * (len(models) + 1)
    for _ in range(REPLICATES):
        drawn = [*(m.true_ratio() for m in models), 1.0]
        wins[max(range(len(drawn)), key=drawn.__getitem__)] += 1
    return [w / REPLICATES for w in wins]


class _Model:
    """Log ratios per prompt with one common deviation; deterministic draws."""

    def __init__(self, groups: Groups, seed: int = SEED) -> None:
        self._chance = random.Random(seed)
        self._centres: list[float] = []
        self._counts: list[int] = []
        self._ordinary: list[tuple[float, float]] = []  # mean tokens and seconds of a prompt
        self._tokens: list[float] = []  # mean speculative tokens
        self._squares = 0.0
        for group in groups:
            logs = [math.log(p.ratio) for p in group]
            centre = statistics.fmean(logs)
            self._centres.append(centre)
            self._counts.append(len(group))
            self._squares += sum((x - centre) ** 2 for x in logs)
            self._ordinary.append(
                (
                    statistics.fmean(p.ordinary_tokens for p in group),
                    statistics.fmean(p.ordinary_seconds for p in group),
                )
            )
            self._tokens.append(statistics.fmean(p.speculative_tokens for p in group))
        self.degrees = sum(self._counts) - len(self._counts)

    def _draw_centres(self) -> tuple[list[float], float]:
        deviation = math.sqrt(self._squares / self._chance.gammavariate(self.degrees / 2, 2.0))
        return [
            c + self._chance.gauss(0.0, deviation / math.sqrt(n))
            for c, n in zip(self._centres, self._counts, strict=True)
        ], deviation

    def _workload(self, logs: Sequence[float]) -> float:
        spent = sum(
            tokens / (o_tokens / o_seconds * math.exp(min(max(log, -_FAR), _FAR)))
            for tokens, (o_tokens, o_seconds), log in zip(self._tokens, self._ordinary, logs, strict=True)
        )
        ordinary = sum(tokens for tokens, _ in self._ordinary) / sum(seconds for _, seconds in self._ordinary)
        return sum(self._tokens) / spent / ordinary

    def true_ratio(self) -> float:
        """One possible true speedup of the workload."""
        return self._workload(self._draw_centres()[0])

    def repeat(self, passes: int) -> float:
        """The median that one possible repeat of the benchmark would show."""
        centres, deviation = self._draw_centres()
        drawn = [
            self._workload([c + self._chance.gauss(0.0, deviation) for c in centres]) for _ in range(passes)
        ]
        return statistics.median(drawn)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Linear between the neighbours of a sorted, non-empty sequence."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
