"""Earlier benchmarks of the pair: when, with which version, on what, and what came out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.bench import BenchEntry
from app.ui import theme
from app.ui.bench.words import date_of, entry_verdict, workload_of
from app.ui.icons import TextButton
from app.ui.theme import Theme

_MOST_ROWS = 6
_ROW = 26


class HistoryCard(QFrame):
    """Ids are those of entries. Return opens, Del deletes, Ctrl+Z brings back."""

    opened = Signal(str)
    delete_requested = Signal(str)
    undo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        title = QLabel(self.tr("Earlier runs of this pair"))
        title.setProperty("role", "title")
        title.setWordWrap(True)
        self._empty = QLabel(self.tr("None yet. What you measure is kept here, with every recorded round."))
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        self.list = _List()
        self.list.setAccessibleName(self.tr("Earlier runs of this pair"))
        self.open_button = TextButton(self.tr("Open"))
        self.delete_button = TextButton(self.tr("Delete"))
        head = QHBoxLayout()
        head.setSpacing(theme.GRID)
        head.addWidget(title, 1)
        head.addWidget(self.open_button)
        head.addWidget(self.delete_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        layout.setSpacing(theme.GRID)
        layout.addLayout(head)
        layout.addWidget(self._empty)
        layout.addWidget(self.list)
        self.open_button.clicked.connect(self._open)
        self.delete_button.clicked.connect(self._delete)
        self.list.itemActivated.connect(self._open)
        self.list.delete_pressed.connect(self._delete)
        self.list.undo_pressed.connect(self.undo_requested)
        self.list.currentItemChanged.connect(self._show_buttons)
        self._running = False
        self._open_id = ""
        self.set_entries((), "")

    @property
    def current_id(self) -> str:
        item = self.list.currentItem()
        return str(item.data(0, Qt.ItemDataRole.UserRole)) if item is not None else ""

    def set_entries(self, entries: Sequence[BenchEntry], open_id: str) -> None:
        """`open_id` is the one that is shown above."""
        wanted = open_id if open_id != self._open_id else self.current_id
        self._open_id = open_id
        self.list.clear()
        for entry in entries:
            cells = [
                date_of(entry.created),
                entry_verdict(entry),
                workload_of(entry.workload),
                entry.program.removeprefix("Slipstream "),
            ]
            item = QTreeWidgetItem(cells)
            item.setData(0, Qt.ItemDataRole.UserRole, entry.id)
            # Screen readers read this for the line, the columns one by one.
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join(cells))
            # Of the last column, which takes what is left: a hint is for the width too.
            item.setSizeHint(len(cells) - 1, QSize(0, round(_ROW * Theme.current().scale)))
            font = item.font(0)
            font.setBold(entry.id == open_id)
            for column in range(len(cells)):
                item.setFont(column, font)
            self.list.addTopLevelItem(item)
            if entry.id == wanted:
                self.list.setCurrentItem(item)
        first = self.list.topLevelItem(0)
        if first is not None and self.list.currentItem() is None:
            self.list.setCurrentItem(first)
        self.list.setVisible(bool(entries))
        self._empty.setVisible(not entries)
        self.open_button.setVisible(bool(entries))
        self.delete_button.setVisible(bool(entries))
        self.list.fit(len(entries))
        self._show_buttons()

    def set_running(self, running: bool) -> None:
        """While a benchmark runs no other one is opened."""
        self._running = running
        self._show_buttons()

    def _show_buttons(self) -> None:
        self.open_button.setEnabled(bool(self.current_id) and not self._running)
        self.delete_button.setEnabled(bool(self.current_id))

    def _open(self) -> None:
        if self.current_id and not self._running:
            self.opened.emit(self.current_id)

    def _delete(self) -> None:
        if self.current_id:
            self.delete_requested.emit(self.current_id)


class _List(QTreeWidget):
    delete_pressed = Signal()
    undo_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderLabels([self.tr("Date"), self.tr("Result"), self.tr("Prompts"), self.tr("Version")])
        # The shown run is bold: widths follow what is written, not what was there at first.
        for column in range(3):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    def fit(self, rows: int) -> None:
        """As high as its lines, up to a few."""
        self._rows = rows
        scale = Theme.current().scale
        self.setFixedHeight(round((_ROW * (min(max(rows, 1), _MOST_ROWS) + 1) + 18) * scale))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_pressed.emit()
        else:
            super().keyPressEvent(event)

    def _restyle(self) -> None:
        self.setFont(Theme.current().font(theme.BODY, tabular=True))
        self.fit(getattr(self, "_rows", 0))
