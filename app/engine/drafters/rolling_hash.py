"""Hashes of every n-gram of a growing text: `sum of token[i] * factor ** (n - 1 - i)`, modulo 2 ** bits.

The same polynomial as the native project's n-gram maps use, so the same n-grams collide. Kept as
prefix sums, so that growing costs one step per token whatever n is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.handles import Ints

Hashes = NDArray[np.uint64]


class RollingHash:
    """`n` tokens per n-gram; an n-gram is named by the position of its first token."""

    def __init__(self, n: int, factor: int, bits: int) -> None:
        self._n = n
        self._mask = (1 << bits) - 1
        self._factor = factor & self._mask
        self._out = pow(self._factor, n, 1 << bits)  # weight of a token that leaves the window
        # _sums[k]: hash of the first k tokens, all of them; _grams[j]: of the n-gram that starts at j.
        self._sums: Hashes = np.zeros(1025, np.uint64)
        self._grams: Hashes = np.zeros(1025, np.uint64)
        self._tokens = 0

    def append(self, tokens: Ints) -> None:
        start, end = self._tokens, self._tokens + len(tokens)
        if end >= len(self._sums):
            size = max(end + 1, 2 * len(self._sums))
            self._sums, self._grams = _grown(self._sums, size), _grown(self._grams, size)
        total, factor, mask = int(self._sums[start]), self._factor, self._mask
        sums = []
        for token in tokens.tolist():
            total = (total * factor + token) & mask
            sums.append(total)
        self._sums[start + 1 : end + 1] = sums
        self._tokens = end
        first = max(start - self._n + 1, 0)
        if end - self._n >= first:
            leaving = self._sums[first : end - self._n + 1] * np.uint64(self._out)
            whole = self._sums[first + self._n : end + 1]
            self._grams[first : end - self._n + 1] = (whole - leaving) & np.uint64(mask)

    def cut(self, n_tokens: int) -> None:
        self._tokens = min(self._tokens, n_tokens)

    def hashes(self, first: int, end: int) -> Hashes:
        """Hashes of the n-grams `first..end - 1`, which must be whole; a view until the next `append`."""
        return self._grams[first:end]

    def of(self, window: list[int]) -> int:
        """Hash of any n-gram."""
        total = 0
        for token in window:
            total = (total * self._factor + token) & self._mask
        return total

    def slide(self, value: int, leaving: int, entering: int) -> int:
        """Hash of the n-gram one token on."""
        return (value * self._factor + entering - leaving * self._out) & self._mask


def _grown(values: Hashes, size: int) -> Hashes:
    out = np.zeros(size, np.uint64)
    out[: len(values)] = values
    return out
