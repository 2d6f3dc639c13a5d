"""Where messages are written: sends with Enter, and says why it cannot."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.chat.composer_text import ComposerText
from app.ui.icons import TextButton


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
