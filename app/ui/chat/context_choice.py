"""What to do when a message does not fit into the context: asked before anything is sent."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.bench.flow import flow
from app.ui.icons import TextButton


class ContextChoice(QFrame):
    """Hidden until `ask`. `trim` and `summarise` say what to do with the oldest messages; Esc is `left`."""

    trim = Signal()
    summarise = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(theme.MARGIN, 0, theme.MARGIN, theme.GRID)
        card = QFrame()
        card.setProperty("role", "card")
        card.setMaximumWidth(theme.COLUMN_WIDTH)
        outer.addWidget(card)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        layout.setSpacing(theme.GRID)
        self._title = QLabel(self.tr("This conversation no longer fits into the model's context."))
        self._title.setProperty("role", "title")
        self._title.setWordWrap(True)
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setProperty("role", "muted")
        self.trim_button = TextButton(self.tr("Leave out the oldest messages"))
        self.summary_button = TextButton(self.tr("Summarise them"))
        self.stop_button = TextButton(self.tr("Do not send"), role="quiet")
        self.trim_button.clicked.connect(self.trim)
        self.summary_button.clicked.connect(self.summarise)
        self.stop_button.clicked.connect(self.left)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addWidget(flow(self.trim_button, self.summary_button, self.stop_button))
        self.hide()

    def ask(self) -> None:
        """Show the choice; nothing has been sent yet."""
        self._text.setText(
            self.tr(
                "Left out, the oldest messages stay in the conversation, but the model no longer reads them. "
                "Summarised, it reads a summary in their place."
            )
        )
        self.setAccessibleName(self._title.text())
        self.show()
        self.trim_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
