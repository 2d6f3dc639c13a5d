"""The sweep: which lengths, what it recommends, how sure, and what is left when it is stopped."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.bench.figures import figures
from app.bench.recommendation import recommendation
from app.bench.result import BenchResult
from app.bench.runner import run
from app.bench.sweep import draft_choices, every_length, recommend
from app.core.bench import BenchProgress
from app.core.bench_values import DraftChoice, Point
from app.core.errors import EnvironmentProblem
from app.core.rounds import SPECULATIVE, SUSPENDED
from tests.bench.support import made_pair, plan_for


def point(length: int, rates: list[float], ordinary: float = 100.0) -> Point:
    pairs = tuple(made_pair(ordinary, rate, number=i) for i, rate in enumerate(rates))
    return Point(DraftChoice(length), pairs, (), figures(pairs))


def test_each_length_is_drafted_and_measured(swept: BenchResult) -> None:
    assert [p.choice for p in swept.points] == [DraftChoice(1), DraftChoice(3), DraftChoice(7)]
    for p in swept.points:
        assert len(p.pairs) == 3
        # Shorter where the reply has no room for more.
        assert max(r.verified for pair in p.pairs for r in pair.speculative.rounds) == p.choice.n_max
        assert p.figures.matching_pairs == 3
        assert p.figures.speedup is not None
    found = swept.recommendation
    assert found is not None
    assert found.chance is not None
    assert not found.partial
    best = max(p.figures.speedup.ratio for p in swept.points if p.figures.speedup)
    assert found.length == (swept.points[swept.shown].choice.n_max if best > 1 else 0)


def test_the_fastest_length_is_recommended_with_certainty() -> None:
    points = [point(1, [110, 111, 112]), point(3, [150, 151, 149]), point(7, [80, 81, 79])]
    found = recommend(points)
    assert found is not None
    assert (found.length, found.certainty) == (3, "sure")
    assert found.speedup == pytest.approx(1.5, rel=0.01)


def test_near_equals_are_open() -> None:
    found = recommend([point(3, [150, 156, 153]), point(4, [151, 157, 152])])
    assert found is not None
    assert found.chance is not None
    assert found.certainty == "open"


def test_a_loss_recommends_ordinary_decoding() -> None:
    found = recommend([point(1, [80, 81, 82]), point(7, [30, 31, 30])])
    assert found is not None
    assert (found.length, found.certainty) == (0, "sure")


def test_one_pair_recommends_without_certainty() -> None:
    found = recommend([point(3, [150]), point(7, [120])])
    assert found is not None
    assert (found.length, found.chance, found.certainty) == (3, None, "unknown")


def test_stopping_keeps_what_was_measured(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> None:
    cancel = threading.Event()
    finished = []

    def stop_after_five(progress: BenchProgress) -> None:
        if progress.finished is not None:
            finished.append(progress.choice)
            if len(finished) == 5:
                cancel.set()

    plan = plan_for(tiny_target, tiny_sidecars["DFlash"], runs=3, sweep=True)
    found = run(plan, stop_after_five, cancel)
    assert found.cancelled
    assert [p.choice.n_max for p in found.points] == [1, 2, 3, 4, 5]
    assert all(len(p.pairs) == 1 for p in found.points)
    assert found.recommendation is not None
    assert found.recommendation.partial
    assert "stopped early" in recommendation(found)


def test_the_default_is_every_length_the_sidecar_allows(tiny_target: Path) -> None:
    plan = plan_for(tiny_target, Path("dflash.gguf"), sweep=True)
    choices, warnings = draft_choices(plan, 7, True)
    assert [c.n_max for c in choices] == [1, 2, 3, 4, 5, 6, 7]
    assert warnings == []
    assert every_length(64) == (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64)
    assert every_length(8) == tuple(range(1, 9))
    assert every_length(10) == (*range(1, 9), 10)


def test_what_the_drafter_cannot_do_is_said(tiny_target: Path) -> None:
    def choices(p_min_works: bool, lengths: tuple[int, ...]) -> tuple[list[DraftChoice], list[str]]:
        plan = plan_for(tiny_target, Path("x"), sweep=True, lengths=lengths, p_mins=(0.0, 0.4))
        return draft_choices(plan, 7, p_min_works)

    found, warnings = choices(True, (2, 9))
    assert found == [DraftChoice(2, 0.0), DraftChoice(2, 0.4)]
    assert len(warnings) == 1
    found, warnings = choices(False, (2,))
    assert found == [DraftChoice(2)]
    assert "p_min" in warnings[0]
    with pytest.raises(EnvironmentProblem, match="None of the draft lengths"):
        choices(True, (9, 12))


def test_a_single_length_is_clamped_and_automatic_takes_the_limit(tiny_target: Path) -> None:
    assert draft_choices(plan_for(tiny_target, Path("x"), draft_n_max=15), 7, True)[0] == [DraftChoice(7)]
    automatic = plan_for(tiny_target, Path("x"), draft_n_max=64, automatic_length=True)
    assert draft_choices(automatic, 7, True)[0] == [DraftChoice(7, automatic=True)]


def test_automatic_length_is_measured_as_one_choice(
    tiny_target: Path, tiny_sidecars: dict[str, Path]
) -> None:
    plan = plan_for(
        tiny_target, tiny_sidecars["DFlash"], automatic_length=True, draft_n_max=16, max_tokens=80
    )
    found = run(plan)
    (measured,) = found.points
    assert measured.choice == DraftChoice(7, automatic=True)
    assert measured.choice.label == "auto"
    assert measured.figures.matching_pairs == 2
    assert found.warnings == ()
    rounds = [r for pair in measured.pairs for r in pair.speculative.rounds]
    # Each round drafts as much as pays, or not at all.
    assert {r.mode for r in rounds} <= {SPECULATIVE, SUSPENDED}
    assert measured.figures.draft.suspended_steps == sum(r.mode == SUSPENDED for r in rounds)
