"""One message on screen: what you wrote, or what the model answers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.core.conversation import COMPLETE, FAILED, STOPPED, STREAMING, TRUNCATED, USER, Message
from app.core.events import Problem
from app.core.rounds import Round, decode_rounds
from app.ui import theme
from app.ui.chat.copy_button import CopyButton
from app.ui.chat.draft_view import DraftView
from app.ui.chat.long_text import LongText
from app.ui.chat.pieces import cut
from app.ui.chat.problem_card import ProblemCard
from app.ui.chat.reply_body import ReplyBody
from app.ui.chat.text_view import TextView, clean
from app.ui.chat.tool_row import ToolRow
from app.ui.icons import IconButton, TextButton
from app.ui.stats import numbers

_BUBBLE_SHARE = 0.85
# Beyond one of these a message is shown folded; folded, so much of it. In UTF-8: scripts and emoji that
# take more bytes take longer to lay out as well.
_LONG_BYTES, _LONG_LINES = 8000, 150
_BEGINNING_BYTES, _BEGINNING_LINES = 2000, 30
_FITTED = 2000


class MessageRow(QWidget):
    """Content, and tools that appear on hover and focus."""

    action_requested = Signal(str)

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = message
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.HALF)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._tools = ToolRow(align_right=message.role == USER)
        self._tools.add(CopyButton(self.tr("Copy message"), lambda: self._message.text))

    @property
    def message(self) -> Message:
        return self._message

    @property
    def tools(self) -> ToolRow:
        return self._tools

    @property
    def text_views(self) -> list[TextView]:
        return []

    def prepare(self, width: int) -> None:
        """Lay texts out for a row that will be `width` wide, so that it has its height from the start."""
        for view in self.text_views:
            view.prepare(width)

    @property
    def selecting(self) -> bool:
        """The user is selecting text in here right now."""
        return any(view.selecting for view in self.text_views)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._tools.set_hovered(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._tools.set_hovered(False)


class _BubbleText(TextView):
    """Plain text as wide as it needs to be, up to what there is."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._available = -1  # the width it was fitted to
        super().__init__(theme.READING)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def rerender(self) -> None:
        self._available = -1
        self.document().clear()
        cursor = QTextCursor(self.document())
        form = cursor.blockFormat()
        height = round(self.document().defaultFont().pixelSize() * theme.READING_LINE_HEIGHT / 100)
        form.setLineHeight(height, form.LineHeightTypes.MinimumHeight.value)
        cursor.setBlockFormat(form)
        cursor.insertText(clean(self._text))

    def fit_width(self, available: int) -> None:
        if available == self._available:
            return
        self._available = available
        document = self.document()
        if len(self._text) > _FITTED:
            # It fills its lines anyway, and finding out how wide it would be takes as long as laying it out.
            self.setFixedWidth(max(available, 8))
        else:
            document.setTextWidth(-1)
            self.setFixedWidth(max(min(int(document.idealWidth()) + 1, available), 8))
        document.setTextWidth(self.width())


