"""Any amount of plain text in a box of its own: only what is in sight is laid out."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from app.ui import theme
from app.ui.chat import pieces
from app.ui.chat.turns import Turns
from app.ui.theme import Theme

_LINES = 20
_AT_ONCE = 20  # pieces in one step


class LongText(QPlainTextEdit):
    """Read-only text that scrolls inside; it is filled in the turns after."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "composer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        self._pieces = pieces.pieces(text)
        self._next: tuple[str, bool] | None = next(self._pieces)
        self._source = text
        self._started = False
        self._restyle()
        Theme.current().changed.connect(self._restyle)
        Turns.current().run(self, self._fill)

    @property
    def pending(self) -> bool:
        """Some of the text is not there yet."""
        return self._next is not None

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor, last = self.textCursor(), self.document().characterCount() - 1
        whole = not self.pending and (cursor.selectionStart(), cursor.selectionEnd()) == (0, last)
        data = QMimeData()
        data.setText(self._source if whole else pieces.selected(cursor))
        return data

    def _fill(self) -> bool:
        cursor = QTextCursor(self.document())
        cursor.movePosition(cursor.MoveOperation.End)
        cursor.beginEditBlock()
        plain, joined = QTextBlockFormat(), pieces.glued(QTextBlockFormat())
        for _ in range(_AT_ONCE):
            if self._next is None:
                break
            piece, goes_on = self._next
            if self._started:
                cursor.insertBlock(joined if goes_on else plain)
            self._started = True
            cursor.insertText(piece)
            self._next = next(self._pieces, None)
        cursor.endEditBlock()
        return self.pending

    def _restyle(self) -> None:
        for widget in (self, self.viewport()):
            widget.setFont(Theme.current().font(theme.READING))
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing())
