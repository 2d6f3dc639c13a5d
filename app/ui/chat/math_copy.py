"""Formulas in a document: their runs know the source, which is what a copy holds."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextFormat

from app.ui.chat.blocks import UNCOPIED

_SOURCE = QTextFormat.Property.UserProperty.value + 2


def tag(form: QTextCharFormat, source: str) -> None:
    """Text in this format is a part of the formula `source`."""
    form.setProperty(_SOURCE, source)


def has_formula(cursor: QTextCursor) -> bool:
    """Whether a formula is selected, or a part of one."""
    block, end = cursor.document().findBlock(cursor.selectionStart()), cursor.selectionEnd()
    while block.isValid() and block.position() <= end:
        if any(_source(form.format) for form in block.textFormats()):
            return True
        block = block.next()
    return False


def text_of(block: QTextBlock, first: int, last: int) -> str | None:
    """The paragraph between two positions with formulas as their source; None if it holds none."""
    formats = block.textFormats()
    if not any(_source(form.format) for form in formats):
        return None
    wide = block.text().encode("utf-16-le", "surrogatepass")
    out: list[str] = []
    before = ""
    for form in formats:
        start, end = max(form.start, first), min(form.start + form.length, last)
        source = _source(form.format)
        if start < end and source not in (before, UNCOPIED):
            out.append(source)
        if start < end and not source:
            out.append(wide[2 * start : 2 * end].decode("utf-16-le", "replace").replace("\u2028", "\n"))
        before = source
    return "".join(out)


def _source(form: QTextCharFormat) -> str:
    return str(form.property(_SOURCE) or "")
