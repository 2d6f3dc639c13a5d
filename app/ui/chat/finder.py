"""Where a text occurs in a conversation: counted over all messages, marked where the reader is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QPlainTextEdit
from shiboken6 import isValid

from app.core import reasoning
from app.core.conversation import USER, Message
from app.ui.chat.blocks import Block, CodeBlock, TableBlock, TextBlock
from app.ui.chat.direction import SIGNS, isolated
from app.ui.chat.find_marks import FindMarks, Place, place_of
from app.ui.chat.message_list import MessageList
from app.ui.chat.message_row import MessageRow
from app.ui.chat.stream import MarkdownStream
from app.ui.chat.turns import Turns

_SLICE = 2000  # characters looked through in one step
_SETTLED_MS = 300  # until everything that was unfolded for a match has its size


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
        self._pattern = _pattern("")
        self._count = 0
        self._ids: list[str] = []  # of the messages that have matches
        self._before: list[int] = []  # matches before each of them
        self._current = -1
        self._left: list[Message] = []
        self._texts: Iterator[str] | None = None  # of the first one left, when it has been begun
        self._found = 0  # matches in it so far
        self._kept: Match | None = None  # stay at this one, instead of going to the first
        self._start = ""  # the message from which on the first match is wanted
        self._place: Place | None = None  # of the current match
        self._awaited = False  # it is to be brought into sight when it is drawn
        self._marks = FindMarks(messages, self._where)
        messages.row_made.connect(self._forget_place)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED_MS)
        messages.verticalScrollBar().rangeChanged.connect(self._on_range)

    @property
    def count(self) -> int:
        return self._count

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
        self._pattern = _pattern(query)
        self._kept = None
        self._begin()

    def again(self) -> None:
        """The conversation has changed: count anew, and stay where the reader is."""
        if self._query:
            self._kept = self._match(self._current) if self._current >= 0 else Match("", 0)
            self._begin()

    def _begin(self) -> None:
        self._count, self._current = 0, -1
        self._ids, self._before = [], []
        self._left = list(self._list.messages) if self._query else []
        self._texts, self._place = None, None
        self._settled.stop()
        self._start = self._in_sight()
        self._marks.look_for(self._pattern if self._query else None)
        self.changed.emit()
        if self._left:
            Turns.current().run(self, self._look_on)

    def step(self, forward: bool) -> None:
        """Go to the next match or the one before; around at the ends."""
        if self._count:
            self._show((self._current + (1 if forward else -1)) % self._count)

    def _look_on(self) -> bool:
        if not self._left:
            # The search was ended, or begun anew where nothing is, since this turn was asked for.
            return False
        message = self._left[0]
        if self._texts is None:
            self._texts, self._found = shown_texts(message), 0
        size = 0
        for text in self._texts:
            self._found += len(self._pattern.findall(text))
            size += len(text)
            if size >= _SLICE:
                return True
        self._left.pop(0)
        self._texts = None
        self._take(message.id, self._found)
        if not self._left:
            if self._current < 0 and self._count and self._kept is None:
                # Only before what is in sight.
                self._show(0)
            self.changed.emit()
        return bool(self._left)

    def _take(self, message_id: str, found: int) -> None:
        """A message has been looked through."""
        if message_id == self._start:
            self._start = ""
        if not found:
            return
        first, kept = self._count, self._kept
        self._ids.append(message_id)
        self._before.append(first)
        self._count += found
        if kept is not None:
            if kept.message_id == message_id and kept.index < found:
                self._current = first + kept.index
                self._marks.refresh_soon()
        elif self._current < 0 and not self._start:
            self._show(first)

    def _match(self, at: int) -> Match:
        place = bisect_right(self._before, at) - 1
        return Match(self._ids[place], at - self._before[place])

    def _show(self, at: int) -> None:
        self._current, self._place, self._awaited = at, None, False
        row = self._list.reveal(self._match(at).message_id)
        if row is not None:
            row.unfold_all(self._query)
            # What is unfolded for it gets its size in the turns after, and the list may move.
            self._settled.start()
            self._scroll()
            self._awaited = self._place is None
        self._marks.refresh()
        self.changed.emit()

    def _where(self) -> Place | None:
        """Where the current match stands; None without one, or while it is not drawn."""
        if self._current < 0:
            return None
        if self._place is None or not isValid(self._place.view):
            match = self._match(self._current)
            row = self._list.row(match.message_id)
            self._place = place_of(row, self._pattern, match.index) if row is not None else None
            if self._place is not None and self._awaited:
                self._awaited = False
                self._settled.start()
                QTimer.singleShot(0, self, self._scroll)
        return self._place

    def _forget_place(self, row: MessageRow) -> None:
        if self._current >= 0 and row.message.id == self._match(self._current).message_id:
            self._place = None

    def _on_range(self) -> None:
        if self._settled.isActive():
            self._scroll(inside=False)

    def _scroll(self, inside: bool = True) -> None:
        """Bring the current match into sight, if it is not; `inside` a box that scrolls by itself as well."""
        place = self._where()
        row = self._list.row(self._match(self._current).message_id) if place is not None else None
        if place is None or row is None:
            return
        view, cursor = place.view, place.cursor()
        rect = view.cursorRect(cursor)
        top = view.viewport().mapTo(row, QPoint(0, rect.top())).y()
        if isinstance(view, QPlainTextEdit):
            if inside:
                view.setTextCursor(cursor)
            top = view.mapTo(row, QPoint(0, 0)).y()
        self._list.scroll_to(row, top, rect.height())

    def _in_sight(self) -> str:
        top = self._list.verticalScrollBar().value()
        for row in self._list.rows:
            if self._list.top_of(row) + row.height() > top:
                return row.message.id
        return ""


def shown_texts(message: Message) -> Iterator[str]:
    """What a message shows, piece by piece, as its row does; text across two pieces is not found.

    A reply is read as it is asked for, so that a long one takes many short steps.
    """
    if message.role == USER:
        yield message.text
        return
    paragraph = ""  # which may go on
    for part in reasoning.split(message.text, reasoning.format_of(message.meta)):
        for block in _blocks(message.text[part.start : part.end]):
            if isinstance(block, TextBlock) and block.glue is not None:
                paragraph += block.glue + _text(block)
                continue
            yield paragraph
            paragraph = ""
            if isinstance(block, TextBlock):
                paragraph = f"{block.marker}\t{_text(block)}" if block.marker else _text(block)
            elif isinstance(block, CodeBlock):
                yield block.code
            elif isinstance(block, TableBlock):
                yield from ("".join(run.text for run in cell) for row in block.rows for cell in row)
    yield paragraph


def _text(block: TextBlock) -> str:
    return "".join(run.text for run in isolated(block.runs))


def _blocks(text: str) -> Iterator[Block]:
    stream = MarkdownStream()
    for at in range(0, len(text), _SLICE):
        yield from stream.feed(text[at : at + _SLICE]).finished
    yield from stream.finish().finished


def _pattern(query: str) -> re.Pattern[str]:
    # Between two characters may stand a sign that nobody sees, and nobody types.
    return re.compile(f"[{SIGNS}]*".join(map(re.escape, query)), re.IGNORECASE)
