"""Find in the conversation: a field, how many there are, the next one, the one before."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.ui import theme
from app.ui.chat.finder import Finder
from app.ui.icons import IconButton
from app.ui.theme import Theme

_DELAY_MS = 120
_FIELD_WIDTH = 220


class FindBar(QFrame):
    """Above the conversation, so that it covers nothing. `closed` when it leaves."""

    closed = Signal()

    def __init__(self, finder: Finder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finder = finder
        self.setProperty("role", "page")
        self.setAccessibleName(self.tr("Find in the conversation"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GRID, theme.GRID, 0)
        layout.setSpacing(theme.HALF)
        layout.addStretch(1)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in the conversation"))
        self.field.setAccessibleName(self.tr("Find in the conversation"))
        self._label = QLabel()
        self._label.setProperty("role", "muted")
        self.previous = IconButton("chevron-up", self.tr("Match before (Shift+Enter)"))
        self.next = IconButton("chevron-down", self.tr("Next match (Enter)"))
        self._close = IconButton("close", self.tr("Close (Esc)"))
        layout.addWidget(self.field, 100_000)
        for widget in (self._label, self.previous, self.next, self._close):
            layout.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MS)
        self._timer.timeout.connect(self._find)
        self.field.textChanged.connect(self._timer.start)
        self.previous.clicked.connect(lambda: self._step(False))
        self.next.clicked.connect(lambda: self._step(True))
        self._close.clicked.connect(self.leave)
        finder.changed.connect(self._show)
        self._restyle()
        Theme.current().changed.connect(self._restyle)
        self.hide()
        self._show()

    @property
    def text(self) -> str:
        """How many there are, in words."""
        return self._label.text()

    def open(self) -> None:
        """Show it with the last text selected, and look for that again."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._find()

    def leave(self) -> None:
        self._timer.stop()
        if not self.isHidden():
            self.hide()
            self._finder.find("")
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            self._step(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def _find(self) -> None:
        self._timer.stop()
        self._finder.find(self.field.text())

    def _step(self, forward: bool) -> None:
        if self._timer.isActive():
            # Typed and not looked for yet; the first match is the next one.
            self._find()
        else:
            self._finder.step(forward)

    def _show(self) -> None:
        found = self._finder
        if not self.field.text():
            said = ""
        elif found.count:
            said = self.tr("{n} of {count}").format(n=found.current + 1, count=found.count)
            said += "+" if found.searching else ""
        else:
            said = self.tr("Searching") if found.searching else self.tr("Not found")
        self._label.setText(said)
        self.previous.setEnabled(bool(found.count))
        self.next.setEnabled(bool(found.count))

    def _restyle(self) -> None:
        self.field.setMaximumWidth(round(_FIELD_WIDTH * Theme.current().scale))
