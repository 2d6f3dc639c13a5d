"""How often which token followed each n-gram of one to four tokens, in the text so far."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.drafters.lookup_file import NGRAM_MAX
from app.engine.handles import Ints

# The tokens of an n-gram are packed into one integer; no vocabulary is nearly as large as this.
_SHIFT = 24
_MASKS = tuple((1 << _SHIFT * size) - 1 for size in range(1, NGRAM_MAX + 1))


class Distribution:
    """Counts of the tokens that followed one n-gram; their sum and the most frequent are at hand."""

    __slots__ = ("best", "best_count", "counts", "total")

    def __init__(self, token: int) -> None:
        self.counts = {token: 1}
        self.total = self.best_count = 1
        self.best = token

    def add(self, token: int) -> None:
        count = self.counts.get(token, 0) + 1
        self.counts[token] = count
        self.total += 1
        if count > self.best_count:
            self.best, self.best_count = token, count

    def take_back(self, token: int) -> None:
        count = self.counts[token] - 1
        self.total -= 1
        if count:
            self.counts[token] = count
        else:
            del self.counts[token]
        if token == self.best and self.counts:
            self.best, self.best_count = max(self.counts.items(), key=lambda item: item[1])


class Followers:
    """Kept up to date as the text grows or is cut; what was seen once costs one integer."""

    def __init__(self) -> None:
        self._tables: tuple[dict[int, int | Distribution], ...] = tuple({} for _ in range(NGRAM_MAX))

    def of(self, size: int, packed: int) -> Distribution | None:
        """What followed the last `size` of the packed tokens."""
        seen = self._tables[size - 1].get(packed & _MASKS[size - 1])
        return Distribution(seen) if isinstance(seen, int) else seen

    def add(self, text: Ints, start: int) -> None:
        """Count `text[start:]`, each as a follower of what stands before it."""
        for table, key, token in self._places(text, start):
            seen = table.get(key)
            if seen is None:
                table[key] = token
            elif isinstance(seen, int):
                table[key] = grown = Distribution(seen)
                grown.add(token)
            else:
                seen.add(token)

    def take_back(self, text: Ints, start: int) -> None:
        """Undo `add`."""
        for table, key, token in self._places(text, start):
            seen = table[key]
            if isinstance(seen, int) or seen.total == 1:
                del table[key]
            else:
                seen.take_back(token)

    def _places(self, text: Ints, start: int) -> Iterator[tuple[dict[int, int | Distribution], int, int]]:
        first = max(start - NGRAM_MAX, 0)
        packed = pack(text[first:start].tolist())
        for position, token in enumerate(text[start:].tolist(), start):
            for table, mask in zip(self._tables[:position], _MASKS, strict=False):
                yield table, packed & mask, token
            packed = append(packed, token)


def pack(tokens: list[int]) -> int:
    """The last four of `tokens` as one integer."""
    packed = 0
    for token in tokens:
        packed = append(packed, token)
    return packed


def append(packed: int, token: int) -> int:
    """One token on."""
    return (packed << _SHIFT | token) & _MASKS[-1]
