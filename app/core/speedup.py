"""The headline figure: how much less time a token takes with speculation, measured on the same terms.

Formula: per context bucket (powers of two of the position), seconds per token in ordinary and in
speculative mode, each from at least 64 tokens, for the same pair, threads and sampling. Over the
buckets that have both, the time ordinary decoding would have taken for the tokens that speculation
delivered, divided by the time speculation took.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from app.core.rounds import ORDINARY, Round

MIN_TOKENS = 64


def context_bucket(position: int) -> int:
    """The power of two at or below `position`, at least 64."""
    return 1 << max(position, 64).bit_length() - 1


@dataclass(slots=True)
class _Tally:
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Speedup:
    """`ratio` above 1 means speculation is faster. Tokens and seconds per token are those compared."""

    ratio: float
    ordinary_tokens: int
    speculative_tokens: int
    ordinary_seconds_per_token: float
    speculative_seconds_per_token: float
    buckets: tuple[int, ...]


@dataclass(slots=True)
class SpeedupLedger:
    """Collects rounds under a key (pair, threads, sampling); suspended rounds count as speculative mode."""

    _tallies: dict[tuple[Hashable, bool, int], _Tally] = field(default_factory=dict)

    def add(self, key: Hashable, r: Round) -> None:
        if not r.timed or not r.tokens:
            return
        tally = self._tallies.setdefault((key, r.mode != ORDINARY, context_bucket(r.position)), _Tally())
        tally.tokens += len(r.tokens)
        tally.seconds += r.seconds

    def speedup(self, key: Hashable) -> Speedup | None:
        """None until one bucket holds enough tokens of both modes."""
        ordinary_tokens = speculative_tokens = 0
        ordinary_seconds = expected_seconds = speculative_seconds = 0.0
        buckets = []
        for (k, speculative, bucket), spec in sorted(
            self._tallies.items(), key=lambda item: (item[0][1], item[0][2])
        ):
            if k != key or not speculative:
                continue
            ordinary = self._tallies.get((key, False, bucket))
            if ordinary is None or min(ordinary.tokens, spec.tokens) < MIN_TOKENS:
                continue
            buckets.append(bucket)
            ordinary_tokens += ordinary.tokens
            ordinary_seconds += ordinary.seconds
            speculative_tokens += spec.tokens
            speculative_seconds += spec.seconds
            expected_seconds += spec.tokens * ordinary.seconds / ordinary.tokens
        if not buckets or speculative_seconds <= 0:
            return None
        return Speedup(
            expected_seconds / speculative_seconds,
            ordinary_tokens,
            speculative_tokens,
            ordinary_seconds / ordinary_tokens,
            speculative_seconds / speculative_tokens,
            tuple(buckets),
        )

    def tokens(self, key: Hashable) -> tuple[int, int]:
        """Tokens collected so far under `key`: (ordinary, speculative), over all buckets."""
        sums = [0, 0]
        for (k, speculative, _), tally in self._tallies.items():
            if k == key:
                sums[speculative] += tally.tokens
        return sums[0], sums[1]
