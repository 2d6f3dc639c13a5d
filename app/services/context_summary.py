"""Has the model sum up the beginning of a conversation, in as many steps as its context asks for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from app.core import reasoning
from app.core.conversation import USER, ChatMessage, Message, new_id
from app.core.events import CANCELLED, Event, Problem, ReplyDone, ReplyFailed, ReplyStarted, RoundDone
from app.core.ports import GenerateRequest
from app.core.reasoning import DEFAULT, ReasoningFormat
from app.core.wording import say
from app.services.app_state import AppState
from app.services.engine_controller import EngineController

MOST_TOKENS = 400
_SMALLEST = 400  # characters; a piece that small does not fit for another reason
_CHARACTERS = 2.5  # of one token, at least, in most texts

_ASK = (
    "Summarise the conversation below in a few sentences. Keep names, numbers, decisions and open questions. "
    "Write the summary alone.\n\n{before}{text}"
)
_BEFORE = "What was said before it, in short:\n{summary}\n\nThe conversation:\n"


class Summariser(QObject):
    """One at a time. `done` carries the summary, `failed` a Problem or None when it was stopped."""

    done = Signal(str)
    failed = Signal(object)

    def __init__(self, engine: EngineController, state: AppState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._state = engine, state
        self._reply_id = ""
        self._form: ReasoningFormat = DEFAULT
        self._text = ""
        self._rest = ""
        self._piece = ""
        self._size = 0
        self._summary = ""
        engine.reply_events.connect(self._on_events)

    @property
    def running(self) -> bool:
        return bool(self._reply_id)

    def start(self, messages: Sequence[Message], before: str = "") -> bool:
        """Sum up `messages`, with a summary of what came before them. False without a free model."""
        pair = self._engine.pair
        if pair is None or self._engine.busy or self.running:
            return False
        told = (reasoning.answer_of(m.text, reasoning.format_of(m.meta)) for m in messages)
        roles = ("User" if m.role == USER else "Assistant" for m in messages)
        self._rest = "\n\n".join(f"{role}: {text}" for role, text in zip(roles, told, strict=True))
        self._summary = before
        self._size = max(round((pair.n_ctx - 2 * MOST_TOKENS) * _CHARACTERS), _SMALLEST)
        return self._next()

    def stop(self) -> None:
        """`failed` follows with None."""
        if self.running:
            self._engine.stop()

    def _next(self) -> bool:
        self._piece, self._rest = self._rest[: self._size], self._rest[self._size :]
        before = _BEFORE.format(summary=self._summary) if self._summary else ""
        asked = ChatMessage(USER, _ASK.format(before=before, text=self._piece))
        self._reply_id, self._text, self._form = new_id(), "", DEFAULT
        request = GenerateRequest(self._reply_id, (asked,), self._state.settings.sampling, MOST_TOKENS)
        if not self._engine.generate(request):
            self._reply_id = ""
            return False
        return True

    @Slot(object)
    def _on_events(self, events: Sequence[Event]) -> None:
        for event in events:
            if not self._reply_id or getattr(event, "reply_id", "") != self._reply_id:
                continue
            if isinstance(event, ReplyStarted):
                self._form = event.reasoning
            elif isinstance(event, RoundDone):
                self._text += event.text
            elif isinstance(event, ReplyDone):
                self._text += event.text
                self._reply_id = ""
                self._on_done(stopped=event.finish_reason == CANCELLED)
            elif isinstance(event, ReplyFailed):
                self._reply_id = ""
                self._on_failed(event.problem)

    def _on_done(self, stopped: bool) -> None:
        summary = reasoning.answer_of(self._text, self._form).strip()
        if stopped:
            self.failed.emit(None)
        elif not summary:
            self.failed.emit(
                Problem(say("The model gave no summary."), remedy=say("Leave the oldest turns out."))
            )
        else:
            self._summary = summary
            if not self._rest:
                self.done.emit(summary)
            else:
                self._go_on()

    def _on_failed(self, problem: Problem) -> None:
        if problem.code == "context-full" and self._size > _SMALLEST:
            # More tokens to the character than usual: smaller pieces.
            self._rest, self._size = self._piece + self._rest, max(self._size // 2, _SMALLEST)
            self._go_on()
        else:
            self.failed.emit(problem)

    def _go_on(self) -> None:
        if not self._next():
            self.failed.emit(Problem(say("The model is busy."), remedy=say("Try again when it is free.")))
