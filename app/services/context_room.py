"""Room in the context before a message is sent: does it fit, and if not, how much has to be left out.

Counts with the engine; what is done about it the user decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.core import context
from app.core.context import PromptSize
from app.core.conversation import ASSISTANT, ChatMessage, Message
from app.services.app_state import AppState
from app.services.asked import Asked
from app.services.context_watch import ContextWatch
from app.services.engine_controller import EngineController
from app.services.reply import prompt_of

# Templates write some tokens around every message.
_AROUND = 64

FITS = "fits"
OVERFLOWS = "overflows"
TOO_LONG = "too-long"


class ContextRoom:
    """`check` before sending. While the engine cannot count, everything passes."""

    def __init__(self, watch: ContextWatch, engine: EngineController, state: AppState) -> None:
        self._watch, self._engine, self._state = watch, engine, state

    def check(self, asked: Asked, then: Callable[[str], None]) -> None:
        """`then(FITS)`, at once where that is certain; else later with what was counted.

        `OVERFLOWS`: it would fit with older messages left out. `TOO_LONG`: not even alone.
        """
        pair = self._engine.pair
        if pair is None or self._engine.busy:
            then(FITS)
            return
        messages = self._prompt(asked.prompt)
        # No token is shorter than a byte.
        most = sum(len(m.content.encode("utf-8", "replace")) + _AROUND for m in messages)
        if self._fits(most, pair.n_ctx, asked):
            then(FITS)
            return

        def on_alone(size: PromptSize | None) -> None:
            fits = size is None or self._fits(size.tokens, pair.n_ctx, asked)
            then(OVERFLOWS if fits else TOO_LONG)

        def on_size(size: PromptSize | None) -> None:
            if size is None or self._fits(size.tokens, pair.n_ctx, asked):
                then(FITS)
            else:
                self._watch.measure(self._prompt(asked.after), on_alone)

        self._watch.measure(messages, on_size)

    def find_cut(self, asked: Asked, then: Callable[[Message | None], None]) -> None:
        """The last message to leave out so that the rest fits, as few as possible; None when none helps."""
        pair, path = self._engine.pair, asked.before
        _, rest = context.kept(path)
        # A turn ends with a reply; the oldest turns go first.
        left = len(path) - len(rest)
        ends = [left + i for i, m in enumerate(rest) if m.role == ASSISTANT]
        if pair is None or not ends:
            then(path[-1] if path else None)
            return
        # Half of the way to the limit besides, so that not every turn has to be cut again.
        goal = pair.n_ctx - (pair.n_ctx // 8 if len(ends) > 2 else 0)
        self._search(asked, ends, 0, len(ends) - 1, goal, then)

    def _search(
        self,
        asked: Asked,
        ends: Sequence[int],
        low: int,
        high: int,
        goal: int,
        then: Callable[[Message | None], None],
    ) -> None:
        """The first of `ends` after which the rest fits lies in `low..high`."""
        if low >= high:
            then(asked.before[ends[low]])
            return
        middle = (low + high) // 2

        def on_size(size: PromptSize | None) -> None:
            if size is None:
                then(None)
            elif self._fits(size.tokens, goal, asked):
                self._search(asked, ends, low, middle, goal, then)
            else:
                self._search(asked, ends, middle + 1, high, goal, then)

        self._watch.measure(self._prompt(asked.prompt[ends[middle] + 1 :]), on_size)

    def _prompt(self, messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
        return prompt_of(messages, self._state.settings.system_prompt)

    def _fits(self, tokens: int, total: int, asked: Asked) -> bool:
        return context.fits(tokens, self._state.settings.max_tokens, total, asked.share)
