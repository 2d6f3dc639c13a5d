"""A short notice over the conversation with one way back; it leaves by itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from app.ui import theme
from app.ui.icons import IconButton, TextButton

SHOWN_MS = 8000


class Toast(QFrame):
    """`undone` fires when its button is used. The time stands still while the pointer is on it."""

    undone = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "toast")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GRID, theme.GRID, theme.GRID)
        layout.setSpacing(theme.GRID)
        self._label = QLabel()
        layout.addWidget(self._label)
        self._undo = TextButton(self.tr("Undo"))
        self._undo.clicked.connect(self._on_undo)
        layout.addWidget(self._undo)
        close = IconButton("close", self.tr("Dismiss"), role="muted")
        close.clicked.connect(self.dismiss)
        layout.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.dismiss)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    @property
    def undo_button(self) -> TextButton:
        return self._undo

    def show_text(self, text: str) -> None:
        self._label.setText(text)
        self.setAccessibleName(text)
        self.show()
        self.place()
        self.raise_()
        self._timer.start()

    def dismiss(self) -> None:
        self._timer.stop()
        self.hide()

    def place(self) -> None:
        """At the bottom of the parent, in the middle."""
        parent = self.parentWidget()
        if parent is None or self.isHidden():
            return
        self.adjustSize()
        self.resize(min(self.width(), parent.width() - 2 * theme.MARGIN), self.height())
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - theme.GAP)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self.isVisible():
            self._timer.start()

    def _on_undo(self) -> None:
        self.dismiss()
        self.undone.emit()
