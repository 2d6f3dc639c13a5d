"""What goes on with files of conversations: progress, what came of it, one thing to do about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.icons import IconButton, TextButton

SHOWN_MS = 8000


class NoticeStrip(QFrame):
    """`acted` fires when its button is used, `dismissed` when it is closed by hand."""

    acted = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "toast")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.GAP, theme.GRID, theme.GRID, theme.GRID)
        layout.setSpacing(theme.HALF)
        top = QHBoxLayout()
        top.setSpacing(theme.HALF)
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._close = IconButton("close", self.tr("Dismiss"), role="muted")
        self._close.clicked.connect(self._on_close)
        top.addWidget(self._label, 1)
        top.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(top)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 1000)
        self._bar.setFixedHeight(4)
        self._bar.setAccessibleName(self.tr("Progress"))
        layout.addWidget(self._bar)
        self.button = TextButton(self.tr("Stop"))
        self.button.clicked.connect(self.acted)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def show_progress(self, text: str, fraction: float, action: str) -> None:
        """`fraction` from 0 to 1; the strip stays until something else is shown."""
        self._show(text, action, lasting=True)
        self._close.hide()
        self._bar.show()
        self._bar.setValue(round(1000 * fraction))

    def show_text(self, text: str, action: str = "", lasting: bool = False) -> None:
        """Leaves by itself unless it is `lasting`."""
        self._show(text, action, lasting)
        self._close.show()
        self._bar.hide()

    def _show(self, text: str, action: str, lasting: bool) -> None:
        self._label.setText(text)
        self.setAccessibleName(text)
        if action:
            self.button.setText(action)
        self.button.setVisible(bool(action))
        self.show()
        if lasting:
            self._timer.stop()
        else:
            self._timer.start()

    def _on_close(self) -> None:
        self._timer.stop()
        self.hide()
        self.dismissed.emit()
