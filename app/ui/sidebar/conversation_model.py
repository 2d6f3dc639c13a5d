"""The conversations as a list with headings: today, yesterday, earlier. Filtered by title."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.core.conversation import ConversationSummary

TODAY = "today"
YESTERDAY = "yesterday"
EARLIER = "earlier"

IdRole = Qt.ItemDataRole.UserRole + 1
HeadingRole = Qt.ItemDataRole.UserRole + 2
OpenRole = Qt.ItemDataRole.UserRole + 3
AnsweringRole = Qt.ItemDataRole.UserRole + 4

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class _Line:
    """A heading (without id) or a conversation."""

    text: str
    id: str = ""


def group_of(updated_at: float, now: float) -> str:
    """By the calendar of this machine, not by hours."""
    day, today = date.fromtimestamp(updated_at), date.fromtimestamp(now)
    if day >= today:
        return TODAY
    return YESTERDAY if day == today - timedelta(days=1) else EARLIER


class ConversationModel(QAbstractListModel):
    """`renamed` carries (id, new title) after an edit; the list itself changes when `set_items` says so."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[ConversationSummary] = []
        self._lines: list[_Line] = []
        self._filter = ""
        self._open = ""
        self._answering = ""

    @property
    def filter(self) -> str:
        return self._filter

    def set_items(self, items: Sequence[ConversationSummary]) -> None:
        self._items = list(items)
        self._rebuild()

    def set_filter(self, text: str) -> None:
        self._filter = text.strip()
        self._rebuild()

    def set_open(self, conversation_id: str) -> None:
        """The conversation on screen."""
        self._open = self._mark(self._open, conversation_id)

    def set_answering(self, conversation_id: str) -> None:
        """The conversation in which a reply is being written, or empty."""
        self._answering = self._mark(self._answering, conversation_id)

    def index_of(self, conversation_id: str) -> QModelIndex:
        """Invalid when the filter hides it."""
        for row, line in enumerate(self._lines):
            if line.id and line.id == conversation_id:
                return self.index(row)
        return QModelIndex()

    def ids(self) -> list[str]:
        """The conversations in view, in order."""
        return [line.id for line in self._lines if line.id]

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        line = self._lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return line.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.text if line.id else None
        if role == IdRole:
            return line.id
        if role == HeadingRole:
            return not line.id
        if role == OpenRole:
            return bool(line.id) and line.id == self._open
        if role == AnsweringRole:
            return bool(line.id) and line.id == self._answering
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if line.id and line.id == self._answering:
                return self.tr("%1, answering").replace("%1", line.text)
            return line.text
        return None

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        line, title = self._lines[index.row()], " ".join(str(value).split())
        if not line.id or not title or title == line.text:
            return False
        self.renamed.emit(line.id, title)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid() or not self._lines[index.row()].id:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def _mark(self, old: str, new: str) -> str:
        if old != new:
            for conversation_id in (old, new):
                index = self.index_of(conversation_id)
                if index.isValid():
                    self.dataChanged.emit(index, index)
        return new

    def _rebuild(self) -> None:
        names = {
            TODAY: self.tr("Today"),
            YESTERDAY: self.tr("Yesterday"),
            EARLIER: self.tr("Earlier"),
        }
        now, wanted = time.time(), self._filter.casefold()
        lines: list[_Line] = []
        group = ""
        for item in sorted(self._items, key=lambda s: -s.updated_at):
            title = item.title or self.tr("New chat")
            if wanted and wanted not in title.casefold():
                continue
            found = group_of(item.updated_at, now)
            if found != group:
                group = found
                lines.append(_Line(names[group]))
            lines.append(_Line(title, item.id))
        if lines == self._lines:
            return
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()
