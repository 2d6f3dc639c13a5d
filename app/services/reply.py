"""One reply on its way: from the first word to a finished message with everything that was measured.

It turns events into a message and knows nothing of Qt, of the disk or of who is watching.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from app.core.context import kept, with_summary
from app.core.conversation import (
    COMPLETE,
    FAILED,
    STOPPED,
    STREAMING,
    TRUNCATED,
    ChatMessage,
    Conversation,
    Message,
    as_chat,
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
from app.core.reasoning import answer_of, as_meta, format_of
from app.core.rounds import Round, RoundEncoder, decode_rounds, settle
from app.core.settings import AppSettings
from app.core.stats import SpeculativeStats, recount_request
from app.core.titles import propose_title, title_of_exchange

MIXED = "mixed"
WAITING = "waiting"
"""Key of `Message.meta` while a reply waits; its value is one of the two below."""
FOR_MODEL = "model"
FOR_REPLY = "reply"
CONTINUATIONS = "continuations"
"""Key of `Message.meta`: the terms of each later part of a reply, as `begin` notes them for the first.

Besides `pair`, `settings` and so on a part has `at`, the characters and rounds before it, and `stats`,
its own figures; the reply's `stats` are those of all parts, with the prompt figures of the first.
"""


class Reply:
    """Fills `message`: its text, its status, the encoded rounds and `meta`.

    `meta` holds from the start `pair`, `settings`, `sampling`, `max_tokens`, `n_threads`, `n_ctx` and
    `seed`; at the end also `finish_reason`, `stats` (every published figure), `mode` (that of all
    rounds, or "mixed"), `context_used`, and `problem` when it failed. A message that has a text already
    is gone on with.
    """

    def __init__(self, conversation: Conversation, message: Message) -> None:
        self.conversation = conversation
        self.message = message
        self.rounds: list[Round] = []
        self._encoder = RoundEncoder()
        self.stats: SpeculativeStats | None = None
        self.context_used = 0
        self.continues = message.text
        """What there was of it before."""
        self._before = (message.status, message.meta.get("finish_reason"))
        self._begun = False
        self._part = message.meta
        self._exact = False
        # Rounds say which characters came from which token: without those of the first part none can.
        self._records = True
        if self.continues:
            self._take_up()
        message.status = STREAMING

    def tokens_for(self, target_path: str) -> tuple[int, ...]:
        """The tokens of `continues` when this target made all of them; else empty."""
        meta = self.message.meta
        parts = [meta, *meta.get(CONTINUATIONS, ())]
        makers = {(part.get("pair") or {}).get("target_path") for part in parts}
        if not self._exact or makers != {target_path}:
            return ()
        return tuple(token for r in self.rounds for token in r.tokens)

    def begin(self, request: GenerateRequest, pair: LoadedPair, load: LoadRequest | None) -> None:
        """Note the terms under which the reply is made."""
        self._begun = True
        meta = self.message.meta
        meta.pop(WAITING, None)
        if self.continues:
            meta.pop("problem", None)
            self._part = {"at": [len(self.continues), len(self.rounds)]}
            meta.setdefault(CONTINUATIONS, []).append(self._part)
        part = self._part
        part["pair"] = {
            "target_path": pair.target_path,
            "target_name": pair.target_name,
            "draft_path": pair.draft_path,
            "draft_name": pair.draft_name,
            "algorithm": pair.algorithm,
        }
        part["settings"] = asdict(load.settings) if load is not None else {}
        part["sampling"] = asdict(request.sampling)
        part["max_tokens"] = request.max_tokens
        part["n_threads"] = pair.n_threads
        part["n_ctx"] = pair.n_ctx

    def postpone(self) -> None:
        """The engine did not take it after all; it begins later, on the terms of then."""
        self._begun = False
        if self.continues:
            parts = self.message.meta[CONTINUATIONS]
            parts.remove(self._part)
            if not parts:
                del self.message.meta[CONTINUATIONS]
        self.message.meta[WAITING] = FOR_REPLY

    def take(self, event: Event) -> bool:
        """Account for one event; whether the text grew."""
        if isinstance(event, ReplyStarted):
            self._part["seed"] = event.seed
            if not self.continues:
                self.message.meta["reasoning"] = as_meta(event.reasoning)
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
            settled = settle(self.rounds, event.withdrawn, self._recorded_chars())
            if settled != self.rounds:
                self._record_again(settled)
            self._end(_STATUS_OF.get(event.finish_reason, COMPLETE), event.finish_reason)
            return bool(event.text)
        elif isinstance(event, ReplyFailed):
            self.fail(event.problem)
        return False

    def record(self) -> None:
        """Bring `message.rounds` up to date, before the message is saved."""
        if self.rounds and self._records:
            self.message.rounds = self._encoder.encoded()

    def fail(self, problem: Problem) -> None:
        """The partial text stays; the message says what happened."""
        self.message.meta["problem"] = asdict(problem)
        self._end(FAILED, "failed")

    def stop(self) -> None:
        """End it from outside: it never began, or the engine did not come back."""
        if self.continues and not self._begun:
            status, reason = self._before
            self.message.meta.pop(WAITING, None)
            self.message.status = status
            if reason is not None:
                self.message.meta["finish_reason"] = reason
        else:
            self._end(STOPPED, CANCELLED)

    def _take_up(self) -> None:
        """The rounds of the part that is there."""
        try:
            self.rounds = decode_rounds(self.message.rounds)
        except ValueError:
            self.rounds = []
        if sum(sum(r.chars) for r in self.rounds) < len(self.continues):
            self.rounds, self._records = [], False
        # A reply that failed has rounds whose text was still held back.
        settled = settle(self.rounds, 0, len(self.continues)) if self.rounds else []
        self._exact = bool(settled) and settled == self.rounds
        self.rounds = settled
        for r in self.rounds:
            self._encoder.add(r)

    def _recorded_chars(self) -> int:
        return len(self.message.text) - (0 if self._records else len(self.continues))

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
            stats = self.stats
            if self.continues:
                self._part["stats"] = stats.as_dict()
                if self._records:
                    stats = recount_request(_stored_stats(message.meta.get("stats") or {}), self.rounds)
            message.meta["stats"] = stats.as_dict()
            message.meta["mode"] = MIXED if len(modes) > 1 else next(iter(modes), "")
            message.meta["context_used"] = self.context_used


def cut_off(message: Message) -> bool:
    """Make a growing reply that nobody goes on with a stopped one, as far as it came; False for others."""
    if message.status != STREAMING:
        return False
    message.status = STOPPED
    message.meta.pop(WAITING, None)
    return True


def _stored_stats(stored: Mapping[str, Any]) -> SpeculativeStats:
    known = {f.name for f in fields(SpeculativeStats)}
    return SpeculativeStats(**{name: v for name, v in stored.items() if name in known and v is not None})


_STATUS_OF = {CANCELLED: STOPPED, LENGTH: TRUNCATED}


def request_for(reply: Reply, settings: AppSettings, pair: LoadedPair) -> GenerateRequest:
    """The branch that the reply answers, with the settings of now, for the pair that is loaded."""
    branch = reply.conversation.path(reply.message.id)[:-1]
    return GenerateRequest(
        reply.message.id,
        prompt_of(branch, settings.system_prompt),
        settings.sampling,
        settings.max_tokens if settings.max_tokens > 0 else None,
        continue_text=reply.continues,
        continue_tokens=reply.tokens_for(pair.target_path),
    )


def prompt_of(branch: Sequence[Message], system_prompt: str = "") -> tuple[ChatMessage, ...]:
    """What is sent for a branch: attachments in front of their texts, unanswered messages joined."""
    summary, rest = kept(branch)
    return merge_turns(as_chat(rest, with_summary(system_prompt, summary)))


def title_after(reply: Reply) -> str:
    """The title of the conversation, now that its first answer is there; one that was changed stays."""
    title, path = reply.conversation.summary.title, reply.conversation.path(reply.message.id)
    if len(path) != 2 or title != propose_title(path[0].text):
        return title
    return title_of_exchange(path[0].text, answer_of(reply.message.text, format_of(reply.message.meta)))


def merge_turns(chat: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Neighbouring messages of one role as one: an unanswered message leaves two, which templates refuse."""
    merged: list[ChatMessage] = []
    for message in chat:
        if merged and merged[-1].role == message.role:
            merged[-1] = replace(message, content=f"{merged[-1].content}\n\n{message.content}")
        else:
            merged.append(message)
    return tuple(merged)
