"""A reply: flat text, a status line beneath when there is something to say, tools."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QMenu, QWidget

from app.core import reasoning
from app.core.conversation import FAILED, STOPPED, STREAMING, TRUNCATED, Message
from app.core.events import Problem
from app.core.rounds import Round
from app.ui.chat import reply_words
from app.ui.chat.draft_view import DraftView
from app.ui.chat.message_row import CONTINUE, REGENERATE, MessageRow
from app.ui.chat.plain_text import of_markdown
from app.ui.chat.problem_card import ProblemCard
from app.ui.chat.recorded import recorded
from app.ui.chat.reply_content import ReplyContent
from app.ui.chat.table_view import TableView
from app.ui.chat.text_view import TextView
from app.ui.icons import IconButton


class ReplyRow(MessageRow):
    """Grows with its message while it is written; `finish` when it is complete."""

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(message, parent)
        self.setAccessibleName(self.tr("Reply"))
        self._length = 0  # characters of the text that are drawn
        self._given = 0  # of them before the reply was gone on with
        self._rounds: list[Round] = []
        self._drafts: DraftView | None = None
        self._card: ProblemCard | None = None
        self._last = self._finished = False
        self._body = self._make_body()
        self._layout.addWidget(self._body)
        self._status = QLabel()
        self._status.setProperty("role", "muted")
        self._status.setWordWrap(True)
        self._layout.addWidget(self._status)
        self._layout.addWidget(self._tools)
        self._regenerate = self._make_tool("retry", self.tr("Answer again"), REGENERATE)
        self._continue = self._make_tool("forward", self.tr("Go on with this reply"), CONTINUE)
        self._toggle = IconButton("drafts", self.tr("Show drafts"), role="muted")
        self._toggle.setCheckable(True)
        self._toggle.toggled.connect(self._show_drafts)
        self._tools.add(self._toggle)
        self._tools.add(self._more)
        if message.status == STREAMING and message.text:
            # Rounds were missed while another conversation was on screen; at the end all are recorded.
            self._toggle.setEnabled(False)
        self.update_text()
        if message.status != STREAMING:
            self.finish()
        else:
            self.set_waiting()
        self._show_tools()

    @property
    def body(self) -> ReplyContent:
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

    @property
    def can_continue(self) -> bool:
        """The reply was cut short, and nothing follows it."""
        return self._last and bool(self._message.text) and self._message.status in (STOPPED, TRUNCATED)

    def unfold_all(self, query: str) -> None:
        for section in self._body.thoughts:
            if query.lower() in section.text.lower():
                section.set_open(True)
        for view in self._body.text_views:
            if isinstance(view, TableView) and view.hides(query):
                view.unfold()

    def markdown(self) -> str:
        """The answer as the model wrote it, without its thoughts."""
        return reasoning.answer_of(self._message.text, reasoning.format_of(self._message.meta))

    def plain(self) -> str:
        return of_markdown(self.markdown())

    def set_last(self, last: bool) -> None:
        """Whether it is the end of the conversation."""
        if last != self._last:
            self._last = last
            self._show_tools()

    def fill_menu(self, menu: QMenu) -> None:
        again = menu.addAction(self.tr("Answer again"), lambda: self.asked.emit(REGENERATE))
        going_on = menu.addAction(self.tr("Go on with this reply"), lambda: self.asked.emit(CONTINUE))
        again.setEnabled(self._message.status != STREAMING)
        going_on.setEnabled(self.can_continue)
        menu.addSeparator()
        super().fill_menu(menu)

    def update_text(self) -> None:
        """The message has more text than is drawn, or is being gone on with."""
        if self._finished and self._message.status == STREAMING:
            self._finished = False
            self._begin_again()
        text = self._message.text
        if len(text) > self._length:
            if not self._length:
                # Only now it is known whether the prompt opened a thought.
                self._renew_body()
            delta, self._length = text[self._length :], len(text)
            self._body.feed(delta)
            if self._drafts is not None:
                self._drafts.set_text(text)
            self._say("")

    def add_round(self, r: Round) -> None:
        """A round of this reply, as it comes."""
        self._rounds.append(r)
        self._body.add_round(r)
        if self._drafts is not None:
            self._drafts.add_round(r)

    def set_waiting(self, percent: int | None = None, catch_up: bool = False) -> None:
        """What the reply waits for, until its first new text is there."""
        waiting = self._message.meta.get("waiting")
        begun = self._length > self._given and not waiting
        if self._message.status != STREAMING or (begun and not catch_up):
            return
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
        # Decoding thousands of rounds takes its time; only a thought asks for them here.
        self._body.finish(recorded(self._message) if self._body.thoughts else ())
        self._say(reply_words.ending(self._message))
        self._rounds = []
        self._finished = True
        self._toggle.setEnabled(True)
        if self._message.status == FAILED and self._card is None:
            self._show_problem(self._message.meta.get("problem"))
        self._tools.set_note(reply_words.figures(self._message.meta))
        self._show_tools()
        if self._toggle.isChecked():
            self._show_drafts(True)

    def set_drafts_shown(self, shown: bool) -> None:
        self._toggle.setChecked(shown)

    def _begin_again(self) -> None:
        """What is there stays, more comes: drawn anew, because its last block may go on."""
        if self._card is not None:
            self._layout.removeWidget(self._card)
            self._card.hide()
            self._card.deleteLater()
            self._card = None
        self._toggle.setChecked(False)
        self._toggle.setEnabled(False)
        self._length, self._given = 0, len(self._message.text)
        self._tools.set_note("")
        self._show_tools()

    def _make_tool(self, icon: str, label: str, action: str) -> IconButton:
        button = IconButton(icon, label, role="muted")
        button.clicked.connect(lambda: self.asked.emit(action))
        self._tools.add(button)
        return button

    def _show_tools(self) -> None:
        self._regenerate.setEnabled(self._message.status != STREAMING)
        self._continue.setVisible(self.can_continue)

    def _make_body(self) -> ReplyContent:
        live = self._message.status == STREAMING
        return ReplyContent(reasoning.format_of(self._message.meta), live)

    def _renew_body(self) -> None:
        old, self._body = self._body, self._make_body()
        at = self._layout.indexOf(old)
        self._layout.removeWidget(old)
        old.hide()
        old.deleteLater()
        self._layout.insertWidget(at, self._body)
        if self.isVisible() and self._drafts is None:
            self._body.show()
        self._body.setVisible(self._drafts is None)

    def _say(self, text: str) -> None:
        self._status.setText(text)
        self._status.setVisible(bool(text))

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
            self._drafts.show_reply(self._message.text, recorded(self._message))
