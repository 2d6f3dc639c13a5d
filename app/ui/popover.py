"""A small sheet that opens beneath a control: a title, one or two paragraphs, buttons that do something."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.icons import TextButton

_WIDTH = 320


class Popover(QFrame):
    """Closes on Esc, on a click elsewhere and after a button was used; deletes itself."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "card")
        # A popup is a rectangle of its own: square corners instead of rounded ones over nothing.
        self.setStyleSheet("Popover { border-radius: 0; }")
        self.setAccessibleName(title)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        self._layout.setSpacing(theme.GRID)
        heading = QLabel(title)
        heading.setProperty("role", "title")
        heading.setWordWrap(True)
        self._layout.addWidget(heading)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.GRID)
        self._buttons.addStretch()
        self._text = title

    @property
    def text(self) -> str:
        """Everything it says, one paragraph a line."""
        return self._text

    def add_text(self, text: str, role: str = "") -> None:
        """A paragraph; empty text adds nothing."""
        if not text:
            return
        label = QLabel(text)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setProperty("role", role)
        self._layout.addWidget(label)
        self._text += f"\n{text}"

    def add_button(self, text: str, act: Callable[[], object], role: str = "") -> TextButton:
        """A button that closes the popover and then does `act`."""
        button = TextButton(text, self, role=role)

        def press() -> None:
            self.close()
            act()

        button.clicked.connect(press)
        self._buttons.addWidget(button)
        return button

    def open_below(self, anchor: QWidget) -> None:
        """Show it under `anchor`, right edges aligned, inside the screen."""
        if self._buttons.count() > 1:
            self._layout.addLayout(self._buttons)
        self.setFixedWidth(round(_WIDTH * theme.Theme.current().scale))
        self._layout.activate()
        self.setFixedHeight(self._layout.totalHeightForWidth(self.width()))
        corner = anchor.mapToGlobal(QPoint(anchor.width() - self.width(), anchor.height() + theme.HALF))
        area = anchor.screen().availableGeometry()
        x = min(max(corner.x(), area.left()), area.right() - self.width())
        self.move(x, min(corner.y(), area.bottom() - self.height()))
        self.show()
