"""Finding where a text starts to repeat itself: small models loop, and loops flatter every drafter."""

from __future__ import annotations

from collections.abc import Sequence

MAX_PERIOD = 32
REPEATS = 3
MIN_SPAN = 24  # tokens; "......" or a table rule is not a loop


def is_looping(tokens: Sequence[int]) -> bool:
    """Whether the last tokens are one block of at most 32 tokens, three times over (24 tokens at least)."""
    n = len(tokens)
    for period in range(1, MAX_PERIOD + 1):
        span = max(REPEATS * period, MIN_SPAN)
        if span > n:
            continue
        if all(tokens[i] == tokens[i - period] for i in range(n - 1, n - 1 - span + period, -1)):
            return True
    return False


def loop_end(tokens: Sequence[int]) -> int:
    """How many tokens there are up to the end of the first loop's third repeat; all of them if none loops."""
    for n in range(MIN_SPAN, len(tokens) + 1):
        if is_looping(tokens[max(0, n - MAX_PERIOD * REPEATS) : n]):
            return n
    return len(tokens)
