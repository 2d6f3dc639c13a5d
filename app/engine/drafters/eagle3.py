"""DRAFT_EAGLE3: one layer that foretells token after token from three of the target's inner states.

An encoder fuses the states of a position into one row; the layer sees that row and the token after it.
Which states are read, and what the file lacks and borrows from the target, is in its header.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.core.speculation import SpeculativeType
from app.engine.drafters.paired import PairedDrafter
from app.engine.handles import Batch, Context, Floats, Model, float_view
from app.engine.target import Target

EAGLE3 = "EAGLE-3"


class Eagle3Drafter(PairedDrafter):
    """`taps`: target layers whose input is read, in file order; the number of layers means what leaves the
    last one."""

    shift = 1

    def __init__(
        self,
        taps: Sequence[int],
        target: Target,
        context: Context,
        model: Model,
        n_max_limit: int,
        on_backend: bool = False,
    ) -> None:
        self._taps = tuple(taps)
        wide = len(self._taps) * target.model.n_embd
        super().__init__(
            SpeculativeType.DRAFT_EAGLE3,
            EAGLE3,
            target,
            context,
            model,
            model.n_embd,
            wide,
            n_max_limit,
            on_backend,
        )
        self._encoded = Batch(self._pairs.capacity, wide)

    def attach(self, on: bool) -> None:
        n_layer = self._target.model.n_layer
        self._target.set_taps(tuple(t for t in self._taps if t < n_layer) if on else ())
        self._target.set_nextn(on and n_layer in self._taps)

    def _read(self, out: Floats, rows: int, first: int) -> None:
        target, width = self._target, self._target.model.n_embd
        for k, layer in enumerate(self._taps):
            inside = layer < target.model.n_layer
            read = target.tap_rows(layer, rows) if inside else target.nextn_rows(rows)
            out[:, k * width : (k + 1) * width] = read[first : first + len(out)]

    def _hidden(self, n: int) -> Floats:
        self._encoded.rows[:n] = self._raw[:n]
        # The encoder knows no positions, but the library wants them to follow those in memory.
        self._context.encode(self._encoded.set(n, self._context.last_position() + 1, outputs=True))
        self._context.synchronize()
        hidden: Floats = np.array(float_view(self._nextn(self._context.handle), n, self._width))
        return hidden

    def _take_in(self, tokens: Sequence[int], position: int) -> None:
        self._context.decode(self._pairs.set_tokens(tokens, position, outputs=False))
