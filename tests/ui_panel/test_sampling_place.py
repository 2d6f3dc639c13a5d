"""The chip's popover says where tokens are chosen: what was asked for, and what is so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.events import SPECULATING, LoadedPair, SpeculationStatus
from app.core.stats import SpeculativeStats
from app.core.wording import say
from app.ui.pair_bar import PairBar
from app.ui.sampling_place import sampling_place

PAIR = LoadedPair("t", "T", "llama", "Q8_0", 1, 512, 512, 288, 1, algorithm="DFlash2")


@pytest.mark.parametrize(
    ("pair", "stats", "words"),
    [
        (None, None, ""),
        (PAIR, SpeculativeStats(), ""),
        (
            replace(PAIR, target_backend_sampling=True),
            None,
            "The device is to choose the target's tokens, where it can.",
        ),
        (
            replace(PAIR, target_backend_sampling=True),
            SpeculativeStats(backend_sampling_requested=True, backend_sampling_active=True),
            "The device chooses the target's tokens.",
        ),
        (
            replace(PAIR, target_backend_sampling=True),
            SpeculativeStats(
                backend_sampling_requested=True,
                backend_sampling_reason=say("A grammar is followed on the host."),
            ),
            "The target's tokens are chosen on the host. A grammar is followed on the host.",
        ),
        (
            replace(PAIR, backend_sampling_requested=True, backend_sampling_active=True),
            None,
            "The device chooses the draft's tokens.",
        ),
        (
            replace(PAIR, backend_sampling_requested=True),
            None,
            "Draft tokens are chosen on the host: DFlash2 leaves nothing to the device.",
        ),
        (replace(PAIR, algorithm="", backend_sampling_requested=True), None, ""),
    ],
)
def test_requested_and_active_are_told_apart(
    pair: LoadedPair | None, stats: SpeculativeStats | None, words: str
) -> None:
    assert sampling_place(pair, stats) == words


def test_the_popover_says_it(qtbot) -> None:
    bar = PairBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.set_status(SpeculationStatus(SPECULATING, "DFlash", 5))
    bar.set_sampling_place("The device chooses the draft's tokens.")
    popover = bar.open_popover()
    assert "The device chooses the draft's tokens." in popover.text
    popover.close()
    bar.set_sampling_place("")
    popover = bar.open_popover()
    assert "device" not in popover.text
    popover.close()
