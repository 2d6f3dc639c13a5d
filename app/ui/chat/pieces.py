"""Lines too long to be laid out at once, cut into paragraphs that are one line again when copied."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextFormat

PIECE = 1000
"""Characters of one paragraph of a cut line: laying a line out costs more than its length."""

_GLUE = QTextFormat.Property.UserProperty.value + 1
_NOTHING = "\0"  # an empty property is none
_WORD = 100  # characters that a piece may be shorter to end with a whole word
_CLUSTER = 32


def glued(form: QTextBlockFormat, glue: str = "") -> QTextBlockFormat:
    """`form` for a paragraph that goes on with the line before; `glue` stands between them in a copy."""
    out = QTextBlockFormat(form)
    out.setProperty(_GLUE, glue or _NOTHING)
    return out


def unglued(form: QTextBlockFormat) -> QTextBlockFormat:
    """`form` for a paragraph with a line feed before it."""
    out = QTextBlockFormat(form)
    out.clearProperty(_GLUE)
    return out


def cut(text: str, start: int = 0, size: int = PIECE) -> int:
    """Where a piece that begins at `start` ends: after a word if there is one, never within a character."""
    end = start + size
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", end - min(_WORD, size // 2), end)
    if space >= 0:
        return space + 1
    for at in range(end, max(end - _CLUSTER, start), -1):
        if not _continues(text[at - 1], text[at]):
            return at
    return end


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Every line in pieces, without line feeds; the second value says that it goes on with a line."""
    start = 0
    while True:
        stop = text.find("\n", start)
        line_end = len(text) if stop < 0 else stop
        at, joined = start, False
        while True:
            end = min(cut(text, at), line_end)
            yield text[at:end], joined
            at, joined = end, True
            if at >= line_end:
                break
        if stop < 0:
            return
        start = stop + 1


def is_cut(cursor: QTextCursor) -> bool:
    """Whether the selection goes over the edge between two pieces of a line."""
    block = cursor.document().findBlock(cursor.selectionStart()).next()
    while block.isValid() and block.position() <= cursor.selectionEnd():
        if block.blockFormat().hasProperty(_GLUE):
            return True
        block = block.next()
    return False


def selected(cursor: QTextCursor, text_of: Callable[[QTextBlock, int, int], str | None] | None = None) -> str:
    """The selected text with cut lines whole.

    `text_of` may have another text for a paragraph from one of its positions to another.
    """
    document, start, end = cursor.document(), cursor.selectionStart(), cursor.selectionEnd()
    block = document.findBlock(start)
    out: list[str] = []
    while block.isValid() and block.position() <= end:
        if out:
            form = block.blockFormat()
            glue = str(form.property(_GLUE)) if form.hasProperty(_GLUE) else "\n"
            out.append("" if glue == _NOTHING else glue)
        # Not with a cursor: moving one lays the line out.
        text, first, last = block.text(), start - block.position(), end - block.position()
        other = text_of(block, max(first, 0), min(last, block.length() - 1)) if text_of is not None else None
        if other is not None:
            text = other
        elif first > 0 or last < block.length() - 1:
            wide = text.encode("utf-16-le", "surrogatepass")
            text = wide[2 * max(first, 0) : 2 * last].decode("utf-16-le", "replace")
        out.append(text.replace("\u2028", "\n"))
        block = block.next()
    return "".join(out)


def _continues(before: str, after: str) -> bool:
    """Whether both belong to one character on screen, as far as it can be told from the two."""
    if "\u200d" in (before, after) or unicodedata.combining(after) or "\ufe00" <= after <= "\ufe0f":
        return True
    flag = "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff"
    return flag or "\U0001f3fb" <= after <= "\U0001f3ff"
