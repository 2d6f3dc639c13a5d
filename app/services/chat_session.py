"""Conversations: the list, the one on screen with its branches, and the reply that is written into it.

Everything typed or generated is in the conversation before anything can fail, and on its way to the disk
at once. A reply goes on while another conversation is on screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.core import context
from app.core.conversation import (
    USER,
    Attachment,
    Conversation,
    ConversationSummary,
    Message,
)
from app.core.events import RoundDone
from app.core.ports import Store
from app.core.wording import say
from app.services.app_state import AppState
from app.services.background import Background
from app.services.deletions import Deleted, DeletedMessages
from app.services.engine_controller import EngineController
from app.services.library import Library
from app.services.opening import Opening
from app.services.reply import Reply, title_after
from app.services.reply_runner import ReplyRunner
from app.services.saving import Saver
from app.services.transfer.exporter import Exporter
from app.services.transfer.importer import Importer
from app.services.trash import Trash
from app.services.turns import Turns, can_go_on
from app.services.unsent import Unsent

EMPTY = say("Write a message first.")
NO_PAIR = say("Choose a model first.")
ANSWERING = say("The model is still answering. Stop it, or wait until it is done.")
CLOSING = say("Slipstream is closing.")
NOT_LAST = say("Only the last reply of a branch can go on, when it was stopped or cut.")
NO_QUESTION = say("There is no message before this reply that could be answered again.")


class ChatSession(QObject):
    """`message_*` and `reply_round` speak of the branch on screen only; `streaming_changed` of any.

    What concerns the list alone (pins, tags, search, copies) is asked of `library`, files of `exporter` and
    `importer`.

    A reply that waits (for a model that loads, or for a stopped reply to end) is a message with
    `meta["waiting"]`, without text unless it is continued; it begins by itself, after a failed load with
    the next model that loads. A failed reply keeps its text, has `meta["problem"]`, and `problem` is
    emitted too.
    """

    conversations_changed = Signal()
    conversation_opened = Signal()
    message_sought = Signal(str)
    branch_changed = Signal()
    """The conversation on screen shows another branch, or messages of it are gone."""
    message_added = Signal(object)
    message_updated = Signal(object)
    message_finished = Signal(object)
    reply_round = Signal(object)
    streaming_changed = Signal()
    problem = Signal(object)
    deleted = Signal(object)
    deleted_message = Signal(object)
    send_refused = Signal(str)

    def __init__(
        self, store: Store, engine: EngineController, state: AppState, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._state = state
        self._background = Background(self)
        self._saver = Saver(store, self._background, self)
        self._saver.problem.connect(self.problem)
        self.library = Library(store, self._saver, self)
        self.library.changed.connect(self.conversations_changed)
        self.library.problem.connect(self.problem)
        self.exporter = Exporter(store, self._saver, self)
        self.importer = Importer(store, self.library, self)
        self._current: Conversation | None = None
        self._opening = Opening(store, self.library, self._saver, self)
        self._opening.opened.connect(self._on_read)
        self._opening.failed.connect(self._on_unreadable)
        self._sought = ""
        self._closing = False
        self._unsent = Unsent(self.library, self._saver, state)
        self._runner = ReplyRunner(engine, state, self._saver, self)
        self._turns = Turns(store, self.library, self._runner, self._saver, self._background)
        self._runner.grew.connect(lambda reply: self._tell(self.message_updated, reply.message))
        self._runner.round_done.connect(lambda event: self._tell(self.reply_round, event))
        self._runner.never_began.connect(self._conclude)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self.problem)
        self._trash = Trash(self.library, self._runner, self._turns, lambda: self._current, self)
        self._trash.conversation_back.connect(self._on_conversation_back)
        self._trash.messages_back.connect(self._on_messages_back)

    # -- what holds now ---------------------------------------------------------------------------------

    @property
    def conversations(self) -> list[ConversationSummary]:
        """Newest first; a conversation appears with its first message."""
        return self.library.items

    @property
    def current(self) -> Conversation | None:
        """The one on screen; None while it is read from the disk."""
        return self._current

    @property
    def streaming(self) -> Message | None:
        """The reply that is being made or waits to be made, in whichever conversation."""
        reply = self._runner.current
        return reply.message if reply is not None else None

    def siblings(self, message_id: str) -> list[Message]:
        """The messages in the place of this one in the conversation on screen, itself among them."""
        return self._current.siblings(message_id) if self._current is not None else []

    # -- conversations ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Read the list, and open the conversation that was on screen last."""
        self.library.read(self._on_list, self._on_no_list)

    def new_conversation(self) -> None:
        """An empty one; it is stored with its first message. What is unsent is kept."""
        self._opening.cancel()
        self._sought = ""
        if self._current is None or self._current.messages:
            self._current = Conversation(self._unsent.begin(time.time()))
        self._show()

    def open(self, conversation_id: str, message_id: str = "") -> None:
        """`conversation_opened` follows when it is read; a later call takes the place of an earlier one.

        With `message_id` the branch through that message is shown, and `message_sought` follows.
        """
        self._opening.cancel()
        self._sought = message_id
        reply = self._runner.current
        for live in (self._current, reply.conversation if reply is not None else None):
            if live is not None and live.summary.id == conversation_id:
                self._current = live
                self._show()
                return
        self._opening.begin(conversation_id)

    def rename(self, conversation_id: str, title: str) -> None:
        self.library.rename(conversation_id, title)

    def delete(self, conversation_id: str) -> None:
        """Take it away; `undo_delete` brings it back. A reply that is written into it is stopped first."""
        was_current = self._current is not None and self._current.summary.id == conversation_id
        deleted = self._trash.take_conversation(conversation_id, was_current)
        if deleted is None:
            return
        self.deleted.emit(deleted.summary)
        if was_current:
            self._current = None
            self._open_neighbour(deleted.index)

    def undo_delete(self) -> None:
        """Bring back the conversation or message deleted last, and show it if it was on screen."""
        self._trash.undo()

    # -- branches and messages --------------------------------------------------------------------------

    def show_branch(self, message_id: str) -> None:
        """Show the branch through this message; `branch_changed` follows unless it is on screen."""
        current = self._current
        if current is not None and current.show(message_id):
            self._saver.save(current.summary)
            self.branch_changed.emit()

    def edit_and_resend(self, message_id: str, text: str, attachments: Sequence[Attachment] = ()) -> bool:
        """Another message in the place of a user's, answered anew; the old branch stays beside it."""
        current = self._current
        edited = current.messages.get(message_id) if current is not None else None
        if current is None or edited is None or edited.role != USER:
            return False
        if self._refused(self._why_not(text, attachments)):
            return False
        self._turns.ask(current, text, attachments, edited.parent_id)
        self._tell_new_branch()
        self._runner.begin()
        return True

    def regenerate(self, message_id: str) -> bool:
        """Another reply beside this one, by the pair and settings of now. A user's message is answered."""
        current = self._current
        message = current.messages.get(message_id) if current is not None else None
        if current is None or message is None:
            return False
        question = message if message.role == USER else current.messages.get(message.parent_id or "")
        if self._refused(self._why_not_now() or ("" if question is not None else NO_QUESTION)):
            return False
        assert question is not None
        self._turns.answer(current, question)
        self._tell_new_branch()
        self._runner.begin()
        return True

    def continue_reply(self, message_id: str) -> bool:
        """Go on with a stopped, cut or failed reply, in the same message."""
        current = self._current
        message = current.messages.get(message_id) if current is not None else None
        if current is None or message is None:
            return False
        if self._refused(self._why_not_now() or ("" if can_go_on(current, message) else NOT_LAST)):
            return False
        self.show_branch(message_id)
        self._turns.go_on(current, message)
        self._tell(self.message_updated, message)
        self.streaming_changed.emit()
        self._runner.begin()
        return True

    def delete_message(self, message_id: str) -> None:
        """Take it away with all that follows it; `undo_delete` brings it back."""
        current = self._current
        if current is None or message_id not in current.messages:
            return
        gone = self._trash.take_messages(current, message_id)
        self.branch_changed.emit()
        self.deleted_message.emit(gone.messages[0])

    def leave_out(self, message_id: str, summary: str = "") -> None:
        """From now on the model does not read this message and those before it, but `summary`, if any."""
        self._mark(message_id, lambda message: context.mark(message, summary))

    def include_again(self, message_id: str) -> None:
        """Undo `leave_out`."""
        self._mark(message_id, context.unmark)

    def _mark(self, message_id: str, change: Callable[[Message], None]) -> None:
        message = self._current.messages.get(message_id) if self._current is not None else None
        if message is not None:
            change(message)
            self._saver.save(message)
            self.message_updated.emit(message)

    # -- the composer -----------------------------------------------------------------------------------

    def unsent(self) -> str:
        """The text that waits in the composer of this conversation."""
        return self._unsent.text(self._summary)

    def unsent_files(self) -> tuple[Attachment, ...]:
        """The files that wait with it."""
        return self._unsent.files(self._summary)

    def set_unsent(self, text: str) -> None:
        """Keep what is typed, so that it is there again after a switch of conversation or a restart."""
        self._unsent.set_text(self._summary, text)

    def set_unsent_files(self, files: Sequence[Attachment]) -> None:
        """Keep what is attached in the same way."""
        self._unsent.set_files(self._summary, files)

    def attach_unsent(self, place: ConversationSummary | None, attachment: Attachment) -> bool:
        """Keep a file for the conversation of `place`. False: that is the one on screen, nothing is done."""
        if self._unsent.same(place, self._summary):
            return False
        files = self._unsent.files(place)
        if attachment not in files:
            self._unsent.set_files(place, (*files, attachment))
        return True

    def send(self, text: str, attachments: Sequence[Attachment] = ()) -> bool:
        """Add the message and have it answered. False with `send_refused`: the caller keeps the text."""
        if self._refused(self._why_not(text, attachments)):
            return False
        if self._current is None:
            self.new_conversation()
        current = self._current
        assert current is not None
        self._unsent.clear(current.summary)
        if not current.messages:
            self._state.update(conversation_id=current.summary.id)
        user, answer = self._turns.ask(current, text, attachments, current.summary.leaf_id)
        self._tell(self.message_added, user)
        self._tell(self.message_added, answer)
        self.streaming_changed.emit()
        self._runner.begin()
        return True

    def stop(self) -> None:
        """End the reply, also one that has not begun; what is there stays."""
        self._runner.stop()

    # -- the end ----------------------------------------------------------------------------------------

    def refuse_work(self) -> None:
        """From now on nothing is sent."""
        self._closing = True
        self._runner.refuse_work()

    def save_everything(self) -> None:
        """Hand all that is not saved yet to the store, a growing reply included."""
        self._runner.save()
        self._saver.flush()

    def close(self) -> None:
        """Finish a reply that the engine did not; hand the rest to the store. Nothing happens afterwards."""
        self.refuse_work()
        self._runner.close()
        self._saver.close()
        for part in (self.importer, self.exporter, self._opening, self.library):
            part.close()
        self._background.finish()

    # -- replies ----------------------------------------------------------------------------------------

    @property
    def _summary(self) -> ConversationSummary | None:
        return self._current.summary if self._current is not None else None

    def _why_not(self, text: str, attachments: Sequence[Attachment]) -> str:
        if not self._closing and not text.strip() and not attachments:
            return EMPTY
        return self._why_not_now()

    def _why_not_now(self) -> str:
        if self._closing:
            return CLOSING
        if self._runner.answering:
            return ANSWERING
        if self._engine.pair is None and not self._engine.loading:
            return NO_PAIR
        return ""

    def _refused(self, reason: str) -> bool:
        if reason:
            self.send_refused.emit(reason)
        return bool(reason)

    def _tell_new_branch(self) -> None:
        """A reply was added beside what was on screen."""
        self.branch_changed.emit()
        self.streaming_changed.emit()

    def _on_finished(self, reply: Reply) -> None:
        summary = reply.conversation.summary
        summary.title = title_after(reply)
        self.library.touch(summary, time.time())
        self._conclude(reply)

    def _conclude(self, reply: Reply) -> None:
        # A reply that was deleted while it was being made is not saved again.
        if reply.message.id in reply.conversation.messages:
            self._saver.save(reply.message)
        self._tell(self.message_finished, reply.message)
        self.streaming_changed.emit()

    def _tell(self, signal: SignalInstance, value: Message | RoundDone) -> None:
        """Emit what concerns a message, if it is on screen."""
        message_id = value.id if isinstance(value, Message) else value.reply_id
        current = self._current
        if current is None or message_id not in current.messages:
            return
        if current.summary.leaf_id == message_id or any(m.id == message_id for m in current.path()):
            signal.emit(value)

    # -- reading and deleting ---------------------------------------------------------------------------

    def _on_list(self) -> None:
        if self._current is not None or self._opening.wanted:
            return
        last = self.library.find(self._state.settings.conversation_id)
        if last is not None:
            self.open(last.id)
        else:
            self.new_conversation()

    def _on_no_list(self) -> None:
        if self._current is None:
            self.new_conversation()

    def _on_read(self, conversation: Conversation) -> None:
        self._current = conversation
        self._show()

    def _on_unreadable(self, gone: str) -> None:
        if gone or self._current is None:
            self.new_conversation()

    def _show(self) -> None:
        assert self._current is not None
        summary = self._current.summary
        stored = self.library.find(summary.id) is not None
        self._state.update(conversation_id=summary.id if stored else "")
        sought, self._sought = self._sought, ""
        if self._current.show(sought):
            self._saver.save(summary)
        self.conversation_opened.emit()
        if sought in self._current.messages:
            self.message_sought.emit(sought)

    def _open_neighbour(self, index: int) -> None:
        neighbour = self.library.neighbour(index)
        if neighbour is not None:
            self.open(neighbour.id)
        else:
            self.new_conversation()

    def _on_conversation_back(self, deleted: Deleted) -> None:
        if deleted.was_current:
            self.open(deleted.summary.id)

    def _on_messages_back(self, gone: DeletedMessages) -> None:
        if self._current is not None and self._current.summary.id == gone.conversation_id:
            self.branch_changed.emit()
        else:
            self.open(gone.conversation_id)
