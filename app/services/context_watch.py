"""How large the next prompt is: counted by the engine a moment after anything changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.core.context import PromptSize
from app.core.conversation import USER, Attachment, ChatMessage, Message
from app.services.app_state import AppState
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.reply import prompt_of

DELAY_MS = 300
# A count that never comes (the prompt could not be made) must not hold up the others.
PATIENCE_MS = 5000

Then = Callable[[PromptSize | None], None]


@dataclass(frozen=True, slots=True)
class ContextFigures:
    """In tokens. `prompt` is what would be sent now, 0 while it is not known, with `message` of it for the
    text and files in the composer; `reusable` is in the context already; `reserved` may become reply.
    """

    prompt: int = 0
    message: int = 0
    reusable: int = 0
    reserved: int = 0
    total: int = 0


class ContextWatch(QObject):
    """`set_draft` with what is in the composer; `changed` with new `figures`.

    `attachment_counted` carries the index of a file in the composer and its tokens.
    """

    changed = Signal(object)
    attachment_counted = Signal(int, int)

    def __init__(
        self, session: ChatSession, engine: EngineController, state: AppState, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._engine, self._state = session, engine, state
        self._text = ""
        self._attachments: tuple[Attachment, ...] = ()
        self._known: dict[Attachment, int] = {}
        self._figures = ContextFigures()
        self._questions: list[tuple[tuple[ChatMessage, ...], Then]] = []
        self._asked: Then | None = None
        self._number = 0
        self._soon = self._make_timer(DELAY_MS, self._count)
        self._patience = self._make_timer(PATIENCE_MS, lambda: self._answer(None))
        engine.tokens_counted.connect(self._on_counted)
        for signal in (
            session.conversation_opened,
            session.branch_changed,
            session.message_finished,
            session.streaming_changed,
            engine.loaded,
            engine.unloaded,
            state.settings_changed,
        ):
            signal.connect(self._soon.start)

    @property
    def figures(self) -> ContextFigures:
        return self._figures

    def set_draft(self, text: str, attachments: Sequence[Attachment]) -> None:
        """What is written and attached, and not sent."""
        if (text, tuple(attachments)) != (self._text, self._attachments):
            self._text, self._attachments = text, tuple(attachments)
            self._soon.start()

    def prompt(
        self, text: str, attachments: Sequence[Attachment], branch: Sequence[Message] | None = None
    ) -> tuple[ChatMessage, ...]:
        """What would be sent with this message at the end of `branch` (the one on screen)."""
        if branch is None:
            current = self._session.current
            branch = current.path() if current is not None else []
        draft = Message("", USER, text.strip("\n").rstrip())
        draft.attach(attachments)
        return prompt_of([*branch, draft], self._state.settings.system_prompt)

    def measure(self, messages: Sequence[ChatMessage], then: Then) -> None:
        """`then` is called later with the size; with None when it cannot be told."""
        if self._engine.pair is None:
            then(None)
            return
        self._questions.append((tuple(messages), then))
        self._ask()

    def close(self) -> None:
        """Nothing is counted any more."""
        self._soon.stop()
        self._patience.stop()
        self._questions.clear()
        self._asked = None

    @Slot()
    def _count(self) -> None:
        pair, settings = self._engine.pair, self._state.settings
        if pair is None:
            self._show(ContextFigures())
            return
        if self._session.streaming is not None:
            # Counted when it has ended; the engine would answer no sooner.
            return
        text, files = self._text, self._attachments
        self.measure(
            self.prompt(text, files),
            lambda size: self._on_size(size, pair.n_ctx, settings.max_tokens),
        )
        self._count_files()

    def _on_size(self, size: PromptSize | None, total: int, reserved: int) -> None:
        if size is None:
            self._show(ContextFigures(reserved=reserved, total=total))
            return
        self._show(
            ContextFigures(size.tokens, max(size.tokens - size.reusable, 0), size.reusable, reserved, total)
        )

    def _count_files(self) -> None:
        for attachment in self._attachments:
            if attachment not in self._known:
                self._known[attachment] = 0
                alone = self.prompt("", (attachment,), branch=())
                self.measure(alone, partial(self._on_file, attachment))
            elif self._known[attachment]:
                self._tell_file(attachment)

    def _on_file(self, attachment: Attachment, size: PromptSize | None) -> None:
        if size is None:
            self._known.pop(attachment, None)
            return
        self._known[attachment] = size.tokens
        self._tell_file(attachment)

    def _tell_file(self, attachment: Attachment) -> None:
        for i, shown in enumerate(self._attachments):
            if shown == attachment:
                self.attachment_counted.emit(i, self._known[attachment])

    def _show(self, figures: ContextFigures) -> None:
        if figures != self._figures:
            self._figures = figures
            self.changed.emit(figures)

    def _ask(self) -> None:
        if self._asked is not None or not self._questions:
            return
        messages, self._asked = self._questions.pop(0)
        self._number += 1
        self._patience.start()
        self._engine.count_tokens((id(self), self._number), messages)

    @Slot(object)
    def _on_counted(self, answer: tuple[object, PromptSize]) -> None:
        request_id, size = answer
        if request_id == (id(self), self._number):
            self._answer(size)

    def _answer(self, size: PromptSize | None) -> None:
        then, self._asked = self._asked, None
        self._patience.stop()
        if then is not None:
            then(size)
        self._ask()

    def _make_timer(self, milliseconds: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer
