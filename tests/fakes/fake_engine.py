"""An engine without a model: what it does, how long it takes and where it fails is written in a script.

It keeps the contract of `app.core.ports.Engine` and knows nothing of llama.cpp. A step that stands
for a native call sleeps in one piece, so that cancelling is seen between steps only, as in the real one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from app.core.context import PromptSize
from app.core.conversation import ChatMessage
from app.core.errors import Cancelled, EnvironmentProblem
from app.core.events import (
    CANCELLED,
    LENGTH,
    NO_MODEL,
    OFF,
    SPECULATING,
    STOP,
    UNAVAILABLE,
    Event,
    LoadedPair,
    LoadProgress,
    PrefillProgress,
    Problem,
    ReplyDone,
    ReplyStarted,
    RoundDone,
    SpeculationStatus,
)
from app.core.ports import GenerateRequest, LoadRequest
from app.core.rounds import NATIVE, NO_ROLLBACK, ORDINARY, SPECULATIVE, Round, RoundTimings
from app.core.stats import SpeculativeStats
from app.core.templates import EDITED, PromptPiece, PromptPreview, TemplateChoice, TemplateVariable

WORDS = ("Speculation ", "proposes ", "several ", "tokens; ", "the ", "target ", "checks ", "them. ")


@dataclass(slots=True)
class Script:
    """How loads and replies go. Seconds are slept; `recorded_seconds` is what a round says it took.

    Before round `silent_at` the engine says nothing for `silent_seconds`.
    `accepted` is cycled over the speculative rounds: how many of `draft_length` drafts the target
    agreed with. Errors are raised once they are due, every time until the script changes.
    """

    load_steps: int = 4
    load_step_seconds: float = 0.0
    load_error: Exception | None = None
    draft_load_error: Exception | None = None
    load_ignores_cancel: bool = False
    prompt_tokens: int = 24
    reused_tokens: int = 8
    prefill_slices: int = 2
    prefill_slice_seconds: float = 0.0
    start_error: Exception | None = None
    prefill_error: Exception | None = None
    rounds: int = 8
    round_seconds: float = 0.0
    silent_at: int | None = None
    silent_seconds: float = 0.0
    recorded_seconds: float = 0.02
    round_error: Exception | None = None
    round_error_at: int = 3
    end_error: Exception | None = None
    count_error: Exception | None = None
    close_error: Exception | None = None
    close_seconds: float = 0.0
    accepted: tuple[int, ...] = (2, 0, 3, 1)
    draft_length: int = 4
    words: Sequence[str] = WORDS
    held_back: str = ""
    withdrawn: int = 0
    finish_reason: str = STOP
    no_terminal: bool = False
    trailing_events: int = 0
    n_threads: int = 4
    context_total: int = 8192
    variables: tuple[TemplateVariable, ...] = ()


@dataclass(slots=True)
class Call:
    """One call of the port and the thread it came in."""

    name: str
    thread: int = field(default_factory=threading.get_ident)


class FakeEngine:
    """`calls` says what was called from which thread; `rounds_made` counts rounds of the last reply."""

    def __init__(self, script: Script | None = None) -> None:
        self.script = script if script is not None else Script()
        self.calls: list[Call] = []
        self.requests: list[GenerateRequest] = []
        self.loads: list[LoadRequest] = []
        self.generators_finished = 0
        self.rounds_made = 0
        self.closed = 0
        self._loaded: LoadRequest | None = None
        self._speculation_on = True
        self._limits = (7, 0, 0.0, False)
        self.template = TemplateChoice()

    # -- the port ---------------------------------------------------------------------------------------

    def load(
        self, request: LoadRequest, report: Callable[[Event], None], cancel: threading.Event
    ) -> tuple[LoadedPair, SpeculationStatus]:
        self.calls.append(Call("load"))
        self.loads.append(request)
        self._loaded = None
        script = self.script
        for step in range(script.load_steps):
            if cancel.is_set() and not script.load_ignores_cancel:
                raise Cancelled
            report(LoadProgress("Reading the model", step / script.load_steps))
            time.sleep(script.load_step_seconds)
            if script.load_error is not None and step == script.load_steps // 2:
                raise script.load_error
            if script.draft_load_error is not None and request.draft_path:
                raise script.draft_load_error
        if cancel.is_set() and not script.load_ignores_cancel:
            raise Cancelled
        self._loaded = request
        self._speculation_on = request.speculation_on
        self.template = request.settings.template
        settings = request.settings
        self._limits = (
            settings.draft_n_max,
            settings.draft_n_min,
            settings.draft_p_min,
            settings.automatic_length,
        )
        return self._pair(request), self.status()

    def generate(self, request: GenerateRequest, cancel: threading.Event) -> Iterator[Event]:
        self.calls.append(Call("generate"))
        self.requests.append(request)
        self.rounds_made = 0
        try:
            yield from self._reply(request, cancel)
        finally:
            self.generators_finished += 1

    def set_speculation(self, on: bool) -> None:
        self.calls.append(Call("set_speculation"))
        self._speculation_on = on

    def set_draft_limits(self, n_max: int, n_min: int, p_min: float, automatic: bool = False) -> None:
        self.calls.append(Call("set_draft_limits"))
        self._limits = (n_max, n_min, p_min, automatic)

    def set_template(self, choice: TemplateChoice) -> None:
        self.calls.append(Call("set_template"))
        self.template = choice

    def preview_prompt(self, messages: Sequence[ChatMessage], choice: TemplateChoice) -> PromptPreview:
        """A prompt in ChatML; an edited template that says "broken" is."""
        self.calls.append(Call("preview_prompt"))
        if choice.name == EDITED and "broken" in choice.source:
            raise EnvironmentProblem("The edited chat template cannot be used.", code="template-unusable")
        pieces: list[PromptPiece] = []
        for message in messages:
            pieces += (PromptPiece("<|im_start|>", True), PromptPiece(f"{message.role}\n{message.content}"))
            pieces += (PromptPiece("<|im_end|>", True), PromptPiece("\n"))
        pieces += (PromptPiece("<|im_start|>", True), PromptPiece("assistant\n"))
        n_tokens = None if self._loaded is None else sum(len(p.text.split()) for p in pieces)
        source = choice.source or "{% for message in messages %}{{ message.content }}{% endfor %}"
        return PromptPreview(tuple(pieces), n_tokens, choice.name, source, "", self.script.variables)

    def status(self) -> SpeculationStatus:
        if self._loaded is None:
            return SpeculationStatus(NO_MODEL)
        if not self._loaded.draft_path:
            reason = Problem("No sidecar is chosen.", code="no-draft")
            return SpeculationStatus(UNAVAILABLE, reason=reason)
        state = SPECULATING if self._speculation_on else OFF
        return SpeculationStatus(state, "DFlash2", self._limits[0], automatic=self._limits[3])

    def count_prompt_tokens(self, messages: Sequence[ChatMessage]) -> int:
        self.calls.append(Call("count_prompt_tokens"))
        if self.script.count_error is not None:
            raise self.script.count_error
        return self.measure_prompt(messages).tokens

    def measure_prompt(self, messages: Sequence[ChatMessage]) -> PromptSize:
        """A token is a word. Everything but the last message is in the context."""
        self.calls.append(Call("measure_prompt"))
        if self.script.count_error is not None:
            raise self.script.count_error
        words = [len(m.content.split()) for m in messages]
        return PromptSize(sum(words), sum(words[:-1]))

    def close(self) -> None:
        self.calls.append(Call("close"))
        self.closed += 1
        self._loaded = None
        time.sleep(self.script.close_seconds)
        if self.script.close_error is not None:
            raise self.script.close_error

    # -- how it is made up ------------------------------------------------------------------------------

    def threads_of(self, name: str) -> set[int]:
        """The threads that `name` was called from."""
        return {call.thread for call in self.calls if call.name == name}

    def _reply(self, request: GenerateRequest, cancel: threading.Event) -> Iterator[Event]:
        script = self.script
        if self._loaded is None:
            raise EnvironmentProblem("No model is loaded.", code="no-model")
        if script.start_error is not None:
            raise script.start_error
        reply_id = request.reply_id
        stats = SpeculativeStats(prompt_tokens=script.prompt_tokens, reused_tokens=script.reused_tokens)
        seed = request.sampling.seed
        yield ReplyStarted(reply_id, script.prompt_tokens, script.reused_tokens, 7 if seed is None else seed)
        fresh = script.prompt_tokens - script.reused_tokens
        for slice_index in range(1, script.prefill_slices + 1):
            if cancel.is_set():
                break
            time.sleep(script.prefill_slice_seconds)
            if script.prefill_error is not None and slice_index == script.prefill_slices:
                raise script.prefill_error
            stats.prompt_seconds += 0.01
            done = fresh * slice_index // script.prefill_slices
            yield PrefillProgress(reply_id, done, fresh, stats.prompt_seconds)
        position, reason = script.prompt_tokens, script.finish_reason
        words = (script.words[i % len(script.words)] for i in count())
        for index in range(script.rounds):
            if cancel.is_set():
                reason = CANCELLED
                break
            time.sleep(script.silent_seconds if index == script.silent_at else script.round_seconds)
            if script.round_error is not None and index == script.round_error_at:
                raise script.round_error
            r = self._round(position, index)
            if request.max_tokens is not None:
                r = _cut(r, request.max_tokens - stats.generation_tokens)
                reason = LENGTH if stats.generation_tokens + len(r.tokens) >= request.max_tokens else reason
            made = [next(words) for _ in r.tokens]
            text, r = "".join(made), replace(r, chars=tuple(map(len, made)))
            position += len(r.tokens)
            stats.count(r)
            stats.request_ttft_seconds = stats.prompt_seconds + stats.first_token_seconds
            self.rounds_made += 1
            yield RoundDone(reply_id, r, text, stats.snapshot(), self.status(), position)
            if reason == LENGTH:
                break
        if cancel.is_set():
            reason = CANCELLED
        if script.end_error is not None:
            raise script.end_error
        if script.no_terminal:
            return
        yield ReplyDone(reply_id, reason, script.held_back, stats.snapshot(), position, script.withdrawn)
        for _ in range(script.trailing_events):
            yield RoundDone(
                reply_id, self._round(position, 0), "too late", stats.snapshot(), self.status(), position
            )

    def _round(self, position: int, index: int) -> Round:
        script, seconds = self.script, self.script.recorded_seconds
        if self.status().state != SPECULATING:
            timings = RoundTimings(decode=0.8 * seconds, sync=0.1 * seconds)
            return Round(ORDINARY, position, (100,), 0, chars=(1,), seconds=seconds, timings=timings)
        length = min(script.draft_length, self._limits[0])
        accepted = min(script.accepted[index % len(script.accepted)], length)
        drafted = tuple(range(200, 200 + length))
        rejected = drafted[accepted:]
        timings = RoundTimings(
            0.2 * seconds, 0.4 * seconds, 0.1 * seconds, 0.1 * seconds, 0.02 * seconds, 0.0
        )
        return Round(
            SPECULATIVE,
            position,
            (*drafted[:accepted], 100),
            accepted,
            drafted,
            length,
            rejected,
            NATIVE if rejected else NO_ROLLBACK,
            (1,) * (accepted + 1),
            seconds,
            timings,
            algorithm="DFlash2",
        )

    def _pair(self, request: LoadRequest) -> LoadedPair:
        return LoadedPair(
            target_path=request.target_path,
            target_name="Fake target",
            target_architecture="llama",
            target_quantisation="Q4_1",
            target_bytes=100_000_000,
            n_ctx=self.script.context_total,
            n_ctx_train=self.script.context_total,
            n_vocab=49152,
            n_threads=self.script.n_threads,
            draft_path=request.draft_path,
            draft_name="Fake sidecar" if request.draft_path else "",
            algorithm="DFlash2" if request.draft_path else "",
            block_size=8 if request.draft_path else 0,
            draft_n_max_limit=7 if request.draft_path else 0,
            rollback=NATIVE,
            backend="CPU",
        )


def _cut(r: Round, tokens: int) -> Round:
    """The round shortened to `tokens` delivered tokens, as a limit cuts a block."""
    if tokens >= len(r.tokens):
        return r
    return replace(r, tokens=r.tokens[:tokens], accepted=min(r.accepted, tokens), chars=r.chars[:tokens])
