"""A store in memory: same promises as the real one, and it can be slow or refuse on demand."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from app.core.conversation import Conversation, ConversationSummary, Message
from app.core.errors import EnvironmentProblem
from app.core.search import SearchHit
from app.core.settings import AppSettings

T = TypeVar("T")


class MemoryStore:
    """`refuse_writes` makes every write fail; `threaded` does the work in a writer thread.

    `saves` lists (what, id, length of text) in the order of the calls. `pause()` and `resume()`
    hold work back, to look at what happens while the disk is slow.
    """

    def __init__(self, settings: AppSettings | None = None, threaded: bool = False) -> None:
        self.settings = settings if settings is not None else AppSettings()
        self.summaries: dict[str, ConversationSummary] = {}
        self.messages: dict[str, Message] = {}
        self.hidden: set[str] = set()
        self.refuse_writes = False
        self.refuse_reads = False
        self.reason = ""
        self.saves: list[tuple[str, str, int]] = []
        self.flushes = 0
        self.closed = False
        self._writer = ThreadPoolExecutor(1, "memory-store") if threaded else None
        self._held: list[Callable[[], None]] = []
        self._holding = False
        self._lock = threading.Lock()

    # -- the port ---------------------------------------------------------------------------------------

    def conversations(self) -> Future[list[ConversationSummary]]:
        def read() -> list[ConversationSummary]:
            shown = [s for s in self.summaries.values() if s.id not in self.hidden]
            return [copy.copy(s) for s in sorted(shown, key=lambda s: (-s.updated_at, -s.created_at, s.id))]

        return self._do(read, self.refuse_reads)

    def conversation(self, conversation_id: str) -> Future[Conversation | None]:
        def read() -> Conversation | None:
            summary = self.summaries.get(conversation_id)
            if summary is None or conversation_id in self.hidden:
                return None
            mine = [m for m in self.messages.values() if m.conversation_id == conversation_id]
            return Conversation(copy.copy(summary), {m.id: copy.deepcopy(m) for m in mine})

        return self._do(read, self.refuse_reads)

    def save_conversation(self, summary: ConversationSummary) -> Future[None]:
        kept = copy.copy(summary)
        self.saves.append(("conversation", summary.id, len(summary.draft)))
        return self._do(lambda: self.summaries.__setitem__(kept.id, kept), self._no_writes)

    def save_message(self, message: Message) -> Future[None]:
        kept = copy.deepcopy(message)
        self.saves.append(("message", message.id, len(message.text)))

        def write() -> None:
            if kept.conversation_id not in self.summaries:
                raise EnvironmentProblem("The conversation of this message was never saved.")
            self.messages[kept.id] = kept

        return self._do(write, self._no_writes)

    def add_conversations(self, added: Sequence[Conversation]) -> Future[list[ConversationSummary]]:
        def write() -> list[ConversationSummary]:
            stored = []
            for conversation in added:
                taken = conversation.summary.id in self.summaries or self.messages.keys() & (
                    conversation.messages.keys()
                )
                kept = conversation.copied() if taken else conversation
                self.put(kept)
                stored.append(kept.summary)
            return stored

        self.saves += [("added", c.summary.id, len(c.messages)) for c in added]
        return self._do(write, self._no_writes)

    def search(self, text: str, limit: int = 200) -> Future[list[SearchHit]]:
        """Words that begin so, in titles and messages; without accents and marks."""

        def read() -> list[SearchHit]:
            wanted = text.casefold().split()
            hits: dict[str, SearchHit] = {}
            for m in sorted(self.messages.values(), key=lambda m: -m.created_at):
                words = m.text.casefold().split()
                if wanted and all(any(w.startswith(part) for w in words) for part in wanted):
                    hits.setdefault(m.conversation_id, SearchHit(m.conversation_id, m.id, m.text))
            for s in self.summaries.values():
                if wanted and all(part in s.title.casefold() for part in wanted):
                    hits.setdefault(s.id, SearchHit(s.id))
            return [h for h in hits.values() if h.conversation_id not in self.hidden][:limit]

        return self._do(read, self.refuse_reads)

    def delete_messages(self, message_ids: Sequence[str]) -> Future[None]:
        gone = tuple(message_ids)
        self.saves += [("delete message", message_id, 0) for message_id in gone]

        def write() -> None:
            for message_id in gone:
                self.messages.pop(message_id, None)

        return self._do(write, self._no_writes)

    def delete_conversation(self, conversation_id: str) -> Future[None]:
        self.saves.append(("delete", conversation_id, 0))
        return self._do(lambda: self.hidden.add(conversation_id), self._no_writes)

    def restore_conversation(self, conversation_id: str) -> Future[None]:
        self.saves.append(("restore", conversation_id, 0))
        return self._do(lambda: self.hidden.discard(conversation_id), self._no_writes)

    def load_settings(self) -> AppSettings:
        return copy.deepcopy(self.settings)

    def save_settings(self, settings: AppSettings) -> Future[None]:
        """As the port allows, they are read only when they are written."""
        self.saves.append(("settings", "", 0))
        return self._do(lambda: setattr(self, "settings", copy.deepcopy(settings)), self._no_writes)

    def flush(self) -> None:
        self.flushes += 1
        self.resume()
        if self._writer is not None:
            self._writer.submit(lambda: None).result(10)

    def close(self) -> None:
        self.flush()
        self.closed = True
        if self._writer is not None:
            self._writer.shutdown()

    @property
    def read_only_reason(self) -> str:
        return self.reason

    # -- for tests --------------------------------------------------------------------------------------

    def pause(self) -> None:
        """From now on work is accepted and not done."""
        self._holding = True

    def resume(self) -> None:
        self._holding = False
        held, self._held = self._held, []
        for work in held:
            work()

    def put(self, conversation: Conversation) -> None:
        """As if the conversation had been saved by an earlier run."""
        self.summaries[conversation.summary.id] = copy.copy(conversation.summary)
        self.messages.update({m.id: copy.deepcopy(m) for m in conversation.messages.values()})

    @property
    def _no_writes(self) -> bool:
        return self.refuse_writes or bool(self.reason)

    def _do(self, work: Callable[[], T], refuse: bool) -> Future[Any]:
        future: Future[Any] = Future()
        error = EnvironmentProblem("The disk refuses.", "It is full.", "Free some space.", "disk")

        def run() -> None:
            if refuse:
                future.set_exception(error)
                return
            try:
                with self._lock:
                    result = work()
            except EnvironmentProblem as problem:
                future.set_exception(problem)
            else:
                future.set_result(result)

        if self._holding:
            self._held.append(run)
        elif self._writer is not None:
            self._writer.submit(run)
        else:
            run()
        return future
