"""Where a text starts to repeat itself: a small model loops, and loops flatter every drafter."""

from __future__ import annotations

from collections.abc import Sequence

MAX_PERIOD = 32
REPEATS = 3
# A row of dots or the rule of a table is not a loop.
MIN_SPAN = 24


def loop_end(tokens: Sequence[int]) -> int:
    """Tokens up to the end of the first loop's third turn; all of them when nothing loops.

    A loop is one block of at most 32 tokens, three times over and at least 24 tokens in all.
    """
    # `same[p]` counts how many tokens in a row equal the token p places before.
    same = [0] * (MAX_PERIOD + 1)
    for i, token in enumerate(tokens):
        for period in range(1, min(i, MAX_PERIOD) + 1):
            if tokens[i - period] != token:
                same[period] = 0
                continue
            same[period] += 1
            if same[period] + period >= max(REPEATS * period, MIN_SPAN):
                return i + 1
    return len(tokens)
