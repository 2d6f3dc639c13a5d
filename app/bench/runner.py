"""Runs a plan: one load, warm-up, then pairs of an ordinary and a speculative run, one after the other.

The ordinary runs are a fair baseline: no taps, no draft computed. Before its runs each prompt is read
once per mode; all runs then start from the same cached prompt, so equal text is to be expected.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

from app.bench.environment import environment, file_facts
from app.bench.figures import figures
from app.bench.plan import BenchPlan
from app.bench.result import BenchResult, FileFacts, Prefill
from app.bench.run import as_recorded
from app.bench.spelling import stage_of
from app.bench.sweep import draft_choices, recommend
from app.core.bench import BenchProgress
from app.core.bench_values import Divergence, DraftChoice, Figures, Pair, Point, Run
from app.core.conversation import USER, ChatMessage
from app.core.errors import Cancelled, EnvironmentProblem
from app.core.events import CANCELLED, STOP, Problem, ReplyDone, RoundDone
from app.core.rounds import ORDINARY, SPECULATIVE
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig
from app.core.wording import say
from app.engine import Llama
from app.engine.ties import explain, first_difference
from app.gguf.header import read_header
from app.gguf.kinds import classify

# How often a run in progress is reported.
REPORT_SECONDS = 0.25
WARMUP_PER_WIDTH = 16
# Of the progress, loading takes this.
LOAD_SHARE = 0.05


Report = Callable[[BenchProgress], None]


def run(
    plan: BenchPlan,
    report: Report | None = None,
    cancel: threading.Event | None = None,
    llm: Llama | None = None,
) -> BenchResult:
    """Measure `plan`, on `llm` if one is given (its state is put back), else on a pair loaded for it.

    Cancelling while it runs gives what was measured so far. Raises EnvironmentProblem when the pair
    cannot be loaded or a prompt does not fit, Cancelled when nothing was loaded yet.
    """
    report, cancel = report or _silent, cancel or threading.Event()
    if llm is not None:
        with _state_kept(llm):
            return _Session(plan, llm, report, cancel, 0.0).measure()
    began, sidecar_began, furthest = perf_counter(), 0.0, 0.0

    def loading(stage: str, fraction: float) -> None:
        nonlocal sidecar_began, furthest
        if "sidecar" in stage and not sidecar_began:
            sidecar_began = perf_counter()
        furthest = max(furthest, fraction)
        report(BenchProgress(stage, LOAD_SHARE * furthest))

    with load(plan, loading, cancel) as loaded:
        target_seconds = (sidecar_began or perf_counter()) - began
        return _Session(plan, loaded, report, cancel, target_seconds).measure()


def load(plan: BenchPlan, report: Callable[[str, float], None], cancel: threading.Event) -> Llama:
    """The pair of a plan. Raises EnvironmentProblem or Cancelled."""
    types, longest = plan.spec_types, _longest(plan)
    return Llama(
        plan.model_path,
        n_ctx=plan.n_ctx,
        n_batch=plan.n_batch,
        n_ubatch=plan.n_ubatch,
        n_gpu_layers=plan.n_gpu_layers,
        n_threads=plan.n_threads or None,
        ctx_checkpoints=0,
        speculative=SpecConfig(
            spec_type=types[0] if len(types) == 1 else types,
            draft_model_path=plan.draft_path or None,
            draft_n_max=longest,
            draft_n_min=min(plan.draft_n_min, longest),
            draft_p_min=plan.draft_p_min,
            draft_n_gpu_layers=plan.draft_n_gpu_layers,
            draft_backend_sampling=plan.backend_sampling,
        ),
        algorithm=plan.variant,
        automatic_length=plan.automatic_length,
        verbose=plan.verbose,
        report=report,
        cancel=cancel,
    )


def _longest(plan: BenchPlan) -> int:
    """The longest draft to load for: what is asked for, or with automatic length what a block allows."""
    if plan.automatic_length and plan.draft_path:
        block_size = classify(read_header(plan.draft_path)).block_size
        if block_size > 1:
            return block_size - 1
    return plan.longest


class _Stopped(Exception):
    """The user cancelled; what was measured is kept."""


class _Session:
    """One benchmark on one loaded pair."""

    def __init__(
        self, plan: BenchPlan, llm: Llama, report: Report, cancel: threading.Event, target_seconds: float
    ) -> None:
        self.plan = plan
        self.llm = llm
        self._report = report
        self._cancel = cancel
        self._target_seconds = target_seconds
        self._sampling = SamplingParams(temperature=plan.temperature, seed=plan.seed)
        self._created = time.time()
        self._prefills: list[Prefill] = []
        self._pairs: dict[DraftChoice, list[Pair]] = {}
        self._divergences: dict[DraftChoice, list[Divergence]] = {}
        self._warnings: list[str] = list(llm.pair.warnings)
        self._errors: list[Problem] = []
        self._runs_done = 0
        self._runs_planned = 1
        self._furthest = 0.0
        self._latest: tuple[str, DraftChoice | None] = ("", None)

    def measure(self) -> BenchResult:
        plan, llm = self.plan, self.llm
        prompts = self._tokenize()
        drafter = llm.decoder.drafter
        if drafter is None:
            raise EnvironmentProblem(
                say("There is nothing to compare: speculation is not available."),
                remedy=say("Choose a sidecar that fits the target."),
                code="no-drafter",
            )
        choices, warnings = draft_choices(plan, drafter.n_max_limit, drafter.supports_p_min)
        self._warnings += warnings
        choices = list(dict.fromkeys(self._effective(choice) for choice in choices))
        self._pairs = {choice: [] for choice in choices}
        self._divergences = {choice: [] for choice in choices}
        self._runs_planned = 2 * plan.runs * len(choices) * len(prompts) + 2
        cancelled = False
        try:
            self._warm_up(prompts[0], choices)
            for index, tokens in enumerate(prompts):
                self._read(index, tokens)
                for number in range(plan.runs):
                    for choice in choices:
                        self._pair(index, number, tokens, choice)
                self._compare(index, tokens)
        except _Stopped:
            cancelled = True
        except EnvironmentProblem as problem:
            self._errors.append(Problem.of(problem))
        return self._result(cancelled)

    def _tokenize(self) -> list[list[int]]:
        n_ctx = self.llm.pair.n_ctx
        prompts = [self.llm.chat_tokens([ChatMessage(USER, p.text)]) for p in self.plan.prompts]
        longest = max(map(len, prompts))
        if longest >= n_ctx:
            raise EnvironmentProblem(
                say(
                    "Prompt {n} has {tokens} tokens, but the context holds {n_ctx}.",
                    n=[*map(len, prompts)].index(longest) + 1,
                    tokens=longest,
                    n_ctx=n_ctx,
                ),
                remedy=say("Raise n_ctx or shorten the prompt."),
                code="context-full",
            )
        if longest + self.plan.max_tokens > n_ctx:
            self._warnings.append(
                say(
                    "Replies end at the end of the context ({n} tokens) before max_tokens is reached.",
                    n=n_ctx,
                )
            )
        return prompts

    # --- one step each ------------------------------------------------------------------------------

    def _warm_up(self, tokens: list[int], choices: list[DraftChoice]) -> None:
        """Both modes, so that no measured run pays for the first use of anything."""
        n = self.plan.warmup_tokens
        for mode in (ORDINARY, SPECULATIVE):
            if n:
                self._set_mode(mode, choices[0])
                self._generate(tokens, n, say("Warming up"), ignore_eos=True)
            self._runs_done += 1
        for choice in choices[1:]:
            if n:
                # Each width once; what is the same for all of them is warm.
                self._set_mode(SPECULATIVE, choice)
                self._generate(tokens, min(n, WARMUP_PER_WIDTH), say("Warming up"), ignore_eos=True)

    def _read(self, index: int, tokens: list[int]) -> None:
        """The prompt alone, from an empty cache, in both modes; the runs reuse what the second one leaves."""
        seconds = []
        for mode in (ORDINARY, SPECULATIVE):
            self.llm.reset()
            self._set_mode(mode, next(iter(self._pairs)))
            self._generate(tokens, 0, say("Reading the prompt"), self.plan.ignore_eos)
            seconds.append(self.llm.decoder.stats.prompt_seconds)
        self._prefills.append(Prefill(index, len(tokens), *seconds))

    def _pair(self, index: int, number: int, tokens: list[int], choice: DraftChoice) -> None:
        ordinary = self._run(ORDINARY, index, number, tokens, choice)
        speculative = self._run(SPECULATIVE, index, number, tokens, choice)
        pair = Pair(index, number, ordinary, speculative)
        self._pairs[choice].append(pair)
        category = self.plan.prompts[index].category
        stage, fraction = self._stage(index, number), self._fraction()
        self._report(BenchProgress(stage, fraction, SPECULATIVE, choice, 0.0, pair, category))

    def _run(self, mode: str, index: int, number: int, tokens: list[int], choice: DraftChoice) -> Run:
        self._set_mode(mode, choice)
        drafter = self.llm.decoder.drafter
        if drafter is not None:
            # Having written the same text in the run before would make any drafter look good.
            drafter.forget()
        finish = self._generate(
            tokens, self.plan.max_tokens, self._stage(index, number), self.plan.ignore_eos
        )
        self._runs_done += 1
        stats = self.llm.decoder.stats
        return Run(
            mode,
            finish,
            as_recorded(self.llm.last_rounds),
            stats.checkpoint_captures,
            stats.checkpoint_restores,
            stats.checkpoint_capture_seconds + stats.checkpoint_restore_seconds,
        )

    def _set_mode(self, mode: str, choice: DraftChoice) -> None:
        n_min = min(self.plan.draft_n_min, choice.n_max)
        self.llm.set_draft_limits(choice.n_max, n_min, choice.p_min, choice.automatic)
        self.llm.set_speculation(mode == SPECULATIVE)
        self._latest = (mode, choice)

    def _effective(self, choice: DraftChoice) -> DraftChoice:
        """What the engine makes of a choice: some drafters have a length of their own."""
        self._set_mode(ORDINARY, choice)
        return replace(choice, n_max=self.llm.effective_draft_n_max)

    def _generate(self, tokens: list[int], n: int, stage: str, ignore_eos: bool) -> str:
        """One reply; returns its finish reason. Raises _Stopped when the user cancelled."""
        mode, choice = self._latest
        finish, due = "", perf_counter()
        for event in self.llm.generate(tokens, self._sampling, n, (), ignore_eos, self._cancel):
            if isinstance(event, RoundDone) and perf_counter() >= due:
                stats = event.stats
                rate = stats.decode_tokens / stats.decode_seconds if stats.decode_seconds else 0.0
                done = stats.generation_tokens / n
                self._report(BenchProgress(stage, self._fraction(done), mode, choice, rate))
                due = perf_counter() + REPORT_SECONDS
            elif isinstance(event, ReplyDone):
                finish = event.finish_reason
        if finish == CANCELLED or self._cancel.is_set():
            raise _Stopped
        return finish

    def _compare(self, index: int, tokens: list[int]) -> None:
        """Say where the first differing pair of each choice parts; empties the cache if one does."""
        for choice, pairs in self._pairs.items():
            differing = next((p for p in pairs if p.prompt == index and not p.matches), None)
            if differing is not None:
                self._divergences[choice].append(self._explain(differing, tokens))

    def _explain(self, pair: Pair, prompt: list[int]) -> Divergence:
        ordinary, other = pair.ordinary.tokens, pair.speculative.tokens
        at = first_difference(ordinary, other)
        assert at is not None  # only differing pairs get here
        if self.plan.temperature > 0:
            return Divergence(pair.prompt, pair.number, at, None, None, None)
        shorter = pair.ordinary if len(ordinary) <= len(other) else pair.speculative
        may_end = shorter.finish_reason == STOP
        width = _width(pair.speculative, at)
        found = explain(self.llm.decoder.target, prompt, ordinary, other, width, may_end)
        if found is None or math.isinf(found.gap):
            return Divergence(pair.prompt, pair.number, at, None, None, False)
        return Divergence(pair.prompt, pair.number, at, found.gap, found.noise, found.is_tie)

    # --- progress -----------------------------------------------------------------------------------

    def _stage(self, index: int, number: int) -> str:
        return stage_of(index, len(self.plan.prompts), number, self.plan.runs)

    def _fraction(self, part: float = 0.0) -> float:
        done = LOAD_SHARE + (1 - LOAD_SHARE) * min((self._runs_done + part) / self._runs_planned, 1.0)
        # Warming up more widths than were planned for must not take anything back.
        self._furthest = max(self._furthest, done)
        return self._furthest

    # --- the result ---------------------------------------------------------------------------------

    def _result(self, cancelled: bool) -> BenchResult:
        points = [self._point(choice, pairs) for choice, pairs in self._pairs.items() if pairs]
        partial = cancelled or bool(self._errors)
        recommendation = recommend(points, partial) if self.plan.sweep else None
        self._warn_of_short_replies(points)
        files, cancelled_hash = self._files(cancelled)
        self._report(BenchProgress(say("Done"), 1.0))
        return BenchResult(
            created=self._created,
            plan=self.plan,
            pair=self.llm.pair,
            environment=environment(),
            files=files,
            target_load_seconds=self._target_seconds,
            load_seconds=self.llm.pair.load_seconds,
            prefills=tuple(self._prefills),
            points=tuple(points),
            shown=_shown(points),
            recommendation=recommendation,
            cancelled=cancelled or cancelled_hash,
            warnings=tuple(self._warnings),
            errors=tuple(self._errors),
        )

    def _point(self, choice: DraftChoice, pairs: list[Pair]) -> Point:
        categories: dict[str, list[Pair]] = {}
        for pair in pairs:
            categories.setdefault(self.plan.prompts[pair.prompt].category, []).append(pair)
        by_category: dict[str, Figures] = {}
        if len(categories) > 1:
            by_category = {name: figures(members) for name, members in categories.items()}
        return Point(choice, tuple(pairs), tuple(self._divergences[choice]), figures(pairs), by_category)

    def _warn_of_short_replies(self, points: list[Point]) -> None:
        unusable = {pair.prompt + 1 for point in points for pair in point.pairs if not pair.times.usable}
        if unusable:
            self._warnings.append(
                say(
                    "Prompt {numbers}: the reply is too short to be timed; it does not count in the speedup.",
                    numbers=", ".join(map(str, sorted(unusable))),
                )
            )

    def _files(self, cancelled: bool) -> tuple[tuple[FileFacts, ...], bool]:
        pair, hashed = self.llm.pair, self.plan.hash_files and not cancelled
        paths = [("target", pair.target_path), *((("draft", pair.draft_path),) if pair.draft_path else ())]
        if hashed:
            self._report(BenchProgress(say("Hashing the files"), 1.0))
        try:
            return tuple(file_facts(role, path, hashed, self._cancel) for role, path in paths), False
        except Cancelled:
            return tuple(file_facts(role, path, False, self._cancel) for role, path in paths), True


def _shown(points: list[Point]) -> int:
    """The point with the highest speedup; the first one when none has any."""
    ratios = [p.figures.speedup.ratio if p.figures.speedup else 0.0 for p in points]
    return max(range(len(ratios)), key=ratios.__getitem__, default=0)


def _width(run: Run, index: int) -> int:
    """The widest verification up to the one that delivered token `index`."""
    width, delivered = 1, 0
    for r in run.rounds:
        width = max(width, 1 + r.verified)
        delivered += len(r.tokens)
        if delivered > index:
            break
    return width


@contextmanager
def _state_kept(llm: Llama) -> Iterator[None]:
    """Puts switch, limits and length policy of a pair in use back as they were."""
    control, decoder = llm.control, llm.decoder
    on, limits, length = control.on, control.limits, decoder.length
    try:
        yield
    finally:
        control.on, control.limits, decoder.length = on, limits, length


def _silent(_progress: BenchProgress) -> None:
    """Nobody is watching."""
