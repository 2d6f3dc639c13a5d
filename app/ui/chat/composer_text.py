"""The text field of the composer: grows with its text up to `MAX_LINES`, takes long pastes as one mark."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QSizePolicy, QToolTip, QWidget

from app.ui import theme
from app.ui.chat.folded import MAX_LINE, Folded, can_be_shown, is_long
from app.ui.theme import Theme

MAX_LINES = 8


class ComposerText(QPlainTextEdit):
    """The text field. Files dropped on it or pasted are given on, models aside.

    A text too long to be edited without delay is one mark in it; `text()` has it whole.
    """

    submitted = Signal()
    escaped = Signal()
    scrolled = Signal(float)
    focused = Signal(bool)
    files_given = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "composer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(2)
        self._folded = Folded(self.document())
        self.history_wanted: Callable[[bool], bool] = lambda _back: False
        """Asked with Up (True) and Down at the edge of the text; whether there was something to show."""
        self.textChanged.connect(self._fit)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if modifiers == Qt.KeyboardModifier.NoModifier:
                self.submitted.emit()
                return
            if modifiers == Qt.KeyboardModifier.ShiftModifier:
                self.textCursor().insertText("\n")
                self.ensureCursorVisible()
                return
        if key == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and modifiers == Qt.KeyboardModifier.NoModifier:
            back, cursor = key == Qt.Key.Key_Up, self.textCursor()
            moved = cursor.movePosition(cursor.MoveOperation.Up if back else cursor.MoveOperation.Down)
            if not moved and self.history_wanted(back):
                return
        if key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and not self.verticalScrollBar().maximum():
            self.scrolled.emit(-1.0 if key == Qt.Key.Key_PageUp else 1.0)
            return
        super().keyPressEvent(event)

    def text(self) -> str:
        """All of it, long texts included."""
        cursor = QTextCursor(self.document())
        cursor.select(cursor.SelectionType.Document)
        return self._folded.text(cursor)

    def set_text(self, text: str) -> None:
        """Replace all; there is nothing to undo afterwards. The cursor stands behind it."""
        self.setPlainText("" if is_long(text) else text)
        self._folded.forget()
        if is_long(text):
            self._folded.insert(self.textCursor(), text)
            self.document().clearUndoRedoStacks()
        self.moveCursor(self.textCursor().MoveOperation.End)

    def insert_text(self, text: str) -> None:
        """Put `text` in the place of the selection, folded if it is long."""
        data = QMimeData()
        data.setText(text)
        self.insertFromMimeData(data)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = attachable(source)
        if files:
            self.files_given.emit(files)
            return
        text, cursor = source.text(), self.textCursor()
        # Short texts add up on one line too.
        lines = max(len(text.partition("\n")[0]), len(text.rpartition("\n")[2]))
        if is_long(text) or cursor.block().length() + lines > MAX_LINE:
            self._folded.insert(cursor, text)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
        else:
            super().insertFromMimeData(source)

    def unfold(self, position: int) -> None:
        """Put the long text in the place of its mark behind `position`; undone, it is a mark again."""
        text = self._folded.at(self.document(), position)
        if text is None or not can_be_shown(text):
            return
        cursor = self.textCursor()
        cursor.setPosition(position)
        cursor.setPosition(position + 1, cursor.MoveMode.KeepAnchor)
        cursor.insertText(text, QTextCharFormat())
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def menu_at(self, position: int) -> QMenu:
        """The menu of the field; with what can be done with the mark behind `position`, if there is one."""
        menu = self.createStandardContextMenu()
        text = self._folded.at(self.document(), position)
        if text is not None:
            shown = can_be_shown(text)
            said = self.tr("Show and edit the long text") if shown else self.tr("Too long to be edited here")
            action = QAction(said, menu)
            action.setEnabled(shown)
            action.triggered.connect(lambda: self.unfold(position))
            first = menu.actions()[0]
            menu.insertAction(first, action)
            menu.insertSeparator(first)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        position = self._behind(event.pos())
        if event.reason() == event.Reason.Keyboard:
            position = self.textCursor().selectionStart()
            if self._folded.at(self.document(), position) is None:
                position -= 1
        menu = self.menu_at(position)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        position = self._behind(event.position().toPoint())
        text = self._folded.at(self.document(), position)
        if text is not None and can_be_shown(text):
            self.unfold(position)
        else:
            super().mouseDoubleClickEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self._folded.at(self.document(), self._behind(event.pos()))
            if text is not None and can_be_shown(text):
                QToolTip.showText(event.globalPos(), self.tr("Double-click to show and edit it"), self)
                return True
        return super().viewportEvent(event)

    def _behind(self, where: QPoint) -> int:
        """The position that the character at `where` stands behind."""
        cursor = self.cursorForPosition(where)
        return cursor.position() - (where.x() < self.cursorRect(cursor).x())

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self._folded.text(self.textCursor()))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(attachable(source)) or (not source.hasUrls() and super().canInsertFromMimeData(source))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.height())

    def _restyle(self) -> None:
        # The viewport draws the placeholder, and the style sheet gave it a font of its own.
        for widget in (self, self.viewport()):
            widget.setFont(Theme.current().font(theme.READING))
        self._fit()

    def _fit(self) -> None:
        # A plain text document measures its height in lines.
        lines = min(max(round(self.document().size().height()), 1), MAX_LINES)
        metrics = QFontMetrics(Theme.current().font(theme.READING))
        height = lines * (metrics.lineSpacing() + self._folded.rise)
        height += 2 * round(self.document().documentMargin()) + 2
        if height != self.height():
            self.setFixedHeight(height)
        wanted = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if round(self.document().size().height()) > MAX_LINES:
            wanted = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if self.verticalScrollBarPolicy() != wanted:
            self.setVerticalScrollBarPolicy(wanted)


def attachable(source: QMimeData) -> list[str]:
    """Local files that may go with a message: any but models, which are the window's business."""
    if not source.hasUrls():
        return []
    paths = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
    return [] if any(path.lower().endswith(".gguf") for path in paths) else paths
