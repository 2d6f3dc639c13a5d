"""Where a text begins to loop, and that figures leave out what follows."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from app.bench.figures import before_loop, draft_figures
from app.bench.loops import loop_end
from app.core.bench_values import Run
from app.core.rounds import SPECULATIVE
from tests.bench.support import draft_round

HEAD = random.Random(4).sample(range(1000, 9000), 40)


@pytest.mark.parametrize("period", [1, 2, 7, 8, 9, 31, 32])
def test_a_loop_ends_after_its_third_turn(period: int) -> None:
    block = list(range(period))
    text = [*HEAD, *block * (96 // period + 2)]
    assert loop_end(text) == len(HEAD) + max(3 * period, 24)


def test_no_loop_keeps_the_whole_text() -> None:
    assert loop_end([]) == 0
    assert loop_end(HEAD) == len(HEAD)
    # A longer period, a short row of dots, and two turns are no loop.
    assert loop_end([*HEAD, *list(range(33)) * 4]) == len(HEAD) + 33 * 4
    assert loop_end([*HEAD, *[5] * 23, 6]) == len(HEAD) + 24
    assert loop_end([*HEAD, *list(range(20)) * 2]) == len(HEAD) + 40


def test_the_mean_length_leaves_out_the_loop() -> None:
    """Before the loop one draft of two is accepted; inside it everything is."""
    looping = list(range(8)) * 20
    rounds = [draft_round(HEAD[i : i + 2], 2, 0.01) for i in range(0, 40, 2)]
    rounds += [draft_round(looping[i : i + 4], 3, 0.01) for i in range(0, len(looping), 4)]
    kept = before_loop(rounds)
    # 40 tokens and the first 24 of the loop.
    assert sum(len(r.tokens) for r in kept) == 64
    figures = draft_figures([Run(SPECULATIVE, "length", tuple(rounds))])
    assert figures.left_out == len(looping) - 24
    assert figures.loop_free_length == pytest.approx(1 + (20 * 1 + 6 * 3) / 26)
    assert figures.mean_accepted_length == pytest.approx(1 + (20 * 1 + 40 * 3) / 60)


def test_without_a_loop_every_round_counts() -> None:
    """The last round of a reply that ended by itself delivers nothing, and its drafts were in vain."""
    rounds = [draft_round(HEAD[i : i + 2], 2, 0.01) for i in range(0, 40, 2)]
    last = replace(rounds[-1], tokens=(), accepted=0, rejected=(7, 8))
    figures = draft_figures([Run(SPECULATIVE, "stop", (*rounds, last))])
    assert figures.left_out == 0
    assert figures.loop_free_length == figures.mean_accepted_length == pytest.approx(1 + 20 / 21)
