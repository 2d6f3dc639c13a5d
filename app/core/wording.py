"""Sentences for the user from layers that know no Qt: English now, translatable by the window later.

`say("{name} is missing.", name=path.name)` is the English sentence, and remembers pattern and values.
The window shows it in its own language with `app.ui.language.translated`; logs and terminals print it as
it is. Joining or formatting it further makes it an ordinary text, which stays English: pass it on whole,
or as a value of another sentence.
"""

from __future__ import annotations

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
    pattern = " ".join(f"{{part{i}}}" for i in range(len(parts)))
    return _said(pattern, {f"part{i}": part for i, part in enumerate(parts)})


def _said(pattern: str, values: dict[str, Any]) -> Said:
    said = Said(pattern.format(**values))
    said.pattern, said.values = pattern, values
    return said
