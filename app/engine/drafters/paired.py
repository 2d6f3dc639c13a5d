"""What drafters share that foretell from pairs: a token, and the target's state before it.

Pair p is the token at position p with the hidden row of position p - 1. The draft's memory holds one
entry for every pair, at position p - `shift`. A draft begins with the pair of the token sampled last and
goes on by itself: every token it finds is paired with the hidden row it was found by.

Where the rows come from and how pairs are decoded is the subclass's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from app.core.speculation import SpeculativeType
from app.engine.drafters.base import DraftLimits, Unmoved
from app.engine.drafters.top_tokens import TopTokens
from app.engine.handles import Batch, Context, Floats, Model, float_view
from app.engine.native import BOOL, VOID, function
from app.engine.target import Target

# Hidden rows of so many positions at the end are kept, to go on from where a text was cut.
_KEPT = 256


class PairedDrafter(Unmoved, ABC):
    """See `Drafter` for the protocol. Owns the context, and `model` unless it is None (the target's).

    `width`: of a hidden row; `raw_width`: of what is read from the target for one. `n_max_limit` bounds
    proposals.
    """

    needs_rows = True
    supports_p_min = True
    shift = 0

    def __init__(
        self,
        kind: SpeculativeType,
        name: str,
        target: Target,
        context: Context,
        model: Model | None,
        width: int,
        raw_width: int,
        n_max_limit: int,
        on_backend: bool = False,
    ) -> None:
        self.kind = kind
        self.name = self.proposer = name
        self.n_max_limit = n_max_limit
        self._target = target
        self._context = context
        self._model = model
        self._width = width
        self._best = TopTokens(context, on_backend)
        self.samples_on_backend = self._best.active
        set_nextn = function("llama_set_embeddings_nextn", None, VOID, BOOL, BOOL)
        self._nextn = function("llama_get_embeddings_nextn", VOID, VOID, quick=True)
        set_nextn(context.handle, True, True)
        self._pairs = Batch(min(context.n_batch, context.n_ubatch, _KEPT), width, paired=True)
        self._raw: Floats = np.zeros((self._pairs.capacity, raw_width), np.float32)
        self._waiting: list[int] = []  # committed tokens whose rows are in `_raw`, not decoded yet
        self._n = 0  # pairs of so many positions are in memory
        self._kept: Floats = np.zeros((_KEPT, width), np.float32)  # row of position p at p % _KEPT
        self._kept_from = 0  # the lowest position whose row is kept

    # --- following the text -------------------------------------------------------------------------

    @property
    def known(self) -> int:
        return self._n + len(self._waiting)

    def truncate(self, n: int) -> None:
        if n >= self.known:
            return
        del self._waiting[max(n - self._n, 0) :]
        if n >= self._n:
            return
        if n == 0 or not self._reaches_back(n) or not self._context.remove(max(n - self.shift, 0)):
            self._restart(0)
        else:
            self._n = n
            self._kept_from = min(self._kept_from, n)

    def process(self, tokens: Sequence[int], start: int) -> None:
        self.defer(tokens, start)
        self._flush()

    def defer(self, tokens: Sequence[int], start: int) -> None:
        if start != self.known:
            # The target could not be cut back: begin anew at the current position.
            self._restart(start)
        rows, done = len(tokens), 0
        while done < rows:
            waiting = len(self._waiting)
            if waiting == self._pairs.capacity:
                self._flush()
                waiting = 0
            take = min(rows - done, self._pairs.capacity - waiting)
            self._read(self._raw[waiting : waiting + take], rows, done)
            self._waiting += tokens[done : done + take]
            done += take

    def _restart(self, start: int) -> None:
        self._context.clear()
        self._waiting.clear()
        self._n = self._kept_from = start

    def _reaches_back(self, n: int) -> bool:
        """A windowed cache may have dropped what the pairs after `n` attend to."""
        if not self._context.windowed:
            return True
        return self._context.first_position() <= max(0, n - self.shift - self._context.model.n_swa)

    def _flush(self) -> None:
        """Decode what is waiting: token i with the row of the token before it."""
        tokens, n = self._waiting, self._n
        k = len(tokens)
        if not k:
            return
        hidden = self._hidden(k)
        rows = self._pairs.rows
        rows[0] = self._row(n - 1)
        rows[1:k] = hidden[: k - 1]
        first = 1 if n < self.shift else 0  # no position is left for the pair of the very first token
        if first:
            rows[: k - 1] = rows[1:k]
        if k > first:
            self._take_in(tokens[first:], n + first - self.shift)
        places = np.arange(n, n + k) % _KEPT
        self._kept[places] = hidden
        self._n = n + k
        self._kept_from = max(self._kept_from, self._n - _KEPT)
        self._waiting = []

    def _row(self, position: int) -> Floats:
        """The hidden row of `position`; zeros before the text and where it is not known any more."""
        if self._kept_from <= position < self._n:
            row: Floats = self._kept[position % _KEPT]
            return row
        return np.zeros(self._width, np.float32)

    # --- drafting -----------------------------------------------------------------------------------

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        self._flush()
        n_max = min(limits.n_max, self.n_max_limit, self._context.n_ctx - position + self.shift)
        if position != self._n or n_max < 1 or not self._kept_from < self._n:
            return []  # nothing of the target was seen yet, or not up to here
        proposal = self._propose(last, position, n_max, limits.p_min)
        self._context.remove(max(position - self.shift, 0))
        return proposal if len(proposal) >= limits.n_min else []

    def _propose(self, last: int, position: int, n_max: int, p_min: float) -> list[int]:
        """Token after token, each from the one before and the row it was found by."""
        proposal: list[int] = []
        token, row = last, self._row(position - 1)
        while True:
            self._pairs.rows[0] = row
            at = position - self.shift + len(proposal)
            self._context.decode(self._pairs.set_tokens([token], at, outputs=True))
            found = self._choose(p_min)
            if found is None:
                break
            proposal.append(found)
            if len(proposal) == n_max:
                break
            token, row = found, self._found_row()
        return proposal

    def _choose(self, p_min: float) -> int | None:
        """The most probable token of the only output row, None if it is too improbable."""
        token = self._best.read(1)[0]
        return None if p_min > 0.0 and self._best.chance(0, token) < p_min else token

    def _found_row(self) -> Floats:
        """The hidden row of the only output; valid until the next decode."""
        row: Floats = float_view(self._nextn(self._context.handle), 1, self._width)[0]
        return row

    def close(self) -> None:
        """Free order: context, then model; the target outlives both."""
        self._best.close()
        self._context.close()
        if self._model is not None:
            self._model.close()

    # --- for subclasses -----------------------------------------------------------------------------

    @abstractmethod
    def attach(self, on: bool) -> None:
        """Switch on what `_read` reads from the target."""

    @abstractmethod
    def _read(self, out: Floats, rows: int, first: int) -> None:
        """Copy rows `first..` of the `rows` of the target's last decode to `out` `[n, raw_width]`."""

    @abstractmethod
    def _hidden(self, n: int) -> Floats:
        """The first `n` rows of `_raw` as hidden rows `[n, width]`."""

    @abstractmethod
    def _take_in(self, tokens: Sequence[int], position: int) -> None:
        """Decode pairs: `tokens` with the first rows of `_pairs`, at `position..`, without outputs."""
