"""A long text inside the composer as one mark: it is not laid out, and sent as it is."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QBrush,
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from app.ui import theme
from app.ui.stats import numbers
from app.ui.theme import Theme

MAX_LINE = 4000
"""Characters of one line that can be edited; a longer one takes too long to lay out at every key."""
MAX_TEXT = 50_000
MAX_TEXT_LINES = 2000

MAX_SHOWN, MAX_SHOWN_LINE = 1_000_000, 20_000
"""Up to these a reader may have a long text unfolded, and it is slower to edit."""

_KIND = QTextFormat.ObjectTypes.UserObject.value + 1
_KEY = QTextFormat.Property.UserProperty.value + 1
_MARK = "\ufffc"
_PADDING = theme.GRID


def is_long(text: str) -> bool:
    """Whether `text` would make the field slow."""
    if len(text) <= MAX_LINE:
        return False
    if len(text) > MAX_TEXT or text.count("\n") > MAX_TEXT_LINES:
        return True
    return max(len(line) for line in text.split("\n")) > MAX_LINE


def can_be_shown(text: str) -> bool:
    """Whether `text` can be unfolded at all."""
    return len(text) <= MAX_SHOWN and max(len(line) for line in text.split("\n")) <= MAX_SHOWN_LINE


class Folded(QPyTextObject):
    """Draws the marks of one document and knows what they stand for."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._texts: list[str] = []
        document.documentLayout().registerHandler(_KIND, self)

    def forget(self) -> None:
        """The document was emptied, with all that could be undone."""
        self._texts = []

    def insert(self, cursor: QTextCursor, text: str) -> None:
        """Put a mark for `text` in the place of the selection."""
        form = QTextCharFormat()
        form.setObjectType(_KIND)
        form.setProperty(_KEY, len(self._texts))
        self._texts.append(text)
        cursor.insertText(_MARK, form)

    def at(self, document: QTextDocument, position: int) -> str | None:
        """What the mark behind `position` stands for; None if there is no mark."""
        if position < 0 or document.characterAt(position) != _MARK:
            return None
        cursor = QTextCursor(document)
        cursor.setPosition(position + 1)
        form = cursor.charFormat()
        return self._texts[int(form.property(_KEY))] if form.objectType() == _KIND else None

    def text(self, cursor: QTextCursor) -> str:
        """What is selected, marks as the texts they stand for."""
        document, start, end = cursor.document(), cursor.selectionStart(), cursor.selectionEnd()
        block = document.findBlock(start)
        out = []
        while block.isValid() and block.position() <= end:
            out.append(self._block_text(block, start, end))
            block = block.next()
        return "\n".join(out)

    def _block_text(self, block: QTextBlock, start: int, end: int) -> str:
        text, at = block.text(), block.position()
        if start <= at and end >= at + block.length() - 1 and (not self._texts or _MARK not in text):
            return text.replace("\u2028", "\n")
        out = []
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            first = max(start - fragment.position(), 0)
            last = min(end - fragment.position(), fragment.length())
            if first < last:
                wide = fragment.text().encode("utf-16-le", "surrogatepass")
                part = wide[2 * first : 2 * last].decode("utf-16-le", "replace").replace("\u2028", "\n")
                form = fragment.charFormat()
                if form.objectType() == _KIND:
                    part = part.replace(_MARK, self._texts[int(form.property(_KEY))])
                out.append(part)
            fragments += 1
        return "".join(out)

    @property
    def rise(self) -> int:
        """How much higher than plain text a line with a mark is, in px; 0 if there is none."""
        reading = QFontMetricsF(Theme.current().font(theme.READING))
        return max(ceil(self._height() - reading.ascent()), 0) if self._texts else 0

    def intrinsicSize(self, _document: QTextDocument, _at: int, form: QTextFormat) -> QSizeF:
        return QSizeF(self._metrics().horizontalAdvance(self._label(form)) + 2 * _PADDING, self._height())

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, _document: QTextDocument, _at: int, form: QTextFormat
    ) -> None:
        current = Theme.current()
        # A little into the space below the base line, so that it stands in line with the words.
        box = QRectF(rect).adjusted(1.5, 2.5, -1.5, 1.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(current.palette.colour("line"))
        painter.setBrush(QBrush(current.palette.colour("raised")))
        painter.drawRoundedRect(box, theme.HALF, theme.HALF)
        painter.setPen(current.palette.colour("text"))
        painter.setFont(current.font(theme.BODY))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self._label(form))
        painter.restore()

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(Theme.current().font(theme.BODY))

    def _height(self) -> float:
        return self._metrics().height() + 2

    def _label(self, form: QTextFormat) -> str:
        n = len(self._texts[int(form.property(_KEY))])
        return self.tr("Long text · %1 characters").replace("%1", numbers.grouped(n))
