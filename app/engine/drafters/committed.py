"""The committed tokens from position 0, as a drafter that reads no rows follows them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.handles import Ints


class CommittedText:
    """A growing int32 array. Only the end changes: tokens are appended or cut off."""

    def __init__(self) -> None:
        self._tokens: Ints = np.empty(1024, np.int32)
        self._n = 0

    def __len__(self) -> int:
        return self._n

    @property
    def tokens(self) -> Ints:
        """A view of all tokens; valid until the next `append`."""
        return self._tokens[: self._n]

    def append(self, tokens: Sequence[int]) -> None:
        end = self._n + len(tokens)
        if end > len(self._tokens):
            grown = np.empty(max(end, 2 * len(self._tokens)), np.int32)
            grown[: self._n] = self.tokens
            self._tokens = grown
        self._tokens[self._n : end] = tokens
        self._n = end

    def cut(self, n: int) -> None:
        """Keep the first `n` tokens."""
        self._n = min(self._n, n)

    def agrees_with(self, committed: Sequence[int]) -> int:
        """Length of the common prefix with `committed`."""
        n = min(self._n, len(committed))
        differs = np.flatnonzero(self._tokens[:n] != np.asarray(committed[:n], np.int32))
        return int(differs[0]) if differs.size else n
