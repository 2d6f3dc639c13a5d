"""The line in a conversation above which the model no longer reads, with what it reads in its place."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.icons import TextButton


class LeftOutMarker(QWidget):
    """`undone` when the reader wants the model to read all of it again."""

    undone = Signal()

    def __init__(self, summary: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.GRID, 0, theme.GRID)
        layout.setSpacing(theme.GRID)
        row = QHBoxLayout()
        row.setSpacing(theme.GRID)
        said = self.tr("Summarised for the model up to here") if summary else self.tr("Left out up to here")
        self._label = QLabel(said)
        self._label.setProperty("role", "label")
        self._label.setToolTip(self.tr("The model does not read the messages above; they are all kept."))
        self._undo = TextButton(self.tr("Include again"), role="quiet")
        self._undo.clicked.connect(self.undone)
        row.addWidget(_rule(), 1)
        row.addWidget(self._label)
        row.addWidget(self._undo)
        row.addWidget(_rule(), 1)
        layout.addLayout(row)
        if summary:
            text = QLabel(summary)
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setWordWrap(True)
            text.setProperty("role", "muted")
            text.setAccessibleName(self.tr("Summary"))
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            layout.addWidget(text)
        self.setAccessibleName(said)

    @property
    def text(self) -> str:
        return self._label.text()

    @property
    def undo_button(self) -> TextButton:
        return self._undo


def _rule() -> QFrame:
    rule = QFrame()
    rule.setProperty("role", "rule")
    return rule
