"""`‹ 2 / 3 ›`: which of the messages in one place is shown, and the way to the others."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.ui.icons import IconButton


class BranchSwitch(QWidget):
    """Hidden while there is only one. `chosen` carries the index of the one that is wanted, from 0."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._index, self._count = 0, 1
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.previous = IconButton("chevron-left", self.tr("Previous version"), role="muted")
        self.next = IconButton("chevron-right", self.tr("Next version"), role="muted")
        self._label = QLabel()
        self._label.setProperty("role", "muted")
        for widget in (self.previous, self._label, self.next):
            layout.addWidget(widget)
        self.previous.clicked.connect(lambda: self.chosen.emit(self._index - 1))
        self.next.clicked.connect(lambda: self.chosen.emit(self._index + 1))
        self.set_place(0, 1)

    @property
    def text(self) -> str:
        return self._label.text()

    def set_place(self, index: int, count: int) -> None:
        """Version `index` (from 0) of `count`."""
        self._index, self._count = index, count
        self._label.setText(f"{index + 1} / {count}")
        said = self.tr("Version {n} of {count}").format(n=index + 1, count=count)
        self._label.setAccessibleName(said)
        self._label.setToolTip(said)
        self.previous.setEnabled(index > 0)
        self.next.setEnabled(index < count - 1)
        self.setVisible(count > 1)
