"""One reply on its way: from the first word to a finished message with everything that was measured.

It turns events into a message and knows nothing of Qt, of the disk or of who is watching.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

from app.core.conversation import (
    COMPLETE,
    FAILED,
    STOPPED,
    TRUNCATED,
    ChatMessage,
    Conversation,
    Message,
    as_chat,
    propose_title,
)
from app.core.events import (
    CANCELLED,
    LENGTH,
    Event,
    LoadedPair,
    Problem,
    ReplyDone,
    ReplyFailed,
    ReplyStarted,
    RoundDone,
)
from app.core.ports import GenerateRequest, LoadRequest
from app.core.rounds import Round, RoundEncoder, settle
from app.core.settings import AppSettings
from app.core.stats import SpeculativeStats

MIXED = "mixed"
SHORT_TITLE = 12
WAITING = "waiting"
"""Key of `Message.meta` while a reply waits; its value is one of the two below."""
FOR_MODEL = "model"
FOR_REPLY = "reply"


class Reply:
    """Fills `message`: its text, its status, the encoded rounds and `meta`.

    `meta` holds from the start `pair`, `settings`, `sampling`, `max_tokens`, `n_threads`, `n_ctx` and
    `seed`; at the end also `finish_reason`, `stats` (every published figure), `mode` (that of all
    rounds, or "mixed"), `context_used`, and `problem` when it failed.
    """

    def __init__(self, conversation: Conversation, message: Message) -> None:
        self.conversation = conversation
        self.message = message
        self.rounds: list[Round] = []
        self._encoder = RoundEncoder()
        self.stats: SpeculativeStats | None = None
        self.context_used = 0

    def begin(self, request: GenerateRequest, pair: LoadedPair, load: LoadRequest | None) -> None:
        """Note the terms under which the reply is made."""
        meta = self.message.meta
        meta.pop(WAITING, None)
        meta["pair"] = {
            "target_path": pair.target_path,
            "target_name": pair.target_name,
            "draft_path": pair.draft_path,
            "draft_name": pair.draft_name,
            "algorithm": pair.algorithm,
        }
        meta["settings"] = asdict(load.settings) if load is not None else {}
        meta["sampling"] = asdict(request.sampling)
        meta["max_tokens"] = request.max_tokens
        meta["n_threads"] = pair.n_threads
        meta["n_ctx"] = pair.n_ctx

    def take(self, event: Event) -> bool:
        """Account for one event; whether the text grew."""
        if isinstance(event, ReplyStarted):
            self.message.meta["seed"] = event.seed
        elif isinstance(event, RoundDone):
            self.rounds.append(event.round)
            self._encoder.add(event.round)
            self.stats = event.stats
            self.context_used = event.context_used
            self.message.text += event.text
            return bool(event.text)
        elif isinstance(event, ReplyDone):
            self.stats = event.stats
            self.context_used = event.context_used
            self.message.text += event.text
            settled = settle(self.rounds, event.withdrawn, len(self.message.text))
            if settled != self.rounds:
                self._record_again(settled)
            self._end(_STATUS_OF.get(event.finish_reason, COMPLETE), event.finish_reason)
            return bool(event.text)
        elif isinstance(event, ReplyFailed):
            self.fail(event.problem)
        return False

    def record(self) -> None:
        """Bring `message.rounds` up to date, before the message is saved."""
        if self.rounds:
            self.message.rounds = self._encoder.encoded()

    def fail(self, problem: Problem) -> None:
        """The partial text stays; the message says what happened."""
        self.message.meta["problem"] = asdict(problem)
        self._end(FAILED, "failed")

    def stop(self) -> None:
        """End it from outside: it never began, or the engine did not come back."""
        self._end(STOPPED, CANCELLED)

    def _record_again(self, rounds: list[Round]) -> None:
        self.rounds, self._encoder = rounds, RoundEncoder()
        for r in rounds:
            self._encoder.add(r)

    def _end(self, status: str, finish_reason: str) -> None:
        self.record()
        message = self.message
        message.status = status
        message.meta.pop(WAITING, None)
        message.meta["finish_reason"] = finish_reason
        if self.stats is not None:
            modes = {r.mode for r in self.rounds}
            message.meta["stats"] = self.stats.as_dict()
            message.meta["mode"] = MIXED if len(modes) > 1 else next(iter(modes), "")
            message.meta["context_used"] = self.context_used


_STATUS_OF = {CANCELLED: STOPPED, LENGTH: TRUNCATED}


def request_for(reply: Reply, settings: AppSettings) -> GenerateRequest:
    """The branch that the reply answers, with the settings of now."""
    branch = reply.conversation.path(reply.message.parent_id)
    return GenerateRequest(
        reply.message.id,
        merge_turns(as_chat(branch, settings.system_prompt)),
        settings.sampling,
        settings.max_tokens if settings.max_tokens > 0 else None,
    )


def title_after(reply: Reply) -> str:
    """The title of the conversation; a first message such as "Hi" gets the answer's beginning with it."""
    title, path = reply.conversation.summary.title, reply.conversation.path(reply.message.id)
    answer = reply.message.text
    if len(path) != 2 or len(path[0].text) > SHORT_TITLE or not answer.strip():
        return title
    return propose_title(f"{path[0].text} – {answer}") if title == propose_title(path[0].text) else title


def merge_turns(chat: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Neighbouring messages of one role as one: an unanswered message leaves two, which templates refuse."""
    merged: list[ChatMessage] = []
    for message in chat:
        if merged and merged[-1].role == message.role:
            merged[-1] = replace(message, content=f"{merged[-1].content}\n\n{message.content}")
        else:
            merged.append(message)
    return tuple(merged)
