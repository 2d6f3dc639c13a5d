"""NGRAM_SIMPLE: find where the last n tokens stood before, most recently, and propose what followed.

Behaves as the native library's `ngram-simple`: fewer than n tokens to copy are no proposal, and the
text must be longer than n + m + 1 tokens.
"""

from __future__ import annotations

import struct
from array import array

from app.core.speculation import SpeculativeType
from app.engine.drafters.ngram import NgramDrafter

_TOKEN_BYTES = 4


class NgramSimple(NgramDrafter):
    """`size_n`: tokens that must match; `size_m`: tokens proposed; `min_hits`: earlier places needed."""

    def __init__(self, size_n: int = 12, size_m: int = 48, min_hits: int = 1) -> None:
        super().__init__(SpeculativeType.NGRAM_SIMPLE, "N-gram", size_m)
        self._size_n = size_n
        self._size_m = size_m
        self._min_hits = max(min_hits, 1)
        # Hash of an n-gram -> its latest position; and for the n-gram at position j, the position of the
        # one before it with the same hash, at index j - 1 (position 0 is never looked at).
        self._latest: dict[int, int] = {}
        self._before = array("i")

    def _learn(self, start: int) -> None:
        # The n-gram that ends with the last token is the one looked for, not one to be found.
        first, end = max(start - self._size_n, 1), len(self._text) - self._size_n
        if first >= end:
            return
        width = _TOKEN_BYTES * self._size_n
        raw = self._text.tokens[first:].tobytes()
        latest, before = self._latest, self._before
        for i, position in enumerate(range(first, end)):
            key = hash(raw[_TOKEN_BYTES * i : _TOKEN_BYTES * i + width])
            before.append(latest.get(key, 0))
            latest[key] = position

    def _forget(self, n: int) -> None:
        keep = max(n - self._size_n - 1, 0)
        while len(self._before) > keep:
            position = len(self._before)
            earlier = self._before.pop()
            key = hash(self._gram(position))
            if earlier:
                self._latest[key] = earlier
            else:
                del self._latest[key]

    def _propose(self, last: int) -> list[int]:
        tokens, n = self._text.tokens, self._size_n
        length = len(tokens)
        if length <= n + self._size_m + 1:
            return []
        pattern = tokens[length - n + 1 :].tobytes() + struct.pack("=i", last)
        found, hits = 0, 0
        position = self._latest.get(hash(pattern), 0)
        while position and hits < self._min_hits:
            if self._gram(position) == pattern:
                found = found or position
                hits += 1
            position = self._before[position - 1]
        begin = found + n
        count = min(self._size_m, length - begin)
        if hits < self._min_hits or count < n:
            return []
        proposal: list[int] = tokens[begin : begin + count].tolist()
        return proposal

    def _gram(self, position: int) -> bytes:
        return self._text.tokens[position : position + self._size_n].tobytes()
