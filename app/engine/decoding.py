"""The speculative loop: draft, verify in one batch, accept what the target agrees with, roll back the rest.

A generator of events. It holds a target and, maybe, a drafter, and does not know which algorithm that
is, what a conversation is, or who listens. At every yield both caches are settled: stopping there, by
cancel or by closing the generator, leaves them fit for the next request.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from app.core.errors import EnvironmentProblem
from app.core.events import (
    CANCELLED,
    LENGTH,
    OFF,
    SPECULATING,
    STOP,
    SUSPENDED,
    UNAVAILABLE,
    Event,
    PrefillProgress,
    Problem,
    ReplyDone,
    ReplyStarted,
    RoundDone,
    SpeculationStatus,
)
from app.core.rounds import (
    NO_ROLLBACK,
    ORDINARY,
    SPECULATIVE,
    Round,
    RoundTimings,
    settle,
)
from app.core.rounds import SUSPENDED as SUSPENDED_ROUND
from app.core.stats import SpeculativeStats, recount_request
from app.core.wording import say
from app.engine.draft_length import DraftLength, FixedLength
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.sampling import Sampler
from app.engine.target import Target
from app.engine.text import TextStream

# A prefill slice should take about this long, so that a cancel is heard in time.
SLICE_SECONDS = 0.08
FIRST_SLICE = 32
# Tokens at the end of a prompt that open the reply; a reasoning model's are often other ones next time.
_TAIL = 16


@dataclass(slots=True)
class Control:
    """What other threads may change while the loop runs; it looks before each round."""

    on: bool
    limits: DraftLimits


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request in tokens. `max_tokens` None runs to the end of the context."""

    reply_id: str
    tokens: Sequence[int]
    max_tokens: int | None
    seed: int


