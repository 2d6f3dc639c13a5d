"""Checks of values that callers hand in: each error names the value, and says what was given instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

# The native library keeps numbers in 32 bits.
LARGEST_WHOLE = 2**31 - 1
LARGEST_NUMBER = 3.4e38


def whole(name: str, value: object) -> None:
    """TypeError unless `value` is a whole number, ValueError if the library cannot hold it."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number, not {_kind(value)}")
    if abs(int(value)) > LARGEST_WHOLE:
        raise ValueError(f"{name} must not be larger than {LARGEST_WHOLE}, but is {value}")


def number(name: str, value: object) -> None:
    """TypeError unless `value` is a number, ValueError if it is none that the library can hold."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, not {_kind(value)}")
    try:
        finite = abs(float(value)) <= LARGEST_NUMBER
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError(f"{name} must be a finite number, but is {value}")


def text(name: str, value: object) -> None:
    """TypeError unless `value` is a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {_kind(value)}")


def texts(name: str, value: str | Iterable[str] | None) -> tuple[str, ...]:
    """The texts of a list; one text alone is a list of one. TypeError for anything else."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a list of texts, not {_kind(value)}")
    found = tuple(value)
    for item in found:
        if not isinstance(item, str):
            raise TypeError(f"{name} must hold texts, but has {_kind(item)}")
    return found


def tokens(name: str, value: Any, n_vocab: int) -> list[int]:
    """Token numbers as a list. TypeError unless they are whole numbers, ValueError beyond the vocabulary."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a list of token numbers, not {_kind(value)}")
    found = list(value)
    if not set(map(type, found)) <= {int}:
        for item in found:
            whole(f"a token of {name}", item)
        found = list(map(int, found))
    if found and not 0 <= min(found) <= max(found) < n_vocab:
        wrong = next(token for token in found if not 0 <= token < n_vocab)
        raise ValueError(f"{name} must lie in 0..{n_vocab - 1}, the vocabulary, but have {wrong}")
    return found


def messages(value: Any) -> Sequence[Mapping[str, Any]]:
    """Chat messages. TypeError unless they are mappings whose role and content are texts."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"messages must be a list of mappings with role and content, not {_kind(value)}")
    found = list(value)
    for i, message in enumerate(found):
        if not isinstance(message, Mapping):
            raise TypeError(f"messages[{i}] must be a mapping with role and content, not {_kind(message)}")
        if message.get("content") is not None:
            text(f"the content of messages[{i}]", message["content"])
    return found


def one_of(name: str, value: object, kind: type) -> None:
    """TypeError unless `value` is a `kind`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, not {_kind(value)}")


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__
