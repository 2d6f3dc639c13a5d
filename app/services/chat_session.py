"""Conversations: the list, the one on screen, and the reply that is being written into it.

Everything typed or generated is in the conversation before anything can fail, and on its way to the disk
at once. A reply goes on while another conversation is on screen.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from app.core.conversation import (
    ASSISTANT,
    STOPPED,
    STREAMING,
    USER,
    Conversation,
    ConversationSummary,
    Message,
    propose_title,
)
from app.core.events import Event, Problem, ReplyDone, ReplyFailed, RoundDone
from app.core.ports import Store
from app.services.app_state import AppState
from app.services.background import Background
from app.services.conversation_list import ConversationList, Deleted
from app.services.engine_controller import EngineController
from app.services.reply import FOR_MODEL, FOR_REPLY, WAITING, Reply, request_for, title_after
from app.services.saving import Saver

EMPTY = "Write a message first."
NO_PAIR = "Choose a model first."
ANSWERING = "The model is still answering. Stop it, or wait until it is done."
CLOSING = "Slipstream is closing."


class ChatSession(QObject):
    """`message_*` and `reply_round` speak of the conversation on screen only; `streaming_changed` of any.

    A reply that waits (for a model that loads, or for a stopped reply to end) is a message without text
    and with `meta["waiting"]`; it begins by itself, after a failed load with the next model that loads.
    A failed reply keeps its text, has `meta["problem"]`, and `problem` is emitted too.
    """

    conversations_changed = Signal()
    conversation_opened = Signal()
    message_added = Signal(object)
    message_updated = Signal(object)
    message_finished = Signal(object)
    reply_round = Signal(object)
    streaming_changed = Signal()
    problem = Signal(object)
    deleted = Signal(object)
    send_refused = Signal(str)

    def __init__(
        self, store: Store, engine: EngineController, state: AppState, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._engine = engine
        self._state = state
        self._background = Background(self)
        self._saver = Saver(store, self._background, self)
        self._saver.problem.connect(self.problem)
        self._list = ConversationList()
        self._current: Conversation | None = None
        self._opening = ""
        self._reply: Reply | None = None
        self._waiting: Reply | None = None
        self._stopping = False
        self._delete_later: Deleted | None = None
        self._closing = False
        engine.reply_events.connect(self._on_reply_events)
        engine.loaded.connect(self._begin_waiting)
        engine.busy_changed.connect(self._begin_waiting)

    # -- what holds now ---------------------------------------------------------------------------------

    @property
    def conversations(self) -> list[ConversationSummary]:
        """Newest first; a conversation appears with its first message."""
        return self._list.items

    @property
    def current(self) -> Conversation | None:
        """The one on screen; None while it is read from the disk."""
        return self._current

    @property
    def streaming(self) -> Message | None:
        """The reply that is being made or waits to be made, in whichever conversation."""
        reply = self._reply or self._waiting
        return reply.message if reply is not None else None

    # -- conversations ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Read the list, and open the conversation that was on screen last."""
        self._background.watch(self._store.conversations(), self._on_list, self._on_no_list)

    def new_conversation(self) -> None:
        """An empty one; it is stored with its first message. An unsent text is kept."""
        self._opening = ""
        if self._current is None or self._current.messages:
            summary = ConversationSummary(created_at=time.time(), draft=self._state.settings.unsent)
            self._current = Conversation(summary)
        self._show()

    def open(self, conversation_id: str) -> None:
        """`conversation_opened` follows when it is read; a later call takes the place of an earlier one."""
        self._opening = ""
        reply = self._reply or self._waiting
        for live in (self._current, reply.conversation if reply is not None else None):
            if live is not None and live.summary.id == conversation_id:
                self._current = live
                self._show()
                return
        self._opening = conversation_id
        self._background.watch(
            self._store.conversation(conversation_id),
            lambda conversation: self._on_read(conversation_id, conversation),
            lambda error: self._on_unreadable(conversation_id, error),
        )

    def rename(self, conversation_id: str, title: str) -> None:
        summary, title = self._list.find(conversation_id), " ".join(title.split())
        if summary is not None and title and title != summary.title:
            summary.title = title
            self._saver.save(summary)
            self.conversations_changed.emit()

    def delete(self, conversation_id: str) -> None:
        """Take it away; `undo_delete` brings it back. A reply that is written into it is stopped first."""
        was_current = self._current is not None and self._current.summary.id == conversation_id
        deleted = self._list.delete(conversation_id, was_current)
        if deleted is None:
            return
        if self._waiting is not None and self._waiting.conversation.summary.id == conversation_id:
            self._stop_waiting()
        if self._reply is not None and self._reply.conversation.summary.id == conversation_id:
            self._delete_later = deleted
            self._stop_reply()
        else:
            self._delete_now(deleted)
        self.conversations_changed.emit()
        self.deleted.emit(deleted.summary)
        if was_current:
            self._current = None
            self._open_neighbour(deleted.index)

    def undo_delete(self) -> None:
        """Bring back what was deleted last, and show it if it was on screen."""
        deleted = self._list.undo()
        if deleted is None:
            return
        if self._delete_later is deleted:
            self._delete_later = None
        else:
            future = self._store.restore_conversation(deleted.summary.id)
            self._background.watch(future, lambda _: None, self._on_storage_failure)
        self.conversations_changed.emit()
        if deleted.was_current:
            self.open(deleted.summary.id)

    # -- the composer -----------------------------------------------------------------------------------

    def unsent(self) -> str:
        """The text that waits in the composer of this conversation."""
        return self._current.summary.draft if self._current is not None else self._state.settings.unsent

    def set_unsent(self, text: str) -> None:
        """Keep what is typed, so that it is there again after a switch of conversation or a restart."""
        summary = self._current.summary if self._current is not None else None
        if summary is not None:
            summary.draft = text
        if summary is not None and self._list.find(summary.id) is not None:
            self._saver.save_soon(summary)
        else:
            self._state.update(unsent=text)

    def send(self, text: str) -> bool:
        """Add the message and have it answered. False with `send_refused`: the caller keeps the text."""
        reason = self._why_not(text)
        if reason:
            self.send_refused.emit(reason)
            return False
        if self._current is None:
            self.new_conversation()
        conversation = self._current
        assert conversation is not None
        summary, now = conversation.summary, time.time()
        if not conversation.messages:
            self._state.update(unsent="", conversation_id=summary.id)
        user = Message(summary.id, USER, text.strip("\n").rstrip(), summary.leaf_id, created_at=now)
        conversation.add(user)
        summary.title = summary.title or propose_title(user.text)
        answer = Message(summary.id, ASSISTANT, "", user.id, created_at=now, status=STREAMING)
        conversation.add(answer)
        answer.meta[WAITING] = FOR_REPLY if self._engine.busy else FOR_MODEL
        summary.draft = ""
        self._list.touch(summary, now)
        for item in (summary, user, answer):
            self._saver.save(item)
        self._waiting = Reply(conversation, answer)
        self.conversations_changed.emit()
        self._tell(self.message_added, user)
        self._tell(self.message_added, answer)
        self.streaming_changed.emit()
        self._begin_waiting()
        return True

    def stop(self) -> None:
        """End the reply, also one that has not begun; what is there stays."""
        self._stop_waiting()
        self._stop_reply()

    # -- the end ----------------------------------------------------------------------------------------

    def refuse_work(self) -> None:
        """From now on nothing is sent."""
        self._closing = True

    def save_everything(self) -> None:
        """Hand all that is not saved yet to the store, a growing reply included."""
        if self._reply is not None:
            self._reply.record()
            self._saver.save(self._reply.message)
        self._saver.flush()

    def close(self) -> None:
        """Finish a reply that the engine did not; hand the rest to the store. Nothing happens afterwards."""
        self.refuse_work()
        self._stop_waiting()
        if self._reply is not None:
            self._reply.stop()
            self._finish(self._reply)
        self._saver.close()
        self._background.finish()

    # -- replies ----------------------------------------------------------------------------------------

    def _why_not(self, text: str) -> str:
        if self._closing:
            return CLOSING
        if not text.strip():
            return EMPTY
        if self._waiting is not None or (self._reply is not None and not self._stopping):
            return ANSWERING
        if self._engine.pair is None and not self._engine.loading:
            return NO_PAIR
        return ""

    @Slot()
    def _begin_waiting(self) -> None:
        """Start the reply that waits, as soon as there is a model and it is free."""
        reply, pair = self._waiting, self._engine.pair
        if reply is None or pair is None or self._reply is not None or self._closing:
            return
        request = request_for(reply, self._state.settings)
        reply.begin(request, pair, self._engine.last_load)
        self._waiting, self._reply, self._stopping = None, reply, False
        if self._engine.generate(request):
            self._tell(self.message_updated, reply.message)
        else:
            # Somebody else uses the engine (a measurement); `busy_changed` will tell when it is free.
            reply.message.meta[WAITING] = FOR_REPLY
            self._waiting, self._reply = reply, None

    def _stop_waiting(self) -> None:
        reply, self._waiting = self._waiting, None
        if reply is not None:
            reply.stop()
            self._conclude(reply)

    def _stop_reply(self) -> None:
        if self._reply is not None:
            self._stopping = True
            self._engine.stop()

    @Slot(object)
    def _on_reply_events(self, events: Sequence[Event]) -> None:
        reply = self._reply
        if reply is None:
            return
        grew = False
        for event in events:
            if getattr(event, "reply_id", None) != reply.message.id:
                continue
            grew = reply.take(event) or grew
            if isinstance(event, RoundDone):
                self._tell(self.reply_round, event)
            if isinstance(event, ReplyDone | ReplyFailed):
                if grew:
                    self._tell(self.message_updated, reply.message)
                self._finish(reply)
                if isinstance(event, ReplyFailed):
                    self.problem.emit(event.problem)
                return
        if grew:
            self._saver.save_soon(reply.message, reply.record)
            self._tell(self.message_updated, reply.message)

    def _finish(self, reply: Reply) -> None:
        self._reply, self._stopping = None, False
        summary = reply.conversation.summary
        summary.title = title_after(reply)
        self._list.touch(summary, time.time())
        self._saver.save(summary)
        self._conclude(reply)
        deleted, self._delete_later = self._delete_later, None
        if deleted is not None:
            self._delete_now(deleted)
        self.conversations_changed.emit()
        self._begin_waiting()

    def _conclude(self, reply: Reply) -> None:
        self._saver.save(reply.message)
        self._tell(self.message_finished, reply.message)
        self.streaming_changed.emit()

    def _tell(self, signal: SignalInstance, value: Message | RoundDone) -> None:
        """Emit what concerns a message, if its conversation is on screen."""
        message_id = value.id if isinstance(value, Message) else value.reply_id
        if self._current is not None and message_id in self._current.messages:
            signal.emit(value)

    # -- reading and deleting ---------------------------------------------------------------------------

    def _on_list(self, summaries: list[ConversationSummary]) -> None:
        # Asked only now: before the first answer the store may still be opening its files.
        reason = self._store.read_only_reason
        if reason:
            self.problem.emit(Problem("Nothing can be saved.", reason, code="read-only"))
        self._list.fill(summaries)
        self.conversations_changed.emit()
        if self._current is not None or self._opening:
            return
        last = self._list.find(self._state.settings.conversation_id)
        if last is not None:
            self.open(last.id)
        else:
            self.new_conversation()

    def _on_no_list(self, error: BaseException) -> None:
        self._on_storage_failure(error)
        if self._current is None:
            self.new_conversation()

    def _on_read(self, conversation_id: str, conversation: Conversation | None) -> None:
        if self._opening != conversation_id:
            return
        summary = self._list.find(conversation_id)
        if conversation is None or summary is None:
            self._list.remove(conversation_id)
            self.conversations_changed.emit()
            self.new_conversation()
            return
        self._opening = ""
        conversation.summary = summary
        for message in conversation.messages.values():
            if message.status == STREAMING:
                # The program ended in the middle of it.
                message.status = STOPPED
                message.meta.pop(WAITING, None)
                self._saver.save(message)
        self._current = conversation
        self._show()

    def _on_unreadable(self, conversation_id: str, error: BaseException) -> None:
        if self._opening == conversation_id:
            self._on_storage_failure(error)
            self._opening = ""
            if self._current is None:
                self.new_conversation()

    def _on_storage_failure(self, error: BaseException) -> None:
        self.problem.emit(Problem.of(error))

    def _show(self) -> None:
        assert self._current is not None
        summary = self._current.summary
        stored = self._list.find(summary.id) is not None
        self._state.update(conversation_id=summary.id if stored else "")
        self.conversation_opened.emit()

    def _open_neighbour(self, index: int) -> None:
        neighbour = self._list.neighbour(index)
        if neighbour is not None:
            self.open(neighbour.id)
        else:
            self.new_conversation()

    def _delete_now(self, deleted: Deleted) -> None:
        def failed(error: BaseException) -> None:
            self._list.put_back(deleted)
            self.conversations_changed.emit()
            self._on_storage_failure(error)

        self._saver.flush()
        self._background.watch(self._store.delete_conversation(deleted.summary.id), lambda _: None, failed)