class UserRow(MessageRow):
    """Your message: a raised block on the right. Of a very long one the beginning; all of it on demand."""

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(message, parent)
        self.setAccessibleName(self.tr("You wrote"))
        text = message.text
        long = _is_long(text)
        self._text = _BubbleText(_beginning(text) if long else text)
        self._text.setAccessibleName(self.tr("Your message"))
        self._all: LongText | None = None
        self._fold = TextButton("", role="quiet")
        self._bubble = QFrame()
        self._bubble.setProperty("role", "raised")
        self._inner = inner = QVBoxLayout(self._bubble)
        inner.setContentsMargins(theme.MARGIN, theme.GRID + 2, theme.MARGIN, theme.GRID + 2)
        inner.setSpacing(theme.GRID)
        inner.addWidget(self._text)
        inner.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeft)
        self._fold.setVisible(long)
        self._fold.clicked.connect(self._on_fold)
        self._name_fold()
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(self._bubble)
        self._layout.addLayout(row)
        self._layout.addWidget(self._tools)

    @property
    def text_views(self) -> list[TextView]:
        return [self._text]

    @property
    def fold(self) -> TextButton:
        """Shows all of a long message, or its beginning alone."""
        return self._fold

    @property
    def all_text(self) -> LongText | None:
        """The whole of a long message, while it is shown."""
        return self._all

    def prepare(self, width: int) -> None:
        available = int(width * _BUBBLE_SHARE) - 2 * theme.MARGIN
        if self._all is not None:
            self._all.setFixedWidth(max(available, 8))
        else:
            self._text.fit_width(available)

    def _on_fold(self) -> None:
        if self._all is None:
            self._all = LongText(self._message.text)
            self._all.setAccessibleName(self.tr("Your message"))
            self._inner.insertWidget(0, self._all)
        else:
            self._inner.removeWidget(self._all)
            self._all.hide()
            self._all.deleteLater()
            self._all = None
        self._text.setVisible(self._all is None)
        self._name_fold()
        self.prepare(self.width())

    def _name_fold(self) -> None:
        if self._all is not None:
            self._fold.setText(self.tr("Show less"))
        else:
            said = self.tr("Show all %1 characters")
            self._fold.setText(said.replace("%1", f"{len(self._message.text):,}"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.prepare(self.width())


class ReplyRow(MessageRow):
    """A reply: flat text, a status line beneath when there is something to say, tools."""

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(message, parent)
        self.setAccessibleName(self.tr("Reply"))
        self._length = 0  # characters of the text that are drawn
        self._rounds: list[Round] = []
        self._drafts: DraftView | None = None
        self._card: ProblemCard | None = None
        self._body = ReplyBody()
        self._layout.addWidget(self._body)
        self._status = QLabel()
        self._status.setProperty("role", "muted")
        self._status.setWordWrap(True)
        self._layout.addWidget(self._status)
        self._layout.addWidget(self._tools)
        self._toggle = IconButton("drafts", self.tr("Show drafts"), role="muted")
        self._toggle.setCheckable(True)
        self._toggle.toggled.connect(self._show_drafts)
        self._tools.add(self._toggle)
        if message.status == STREAMING and message.text:
            # Rounds were missed while another conversation was on screen; at the end all are recorded.
            self._toggle.setEnabled(False)
        self.update_text()
        if message.status != STREAMING:
            self.finish()
        else:
            self.set_waiting()

    @property
    def body(self) -> ReplyBody:
        return self._body

    @property
    def drafts(self) -> DraftView | None:
        """The shaded rendition, while it is shown."""
        return self._drafts

    @property
    def status_text(self) -> str:
        return self._status.text()

    @property
    def text_views(self) -> list[TextView]:
        return [self._drafts.text_view] if self._drafts is not None else self._body.text_views

    def update_text(self) -> None:
        """The message has more text than is drawn."""
        text = self._message.text
        if len(text) > self._length:
            delta, self._length = text[self._length :], len(text)
            self._body.feed(delta)
            if self._drafts is not None:
                self._drafts.set_text(text)
            self._say("")

    def add_round(self, r: Round) -> None:
        """A round of this reply, as it comes."""
        self._rounds.append(r)
        if self._drafts is not None:
            self._drafts.add_round(r)

    def set_waiting(self, percent: int | None = None, catch_up: bool = False) -> None:
        """What the reply waits for, until its first text is there."""
        if self._message.status != STREAMING or (self._length and not catch_up):
            return
        waiting = self._message.meta.get("waiting")
        if waiting == "model":
            said = self.tr("Waiting for the model to load")
        elif waiting:
            said = self.tr("Waiting for the other reply to end")
        else:
            said = self.tr("The draft is catching up") if catch_up else self.tr("Reading the prompt")
            if percent is not None:
                said = f"{said} {percent} %"
        self._say(said)

    def finish(self) -> None:
        """The message has its final text, status and figures."""
        self.update_text()
        self._body.finish()
        self._say(self._ending())
        self._rounds = []
        self._toggle.setEnabled(True)
        if self._message.status == FAILED and self._card is None:
            self._show_problem(self._message.meta.get("problem"))
        self._tools.set_note(_figures(self._message.meta))
        if self._toggle.isChecked():
            self._show_drafts(True)

    def set_drafts_shown(self, shown: bool) -> None:
        self._toggle.setChecked(shown)

    def _say(self, text: str) -> None:
        self._status.setText(text)
        self._status.setVisible(bool(text))

    def _ending(self) -> str:
        message = self._message
        if message.status == STOPPED:
            return self.tr("Stopped") if message.text else self.tr("Stopped before the first word")
        if message.status == TRUNCATED:
            limit = message.meta.get("max_tokens")
            context, used = message.meta.get("n_ctx"), message.meta.get("context_used")
            if context and used and used >= context - 1:
                return self.tr("Cut off: the context of %1 tokens is full").replace("%1", str(context))
            if limit:
                return self.tr("Cut off at the limit of %1 tokens").replace("%1", str(limit))
            return self.tr("Cut off at the limit")
        if message.status == FAILED and message.text:
            return self.tr("Broken off")
        if message.status == COMPLETE and not message.text:
            return self.tr("The model ended its reply without a word")
        return ""

    def _show_problem(self, found: Any) -> None:
        try:
            problem = Problem(**found)
        except TypeError:
            # A reply stored by another version of the program; its status line says enough.
            self._say(self.tr("This reply failed"))
            return
        self._card = ProblemCard(problem, dismissable=False)
        self._card.action_requested.connect(self.action_requested)
        self._layout.insertWidget(self._layout.indexOf(self._status) + 1, self._card)

    def _show_drafts(self, shown: bool) -> None:
        self._toggle.set_label(self.tr("Hide drafts") if shown else self.tr("Show drafts"))
        if self._drafts is not None:
            self._layout.removeWidget(self._drafts)
            self._drafts.hide()
            self._drafts.deleteLater()
            self._drafts = None
        shown = shown and self._toggle.isEnabled()
        self._body.setVisible(not shown)
        if not shown:
            return
        self._drafts = DraftView()
        self._layout.insertWidget(0, self._drafts)
        if self._message.status == STREAMING:
            for r in self._rounds:
                self._drafts.add_round(r)
            self._drafts.set_text(self._message.text)
        else:
            self._drafts.show_reply(self._message.text, _recorded(self._message))


def _is_long(text: str) -> bool:
    if len(text) > _LONG_BYTES or text.count("\n") > _LONG_LINES:
        return True
    return len(text.encode("utf-8", "replace")) > _LONG_BYTES


def _beginning(text: str) -> str:
    """What is shown of a long message."""
    start = text[:_BEGINNING_BYTES].encode("utf-8", "replace")[:_BEGINNING_BYTES]
    size = len(start.decode("utf-8", "ignore"))
    at = -1
    for _ in range(_BEGINNING_LINES):
        at = text.find("\n", at + 1, size)
        if at < 0:
            return text[: cut(text, 0, size)]
    return text[:at]


def _recorded(message: Message) -> list[Round]:
    try:
        return decode_rounds(message.rounds)
    except ValueError:
        # Written by a newer program: nothing is known about this text here.
        return []


def _figures(meta: dict[str, Any]) -> str:
    """`DFlash2 · 61 % accepted · 142 tok/s`, from what was recorded with the reply."""
    stats = meta.get("stats")
    if not isinstance(stats, dict):
        return ""
    parts = []
    speed, accepted = stats.get("generation_tokens_per_second"), stats.get("acceptance_rate")
    pair = meta.get("pair")
    algorithm = pair.get("algorithm", "") if isinstance(pair, dict) else ""
    if meta.get("mode") == "ordinary":
        parts.append(_tr("ordinary decoding"))
    elif algorithm:
        parts.append(algorithm)
    if isinstance(accepted, int | float):
        parts.append(_tr("%1 accepted").replace("%1", numbers.percent(accepted)))
    if isinstance(speed, int | float):
        parts.append(numbers.tokens_per_second(speed))
    return " · ".join(parts)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ReplyRow", text)


def make_row(message: Message) -> MessageRow:
    """The row that fits the message's role."""
    return UserRow(message) if message.role == USER else ReplyRow(message)
