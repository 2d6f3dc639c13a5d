"""Which way a text is written, as a document decides it for a paragraph: by its first letter."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain, islice

from app.ui.chat.blocks import UNCOPIED, Run

SIGNS = "\u2066\u2069"
"""What is put around code; a search looks through it."""

_OPEN, _CLOSE = (Run(sign, math=UNCOPIED) for sign in SIGNS)
_LOOKED_AT = 1000  # characters; a text without any letter in so many has no direction


def is_right_to_left(texts: Iterable[str]) -> bool:
    """Whether the first letter in `texts` is one of a script such as Arabic or Hebrew."""
    for character in islice(chain.from_iterable(texts), _LOOKED_AT):
        kind = unicodedata.bidirectional(character)
        if kind in ("R", "AL", "L"):
            return kind != "L"
    return False


def isolated(runs: Sequence[Run]) -> Sequence[Run]:
    """`runs` with signs around code that stands after right-to-left text, so that `f(x)` stays in its order.

    The signs have no width and are not copied.
    """
    if not any(run.code for run in runs):
        return runs
    out: list[Run] = []
    for i, run in enumerate(runs):
        # Code that begins a paragraph has decided its direction, and needs no sign.
        if run.code and is_right_to_left(before.text for before in runs[:i]):
            out += (_OPEN, run, _CLOSE)
        else:
            out.append(run)
    return out
