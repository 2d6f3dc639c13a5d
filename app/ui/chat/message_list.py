"""The messages in a scrolling column. Follows the end only while the reader is at the end.

Of a long conversation only the rows around what is read exist: others are built in short turns as the
reader comes near, and dropped again when there are too many.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.core.context import is_marked
from app.core.conversation import STREAMING, Message
from app.core.events import Problem, RoundDone
from app.ui import theme
from app.ui.chat.message_row import MessageRow
from app.ui.chat.problem_card import ProblemCard
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.rows import make_row
from app.ui.chat.user_row import UserRow
from app.ui.icons import TextButton

_TURN_SECONDS = 0.012
_SCROLL_SECONDS = 0.006  # while the reader scrolls
_AT_ONCE = 40  # rows
_MOST = 120
_NEAR_TAIL = 8  # px


class MessageList(QScrollArea):
    """`asked` carries what a tool asks for and its message, `edited` message, text and attachments.

    `version_asked` names the message to show; `row_made` a row that has just been built.
    """

    action_requested = Signal(str)
    asked = Signal(str, object)
    edited = Signal(object, str, object)
    version_asked = Signal(str)
    include_asked = Signal(str)
    row_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self.siblings: Callable[[str], Sequence[Message]] = lambda _id: ()
        """The messages in the place of one, oldest first."""
        self._path: list[Message] = []
        self._first = self._end = 0  # rows exist for path[first:end]
        self._rows: dict[str, MessageRow] = {}
        self._cards: list[ProblemCard] = []
        self._following = True
        self._drafts_shown = False
        self._anchor: tuple[QWidget, int] | None = None  # what is being read, and how far from the top

        page = QFrame()
        page.setProperty("role", "page")
        self._page_layout = outer = QHBoxLayout(page)
        outer.setContentsMargins(theme.MARGIN, theme.MARGIN, theme.MARGIN, theme.GRID)
        outer.addStretch(1)
        self._column = QWidget()
        self._column.setMaximumWidth(theme.COLUMN_WIDTH)
        outer.addWidget(self._column, 100000)
        outer.addStretch(1)
        self._layout = QVBoxLayout(self._column)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.GRID)
        self._layout.addStretch(1)
        self.setWidget(page)

        self._jump = TextButton(self.tr("Jump to latest"), self, icon_name="latest")
        self._jump.clicked.connect(self.jump_to_latest)
        self._jump.hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._build)
        self._budget = 0  # rows that are still wanted above
        bar = self.verticalScrollBar()
        bar.setSingleStep(40)
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_range)

    # -- what is shown ----------------------------------------------------------------------------------

    @property
    def messages(self) -> Sequence[Message]:
        """All of the conversation's branch, whether there are rows for them or not."""
        return self._path

    @property
    def rows(self) -> Sequence[MessageRow]:
        """The rows that exist, in the order of the conversation."""
        return [self._rows[m.id] for m in self._path[self._first : self._end]]

    @property
    def cards(self) -> Sequence[ProblemCard]:
        return self._cards

    @property
    def following(self) -> bool:
        """The end stays in sight as the text grows."""
        return self._following

    @property
    def jump_button(self) -> TextButton:
        return self._jump

    @property
    def drafts_shown(self) -> bool:
        return self._drafts_shown

    def row(self, message_id: str) -> MessageRow | None:
        return self._rows.get(message_id)

    def is_empty(self) -> bool:
        return not self._path and not self._cards

    # -- content ----------------------------------------------------------------------------------------

    def set_messages(self, messages: Sequence[Message]) -> None:
        """Show another conversation, from its end."""
        self.clear()
        self._path = list(messages)
        self._open_at(len(self._path))

    def show_branch(self, messages: Sequence[Message]) -> None:
        """Another branch of the same conversation: what both have in common stays where it is."""
        common = 0
        for old, new in zip(self._path, messages, strict=False):
            if old is not new:
                break
            common += 1
        old_path, self._path = self._path, list(messages)
        if common < self._first:
            self._drop_all()
            self._open_at(len(self._path))
            return
        replaced = self._rows.get(old_path[common].id) if common < self._end else None
        place = self.top_of(replaced) - self.verticalScrollBar().value() if replaced is not None else 0
        gone = old_path[common : self._end]
        self._end = min(common, self._end)
        self._drop_rows(gone)
        if self._end == common and common < len(self._path):
            self._build_newer()
            row = self._rows[self._path[common].id]
            if not self._following:
                self._anchor = (row, place)
        self._mark_last()
        self._settle_layout()
        self._timer.start()

    def clear(self) -> None:
        self._timer.stop()
        self._drop_all()
        for card in self._cards:
            self._drop(card)
        self._cards.clear()
        self._path = []
        self._first = self._end = 0
        self._following = True
        self._anchor = None
        self._place_jump()

    def add(self, message: Message) -> None:
        """A message at the end; the view goes there."""
        at_end = self._end == len(self._path)
        self._path.append(message)
        if at_end:
            self._insert(self._layout.count() - 1, message)
            self._end += 1
            self._mark_last()
        self.jump_to_latest()

    def update_message(self, message: Message) -> None:
        row = self._rows.get(message.id)
        if row is not None and is_marked(message) != (row.marker is not None):
            row.update_marker()
        if isinstance(row, ReplyRow):
            row.update_text()
            row.set_waiting()

    def finish_message(self, message: Message) -> None:
        row = self._rows.get(message.id)
        if isinstance(row, ReplyRow):
            row.finish()

    def add_round(self, event: RoundDone) -> None:
        row = self._rows.get(event.reply_id)
        if isinstance(row, ReplyRow):
            row.add_round(event.round)

    def set_waiting(self, message_id: str, percent: int | None, catch_up: bool) -> None:
        row = self._rows.get(message_id)
        if isinstance(row, ReplyRow):
            row.set_waiting(percent, catch_up)

    def add_problem(self, problem: Problem, action: str | None = None) -> ProblemCard:
        """A card at the end of the conversation. The same problem is not shown twice."""
        for card in self._cards:
            if card.problem == problem:
                return card
        card = ProblemCard(problem, action)
        card.action_requested.connect(self.action_requested)
        card.dismissed.connect(lambda: self.remove_card(card))
        self._cards.append(card)
        self._layout.insertWidget(self._layout.count() - 1, card)
        self.jump_to_latest()
        return card

    def remove_card(self, card: ProblemCard) -> None:
        if card in self._cards:
            self._cards.remove(card)
            self._drop(card)

    def set_drafts_shown(self, shown: bool) -> None:
        """Show all replies with their drafts shaded, or as they are."""
        self._drafts_shown = shown
        for row in self._rows.values():
            if isinstance(row, ReplyRow):
                row.set_drafts_shown(shown)

    # -- scrolling --------------------------------------------------------------------------------------

    def jump_to_latest(self) -> None:
        if self._end < len(self._path):
            self._drop_all()
            self._open_at(len(self._path))
        self._following = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._place_jump()

    def reveal(self, message_id: str) -> MessageRow | None:
        """The row of a message, built if need be; the view is not moved beyond what that takes."""
        row = self._rows.get(message_id)
        at = next((i for i, m in enumerate(self._path) if m.id == message_id), -1)
        if row is not None or at < 0:
            return row
        self._drop_all()
        self._following = False
        self._open_at(at, forward=True)
        return self._rows[message_id]

    def scroll_to(self, widget: QWidget, top: int, height: int) -> None:
        """Bring `height` px of `widget` from `top` on into sight, if they are not."""
        y = widget.mapTo(self._column, widget.rect().topLeft()).y() + self._column.y() + top
        bar = self.verticalScrollBar()
        page = self.viewport().height()
        if y < bar.value() or y + height > bar.value() + page:
            bar.setValue(round(y - page / 3))

    def scroll_pages(self, pages: float) -> None:
        """Scroll by screens: positive goes down."""
        bar = self.verticalScrollBar()
        bar.setValue(round(bar.value() + pages * (bar.pageStep() - bar.singleStep())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_jump()

    def _on_scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        at_end = value >= bar.maximum() - _NEAR_TAIL
        self._following = at_end and self._end == len(self._path)
        self._remember_place()
        self._place_jump()
        page = bar.pageStep()
        if self._first and value < page and not self._budget:
            self._budget = _AT_ONCE
            self._timer.start()
        elif self._end < len(self._path) and value > bar.maximum() - page:
            self._timer.start()

    def _on_range(self, _minimum: int, maximum: int) -> None:
        bar = self.verticalScrollBar()
        # The scroll bar takes its place from the margin, so the column stays above the composer.
        right = theme.MARGIN - (bar.sizeHint().width() if maximum else 0)
        self._page_layout.setContentsMargins(theme.MARGIN, theme.MARGIN, right, theme.GRID)
        if self._following:
            if not any(row.selecting for row in self._rows.values()):
                bar.setValue(maximum)
        elif self._anchor is not None:
            # Older messages came in above, or lines are broken anew: what is being read stays in place.
            widget, offset = self._anchor
            bar.setValue(self.top_of(widget) - offset)
        self._place_jump()

    def _remember_place(self) -> None:
        top = self.verticalScrollBar().value()
        for widget in (*self.rows, *self._cards):
            start = self.top_of(widget)
            if start + widget.height() > top:
                self._anchor = (widget, start - top)
                return

    def top_of(self, widget: QWidget) -> int:
        """Where a row begins, as the scroll bar counts."""
        return widget.y() + self._column.y()

    def _place_jump(self) -> None:
        bar = self.verticalScrollBar()
        shown = not self._following and bar.maximum() > 0
        if shown:
            size = self._jump.sizeHint()
            area = self.viewport().geometry()
            left = area.left() + (area.width() - size.width()) // 2
            self._jump.setGeometry(
                left, area.bottom() - size.height() - theme.GAP, size.width(), size.height()
            )
            self._jump.raise_()
        self._jump.setVisible(shown)

    # -- building ---------------------------------------------------------------------------------------

    def _open_at(self, place: int, forward: bool = False) -> None:
        """Begin anew with rows around a place of the path; with `forward` the one at it comes first."""
        self._first = self._end = place
        self._anchor = None
        if forward:
            self._build_newer()
            self._anchor = (self._rows[self._path[place].id], 0)
        self._budget = _AT_ONCE
        self._build()

    def _build(self) -> None:
        """Build what is wanted above and below, until the turn is over."""
        enough = self.verticalScrollBar().maximum() > 3 * self.viewport().height()
        until = time.perf_counter() + (_SCROLL_SECONDS if enough else _TURN_SECONDS)
        first, end = self._first, self._end
        while self._first and self._budget > 0:
            self._budget -= 1
            # Counted only when it is there: laying it out may scroll, and scrolling asks for the rows.
            self._insert(0, self._path[self._first - 1])
            self._first -= 1
            if time.perf_counter() > until:
                break
        else:
            self._budget = 0
        if self._end < len(self._path) and time.perf_counter() < until and self._near_end():
            self._build_newer(until)
        self._settle_layout()
        self._trim(from_start=self._end > end or (self._following and self._first == first))
        self._mark_last()
        if (self._first and self._budget > 0) or (self._end < len(self._path) and self._near_end()):
            self._timer.start()

    def _near_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() > bar.maximum() - bar.pageStep()

    def _build_newer(self, until: float = 0.0) -> None:
        """The next row below, and more while there is time."""
        while self._end < len(self._path):
            place = 0
            if self._end > self._first:
                place = self._layout.indexOf(self._rows[self._path[self._end - 1].id]) + 1
            self._insert(place, self._path[self._end])
            self._end += 1
            if time.perf_counter() > until:
                return

    def _trim(self, from_start: bool) -> None:
        """Drop rows beyond the most there may be, at the end where nobody looks."""
        extra = self._end - self._first - _MOST
        if extra <= 0:
            return
        if from_start:
            gone = self._path[self._first : self._first + extra]
            self._first += extra
        elif self._path[self._end - 1].status != STREAMING:
            gone = self._path[self._end - extra : self._end]
            self._end -= extra
        else:
            return
        self._drop_rows(gone)
        self._settle_layout()

    def _insert(self, place: int, message: Message) -> None:
        row = make_row(message)
        row.action_requested.connect(self.action_requested)
        row.asked.connect(lambda action: self.asked.emit(action, message))
        row.include_asked.connect(lambda: self.include_asked.emit(message.id))
        row.update_marker()
        row.version_asked.connect(lambda index: self._ask_version(message, index))
        if isinstance(row, UserRow):
            row.edited.connect(lambda text, files: self.edited.emit(message, text, files))
        versions = self.siblings(message.id)
        at = next((i for i, m in enumerate(versions) if m.id == message.id), 0)
        row.set_place(at, max(len(versions), 1))
        self._rows[message.id] = row
        if self._drafts_shown and isinstance(row, ReplyRow):
            row.set_drafts_shown(True)
        row.prepare(self._column.width())
        self._layout.insertWidget(place, row)
        if self.isVisible():
            row.show()
        self.row_made.emit(row)

    def _ask_version(self, message: Message, index: int) -> None:
        versions = self.siblings(message.id)
        if 0 <= index < len(versions):
            self.version_asked.emit(versions[index].id)

    def _mark_last(self) -> None:
        for i, row in enumerate(self.rows, self._first):
            if isinstance(row, ReplyRow):
                row.set_last(i == len(self._path) - 1)

    def _settle_layout(self) -> None:
        # Before anything is painted: rows would show for a moment in sizes that are not theirs.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _drop_all(self) -> None:
        gone = list(self._rows.values())
        self._rows.clear()
        self._first = self._end = 0
        for row in gone:
            self._drop(row)

    def _drop_rows(self, messages: Sequence[Message]) -> None:
        for message in messages:
            self._drop(self._rows.pop(message.id))

    def _drop(self, widget: QWidget) -> None:
        if self._anchor is not None and self._anchor[0] is widget:
            self._anchor = None
        focus = self.window().focusWidget()
        if focus is not None and widget.isAncestorOf(focus):
            # Otherwise the next control in line would get it, and be scrolled to.
            self.setFocus()
        self._layout.removeWidget(widget)
        # Hidden first: it would stay on screen until the event loop deletes it.
        widget.hide()
        widget.deleteLater()
