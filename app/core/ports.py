"""What services and window need from engine and store; `compose` passes the real ones, tests pass fakes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from app.core.bench import BenchEntry, BenchProgress, BenchRecord, BenchRequest
from app.core.context import PromptSize
from app.core.conversation import ChatMessage, Conversation, ConversationSummary, Message
from app.core.events import Event, LoadedPair, SpeculationStatus
from app.core.pair_settings import PairSettings
from app.core.sampling import SamplingParams
from app.core.search import SearchHit
from app.core.settings import AppSettings
from app.core.templates import PromptPreview, TemplateChoice


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """`draft_path` empty: ordinary decoding only."""

    target_path: str
    draft_path: str = ""
    settings: PairSettings = PairSettings()
    speculation_on: bool = True


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """`max_tokens` None runs to the end of the context.

    `continue_text` is what there is of the reply already: the prompt ends with it, and only what comes
    after it is reported. `continue_tokens` are its tokens, where this target has made them; they stand
    for the text then, so that the reply goes on exactly as it would have.
    """

    reply_id: str
    messages: tuple[ChatMessage, ...]
    sampling: SamplingParams = SamplingParams()
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    continue_text: str = ""
    continue_tokens: tuple[int, ...] = ()


class Engine(Protocol):
    """Lives in one worker thread. Only the methods marked so may be called from another thread."""

    def load(
        self, request: LoadRequest, report: Callable[[Event], None], cancel: threading.Event
    ) -> tuple[LoadedPair, SpeculationStatus]:
        """Replace whatever is loaded. Raises EnvironmentProblem or Cancelled; then nothing is loaded."""

    def generate(self, request: GenerateRequest, cancel: threading.Event) -> Iterator[Event]:
        """Yields ReplyStarted, PrefillProgress*, RoundDone*, ReplyDone. Cancelling ends with ReplyDone.

        Raises EnvironmentProblem (context full, out of memory); the cache stays consistent either way.
        """

    def set_speculation(self, on: bool) -> None:
        """Any thread. Takes effect at the next round, also in the middle of a reply."""

    def set_draft_limits(self, n_max: int, n_min: int, p_min: float, automatic: bool = False) -> None:
        """Any thread. Takes effect at the next round; `n_max` is clamped to what was loaded.

        `automatic`: choose each round's length up to `n_max`, and suspend drafting where it costs time.
        """

    def set_template(self, choice: TemplateChoice) -> None:
        """Any thread. Takes effect with the next prompt; one that does not work falls back, with a note."""

    def preview_prompt(self, messages: Sequence[ChatMessage], choice: TemplateChoice) -> PromptPreview:
        """The prompt as `choice` makes it. Without a loaded pair only templates that no file brings.

        Raises EnvironmentProblem when an edited template does not work or refuses the conversation.
        """

    def status(self) -> SpeculationStatus:
        """Any thread."""

    def count_prompt_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Tokens of the prompt as the chat template makes it, generation prefix included."""

    def measure_prompt(self, messages: Sequence[ChatMessage]) -> PromptSize:
        """The same, and how many of them are in the context as it is now."""

    def close(self) -> None:
        """Frees everything, in order. May be called again."""


class Store(Protocol):
    """Conversations and settings on disk. Returns at once; a writer thread of its own does the work.

    Every future fails with EnvironmentProblem when the disk refuses; nothing is lost in memory then.
    """

    def conversations(self) -> Future[list[ConversationSummary]]:
        """Newest first, without deleted ones."""

    def conversation(self, conversation_id: str) -> Future[Conversation | None]: ...

    def save_conversation(self, summary: ConversationSummary) -> Future[None]: ...

    def save_message(self, message: Message) -> Future[None]:
        """Insert or replace; the message is copied before the call returns."""

    def add_conversations(self, added: Sequence[Conversation]) -> Future[list[ConversationSummary]]:
        """Whole conversations, all or none; one whose ids are taken gets new ones. They are not copied.

        Gives their summaries as they were stored.
        """

    def search(self, text: str, limit: int = 200) -> Future[list[SearchHit]]:
        """Conversations whose title or messages hold all words of `text`, or words that begin so."""

    def delete_messages(self, message_ids: Sequence[str]) -> Future[None]:
        """Removes them for good; to bring one back, save it again."""

    def delete_conversation(self, conversation_id: str) -> Future[None]:
        """Hides it; `restore_conversation` brings it back until the program ends."""

    def restore_conversation(self, conversation_id: str) -> Future[None]: ...

    def load_settings(self) -> AppSettings:
        """Read once at start; a damaged file is set aside and defaults are returned."""

    def save_settings(self, settings: AppSettings) -> Future[None]: ...

    def flush(self) -> None:
        """Returns when everything asked for so far is on disk."""

    def close(self) -> None: ...

    @property
    def read_only_reason(self) -> str:
        """Why nothing can be saved (another copy is running, the folder is read-only), or empty."""


class Bench(Protocol):
    """Measures ordinary against speculative decoding on the pair that an engine has loaded."""

    def run(
        self,
        engine: Engine,
        request: BenchRequest,
        report: Callable[[BenchProgress], None],
        cancel: threading.Event,
    ) -> BenchRecord:
        """In the engine's thread, between two of its calls; its switch and limits are put back.

        Cancelling gives a record of what was finished. Raises EnvironmentProblem when nothing can be
        measured.
        """

    def read(self, text: str) -> BenchRecord:
        """Any thread. A record from its `document`; EnvironmentProblem when it is none."""


class BenchArchive(Protocol):
    """Earlier benchmarks on disk, per pair (`core.bench.pair_tag`). Blocking; raises EnvironmentProblem."""

    def entries(self, tag: str) -> list[BenchEntry]:
        """Newest first, without deleted ones."""

    def save(self, tag: str, record: BenchRecord) -> BenchEntry: ...

    def read(self, entry_id: str) -> str:
        """The document of a record."""

    def delete(self, entry_id: str) -> None:
        """Hides it; `restore` brings it back until the program ends."""

    def restore(self, entry_id: str) -> None: ...
