"""The middle of the window: the pair bar with the buttons that bring columns back, and a page beneath."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.icons import IconButton


class WindowCentre(QFrame):
    """`pages` holds what the window is used for; the first one is the chat."""

    def __init__(self, bar: QWidget, first_page: QWidget) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self.sidebar_button = IconButton("sidebar", self.tr("Show the conversations (Ctrl+B)"))
        self.panel_button = IconButton("panel", self.tr("Show the live panel (Ctrl+J)"))
        top = QFrame()
        top.setProperty("role", "page")
        row = QHBoxLayout(top)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        # A column that is shown has its own button to fold it; these bring it back.
        self._left, self._right = _Above(self.sidebar_button), _Above(self.panel_button)
        row.addWidget(self._left)
        row.addWidget(bar, 1)
        row.addWidget(self._right)
        rule = QFrame()
        rule.setProperty("role", "rule")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(top)
        layout.addWidget(rule)
        self.pages = QStackedWidget()
        self.pages.addWidget(first_page)
        layout.addWidget(self.pages, 1)

    def show_buttons(self, sidebar: bool, panel: bool) -> None:
        """Which columns are folded."""
        self._left.setVisible(sidebar)
        self._right.setVisible(panel)


class _Above(QWidget):
    """Keeps a button at the top of a row that may grow."""

    def __init__(self, button: QWidget) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.GRID, theme.GRID + 1, theme.GRID, 0)
        layout.addWidget(button)
        layout.addStretch()
