"""Marks what is found in and around what is in sight; all of a conversation would take too long."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit
from shiboken6 import isValid

from app.ui.chat.message_list import MessageList
from app.ui.chat.message_row import MessageRow
from app.ui.chat.text_view import units
from app.ui.theme import Theme

Texts = QTextEdit | QPlainTextEdit

_AT_ONCE = 1000
"""Another text is marked in the same turn of the event loop only below so many marks."""
MOST = 3000
"""Marks in one text: more than a screen shows of anything but one letter alone."""
MOST_IN_PARAGRAPH = 100
"""Painting a paragraph takes the square of its marks: 0.04 s for a hundred, 1.2 s for a thousand."""
_SOON_MS = 20  # a text that is being drawn changes with every turn
_SLACK = 0.5  # screens above and below that are marked as well


@dataclass(frozen=True, slots=True)
class Place:
    """A match in a text, in code units of its document."""

    view: Texts
    start: int
    length: int

    def cursor(self) -> QTextCursor:
        """With the match selected."""
        return _select(self.view, self.start, self.length)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What is to be marked of a text: from `top` to `bottom`, px of its viewport; `seen` is in sight."""

    view: Texts
    top: int
    bottom: int
    seen: int


class FindMarks(QObject):
    """`current` says which match stands out; it is asked when marks are made."""

    def __init__(self, messages: MessageList, current: Callable[[], Place | None]) -> None:
        super().__init__(messages)
        self._list = messages
        self._current = current
        self._pattern: re.Pattern[str] | None = None
        self._left: list[_Stretch] = []
        self._marked: dict[int, Texts] = {}
        self._followed: dict[int, Texts] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._turn)
        messages.row_made.connect(self.refresh_soon)
        bar = messages.verticalScrollBar()
        bar.valueChanged.connect(self.refresh_soon)
        bar.rangeChanged.connect(self.refresh_soon)
        # After the texts have been drawn anew in the new colours, which takes the marks away.
        Theme.current().changed.connect(self.refresh_soon, Qt.ConnectionType.QueuedConnection)

    def look_for(self, pattern: re.Pattern[str] | None) -> None:
        """Mark this from now on, or nothing."""
        self._pattern = pattern
        self.refresh()

    def refresh_soon(self) -> None:
        """Something else is in sight, or the texts have changed."""
        self._left.clear()
        if self._pattern is not None and not self._timer.isActive():
            self._timer.start(_SOON_MS)

    def refresh(self) -> None:
        """Mark what is in sight now, and what is near it in later turns."""
        self._timer.stop()
        self._left = self._stretches() if self._pattern is not None else []
        current = self._current() if self._pattern is not None else None
        wanted = {id(s.view) for s in self._left}
        if current is not None:
            wanted.add(id(current.view))
            if all(s.view is not current.view for s in self._left):
                self._left.insert(0, _Stretch(current.view, 0, 0, 0))
        for key, view in list(self._marked.items()):
            if not isValid(view):
                del self._marked[key]
            elif key not in wanted:
                del self._marked[key]
                view.setExtraSelections([])
        self._go_on(current)

    def _turn(self) -> None:
        if self._left:
            self._go_on(self._current())
        else:
            self.refresh()

    def _go_on(self, current: Place | None) -> None:
        made = 0
        while self._left and made < _AT_ONCE:
            made += self._mark(self._left.pop(0), current)
        if self._left:
            self._timer.start(0)

    def _stretches(self) -> list[_Stretch]:
        """What is in sight first."""
        port = self._list.viewport()
        height = port.height()
        slack = round(height * _SLACK)
        near: list[tuple[bool, _Stretch]] = []
        for row in self._list.rows:
            y = row.mapTo(port, QPoint(0, 0)).y()
            if y + row.height() < -slack or y > height + slack:
                continue
            for view in row.find_views:
                own = view.viewport()
                y = own.mapTo(port, QPoint(0, 0)).y()
                top, bottom = max(-slack - y, 0), min(height + slack - y, own.height() - 1)
                if top <= bottom and not view.isHidden():
                    near.append((y + bottom < 0 or y + top > height, _Stretch(view, top, bottom, max(-y, 0))))
        near.sort(key=lambda item: item[0])
        return [stretch for _, stretch in near]

    def _mark(self, stretch: _Stretch, current: Place | None) -> int:
        """How many marks it took."""
        view, pattern = stretch.view, self._pattern
        if pattern is None or not isValid(view):
            return 0
        self._follow(view)
        here = current if current is not None and current.view is view else None
        plain, bright = _form(False), _form(True)
        marks: list[QTextEdit.ExtraSelection] = []
        for start, length in _found(pattern, stretch):
            if (here is None or start != here.start) and len(marks) < MOST:
                marks.append(_selection(_select(view, start, length), plain))
        if here is not None:
            marks.append(_selection(here.cursor(), bright))
        if marks or id(view) in self._marked:
            view.setExtraSelections(marks)
        if marks:
            self._marked[id(view)] = view
        else:
            self._marked.pop(id(view), None)
        return len(marks)

    def _follow(self, view: Texts) -> None:
        """A box that scrolls by itself shows something else without the list moving."""
        if isinstance(view, QPlainTextEdit) and self._followed.get(id(view)) is not view:
            self._followed = {key: v for key, v in self._followed.items() if isValid(v)}
            self._followed[id(view)] = view
            view.verticalScrollBar().valueChanged.connect(self.refresh_soon)
            view.verticalScrollBar().rangeChanged.connect(self.refresh_soon)


