"""Has replies made by the engine, one at a time, and keeps the one that waits for its turn.

It knows what a reply is and when it may begin; which conversation is on screen it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from app.core.events import Event, ReplyDone, ReplyFailed, RoundDone
from app.services.app_state import AppState
from app.services.engine_controller import EngineController
from app.services.reply import FOR_MODEL, FOR_REPLY, WAITING, Reply, request_for
from app.services.saving import Saver


class ReplyRunner(QObject):
    """Signals carry the `Reply`; `round_done` the event. `finished` comes after the last of the others.

    A reply that waits (for a model that loads, or for a stopped reply to end) begins by itself, after a
    failed load with the next model that loads.
    """

    grew = Signal(object)
    round_done = Signal(object)
    never_began = Signal(object)
    finished = Signal(object)
    failed = Signal(object)

    def __init__(
        self, engine: EngineController, state: AppState, saver: Saver, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._state = state
        self._saver = saver
        self._reply: Reply | None = None
        self._waiting: Reply | None = None
        self._stopping = False
        self._closing = False
        engine.reply_events.connect(self._on_reply_events)
        engine.loaded.connect(self.begin)
        engine.busy_changed.connect(self.begin)

    @property
    def current(self) -> Reply | None:
        """The reply that is being made or waits to be made."""
        return self._reply or self._waiting

    @property
    def answering(self) -> bool:
        """No further reply is taken; one that was asked to stop does not count."""
        return self._waiting is not None or (self._reply is not None and not self._stopping)

    def add(self, reply: Reply) -> None:
        """Have it made when its turn comes; call `begin` when it has been shown. Not while `answering`."""
        reply.message.meta[WAITING] = FOR_REPLY if self._engine.busy else FOR_MODEL
        self._waiting = reply

    @Slot()
    def begin(self) -> None:
        """Start the reply that waits, as soon as there is a model and it is free."""
        reply, pair = self._waiting, self._engine.pair
        if reply is None or pair is None or self._reply is not None or self._closing:
            return
        request = request_for(reply, self._state.settings, pair)
        reply.begin(request, pair, self._engine.last_load)
        self._waiting, self._reply, self._stopping = None, reply, False
        if self._engine.generate(request):
            self.grew.emit(reply)
        else:
            # Somebody else uses the engine (a measurement); `busy_changed` will tell when it is free.
            reply.postpone()
            self._waiting, self._reply = reply, None

    def stop(self) -> None:
        """End the reply, also one that has not begun; what is there stays."""
        self.stop_waiting()
        self.stop_running()

    def stop_waiting(self) -> None:
        reply, self._waiting = self._waiting, None
        if reply is not None:
            reply.stop()
            self.never_began.emit(reply)

    def stop_running(self) -> None:
        if self._reply is not None:
            self._stopping = True
            self._engine.stop()

    def makes_in(self, conversation_id: str) -> bool:
        """Whether a reply is being made in the conversation, as opposed to waiting."""
        return self._reply is not None and self._reply.conversation.summary.id == conversation_id

    def waits_in(self, conversation_id: str) -> bool:
        return self._waiting is not None and self._waiting.conversation.summary.id == conversation_id

    def save(self) -> None:
        """Save a growing reply as it is now."""
        if self._reply is not None:
            self._reply.record()
            self._saver.save(self._reply.message)

    def refuse_work(self) -> None:
        """From now on nothing begins."""
        self._closing = True

    def close(self) -> None:
        """Finish a reply that the engine did not."""
        self.stop_waiting()
        if self._reply is not None:
            self._reply.stop()
            self._finish(self._reply)

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
                self.round_done.emit(event)
            if isinstance(event, ReplyDone | ReplyFailed):
                if grew:
                    self.grew.emit(reply)
                self._finish(reply)
                if isinstance(event, ReplyFailed):
                    self.failed.emit(event.problem)
                return
        if grew:
            if reply.message.id in reply.conversation.messages:
                self._saver.save_soon(reply.message, reply.record)
            self.grew.emit(reply)

    def _finish(self, reply: Reply) -> None:
        self._reply, self._stopping = None, False
        self.finished.emit(reply)
        self.begin()
