"""Connects the chat view to session and engine: the only place in the chat that knows services."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QObject, Qt, Signal

from app.core.conversation import USER, Attachment, ConversationSummary, Message
from app.core.events import Event, LoadedPair, LoadFailed, PrefillProgress, Problem
from app.services import asked
from app.services.asked import Asked
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.ui.chat import empty_state
from app.ui.chat.chat_view import ChatView
from app.ui.chat.message_details import MessageDetails
from app.ui.chat.message_row import CONTINUE, DELETE, DETAILS, REGENERATE
from app.ui.chat.problem_card import ProblemCard, action_of_load
from app.ui.chat.user_row import UserRow
from app.ui.chat.wish import Draft, Wish
from app.ui.language import translated

LOAD_WARNING = "load-warning"


class ChatBinder(QObject):
    """`action_requested` carries what the button of a card asks for; see `problem_card`."""

    action_requested = Signal(str)

    def __init__(
        self,
        view: ChatView,
        session: ChatSession,
        engine: EngineController,
        name_of: Callable[[str], str],
        parent: QObject | None = None,
    ) -> None:
        """`name_of` gives the name under which a model file is listed."""
        super().__init__(parent)
        self._view = view
        self._session = session
        self._engine = engine
        self._name_of = name_of
        self._stopped = ""  # the reply that was asked to stop; it may still be ending
        self._load_cards: list[ProblemCard] = []
        self._filling = False
        self._details: MessageDetails | None = None
        self.before_sending: Callable[[Wish], object] = lambda wish: wish.send()
        """Gets what is to be answered, and sends it when there is room for it."""

        session.conversation_opened.connect(self._on_opened)
        session.branch_changed.connect(self._on_branch)
        session.message_sought.connect(view.messages.reveal)
        session.message_added.connect(self._on_added)
        session.message_updated.connect(view.messages.update_message)
        session.message_finished.connect(view.messages.finish_message)
        session.reply_round.connect(view.messages.add_round)
        session.streaming_changed.connect(self._on_streaming)
        session.problem.connect(self.show_problem)
        session.deleted.connect(self._on_deleted)
        session.deleted_message.connect(self._on_deleted_message)
        session.send_refused.connect(lambda reason: view.composer.refuse(translated(reason)))

        engine.reply_events.connect(self._on_reply_events)
        engine.status_changed.connect(self.refresh)
        engine.loaded.connect(self._on_loaded)
        engine.load_failed.connect(self._on_load_failed)
        engine.unloaded.connect(self.refresh)

        view.composer.sent.connect(self._send_written)
        view.composer.stopped.connect(self.stop)
        view.composer.text_changed.connect(self._on_text)
        view.composer.draft_changed.connect(self._on_files)
        view.prompt_chosen.connect(self._on_prompt)
        view.messages.action_requested.connect(self.action_requested)
        view.messages.siblings = session.siblings
        view.messages.asked.connect(self._on_asked)
        view.messages.edited.connect(self._on_edited)
        view.messages.version_asked.connect(session.show_branch)
        view.messages.include_asked.connect(session.include_again)
        view.toast.undone.connect(session.undo_delete)
        self.refresh()

    def send(self, text: str) -> None:
        """Send a text from elsewhere, with what is attached."""
        self._send_draft(lambda: (text, self._view.composer.attachments))

    def _send_written(self) -> None:
        """The composer keeps text and files when they were refused."""
        self._send_draft(lambda: (self._view.composer.text(), self._view.composer.attachments))

    def _send_draft(self, draft: Callable[[], Draft]) -> None:
        def parts() -> Asked:
            current = self._session.current
            return asked.written(current, *draft(), current.summary.leaf_id if current is not None else None)

        def send() -> None:
            if self._session.send(*draft()):
                self._filling = True
                self._view.composer.clear()
                self._filling = False

        self.before_sending(Wish(parts, send, draft))

    def stop(self) -> None:
        """End the reply. The next message may be sent at once: it waits until this one has ended."""
        reply = self._session.streaming
        if reply is not None:
            self._stopped = reply.id
            self._session.stop()
            self._on_streaming()

    def show_problem(self, problem: Problem) -> None:
        """A card in the conversation, unless the reply that failed says the same."""
        current = self._session.current
        path = current.path() if current is not None else []
        told = path[-1].meta.get("problem") if path else None
        if isinstance(told, dict) and told.get("what") == problem.what and told.get("why") == problem.why:
            return
        self._view.messages.add_problem(problem)
        self._view.show_content()

    def _on_opened(self) -> None:
        current = self._session.current
        # Cards about the engine concern every conversation, until they are dismissed.
        shown = self._view.messages.cards
        told = [(card.problem, card.action) for card in self._load_cards if card in shown]
        self._view.messages.set_messages(current.path() if current is not None else [])
        self._load_cards = [self._view.messages.add_problem(problem, action) for problem, action in told]
        self._view.show_content()
        self._filling = True
        self._view.composer.set_text(self._session.unsent())
        self._view.composer.set_attachments(self._session.unsent_files())
        self._filling = False
        self._on_streaming()

    def _on_branch(self) -> None:
        current = self._session.current
        messages = self._view.messages
        messages.show_branch(current.path() if current is not None else [])
        if self._session.streaming is not None and messages.messages[-1:] == [self._session.streaming]:
            messages.jump_to_latest()
        self._view.show_content()

    def _on_asked(self, action: str, message: Message) -> None:
        session, message_id = self._session, message.id
        if action == REGENERATE:
            parts, send = partial(asked.again, session.current, message_id), session.regenerate
            self.before_sending(Wish(parts, partial(send, message_id), message_id=message_id, writes=False))
        elif action == CONTINUE:
            parts, send = partial(asked.further, session.current, message_id), session.continue_reply
            self.before_sending(Wish(parts, partial(send, message_id), message_id=message_id, writes=False))
        elif action == DELETE:
            self._session.delete_message(message.id)
        elif action == DETAILS:
            self.show_details(message)

    def show_details(self, message: Message) -> MessageDetails:
        """What is known about a message, in a window of its own."""
        self._details = MessageDetails(message, self._view.window())
        self._details.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._details.open()
        return self._details

    def _on_edited(self, message: Message, text: str, attachments: Sequence[Attachment]) -> None:
        session, given = self._session, (text, tuple(attachments))

        def draft() -> Draft:
            row = self._view.messages.row(message.id)
            editor = row.editor if isinstance(row, UserRow) else None
            return editor.draft if editor is not None else given

        self.before_sending(
            Wish(
                lambda: asked.written(session.current, *draft(), message.parent_id),
                lambda: session.edit_and_resend(message.id, *draft()),
                draft,
                message.id,
            )
        )

    def _on_added(self, message: Message) -> None:
        self._view.messages.add(message)
        self._view.show_content()

    def _on_reply_events(self, events: Sequence[Event]) -> None:
        for event in reversed(events):
            if isinstance(event, PrefillProgress):
                percent = round(100 * event.done / event.total) if event.total else None
                self._view.messages.set_waiting(event.reply_id, percent, event.catch_up)
                return

    def _on_streaming(self) -> None:
        reply = self._session.streaming
        if reply is None or reply.id != self._stopped:
            self._stopped = ""
        current = self._session.current
        elsewhere = reply is not None and (current is None or reply.id not in current.messages)
        self._view.composer.set_streaming(reply is not None and not self._stopped, elsewhere)

    def _on_text(self, text: str) -> None:
        if not self._filling:
            self._session.set_unsent(text)

    def _on_files(self) -> None:
        if not self._filling:
            self._session.set_unsent_files(self._view.composer.attachments)

    def _on_prompt(self, prompt: str) -> None:
        if self._view.composer.text().strip() or self._view.composer.attachments:
            # What was written is not to be lost, nor sent along unasked.
            self._view.composer.insert(prompt)
        elif self._engine.pair is not None or self._engine.loading:
            self.send(prompt)
        else:
            self._view.composer.set_text(prompt)
        self._view.composer.setFocus()

    def _on_deleted(self, summary: ConversationSummary) -> None:
        title = summary.title if len(summary.title) <= 40 else summary.title[:39].rstrip() + "…"
        self._view.toast.show_text(self.tr("“%1” was deleted").replace("%1", title))

    def _on_deleted_message(self, message: Message) -> None:
        said = self.tr("Your message was deleted") if message.role == USER else self.tr("A reply was deleted")
        self._view.toast.show_text(said)

    def refresh(self) -> None:
        """What can be done now, and the name of the model that answers."""
        pair, loading = self._engine.pair, self._engine.loading
        if loading:
            self._drop_load_cards()
        last = self._engine.last_load
        reason = ""
        if pair is not None:
            self._view.empty.set_state(empty_state.READY, self._name_of(pair.target_path))
        elif loading and last is not None:
            self._view.empty.set_state(empty_state.LOADING, self._name_of(last.target_path))
        else:
            self._view.empty.set_state(empty_state.NO_MODEL)
            reason = (
                self.tr("Choose a target model first.") if last is None else self.tr("No model is loaded.")
            )
        self._view.composer.set_reason(reason)

    def _on_loaded(self, pair: LoadedPair) -> None:
        self._drop_load_cards()
        for warning in pair.warnings:
            self._add_load_card(Problem(warning, code=LOAD_WARNING))
        self.refresh()

    def _on_load_failed(self, failed: LoadFailed) -> None:
        self._drop_load_cards()
        if not failed.cancelled:
            last = self._engine.last_load
            sidecar = PurePath(last.draft_path).name if last is not None else ""
            self._add_load_card(failed.problem, action_of_load(failed.problem, sidecar))
        self.refresh()

    def _add_load_card(self, problem: Problem, action: str = "") -> None:
        self._load_cards.append(self._view.messages.add_problem(problem, action))
        self._view.show_content()

    def _drop_load_cards(self) -> None:
        cards, self._load_cards = self._load_cards, []
        for card in cards:
            self._view.messages.remove_card(card)
        self._view.show_content()
