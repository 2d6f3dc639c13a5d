"""NGRAM_CACHE: statistics of what follows n-grams of one to four tokens, in the text and in lookup files.

Behaves as the native project's lookup decoding: the longest n-gram whose followers are clear enough
decides, the text's own statistics first, then those of a dynamic file under stricter bounds, both
weighed by a static file, then the static file alone. Up to eight tokens are proposed, each from the
ones before. Files are read, never written.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.core.speculation import SpeculativeType
from app.engine.drafters.followers import Distribution, Followers, append, pack
from app.engine.drafters.lookup_file import NGRAM_MAX, LookupFile
from app.engine.drafters.ngram import NgramDrafter

_STATIC = 2  # the length of n-grams in a static file that are used
# By length of the n-gram: how often it must have been seen, and how many per cent of the followers must
# be the same token.
_LAX = ((2, 66), (2, 50), (1, 50), (1, 50))
_STRICT = ((4, 75), (3, 66), (2, 66), (2, 66))
_STATIC_BOUNDS = _LAX[_STATIC - 1]
_STATIC_WEIGHT = 100
_NOTHING: Mapping[int, int] = {}


class NgramCache(NgramDrafter):
    """`lookup_cache_static`, `lookup_cache_dynamic`: paths of lookup files, or None."""

    N_DRAFT = 8

    def __init__(
        self, lookup_cache_static: str | None = None, lookup_cache_dynamic: str | None = None
    ) -> None:
        super().__init__(SpeculativeType.NGRAM_CACHE, "N-gram cache", self.N_DRAFT)
        self._static = LookupFile(lookup_cache_static) if lookup_cache_static else None
        self._dynamic = LookupFile(lookup_cache_dynamic) if lookup_cache_dynamic else None
        self._context = Followers()

    def _learn(self, start: int) -> None:
        self._context.add(self._text.tokens, start)

    def _forget(self, n: int) -> None:
        self._context.take_back(self._text.tokens, n)

    def _propose(self, last: int) -> list[int]:
        tokens = self._text.tokens
        before = tokens[-(NGRAM_MAX - 1) :].tolist()
        # The native project counts the sampled token as part of the text already.
        run = [*before, last]
        proposal: list[int] = []
        if len(tokens) + 1 < _STATIC:
            return proposal
        packed = pack(run)
        while len(proposal) < self.N_DRAFT:
            token = self._next(run, packed)
            if token is None:
                break
            proposal.append(token)
            run.append(token)
            packed = append(packed, token)
        return proposal

    def _next(self, run: list[int], packed: int) -> int | None:
        """The token to follow `run`, whose last four tokens are `packed`."""
        static = self._static.followers(tuple(run[-_STATIC:])) if self._static is not None else _NOTHING
        sizes = range(min(NGRAM_MAX, len(run)), 0, -1)
        for size in sizes:
            seen = self._context.of(size, packed)
            if seen is not None:
                token = _clear_winner(seen, static, *_LAX[size - 1])
                if token is not None:
                    return token
        if self._dynamic is not None:
            for size in sizes:
                counts = self._dynamic.followers(tuple(run[-size:]))
                if counts:
                    token = _clear_winner(_distribution(counts), static, *_STRICT[size - 1])
                    if token is not None:
                        return token
        return _clear_winner(_distribution(static), _NOTHING, *_STATIC_BOUNDS) if static else None


def _distribution(counts: Mapping[int, int]) -> Distribution:
    best, best_count = max(counts.items(), key=lambda item: item[1])
    found = Distribution(best)
    found.counts = dict(counts)
    found.total, found.best_count = sum(counts.values()), best_count
    return found


def _clear_winner(
    seen: Distribution, static: Mapping[int, int], min_seen: int, min_percent: int
) -> int | None:
    """The most frequent follower, weighed by the static counts, if it was seen often enough."""
    # Weighing can only choose a rarer token than the best one, which would then be too rare as well.
    if seen.total < min_seen or 100 * seen.best_count < min_percent * seen.total:
        return None
    if not static:
        return seen.best
    best, best_score = seen.best, 0
    for token in static.keys() & seen.counts.keys() | {seen.best}:
        score = seen.counts[token] * (_STATIC_WEIGHT * static[token] if token in static else 1)
        if score > best_score:
            best, best_score = token, score
    return best if 100 * seen.counts[best] >= min_percent * seen.total else None
