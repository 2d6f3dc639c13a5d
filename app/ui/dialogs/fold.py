"""A part of a page that is opened and closed by its heading."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.icons import TextButton


class Fold(QWidget):
    """Closed until it is opened. `rows` is the layout of what it holds."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.button = TextButton(title, role="quiet", icon_name="chevron-right")
        self.button.setCheckable(True)
        self.button.setAutoDefault(False)
        self.button.setProperty("align", "left")
        self.body = QWidget()
        self.body.hide()
        self.rows = QVBoxLayout(self.body)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.body)
        self.button.toggled.connect(self._follow)

    @property
    def is_open(self) -> bool:
        return self.button.isChecked()

    def set_open(self, is_open: bool) -> None:
        self.button.setChecked(is_open)

    def _follow(self, is_open: bool) -> None:
        self.body.setVisible(is_open)
        self.button.set_icon("chevron-down" if is_open else "chevron-right")
