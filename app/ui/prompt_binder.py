"""Prompts to look at: asks the engine for what a template makes of the conversation on screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from PySide6.QtCore import QObject
from shiboken6 import isValid

from app.core.conversation import USER, ChatMessage
from app.core.events import Problem
from app.core.templates import PromptPreview, TemplateChoice
from app.services.app_state import AppState
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.reply import merge_turns, prompt_of

Receiver = Callable[[PromptPreview | Problem], None]


class PromptBinder(QObject):
    """`ask` calls back in the GUI thread; only the newest question is sure of an answer."""

    def __init__(
        self,
        session: ChatSession,
        state: AppState,
        engine: EngineController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._state = state
        self._engine = engine
        self._numbers = count(1)
        self._waiting: dict[int, tuple[QObject, Receiver]] = {}
        engine.prompt_previewed.connect(self._on_previewed)

    def ask(self, choice: TemplateChoice, owner: QObject, receiver: Receiver) -> None:
        """What the model would read next under `choice`; forgotten when `owner` is gone by then."""
        number = next(self._numbers)
        self._waiting[number] = (owner, receiver)
        self._engine.preview_prompt(number, self.messages(), choice)

    def messages(self) -> tuple[ChatMessage, ...]:
        """The branch on screen and what is being written; an example while there is neither."""
        current = self._session.current
        chat = prompt_of(current.path() if current is not None else (), self._state.settings.system_prompt)
        unsent = self._session.unsent().strip()
        if unsent or not any(message.role == USER for message in chat):
            chat = (*chat, ChatMessage(USER, unsent or self.tr("(your message)")))
        return merge_turns(chat)

    def _on_previewed(self, answer: tuple[int, PromptPreview | Problem]) -> None:
        number, result = answer
        asked = self._waiting.pop(number, None)
        for older in [n for n in self._waiting if n < number]:
            # Replaced by this question before it was asked.
            del self._waiting[older]
        if asked is not None and isValid(asked[0]):
            asked[1](result)
