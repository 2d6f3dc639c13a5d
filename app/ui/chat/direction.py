"""Which way a text is written, as a document decides it for a paragraph: by its first letter."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import chain, islice

_LOOKED_AT = 1000  # characters; a text without any letter in so many has no direction


def is_right_to_left(texts: Iterable[str]) -> bool:
    """Whether the first letter in `texts` is one of a script such as Arabic or Hebrew."""
    for character in islice(chain.from_iterable(texts), _LOOKED_AT):
        kind = unicodedata.bidirectional(character)
        if kind in ("R", "AL", "L"):
            return kind != "L"
    return False
