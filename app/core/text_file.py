"""Bytes of a file as text, if they are text."""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Control characters that text files do not hold: all but tab, line feeds, form feed, escape.
_ODD = frozenset(range(32)) - {9, 10, 11, 12, 13, 27}


def decode(data: bytes) -> str | None:
    """The text, or None for binary data. UTF-8, UTF-16 and UTF-32 with their marks, else Latin-1."""
    for byte_mark, name in _MARKS:
        if data.startswith(byte_mark):
            try:
                return data.decode("utf-8-sig" if name == "utf-8" else name)
            except UnicodeDecodeError:
                return None
    if any(byte in _ODD for byte in set(data)):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        # Old text: mostly letters of ASCII, or it is something else.
        plain = sum(byte < 128 for byte in data)
        return data.decode("cp1252", "replace") if plain >= 0.7 * len(data) else None
