"""The messages in a scrolling column. Follows the end only while the reader is at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.core.conversation import Message
from app.core.events import Problem, RoundDone
from app.ui import theme
from app.ui.chat.message_row import MessageRow
from app.ui.chat.problem_card import ProblemCard
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.rows import make_row
from app.ui.icons import TextButton

_TURN_SECONDS = 0.012
_AT_ONCE = 40
_NEAR_TAIL = 8  # px


class MessageList(QScrollArea):
    """Newest messages are built first; older ones in the turns after, as many as `_AT_ONCE`."""

    action_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self._rows: dict[str, MessageRow] = {}
        self._cards: list[ProblemCard] = []
        self._older: list[Message] = []
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
        self._earlier = TextButton(self.tr("Show earlier messages"), role="quiet")
        self._earlier.clicked.connect(self._show_earlier)
        self._earlier.hide()
        self._layout.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._layout.addStretch(1)
        self.setWidget(page)

        self._jump = TextButton(self.tr("Jump to latest"), self, icon_name="latest")
        self._jump.clicked.connect(self.jump_to_latest)
        self._jump.hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._build_older)
        self._build_budget = 0
        bar = self.verticalScrollBar()
        bar.setSingleStep(40)
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_range)

    # -- what is shown ----------------------------------------------------------------------------------

    @property
    def rows(self) -> Sequence[MessageRow]:
        """In the order of the conversation; older ones may still be on their way."""
        items = (self._layout.itemAt(i) for i in range(self._layout.count()))
        found = (item.widget() for item in items if item is not None)
        return [widget for widget in found if isinstance(widget, MessageRow)]

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
        return not self._rows and not self._cards and not self._older

    # -- content ----------------------------------------------------------------------------------------

    def set_messages(self, messages: Sequence[Message]) -> None:
        """Show another conversation, from its end."""
        self.clear()
        self._older = list(messages)
        self._build_budget = _AT_ONCE
        self._build_older()

    def clear(self) -> None:
        self._timer.stop()
        for widget in (*self._rows.values(), *self._cards):
            self._drop(widget)
        self._rows.clear()
        self._cards.clear()
        self._older.clear()
        self._earlier.hide()
        self._following = True
        self._anchor = None
        self._place_jump()

    def add(self, message: Message) -> None:
        """A message at the end; the view goes there."""
        self._insert(self._layout.count() - 1, self._make(message))
        self.jump_to_latest()

    def update_message(self, message: Message) -> None:
        row = self._rows.get(message.id)
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
        self._following = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._place_jump()

    def scroll_pages(self, pages: float) -> None:
        """Scroll by screens: positive goes down."""
        bar = self.verticalScrollBar()
        bar.setValue(round(bar.value() + pages * (bar.pageStep() - bar.singleStep())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_jump()

    def _on_scrolled(self, value: int) -> None:
        self._following = value >= self.verticalScrollBar().maximum() - _NEAR_TAIL
        self._remember_place()
        self._place_jump()

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
            bar.setValue(self._top_of(widget) - offset)
        self._place_jump()

    def _remember_place(self) -> None:
        top = self.verticalScrollBar().value()
        for widget in (*self.rows, *self._cards):
            start = self._top_of(widget)
            if start + widget.height() > top:
                self._anchor = (widget, start - top)
                return

    def _top_of(self, widget: QWidget) -> int:
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

    def _make(self, message: Message) -> MessageRow:
        row = make_row(message)
        row.action_requested.connect(self.action_requested)
        self._rows[message.id] = row
        if self._drafts_shown and isinstance(row, ReplyRow):
            row.set_drafts_shown(True)
        return row

    def _insert(self, place: int, row: MessageRow) -> None:
        row.prepare(self._column.width())
        self._layout.insertWidget(place, row)
        if self.isVisible():
            row.show()

    def _build_older(self) -> None:
        """Build messages from the newest backwards until the turn is over."""
        until = time.perf_counter() + _TURN_SECONDS
        while self._older and self._build_budget > 0:
            self._build_budget -= 1
            self._insert(1, self._make(self._older.pop()))
            if time.perf_counter() > until:
                break
        self._earlier.setVisible(bool(self._older) and self._build_budget <= 0)
        # Before anything is painted: rows would show for a moment in sizes that are not theirs.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        if self._older and self._build_budget > 0:
            self._timer.start()

    def _show_earlier(self) -> None:
        self._following = False
        self._remember_place()
        self._build_budget = _AT_ONCE
        self._earlier.hide()
        self._build_older()

    def _drop(self, widget: QWidget) -> None:
        if self._anchor is not None and self._anchor[0] is widget:
            self._anchor = None
        self._layout.removeWidget(widget)
        # Hidden first: it would stay on screen until the event loop deletes it.
        widget.hide()
        widget.deleteLater()
