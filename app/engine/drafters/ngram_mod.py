"""NGRAM_MOD: one large table from the hash of n tokens to the token that followed them last.

Behaves as the native library's `ngram-mod`: the table outlives conversations, is never checked against
the text, continues from what it proposed itself, and is emptied when more than a quarter of it is in
use, or after five proposals in a row of which less than a quarter was accepted.
"""

from __future__ import annotations

import numpy as np

from app.core.speculation import SpeculativeType
from app.engine.drafters.ngram import NgramDrafter
from app.engine.drafters.rolling_hash import RollingHash
from app.engine.handles import Ints

_FACTOR = 6364136223846793005
_BITS = 22  # entries in the table: 2 ** 22, 16 MiB
_EMPTY = -1
_FULL = 0.25
_LOW_ACCEPTANCE = 0.25
_LOW_ROUNDS = 5
_CHUNK = 32  # tokens that may wait before they are added


class NgramMod(NgramDrafter):
    """`n_match`: tokens hashed; proposals have `n_min` to `n_max` tokens."""

    def __init__(self, n_match: int = 24, n_max: int = 64, n_min: int = 48) -> None:
        super().__init__(SpeculativeType.NGRAM_MOD, "N-gram mod", n_max)
        self._n_match = n_match
        self._n_max = n_max
        self._n_min = n_min
        self._hash = RollingHash(n_match, _FACTOR, _BITS)
        self._table: Ints = np.full(1 << _BITS, _EMPTY, np.int32)
        self._items = self._table.data
        self._used = 0
        self._added = 0  # n-grams of the text that are in the table
        self._n_proposed = 0
        self._n_low = 0

    def _learn(self, start: int) -> None:
        self._hash.append(self._text.tokens[start:])

    def _forget(self, n: int) -> None:
        """The table keeps what it has seen."""
        self._hash.cut(n)
        self._added = min(self._added, max(n - self._n_match, 0))

    def _began(self) -> None:
        self._n_proposed = 0
        self._add_new(0)
        if self._used > _FULL * len(self._table):
            self._empty()

    def _add_new(self, first: int) -> None:
        """Add the n-grams from `first` on that are followed by a token of the text."""
        end = max(len(self._text) - self._n_match, 0)
        if end > first:
            at = self._hash.hashes(first, end).astype(np.intp)
            self._used += len(set(at[self._table[at] == _EMPTY].tolist()))
            # Of equal indices the last value stays.
            self._table[at] = self._text.tokens[first + self._n_match :]
        self._added = end

    def _empty(self) -> None:
        self._table.fill(_EMPTY)
        self._used = 0

    def _propose(self, last: int) -> list[int]:
        tokens, n = self._text.tokens, self._n_match
        if len(tokens) < n:
            return []
        if self._added + _CHUNK < len(tokens):
            self._add_new(self._added)
        run = [*tokens[len(tokens) - n + 1 :].tolist(), last]
        value, items, slide = self._hash.of(run), self._items, self._hash.slide
        for i in range(self._n_max):
            token = items[value]
            if token == _EMPTY:
                if i < self._n_min:
                    return []
                break
            value = slide(value, run[i], token)
            run.append(token)
        return run[n:]

    def _proposed(self, n: int) -> None:
        self._n_proposed = n

    def accept(self, n_accepted: int) -> None:
        if self._n_proposed == 0:
            return
        if n_accepted >= _LOW_ACCEPTANCE * self._n_proposed:
            self._n_low = 0
            return
        self._n_low += 1
        if self._n_low >= _LOW_ROUNDS:
            self.forget()

    def forget(self) -> None:
        """The text is added again when the next proposal is asked for."""
        self._empty()
        self._n_low = self._added = 0
