"""Room in the context before a message is sent: does it fit, and if not, how much has to be left out.

Counts with the engine; what is done about it the user decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.core import context
from app.core.context import PromptSize
from app.core.conversation import ASSISTANT, Attachment, Message
from app.services.app_state import AppState
from app.services.chat_session import ChatSession
from app.services.context_watch import ContextWatch
from app.services.engine_controller import EngineController

# Templates write some tokens around every message.
_AROUND = 64

FITS = "fits"
OVERFLOWS = "overflows"
TOO_LONG = "too-long"


class ContextRoom:
    """`check` before sending. While the engine cannot count, everything passes."""

    def __init__(
        self, watch: ContextWatch, session: ChatSession, engine: EngineController, state: AppState
    ) -> None:
        self._watch, self._session, self._engine, self._state = watch, session, engine, state

    def check(self, text: str, attachments: Sequence[Attachment], then: Callable[[str], None]) -> None:
        """`then(FITS)`, at once where that is certain; else later with what was counted.

        `OVERFLOWS`: it would fit with older messages left out. `TOO_LONG`: not even alone.
        """
        pair = self._engine.pair
        if pair is None or self._engine.busy:
            then(FITS)
            return
        messages = self._watch.prompt(text, attachments)
        # No token is shorter than a byte.
        most = sum(len(m.content.encode("utf-8", "replace")) + _AROUND for m in messages)
        if self._fits(most, pair.n_ctx):
            then(FITS)
            return

        def on_alone(size: PromptSize | None) -> None:
            then(TOO_LONG if size is not None and not self._fits(size.tokens, pair.n_ctx) else OVERFLOWS)

        def on_size(size: PromptSize | None) -> None:
            if size is None or self._fits(size.tokens, pair.n_ctx):
                then(FITS)
            else:
                alone = self._watch.prompt(text, attachments, branch=())
                self._watch.measure(alone, on_alone)

        self._watch.measure(messages, on_size)

    def find_cut(
        self, text: str, attachments: Sequence[Attachment], then: Callable[[Message | None], None]
    ) -> None:
        """The last message to leave out so that the rest fits, as few as possible; None when none helps."""
        pair, current = self._engine.pair, self._session.current
        path = current.path() if current is not None else []
        _, rest = context.kept(path)
        # A turn ends with a reply; the oldest turns go first.
        ends = [path.index(m) for m in rest if m.role == ASSISTANT]
        if pair is None or not ends:
            then(path[-1] if path else None)
            return
        # Half of the way to the limit besides, so that not every turn has to be cut again.
        goal = pair.n_ctx - (pair.n_ctx // 8 if len(ends) > 2 else 0)
        self._search(text, attachments, path, ends, 0, len(ends) - 1, goal, then)

    def _search(
        self,
        text: str,
        attachments: Sequence[Attachment],
        path: Sequence[Message],
        ends: Sequence[int],
        low: int,
        high: int,
        goal: int,
        then: Callable[[Message | None], None],
    ) -> None:
        """The first of `ends` after which the rest fits lies in `low..high`."""
        if low >= high:
            then(path[ends[low]])
            return
        middle = (low + high) // 2

        def on_size(size: PromptSize | None) -> None:
            if size is None:
                then(None)
            elif self._fits(size.tokens, goal):
                self._search(text, attachments, path, ends, low, middle, goal, then)
            else:
                self._search(text, attachments, path, ends, middle + 1, high, goal, then)

        rest = path[ends[middle] + 1 :]
        self._watch.measure(self._watch.prompt(text, attachments, branch=rest), on_size)

    def _fits(self, tokens: int, total: int) -> bool:
        return context.fits(tokens, self._state.settings.max_tokens, total)