def place_of(row: MessageRow, pattern: re.Pattern[str], index: int) -> Place | None:
    """Where the `index`-th match (from 0) of a message stands; None if it is not drawn yet."""
    for view in row.find_views:
        if getattr(view, "pending", False):
            # What comes may hold the match; in a later text it would be looked for in vain.
            return None
        text = view.document().toRawText()
        count = 0
        for match in pattern.finditer(text):
            if count == index:
                return Place(view, units(text[: match.start()]), units(match.group()))
            count += 1
        index -= count
    return None


def _found(pattern: re.Pattern[str], stretch: _Stretch) -> Iterator[tuple[int, int]]:
    """Start and length, in code units, of every match in the stretch."""
    view = stretch.view
    port = view.viewport()
    begin = view.cursorForPosition(QPoint(0, stretch.top))
    end = view.cursorForPosition(QPoint(port.width(), stretch.bottom))
    # A line that scrolls sideways is marked whole: of such a one the pieces are short.
    sideways = isinstance(view, QTextEdit) and view.lineWrapMode() == view.LineWrapMode.NoWrap
    block, last_block = begin.block(), end.block()
    first, last = begin.position(), end.position()
    if sideways or stretch.top == 0:
        first = block.position()
    if sideways or stretch.bottom == port.height() - 1:
        last = last_block.position() + last_block.length()
    seen = view.cursorForPosition(QPoint(0, stretch.seen)).position()
    while block.isValid() and block.position() <= last:
        text, start = block.text(), block.position()
        wide = units(text) != len(text)
        found = []
        for match in pattern.finditer(text):
            at = start + (units(text[: match.start()]) if wide else match.start())
            if first <= at <= last:
                found.append((at, units(match.group())))
        # Of too many those that are read first.
        skipped = min(bisect_left(found, (seen, 0)), max(len(found) - MOST_IN_PARAGRAPH, 0))
        yield from found[skipped : skipped + MOST_IN_PARAGRAPH]
        block = block.next()


def _select(view: Texts, start: int, length: int) -> QTextCursor:
    cursor = QTextCursor(view.document())
    cursor.setPosition(start)
    cursor.setPosition(start + length, cursor.MoveMode.KeepAnchor)
    return cursor


def _form(current: bool) -> QTextCharFormat:
    palette = Theme.current().palette
    form = QTextCharFormat()
    form.setBackground(QColor(palette.accent if current else palette.selection))
    if current:
        form.setForeground(QColor(palette.on_accent))
    return form


def _selection(cursor: QTextCursor, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = form
    return selection
