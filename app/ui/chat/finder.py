"""Where a text occurs in a conversation: counted over all messages, marked in the rows that exist."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.core import reasoning
from app.core.conversation import USER, Message
from app.ui.chat.blocks import CodeBlock, TableBlock, TextBlock
from app.ui.chat.markdown import parse
from app.ui.chat.message_list import MessageList
from app.ui.chat.message_row import MessageRow
from app.ui.chat.turns import Turns
from app.ui.theme import Theme

Texts = QTextEdit | QPlainTextEdit


@dataclass(frozen=True, slots=True)
class Match:
    """The `index`-th occurrence (from 0) in a message."""

    message_id: str
    index: int


class Finder(QObject):
    """`changed` whenever there are more matches, or another one is the current one."""

    changed = Signal()

    def __init__(self, messages: MessageList) -> None:
        super().__init__(messages)
        self._list = messages
        self._query = ""
        self._matches: list[Match] = []
        self._current = -1
        self._left: list[Message] = []
        self._kept: Match | None = None  # stay at this one, instead of going to the first
        self._start = ""  # the message from which on the first match is wanted
        messages.row_made.connect(self._mark)
        # After the texts have been drawn anew in the new colours, which takes the marks away.
        Theme.current().changed.connect(self._mark_all, Qt.ConnectionType.QueuedConnection)

    @property
    def count(self) -> int:
        return len(self._matches)

    @property
    def current(self) -> int:
        """Which match is shown, from 0; -1 for none."""
        return self._current

    @property
    def searching(self) -> bool:
        """Not all messages have been looked through."""
        return bool(self._left)

    def find(self, query: str) -> None:
        """Look for another text, from what is in sight on; empty ends it and takes the marks away."""
        self._query = query
        self._kept = None
        self._begin()

    def again(self) -> None:
        """The conversation has changed: count anew, and stay where the reader is."""
        if self._query:
            self._kept = self._matches[self._current] if self._current >= 0 else Match("", 0)
            self._begin()

    def _begin(self) -> None:
        self._matches, self._current = [], -1
        self._left = list(self._list.messages) if self._query else []
        self._start = self._in_sight()
        self._mark_all()
        self.changed.emit()
        if self._left:
            Turns.current().run(self, self._look_on)

    def step(self, forward: bool) -> None:
        """Go to the next match or the one before; around at the ends."""
        if self._matches:
            self._show((self._current + (1 if forward else -1)) % len(self._matches))

    def _look_on(self) -> bool:
        if not self._left:
            # The search was ended, or begun anew where nothing is, since this turn was asked for.
            return False
        message = self._left.pop(0)
        found = sum(len(_pattern(self._query).findall(text)) for text in shown_texts(message))
        if message.id == self._start:
            self._start = ""
        if found:
            self._matches += [Match(message.id, i) for i in range(found)]
            if self._kept is not None:
                if self._kept in self._matches:
                    self._current = self._matches.index(self._kept)
            elif self._current < 0 and not self._start:
                self._show(len(self._matches) - found)
        if not self._left:
            if self._current < 0 and self._matches and self._kept is None:
                # Only before what is in sight.
                self._show(0)
            self.changed.emit()
        return bool(self._left)

    def _show(self, at: int) -> None:
        before = self._list.row(self._matches[self._current].message_id) if self._current >= 0 else None
        self._current = at
        match = self._matches[at]
        row = self._list.reveal(match.message_id)
        if before is not None and before is not row:
            self._mark(before)
        if row is not None:
            row.unfold_all(self._query)
            self._mark(row)
            self._scroll_to(row, match.index)
        self.changed.emit()

    def _scroll_to(self, row: MessageRow, index: int) -> None:
        for view in row.find_views:
            found = _cursors(view, self._query)
            if index < len(found):
                rect = view.cursorRect(found[index])
                top = view.viewport().mapTo(row, QPoint(0, rect.top())).y()
                if view.verticalScrollBar().maximum():
                    # A box that scrolls by itself.
                    view.setTextCursor(found[index])
                    top = view.mapTo(row, QPoint(0, 0)).y()
                self._list.scroll_to(row, top, rect.height())
                return
            index -= len(found)

    def _mark_all(self) -> None:
        for row in self._list.rows:
            self._mark(row)

    def _mark(self, row: MessageRow) -> None:
        current = self._matches[self._current] if self._current >= 0 else None
        wanted = current.index if current is not None and current.message_id == row.message.id else -1
        for view in row.find_views:
            found = _cursors(view, self._query) if self._query else []
            if found or view.extraSelections():
                view.setExtraSelections([_selection(cursor, i == wanted) for i, cursor in enumerate(found)])
            wanted -= len(found) if wanted >= 0 else 0

    def _in_sight(self) -> str:
        top = self._list.verticalScrollBar().value()
        for row in self._list.rows:
            if self._list.top_of(row) + row.height() > top:
                return row.message.id
        return ""


def shown_texts(message: Message) -> list[str]:
    """What a message shows, piece by piece, as its row does; text across two pieces is not found."""
    if message.role == USER:
        return [message.text]
    out: list[str] = []
    for part in reasoning.split(message.text, reasoning.format_of(message.meta)):
        for block in parse(message.text[part.start : part.end]):
            if isinstance(block, TextBlock):
                out.append(f"{block.marker}\t{block.text}" if block.marker else block.text)
            elif isinstance(block, CodeBlock):
                out.append(block.code)
            elif isinstance(block, TableBlock):
                out += ["".join(run.text for run in cell) for row in block.rows for cell in row]
    return out


def _pattern(query: str) -> re.Pattern[str]:
    return re.compile(re.escape(query), re.IGNORECASE)


def _cursors(view: Texts, query: str) -> list[QTextCursor]:
    out: list[QTextCursor] = []
    cursor = view.document().find(query, 0)
    while not cursor.isNull():
        out.append(cursor)
        cursor = view.document().find(query, cursor)
    return out


def _selection(cursor: QTextCursor, current: bool) -> QTextEdit.ExtraSelection:
    palette = Theme.current().palette
    form = QTextCharFormat()
    form.setBackground(QColor(palette.accent if current else palette.selection))
    if current:
        form.setForeground(QColor(palette.on_accent))
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = form
    return selection
