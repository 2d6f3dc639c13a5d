"""Sentences for the user from layers that know no Qt: English now, translatable by the window later.

`say("{name} is missing.", name=path.name)` is the English sentence, and remembers pattern and values.
The window shows it in its own language with `app.ui.language.translated`; logs and terminals print it as
it is. Joining or formatting it further makes it an ordinary text, which stays English: pass it on whole,
or as a value of another sentence.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any


class Said(str):
    """An English sentence that knows its `pattern` and `values`; made by `say`."""

    __slots__ = ("pattern", "values")

    pattern: str
    values: dict[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return _said, (self.pattern, self.values)


def say(pattern: str, /, **values: Any) -> str:
    """`pattern`, a literal, with `values` in its places (str.format); KeyError when one is missing."""
    return _said(pattern, values)


def together(*parts: str) -> str:
    """Sentences in a row, each of which may be translated."""
    return listed(parts, " ")


def sentence(text: str) -> str:
    """`text`, which may be translated, with a capital at the beginning and a full stop at the end."""
    return _said("{text:sentence}", {"text": text})


def listed(parts: Sequence[str], between: str = ", ") -> str:
    """Texts in a row, each of which may be translated, with a sign `between` them."""
    pattern = between.join(f"{{part{i}}}" for i in range(len(parts)))
    return _said(pattern, {f"part{i}": part for i, part in enumerate(parts)})


def decimal(value: float, spec: str = ".1f") -> str:
    """A number in `spec` of str.format, which the window writes with its own decimal sign."""
    return _said(f"{{value:{spec}}}", {"value": float(value)})


def reason_of(error: BaseException) -> str:
    """What an error was raised with, translatable if it was said."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


def filled(pattern: str, values: Mapping[str, Any], point: str = ".", group: str = ",") -> str:
    """`pattern` with `values` in its places; numbers with these signs before decimals and thousands."""
    return _Filler(point, group).vformat(pattern, (), values)


class _Filler(string.Formatter):
    def __init__(self, point: str, group: str) -> None:
        self._signs = {ord("."): point, ord(","): group}

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "sentence":
            text = str(value).rstrip(".")
            return f"{text[:1].upper()}{text[1:]}."
        text = format(value, format_spec)
        return text.translate(self._signs) if isinstance(value, int | float) else text


def _said(pattern: str, values: dict[str, Any]) -> Said:
    said = Said(filled(pattern, values))
    said.pattern, said.values = pattern, values
    return said
