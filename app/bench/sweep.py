"""Which draft lengths to try, and which one to use afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from app.bench.figures import timed_groups
from app.bench.measure import chances
from app.bench.plan import BenchPlan
from app.core.bench_values import DraftChoice, Point, Recommendation
from app.core.errors import EnvironmentProblem
from app.core.wording import say

# Every length up to here, then coarser steps: n-gram drafts may be 64 tokens long.
_DENSE = 8
_STEPS = (12, 16, 24, 32, 48, 64)


def draft_choices(plan: BenchPlan, limit: int, p_min_works: bool) -> tuple[list[DraftChoice], list[str]]:
    """The choices to measure, and warnings about what the drafter does not allow.

    `limit` is the longest draft of the loaded drafter. EnvironmentProblem when nothing is left.
    """
    warnings = []
    if not plan.sweep:
        asked = [DraftChoice(plan.draft_n_max, plan.draft_p_min, plan.automatic_length)]
    else:
        lengths = plan.lengths or every_length(limit)
        asked = [DraftChoice(n, p) for p in plan.p_mins for n in lengths]
    if plan.sweep and max(c.n_max for c in asked) > limit:
        asked = [c for c in asked if c.n_max <= limit]
        if not asked:
            raise EnvironmentProblem(
                say("None of the draft lengths to sweep is possible."),
                say("The drafter proposes at most {n} tokens.", n=limit),
                say("Leave out the numbers to sweep all of its lengths."),
                code="draft-length",
            )
        warnings.append(say("Draft lengths above {n} were left out; the drafter proposes no more.", n=limit))
    choices = [DraftChoice(min(c.n_max, limit), c.p_min, c.automatic) for c in asked]
    if any(c.automatic for c in choices):
        choices = [DraftChoice(limit, c.p_min, True) for c in choices]
    if not p_min_works and any(c.p_min for c in choices):
        warnings.append(say("p_min was left at 0: this drafter has no probabilities to compare it with."))
        choices = list(dict.fromkeys(DraftChoice(c.n_max, 0.0, c.automatic) for c in choices))
    return choices, warnings


def every_length(limit: int) -> tuple[int, ...]:
    """1 to `limit`, coarser beyond 8."""
    dense = range(1, min(limit, _DENSE) + 1)
    return (*dense, *(n for n in _STEPS if n < limit), *((limit,) if limit > _DENSE else ()))


def recommend(points: Sequence[Point], partial: bool = False) -> Recommendation | None:
    """The choice with the highest measured speedup, or ordinary decoding when none is above 1.

    None when no point has a speedup.
    """
    measured = [p for p in points if p.figures.speedup is not None]
    if not measured:
        return None
    ratios = [p.figures.speedup.ratio for p in measured if p.figures.speedup is not None]
    likely = chances([timed_groups(p.pairs) for p in measured])
    best = max(range(len(ratios)), key=ratios.__getitem__)
    if ratios[best] <= 1.0:
        return Recommendation(0, 0.0, 1.0, likely[-1] if likely else None, partial)
    choice = measured[best].choice
    chance = likely[best] if likely else None
    return Recommendation(choice.n_max, choice.p_min, ratios[best], chance, partial)
