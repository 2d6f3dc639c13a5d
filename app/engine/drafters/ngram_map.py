"""NGRAM_MAP_K and NGRAM_MAP_K4V: a map from n-grams of the text to where they stand, with memory.

Behaves as the native library's `ngram-map-k` and `ngram-map-k4v`: an n-gram that was looked up is a key
and remembers how much of its last proposal was accepted, which bounds the next one. K4V also counts
which of up to four continuations of m tokens follow a key, and proposes only when one of them is at
least twice as frequent as the others together. Its quirks are kept: an n-gram is found where it was
indexed first, and the last n + m tokens of a prompt are not indexed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.core.speculation import SpeculativeType
from app.engine.drafters.ngram import NgramDrafter
from app.engine.drafters.rolling_hash import RollingHash
from app.engine.handles import Ints

_FACTOR = 2654435761
_HASH_BITS = 32
_SLOTS = 1 << 18  # n-grams that share a slot hide each other
_MOST = 16380  # counts stop here
_WIDE_FACTOR = 6364136223846793005
_WIDE_BITS = 62  # continuations are told apart by their hash alone


@dataclass(slots=True)
class _Value:
    """A continuation: where it first stood, how often it was seen, how much of it was accepted last."""

    start: int
    count: int
    accepted: int


@dataclass(slots=True)
class _Key:
    """An n-gram that was looked up and found. `counted_to`: its continuations are counted up to there."""

    start: int
    hits: int = 0
    counted_to: int = 0
    values: list[_Value] = field(default_factory=list)


class NgramMap(NgramDrafter):
    """`max_entries_per_key` 1 makes MAP_K, more make MAP_K4V (the native library has 4)."""

    def __init__(
        self,
        kind: SpeculativeType,
        size_n: int = 12,
        size_m: int = 48,
        min_hits: int = 1,
        max_entries_per_key: int | None = None,
    ) -> None:
        self._key_only = kind is SpeculativeType.NGRAM_MAP_K
        super().__init__(kind, "N-gram map K" if self._key_only else "N-gram map K4V", size_m)
        self._size_n = size_n
        self._size_m = size_m
        self._min_hits = min_hits
        self._max_values = 4 if max_entries_per_key is None else max_entries_per_key
        self._hash = RollingHash(size_n, _FACTOR, _HASH_BITS)
        self._continuations = None if self._key_only else RollingHash(size_m, _WIDE_FACTOR, _WIDE_BITS)
        self._slots: dict[int, int] = {}
        self._indexed_to = 0
        self._searched_to = 0  # what was indexed after this was not yet there at the last proposal
        self._keys: dict[bytes, _Key] = {}
        self._last_begin = 0
        self._last_draft = 0
        self._used: tuple[_Key, _Value] | None = None
        self._n_proposed = 0

    # --- following the text -------------------------------------------------------------------------

    def _learn(self, start: int) -> None:
        self._hash.append(self._text.tokens[start:])
        if self._continuations is not None:
            self._continuations.append(self._text.tokens[start:])

    def _forget(self, n: int) -> None:
        self._hash.cut(n)
        if self._continuations is not None:
            self._continuations.cut(n)
        # What is kept must have its whole continuation in the text.
        self._drop_from(max(n - self._size_n - self._size_m, 0))
        self._last_begin = min(self._last_begin, n)

    def _began(self) -> None:
        length = len(self._text)
        if length < self._last_draft:
            # The text is shorter than it was: what came after the previous beginning was generated and
            # may not stand where it stood.
            whole = max(length - self._size_n - self._size_m, 0)
            self._drop_from(self._last_begin if self._last_begin <= length else whole)
        self._last_draft = self._last_begin = length
        self._index(self._indexed_to, length - self._size_n - self._size_m - 1)

    def _drop_from(self, position: int) -> None:
        self._slots = {slot: at for slot, at in self._slots.items() if at < position}
        self._indexed_to = max(position - 1, 0)
        self._searched_to = min(self._searched_to, self._indexed_to)
        kept = {}
        for gram, key in self._keys.items():
            if not self._key_only:
                key.values = [v for v in key.values if v.start < position]
            if key.start < position and key.values:
                kept[gram] = key
        self._keys = kept
        self._used = None

    def _index(self, after: int, end: int) -> None:
        """Index the n-grams `after + 1..end`, the latest first; a slot that is taken stays as it is."""
        if end > after:
            slots = self._slots
            hashes = (self._hash.hashes(after + 1, end + 1) % np.uint64(_SLOTS)).tolist()
            for i in range(len(hashes) - 1, -1, -1):
                slots.setdefault(hashes[i], after + 1 + i)
        self._indexed_to = max(self._indexed_to, end)

    # --- proposing ----------------------------------------------------------------------------------

    def _propose(self, last: int) -> list[int]:
        self._used = None
        tokens, n, m = self._text.tokens, self._size_n, self._size_m
        length = len(tokens)
        if length < 2 * n + m:
            return []
        self._last_draft = length
        window = np.append(tokens[length - n + 1 :], np.int32(last))
        found = self._find(window, length - n - m - 1)
        if not found:
            return []
        gram = window.tobytes()
        key = self._keys.get(gram)
        if key is None:
            key = self._keys[gram] = _Key(found)
            if self._key_only:
                key.values.append(_Value(found + n, 0, m))
        key.hits = min(key.hits + 1, _MOST)
        if key.hits < self._min_hits:
            return []
        if self._continuations is None:
            value: _Value | None = key.values[0]
        else:
            value = self._most_frequent(key, self._hash.of(window.tolist()), found, self._continuations)
        if value is None:
            return []
        self._used = key, value
        proposal: list[int] = tokens[found + n : found + n + min(m, value.accepted)].tolist()
        return proposal

    def _find(self, window: Ints, end: int) -> int:
        """Where the n-gram `window` stands at or before `end`; 0 if nowhere. Indexes what is new."""
        value = self._hash.of(window.tolist())
        old = self._searched_to
        found = self._slots.get(value % _SLOTS, 0)
        if not (0 < found <= old and found < end and self._stands_at(window, found)):
            of_prompt = self._last_begin - self._size_n - self._size_m - 1
            found = self._search(window, value, old, of_prompt)
            if not found:
                found = self._search(window, value, max(old, self._last_begin), end)
        self._index(max(self._indexed_to, self._last_begin), end)
        self._searched_to = self._indexed_to
        return found

    def _search(self, window: Ints, value: int, after: int, end: int) -> int:
        """The latest place of `window` in `after + 1..end`, 0 if there is none."""
        if end <= after:
            return 0
        candidates = np.flatnonzero(self._hash.hashes(after + 1, end + 1) == value)
        for i in candidates[::-1].tolist():
            if self._stands_at(window, after + 1 + i):
                return int(after + 1 + i)
        return 0

    def _stands_at(self, window: Ints, position: int) -> bool:
        return bool((self._text.tokens[position : position + self._size_n] == window).all())

    def _most_frequent(self, key: _Key, gram: int, found: int, continuations: RollingHash) -> _Value | None:
        """Count what follows the key up to `found`; the value that is clearly the most frequent, if any."""
        places = np.flatnonzero(self._hash.hashes(key.counted_to, found + 1) == gram)
        starts = places + (key.counted_to + self._size_n)
        key.counted_to = found
        following = continuations.hashes(0, found + self._size_n + 1)
        for known in key.values:
            same = following[starts] == following[known.start]
            known.count = min(known.count + int(same.sum()), _MOST)
            starts = starts[~same]
        while starts.size and len(key.values) < self._max_values:
            same = following[starts] == following[starts[0]]
            key.values.append(_Value(int(starts[0]), min(int(same.sum()), _MOST), self._size_m))
            starts = starts[~same]
        best = max(key.values, key=lambda v: v.count, default=None)
        if best is None or best.count < 2 * (sum(v.count for v in key.values) - best.count):
            return None
        return best

    # --- feedback -----------------------------------------------------------------------------------

    def _proposed(self, n: int) -> None:
        self._n_proposed = n

    def accept(self, n_accepted: int) -> None:
        # Of a proposal that was cut short and accepted, nothing was found wrong.
        if self._used is not None and n_accepted < self._n_proposed:
            self._used[1].accepted = n_accepted
