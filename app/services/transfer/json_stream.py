"""A large JSON file read element by element: never the whole of it in memory, nor decoded in one go.

The decoder holds the interpreter lock while it works on one value, so a window stays alive only when
the values are small: the elements of one list are handed out one by one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TextIO

_BLOCK = 1 << 18
_SPACE = " \t\n\r"


class JsonStream:
    """Over an open text file. ValueError with line-free words where it is no JSON."""

    def __init__(self, file: TextIO, read: Callable[[int], None] = lambda _: None) -> None:
        """`read` is told the number of characters that were read."""
        self._file = file
        self._read = read
        self._buffer = ""
        self._at = 0
        self._end = False
        self._decoder = json.JSONDecoder()

    def elements(self, key: str, head: dict[str, Any]) -> Iterator[Any]:
        """The elements of the list that the file is, or of the list under `key` of its object.

        Other values of the object are put into `head`, those before the list before its first element.
        """
        opening = self._next()
        if opening == "[":
            yield from self._list()
        elif opening == "{":
            yield from self._object(key, head)
        else:
            raise ValueError("it begins with neither a list nor an object")
        if self._peek():
            raise ValueError("something follows after its end")

    def _object(self, key: str, head: dict[str, Any]) -> Iterator[Any]:
        if self._peek() == "}":
            self._next()
            return
        while True:
            name = self._value()
            if not isinstance(name, str) or self._next() != ":":
                raise ValueError("a name and a colon were expected")
            if name == key and self._peek() == "[":
                self._next()
                yield from self._list()
            else:
                head[name] = self._value()
            if not self._more("}"):
                return

    def _list(self) -> Iterator[Any]:
        if self._peek() == "]":
            self._next()
            return
        while True:
            yield self._value()
            if not self._more("]"):
                return

    def _more(self, closing: str) -> bool:
        sign = self._next()
        if sign not in (",", closing):
            raise ValueError("it is cut short" if not sign else f"“{sign}” stands where it must not")
        return sign == ","

    def _peek(self) -> str:
        while True:
            while self._at < len(self._buffer):
                if self._buffer[self._at] not in _SPACE:
                    return self._buffer[self._at]
                self._at += 1
            if not self._fill():
                return ""

    def _next(self) -> str:
        sign = self._peek()
        self._at += bool(sign)
        return sign

    def _value(self) -> Any:
        if not self._peek():
            raise ValueError("it is cut short")
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if not self._fill():
                    raise ValueError(f"{error.msg} (near “{self._near(error.pos)}”)") from None
            except RecursionError:
                raise ValueError("it is nested too deeply") from None
            else:
                # A number at the end of what was read may go on.
                if end < len(self._buffer) or not self._fill():
                    self._at = end
                    return value

    def _near(self, at: int) -> str:
        return " ".join(self._buffer[max(at - 20, 0) : at + 20].split())

    def _fill(self) -> bool:
        """Read on; a long value is tried again only after as much again has come."""
        if self._end:
            return False
        self._buffer = self._buffer[self._at :]
        self._at = 0
        block = self._file.read(max(_BLOCK, len(self._buffer)))
        self._end = not block
        self._buffer += block
        self._read(len(block))
        return not self._end
