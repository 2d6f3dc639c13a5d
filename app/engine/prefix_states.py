"""Saved states of the beginning of the cached text, for memories that cannot be cut back to it.

A conversation's next prompt mostly parts from the cached text where a reply began. Knows one context
and positions; what the tokens are is the target's business.
"""

from __future__ import annotations

from itertools import pairwise

from app.engine.checkpoints import Checkpoint, CheckpointCounts
from app.engine.handles import Context


class PrefixStates:
    """Up to `limit` states in host memory, in order of position; a new one is due every `interval`."""

    def __init__(self, context: Context, limit: int, interval: int, counts: CheckpointCounts) -> None:
        self.limit = limit
        self._context = context
        self._interval = interval
        self._counts = counts
        self._states: list[Checkpoint] = []
        self._free: list[Checkpoint] = []

    @property
    def positions(self) -> list[int]:
        return [state.position for state in self._states]

    def keep(self, position: int, wanted: bool) -> None:
        """Save the present state, that after `position` tokens, if it is `wanted` or due."""
        last = self._states[-1].position if self._states else 0
        if position <= last or not (wanted or position - last >= self._interval):
            return
        if len(self._states) == self.limit:
            self._drop_densest()
        state = self._free.pop() if self._free else Checkpoint(self._context, counts=self._counts)
        state.capture()
        self._states.append(state)

    def _drop_densest(self) -> None:
        """The one that costs least to do without: it follows most closely on the one before. The newest
        stays: it is at the end of the prompt that is being read."""
        gaps = [end - start for start, end in pairwise([0, *self.positions])]
        gaps = gaps[:-1] or gaps
        self._give_up(gaps.index(min(gaps)))

    def cut(self, n: int) -> None:
        """States of more than `n` positions are of no text that is still there."""
        while self._states and self._states[-1].position > n:
            self._give_up(-1)

    def restore(self, n: int) -> int:
        """Go back to the longest state of at most `n` positions; returns them, 0 if there is none."""
        self.cut(n)
        return self._states[-1].restore() if self._states else 0

    def _give_up(self, index: int) -> None:
        state = self._states.pop(index)
        state.drop()
        self._free.append(state)

    def close(self) -> None:
        """Give all buffers back."""
        for state in (*self._states, *self._free):
            state.close()
        self._states.clear()
        self._free.clear()
