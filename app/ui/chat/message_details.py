"""The window that tells everything about one message: pair, settings, seed, statistics."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.conversation import Message
from app.ui import theme
from app.ui.chat import message_facts
from app.ui.chat.copy_button import CopyButton
from app.ui.closing import closable
from app.ui.fitting import fit
from app.ui.theme import Theme

_SIZE = (520, 560)


class MessageDetails(QDialog):
    """What was recorded when the message was made; later changes of the settings do not touch it."""

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Details of the message"))
        self._sections = message_facts.sections(message)
        page = QFrame()
        page.setProperty("role", "page")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(24, theme.MARGIN, 24, theme.MARGIN)
        rows.setSpacing(theme.GRID)
        for title, facts in self._sections:
            heading = QLabel(title)
            heading.setProperty("role", "title")
            rows.addWidget(heading)
            rows.addLayout(_table(facts))
            rows.addSpacing(theme.GRID)
        rows.addStretch()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        area.setAccessibleName(self.windowTitle())
        self.copy_button = CopyButton(self.tr("Copy all of this"), lambda: self.text)
        self.close_button = closable(self, area, self.copy_button)
        scale = Theme.current().scale
        fit(self, _SIZE[0] * scale, min(_SIZE[1] * scale, page.sizeHint().height() + 80 * scale))

    @property
    def text(self) -> str:
        """All of it, for a report."""
        return message_facts.as_text(self._sections)


def _table(facts: message_facts.Facts) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(theme.MARGIN)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(1, 1)
    for row, (label, value) in enumerate(facts):
        heading = QLabel(label)
        heading.setProperty("role", "muted")
        heading.setMinimumWidth(round(150 * Theme.current().scale))
        fact = QLabel(value)
        fact.setTextFormat(Qt.TextFormat.PlainText)
        fact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        fact.setWordWrap(True)
        grid.addWidget(heading, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(fact, row, 1)
    return grid