class Decoder:
    """Generates replies, one at a time, on one target; keeps what it decoded for the next request."""

    def __init__(
        self,
        target: Target,
        drafter: Drafter | None,
        control: Control,
        unavailable: Problem | None = None,
        length: DraftLength | None = None,
    ) -> None:
        self.target = target
        self.drafter = drafter
        self.control = control
        self.length: DraftLength = length or FixedLength()
        self.stats = SpeculativeStats()
        self.rounds: list[Round] = []
        self._unavailable = unavailable
        self._on = False
        self._suspended = False
        self._chosen = control.limits.n_max
        self._slice = FIRST_SLICE
        self._status = SpeculationStatus()
        self._status_key: tuple[object, ...] = ()
        self._counts_before = replace(target.counts)

    def status(self) -> SpeculationStatus:
        """What speculation does now, or will do at the next round."""
        drafter, limits, length = self.drafter, self.control.limits, self.length
        chosen = self._chosen if length.automatic else limits.n_max
        key = (drafter, self.control.on, chosen, length, length.why, self._suspended)
        if key != self._status_key:
            self._status_key = key
            if drafter is None:
                state = UNAVAILABLE if self._unavailable else OFF
                self._status = SpeculationStatus(state, reason=self._unavailable)
            elif not self.control.on:
                self._status = SpeculationStatus(OFF, drafter.name, limits.n_max, length.automatic)
            else:
                state = SUSPENDED if self._suspended else SPECULATING
                self._status = SpeculationStatus(
                    state, drafter.name, chosen, length.automatic, self._why(length.why)
                )
        return self._status

    def _why(self, why: str) -> Problem | None:
        if not why:
            return None
        if self._suspended:
            return Problem(
                say("Drafting is suspended: this text does not pay."),
                why,
                say("It is tried again from time to time."),
            )
        return Problem(say("The draft length is chosen as the text goes."), why)

    def generate(
        self, prompt: Prompt, sampler: Sampler, stream: TextStream, cancel: threading.Event
    ) -> Generator[Event, None, None]:
        """One reply: ReplyStarted, PrefillProgress*, RoundDone*, ReplyDone.

        Raises EnvironmentProblem for an empty prompt, one that does not fit, or a failing backend.
        """
        began = perf_counter()
        self.stats, self.rounds = SpeculativeStats(prompt_tokens=len(prompt.tokens)), []
        self._counts_before = replace(self.target.counts)
        self._check(prompt)
        settled = False
        try:
            self._on = self.drafter is not None and self.control.on
            reused = self._reuse(prompt.tokens)
            self.stats.reused_tokens = reused
            yield ReplyStarted(prompt.reply_id, len(prompt.tokens), reused, prompt.seed)
            # The last prompt token is held back, so that the first round drafts already.
            yield from self._prefill(prompt, prompt.tokens[reused:-1], cancel, catch_up=False)
            self.stats.prompt_seconds = perf_counter() - began
            if not cancel.is_set():
                self._begin()
                self._start_sampler(sampler, prompt.tokens)
            finish, withdrawn = yield from self._rounds(prompt, sampler, stream, cancel, began)
            stream.finish()
            self.rounds = settle(self.rounds, 0, stream.n_chars)
            settled = True
            yield ReplyDone(
                prompt.reply_id,
                finish,
                stream.take(),
                self.stats.snapshot(),
                len(self.target.cached),
                withdrawn,
            )
        except GeneratorExit:
            settled = True
            raise
        finally:
            if not settled:
                self._recover()

    # --- before the first round ---------------------------------------------------------------------

    def _check(self, prompt: Prompt) -> None:
        if not prompt.tokens:
            raise EnvironmentProblem(
                say("The prompt is empty."), remedy=say("Write something first."), code="empty-prompt"
            )
        n_ctx = self.target.context.n_ctx
        if len(prompt.tokens) >= n_ctx:
            raise EnvironmentProblem(
                say("The conversation no longer fits into the context."),
                say(
                    "The prompt has {count} tokens and the context holds {n_ctx}.",
                    count=len(prompt.tokens),
                    n_ctx=n_ctx,
                ),
                say("Start a new chat, shorten the message, or choose a larger context."),
                code="context-full",
            )

    def _reuse(self, tokens: Sequence[int]) -> int:
        """Cut both caches to the longest common prefix that can be used; returns its length."""
        target, drafter = self.target, self.drafter
        keep = common_prefix(target.cached, tokens[:-1])
        if self._on and drafter is not None and drafter.needs_rows and target.can_cut(drafter.known):
            keep = min(keep, drafter.known)
        target.cut(keep)
        keep = len(target.cached)
        if drafter is not None:
            drafter.truncate(keep)
            self._start_at(drafter, keep)
            drafter.attach(self._on)
        return keep

    def _start_at(self, drafter: Drafter, n: int) -> None:
        """Where the target could not go back to what the draft knows, the draft begins anew here."""
        if self._on and drafter.needs_rows and drafter.known < n:
            drafter.truncate(0)

    def _begin(self) -> None:
        if self._on and self.drafter is not None:
            start = perf_counter()
            self.drafter.begin(self.target.cached)
            self.stats.begin_calls += 1
            self.stats.begin_seconds += perf_counter() - start

    def _start_sampler(self, sampler: Sampler, tokens: Sequence[int]) -> None:
        sampler.start(tokens)
        self.target.fresh_graph |= sampler.on_backend
        self.stats.backend_sampling_requested = sampler.on_backend or bool(sampler.host_reason)
        self.stats.backend_sampling_active = sampler.on_backend
        self.stats.backend_sampling_reason = sampler.host_reason

    def _prefill(
        self, prompt: Prompt, tokens: Sequence[int], cancel: threading.Event, catch_up: bool
    ) -> Iterator[Event]:
        """Decode `tokens` at the end of the cache in slices short enough to hear a cancel between them."""
        target, drafter = self.target, self.drafter
        limit = min(target.context.n_batch, target.context.n_ubatch)
        # What comes last in a prompt, where the reply begins, is often not in the next one.
        head = len(tokens) - _TAIL if target.keeps_states and not catch_up else 0
        began = perf_counter()
        done = 0
        while done < len(tokens) and not cancel.is_set():
            part = tokens[done : done + min(self._slice, limit, head - done if done < head else limit)]
            start, position = perf_counter(), len(target.cached)
            target.decode_quiet(part)
            target.fresh_graph = False
            if self._on and drafter is not None:
                self._timed_process(drafter.process, part, position)
            took = perf_counter() - start
            if len(part) >= FIRST_SLICE or took > SLICE_SECONDS:
                self._slice = max(8, int(len(part) * SLICE_SECONDS / took))
            done += len(part)
            if not catch_up:
                target.keep_state(done in (head, len(tokens)))
            yield PrefillProgress(prompt.reply_id, done, len(tokens), perf_counter() - began, catch_up)

    def _timed_process(
        self, process: Callable[[Sequence[int], int], None], tokens: Sequence[int], position: int
    ) -> float:
        start = perf_counter()
        process(tokens, position)
        self.stats.process_calls += 1
        return perf_counter() - start

    # --- switching ----------------------------------------------------------------------------------

    def _switch(self, prompt: Prompt, cancel: threading.Event) -> Iterator[Event]:
        """Follow the switch. On: the target goes back to what the draft knows and decodes the gap again;
        where it cannot go back, the draft begins anew."""
        drafter = self.drafter
        assert drafter is not None
        self._on = self.control.on
        drafter.attach(self._on)
        if not self._on:
            self._suspended = False
            return
        target = self.target
        gap: list[int] = []
        drafter.truncate(len(target.cached))
        if drafter.needs_rows and target.can_cut(drafter.known):
            gap = target.cached[drafter.known :]
            target.cut(drafter.known)
        self._start_at(drafter, len(target.cached))
        start = perf_counter()
        yield from self._prefill(prompt, gap, cancel, catch_up=True)
        self.stats.catch_up_tokens += len(gap)
        self.stats.catch_up_seconds += perf_counter() - start
        self._begin()

    # --- rounds -------------------------------------------------------------------------------------

    def _rounds(
        self,
        prompt: Prompt,
        sampler: Sampler,
        stream: TextStream,
        cancel: threading.Event,
        began: float,
    ) -> Generator[Event, None, tuple[str, int]]:
        """Rounds until the end; returns (finish reason, tokens withdrawn from earlier rounds)."""
        target, n_ctx = self.target, self.target.context.n_ctx
        remaining = prompt.max_tokens if prompt.max_tokens is not None else n_ctx
        last = prompt.tokens[-1]
        while True:
            if cancel.is_set():
                return CANCELLED, 0
            if self.drafter is not None and self._on != self.control.on:
                yield from self._switch(prompt, cancel)
                continue
            if remaining <= 0 or len(target.cached) >= n_ctx:
                return LENGTH, 0
            n_before = stream.n_tokens
            r, finish = self._round(last, sampler, stream, remaining)
            first = not self.rounds
            self.rounds.append(r)
            self.stats.count(r)
            target.counts.tell(self.stats, self._counts_before)
            self.length.observe(r)
            if first:
                self.stats.request_ttft_seconds = perf_counter() - began
            withdrawn = max(n_before - stream.n_delivered, 0) if stream.stopped else 0
            if withdrawn:
                self.rounds = settle(self.rounds, withdrawn, stream.n_chars)
                self.stats = recount_request(self.stats, self.rounds)
            yield RoundDone(
                prompt.reply_id, r, stream.take(), self.stats.snapshot(), self.status(), len(target.cached)
            )
            if finish:
                return finish, withdrawn
            remaining -= len(r.tokens)
            last = r.tokens[-1]

    def _round(self, last: int, sampler: Sampler, stream: TextStream, remaining: int) -> tuple[Round, str]:
        """One step; returns it and the finish reason, empty while the reply goes on."""
        target, drafter, stats = self.target, self.drafter, self.stats
        n = len(target.cached)
        t0 = perf_counter()

        draft: list[int] = []
        drafted: Sequence[int] = ()
        if self._on and drafter is not None:
            limits = self.control.limits
            wanted = self.length.choose(min(limits.n_max, drafter.n_max_limit), limits.n_min)
            self._suspended = wanted == 0
            self._chosen = wanted
            # Near the end of the context or the reply, and for shorter lengths than the trained block.
            room = min(target.context.n_ctx - n, target.rows_max, remaining) - 1
            if wanted > 0 and room > 0:
                most = min(wanted, room)
                drafted = drafter.draft(last, n, replace(limits, n_max=most, chances=self.length.automatic))
                stats.draft_calls += 1
                draft = list(drafted[:most])
                if drafter.chances:
                    draft = draft[: max(self.length.keep(drafter.chances), limits.n_min)]
        t1 = perf_counter()

        timed = not target.fresh_graph
        tokens = [last, *draft]
        target.prepare(len(draft))
        t_saved = perf_counter()
        target.decode_rows(tokens)
        target.fresh_graph = False
        t2 = perf_counter()
        target.context.synchronize()
        t3 = perf_counter()

        chosen = sampler.verify(target.context, draft, target.first_row)
        agreed = len(chosen) - 1
        delivered, finish = self._deliver(chosen, stream, remaining)
        accepted = min(agreed, delivered)
        rejected = draft[agreed:]
        t4 = perf_counter()

        committed = 1 + accepted
        rollback = NO_ROLLBACK
        if committed < len(tokens):
            rollback = target.roll_back(n + committed)
        t5 = perf_counter()

        if self._on and drafter is not None:
            take_in = drafter.defer if self._suspended else drafter.process
            self._timed_process(take_in, tokens[:committed], n)
            if draft:
                drafter.accept(accepted)
                stats.accept_calls += 1
        t6 = perf_counter()

        if finish:
            stream.finish()
        r = Round(
            mode=ORDINARY if not self._on else SUSPENDED_ROUND if self._suspended else SPECULATIVE,
            position=n,
            tokens=tuple(chosen[:delivered]),
            accepted=accepted,
            drafted=tuple(drafted),
            verified=len(draft),
            rejected=tuple(rejected),
            rollback=rollback if rejected else NO_ROLLBACK,
            chars=stream.chars(stream.n_delivered - delivered) if delivered else (),
            seconds=perf_counter() - t0,
            timings=RoundTimings(t1 - t0, t2 - t_saved, t3 - t2, t6 - t5, t4 - t3, t5 - t4 + t_saved - t1),
            timed=timed,
            algorithm=drafter.proposer if drafter is not None and drafted else "",
        )
        return r, finish

    def _deliver(self, chosen: Sequence[int], stream: TextStream, remaining: int) -> tuple[int, str]:
        """Settle everything that shortens the block; returns (tokens delivered, finish reason)."""
        model = self.target.model
        before = stream.n_tokens
        for i, token in enumerate(chosen):
            if model.is_eog(token):
                return i, STOP
            stream.push(model.piece(token))
            if stream.stopped:
                return max(stream.n_delivered - before, 0), STOP
            if i + 1 == remaining:
                return i + 1, LENGTH
        return len(chosen), ""

    def _recover(self) -> None:
        """After a failure in the middle of a decode: believe the memory, and let the draft start anew."""
        self.target.recover()
        if self.drafter is not None:
            self.drafter.truncate(0)

    def close(self) -> None:
        """Free order: the draft's context and model, then the target's."""
        if self.drafter is not None:
            self.drafter.close()
            self.drafter = None
        self.target.close()


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    n = min(len(a), len(b))
    for i in range(n):
        if a[i] != b[i]:
            return i
    return n
