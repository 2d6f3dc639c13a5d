"""Where messages are written: grows with the text, sends with Enter, and says why it cannot."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.chat.folded import MAX_LINE, Folded, is_long
from app.ui.icons import TextButton
from app.ui.theme import Theme

MAX_LINES = 8


class ComposerText(QPlainTextEdit):
    """The text field. Files dropped on it are the window's business, so it does not take them.

    A text too long to be edited without delay is one mark in it; `text()` has it whole.
    """

    submitted = Signal()
    escaped = Signal()
    scrolled = Signal(float)
    focused = Signal(bool)

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

    def insertFromMimeData(self, source: QMimeData) -> None:
        text, cursor = source.text(), self.textCursor()
        # Short texts add up on one line too.
        lines = max(len(text.partition("\n")[0]), len(text.rpartition("\n")[2]))
        if is_long(text) or cursor.block().length() + lines > MAX_LINE:
            self._folded.insert(cursor, text)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
        else:
            super().insertFromMimeData(source)

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self._folded.text(self.textCursor()))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return not source.hasUrls() and super().canInsertFromMimeData(source)

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


class Composer(QFrame):
    """`sent` carries the text, which stays in the field until `clear` is called."""

    sent = Signal(str)
    stopped = Signal()
    text_changed = Signal(str)
    scrolled = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        self._streaming = False
        self._elsewhere = False
        self._reason = ""
        self._refusal = ""
        self._blank = True
        outer = QHBoxLayout(self)
        outer.setContentsMargins(theme.MARGIN, 0, theme.MARGIN, theme.GAP)
        outer.addStretch(1)
        column = QWidget()
        column.setMaximumWidth(theme.COLUMN_WIDTH)
        outer.addWidget(column, 100000)
        outer.addStretch(1)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.HALF)
        self._box = QFrame()
        self._box.setProperty("role", "composer")
        layout.addWidget(self._box)
        inner = QVBoxLayout(self._box)
        inner.setContentsMargins(theme.GAP, theme.GRID, theme.GRID, theme.GRID)
        inner.setSpacing(theme.HALF)
        self._text = ComposerText()
        self._text.setPlaceholderText(self.tr("Write a message"))
        self._text.setAccessibleName(self.tr("Message"))
        inner.addWidget(self._text)
        row = QHBoxLayout()
        row.setSpacing(theme.GRID)
        self._hint = QLabel()
        self._hint.setProperty("role", "label")
        self._hint.setContentsMargins(2, 0, 0, 0)
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self._hint, 1)
        self._button = TextButton("", role="primary", icon_name="send")
        self._button.clicked.connect(self._on_button)
        row.addWidget(self._button)
        inner.addLayout(row)
        self._text.submitted.connect(self._submit)
        self._text.escaped.connect(self._on_escape)
        self._text.scrolled.connect(self.scrolled)
        self._text.focused.connect(lambda on: theme.set_look(self._box, "focused", on))
        self._text.textChanged.connect(self._on_text)
        self._show()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """To the text. A focus proxy would take part in the Tab order and close it to a loop."""
        self._text.setFocus(reason)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    @property
    def field(self) -> ComposerText:
        return self._text

    @property
    def button(self) -> TextButton:
        """Send, or Stop while a reply is on its way."""
        return self._button

    @property
    def hint(self) -> str:
        return self._hint.text()

    def text(self) -> str:
        return self._text.text()

    def set_text(self, text: str) -> None:
        """Put `text` in the field, with the cursor behind it; nothing happens if it is there already."""
        if text != self.text():
            self._text.set_text(text)

    def clear(self) -> None:
        self._text.set_text("")

    def set_streaming(self, streaming: bool, elsewhere: bool = False) -> None:
        """A reply is on its way, maybe in another conversation."""
        self._streaming, self._elsewhere = streaming, elsewhere
        self._show()

    def set_reason(self, reason: str) -> None:
        """Why nothing can be sent now; empty when it can."""
        self._reason = reason
        self._show()

    def refuse(self, reason: str) -> None:
        """Say why the text was not sent, until it changes. The text stays."""
        self._refusal = reason
        self._show()

    def _submit(self) -> None:
        if self._streaming:
            self.refuse(self.tr("The model is still answering. Stop it with Esc, or wait."))
        elif self._reason:
            self.refuse(self._reason)
        elif self.text().strip():
            self.sent.emit(self.text())

    def _on_button(self) -> None:
        if self._streaming:
            self.stopped.emit()
        else:
            self._submit()

    def _on_escape(self) -> None:
        if self._streaming:
            self.stopped.emit()

    def _on_text(self) -> None:
        text = self.text()
        self._refusal = ""
        self._blank = not text.strip()
        self._show()
        self.text_changed.emit(text)

    def _show(self) -> None:
        if self._streaming:
            label = self.tr("Stop")
            enabled, tip = True, self.tr("Stop the reply (Esc)")
        else:
            label = self.tr("Send")
            enabled = not self._reason and not self._blank
            tip = self._reason or self.tr("Send (Enter)")
        self._button.setText(label)
        self._button.setEnabled(enabled)
        self._button.setToolTip(tip)
        self._button.setAccessibleName(label)
        hint = self._refusal or self._reason
        role = "warning" if self._refusal else "label"
        if not hint:
            hint = self.tr("Enter sends, Shift+Enter breaks the line")
            if self._streaming:
                hint = (
                    self.tr("Answering in another chat; Esc stops it")
                    if self._elsewhere
                    else self.tr("Esc stops")
                )
        self._hint.setText(hint)
        self._hint.setToolTip(hint)
        theme.set_look(self._hint, "role", role)
        # Stopping is not what the accent stands for.
        theme.set_look(self._button, "role", "" if self._streaming else "primary")
        self._button.set_icon("stop" if self._streaming else "send")
