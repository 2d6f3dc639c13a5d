"""A quiet remark inside the panel: a mark and a sentence, shown only while there is something to say."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from app.ui import icons, theme
from app.ui.theme import Theme

_ICON = 14


class Notice(QFrame):
    """Hidden while its text is empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "raised")
        self._mark = QLabel()
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        layout.setSpacing(theme.GRID)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._label, 1)
        self._restyle()
        Theme.current().changed.connect(self._restyle)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def set_text(self, text: str) -> None:
        if text != self.text:
            self._label.setText(text)
            self.setAccessibleName(text)
        self.setVisible(bool(text))

    def _restyle(self) -> None:
        side = round(_ICON * Theme.current().scale)
        self._mark.setPixmap(icons.pixmap("warning", "warning", side, self.devicePixelRatioF()))
        self._label.setFont(Theme.current().font(theme.LABEL))
