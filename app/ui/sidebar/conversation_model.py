"""The conversations as a list with headings, or what a search found as a list with snippets."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.core.conversation import ConversationSummary
from app.core.search import SearchHit
from app.ui.plain_tip import plain_tip
from app.ui.sidebar.sections import Calendar, folded, holds, sectioned

IdRole = Qt.ItemDataRole.UserRole + 1
HeadingRole = Qt.ItemDataRole.UserRole + 2
OpenRole = Qt.ItemDataRole.UserRole + 3
AnsweringRole = Qt.ItemDataRole.UserRole + 4
SnippetRole = Qt.ItemDataRole.UserRole + 5
MarksRole = Qt.ItemDataRole.UserRole + 6
DateRole = Qt.ItemDataRole.UserRole + 7
MessageRole = Qt.ItemDataRole.UserRole + 8

MIME = "application/x-slipstream-conversation"

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class _Line(NamedTuple):
    """A heading (without id) or a conversation."""

    text: str
    id: str = ""
    pinned: bool = False
    hit: SearchHit | None = None
    updated_at: float = 0.0


class ConversationModel(QAbstractListModel):
    """`renamed` carries (id, new title) after an edit; the list itself changes when `set_items` says so.

    While there is a filter, the titles that hold its words are shown at once, and `set_hits` adds what
    was found in messages. `pinned_count` lines below the first heading can be put in order by dragging.
    """

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[ConversationSummary] = []
        self._lines: list[_Line] = []
        self._rows: dict[str, int] = {}
        self._filter = ""
        self._tag = ""
        self._hits: dict[str, SearchHit] = {}
        self._open = ""
        self._answering = ""
        self._calendar = Calendar(time.time())

    @property
    def filter(self) -> str:
        return self._filter

    @property
    def tag(self) -> str:
        """Only conversations with it are shown; empty: all."""
        return self._tag

    @property
    def searching(self) -> bool:
        """The lines are found conversations, without headings."""
        return bool(self._filter)

    @property
    def pinned_count(self) -> int:
        return sum(line.pinned for line in self._lines) if not self._filter else 0

    def set_items(self, items: Sequence[ConversationSummary]) -> None:
        self._items = sorted(items, key=lambda s: -s.updated_at)
        self._rebuild()

    def set_filter(self, text: str) -> None:
        self._filter = text.strip()
        if not self._filter:
            self._hits = {}
        self._rebuild()

    def set_tag(self, tag: str) -> None:
        self._tag = tag
        self._rebuild()

    def set_hits(self, hits: Sequence[SearchHit]) -> None:
        """What the search for the filter found."""
        self._hits = {hit.conversation_id: hit for hit in hits}
        self._rebuild()

    def set_open(self, conversation_id: str) -> None:
        """The conversation on screen."""
        self._open = self._mark(self._open, conversation_id)

    def set_answering(self, conversation_id: str) -> None:
        """The conversation in which a reply is being written, or empty."""
        self._answering = self._mark(self._answering, conversation_id)

    def index_of(self, conversation_id: str) -> QModelIndex:
        """Invalid when the filter hides it."""
        row = self._rows.get(conversation_id)
        return self.index(row) if row is not None else QModelIndex()

    def ids(self) -> list[str]:
        """The conversations in view, in order."""
        return list(self._rows)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        line = self._lines[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return line.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.text) if line.id else None
        if role == IdRole:
            return line.id
        if role == HeadingRole:
            return not line.id
        if role == OpenRole:
            return bool(line.id) and line.id == self._open
        if role == AnsweringRole:
            return bool(line.id) and line.id == self._answering
        if role == DateRole:
            return self._calendar.short(line.updated_at) if self._filter else ""
        if role in (SnippetRole, MarksRole, MessageRole):
            return _of_hit(line.hit, role)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(line)
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
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
        return flags if self._filter else flags | Qt.ItemFlag.ItemIsDragEnabled

    # -- dragging ---------------------------------------------------------------------------------------

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setData(MIME, str(indexes[0].data(IdRole)).encode() if indexes else b"")
        return data

    def canDropMimeData(
        self, data: QMimeData, _action: Qt.DropAction, row: int, _column: int, parent: _Index
    ) -> bool:
        """Among the pinned ones alone."""
        at = row if not parent.isValid() else parent.row()
        return data.hasFormat(MIME) and self.pinned_count > 0 and 1 <= at <= self.pinned_count + 1

    # -- making the lines -------------------------------------------------------------------------------

    def _spoken(self, line: _Line) -> str:
        text = line.text
        if line.id and line.id == self._answering:
            text = self.tr("{title}, answering").format(title=text)
        if line.pinned:
            text = self.tr("{title}, pinned").format(title=text)
        if line.hit is not None and line.hit.snippet:
            text = f"{text}: {line.hit.snippet}"
        return text

    def _mark(self, old: str, new: str) -> str:
        if old != new:
            for conversation_id in (old, new):
                index = self.index_of(conversation_id)
                if index.isValid():
                    self.dataChanged.emit(index, index)
        return new

    def _rebuild(self) -> None:
        self._calendar = Calendar(time.time())
        lines = self._found() if self._filter else self._all()
        if lines == self._lines:
            return
        self.beginResetModel()
        self._lines = lines
        self._rows = {line.id: row for row, line in enumerate(lines) if line.id}
        self.endResetModel()

    def _all(self) -> list[_Line]:
        untitled = self.tr("New chat")
        items = [s for s in self._items if not self._tag or self._tag in s.tags]
        lines: list[_Line] = []
        for heading, members in sectioned(items, self._calendar):
            lines.append(_Line(heading))
            lines += [_Line(s.title or untitled, s.id, s.pin is not None) for s in members]
        return lines

    def _found(self) -> list[_Line]:
        words, untitled, hits = folded(self._filter).split(), self.tr("New chat"), self._hits
        return [
            _Line(s.title or untitled, s.id, s.pin is not None, hits.get(s.id), s.updated_at)
            for s in self._items
            if (s.id in hits or holds(s.title or untitled, words)) and (not self._tag or self._tag in s.tags)
        ]


def _of_hit(hit: SearchHit | None, role: int) -> object:
    if hit is None:
        return () if role == MarksRole else ""
    return {SnippetRole: hit.snippet, MarksRole: hit.marks, MessageRole: hit.message_id}[role]
