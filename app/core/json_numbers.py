"""Numbers of a JSON schema as GBNF: any number, any integer, integers between bounds."""

from __future__ import annotations

import math
from typing import Any

from app.core.wording import say

# Bounded, so that a model cannot lose itself in digits.
_WHOLE = '("0" | [1-9] [0-9]{0,15})'
INTEGER = f'"-"? {_WHOLE}'
NUMBER = f'"-"? {_WHOLE} ("." [0-9]{{1,16}})? ([eE] [-+]? [0-9]{{1,2}})?'

_MOST = 10**16 - 1


def integer_range(least: Any, above: Any, most: Any, below: Any) -> str:
    """Integers from `least` (or above `above`) to `most` (or below `below`); None leaves a side open.

    Raises ValueError for bounds that are no whole numbers or leave nothing.
    """
    low = max(-_MOST, _whole(least, -_MOST), _whole(above, -_MOST - 1) + 1)
    high = min(_MOST, _whole(most, _MOST), _whole(below, _MOST + 1) - 1)
    if low > high:
        raise ValueError(say("no integer lies between the bounds"))
    parts = []
    if low < 0:
        parts.append(f'"-" ({_between(max(-high, 1), -low)})')
    if high >= 0:
        parts.append(_between(max(low, 0), high))
    return " | ".join(parts)


def _whole(bound: Any, default: int) -> int:
    if bound is None:
        return default
    if isinstance(bound, bool) or not isinstance(bound, (int, float)) or not math.isfinite(bound):
        raise ValueError(say("the bound {bound!r} is no number", bound=bound))
    if bound != int(bound):
        raise ValueError(say("the bound {bound} of an integer must be a whole number", bound=bound))
    return int(bound)


def _between(low: int, high: int) -> str:
    """Digits of the numbers `low..high`, both 0 or more."""
    parts = []
    while low <= high:
        # All numbers of as many digits as `low`, or up to `high`.
        end = min(high, 10 ** len(str(low)) - 1)
        parts += _same_length(str(low), str(end))
        low = end + 1
    return " | ".join(parts)


def _same_length(low: str, high: str) -> list[str]:
    """Alternatives for the numbers between two of equal length."""
    if not low:
        return [""]
    if low[0] == high[0]:
        return _joined(f"[{low[0]}]", _same_length(low[1:], high[1:]))
    n = len(low) - 1
    first, last = int(low[0]), int(high[0])
    parts: list[str] = []
    if low[1:] != "0" * n:
        parts += _joined(f"[{first}]", _same_length(low[1:], "9" * n))
        first += 1
    end: list[str] = []
    if high[1:] != "9" * n:
        end = _joined(f"[{last}]", _same_length("0" * n, high[1:]))
        last -= 1
    if first <= last:
        parts.append(f"[{first}-{last}]" + (f" [0-9]{{{n}}}" if n else ""))
    return parts + end


def _joined(digit: str, rests: list[str]) -> list[str]:
    return [f"{digit} {rest}".rstrip() for rest in rests]
