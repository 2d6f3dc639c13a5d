"""The figures of the live panel as raw numbers, and how they follow from recorded rounds.

It knows nothing of Qt, of formatting or of where the rounds come from: a reply that streams and a reply
read back from the disk go through the same code.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from app.core.rounds import Round
from app.core.speedup import Speedup
from app.core.stats import SpeculativeStats, ratio

NOW_SECONDS = 1.0
SAMPLE_SECONDS = 0.25
SAMPLES = 60


@dataclass(frozen=True, slots=True)
class PanelFigures:
    """Raw numbers of one reply; None where nothing is behind a figure. Seconds, tokens, fractions of 1.

    speedup                   ordinary seconds per token / speculative seconds per token, see `core.speedup`
    compared_ordinary, compared_speculative   tokens the speedup compares; 0 without a speedup
    compared_buckets          context positions (powers of two) the comparison was made in
    collected_ordinary, collected_speculative   tokens timed so far on these terms, in all buckets
    tokens_per_second_now     tokens / seconds of the last rounds that together took `NOW_SECONDS`
    tokens_per_second         generation tokens / generation seconds, prefill left out
    series                    tokens / seconds of consecutive stretches of `SAMPLE_SECONDS` of decoding,
                              oldest first; `series_modes[i]` is the mode most of its tokens came from
    acceptance                accepted / verified
    mean_accepted_length      1 + accepted / steps that drafted
    acceptance_by_position    steps that committed draft i / steps that drafted
    conditional_by_position   the same among the steps that got as far as draft i
    verification_steps, rollbacks, native_rollbacks, checkpoint_rollbacks   steps
    drafted, verified, accepted   draft tokens
    ttft_seconds              request to first token, prefill included
    prefill_tokens_per_second freshly read prompt tokens / prefill seconds
    prompt_tokens, reused_tokens   whole prompt; what of it was in the cache already
    draft_seconds             proposing
    verify_seconds            target decode + waiting for its results
    process_seconds           handing target features to the draft
    rollback_seconds          taking back what was rejected + sampling and accepting
    other_seconds             generation seconds - all of the above
    context_used, context_total   tokens in the target's cache; what it holds at most
    """

    speedup: float | None = None
    compared_ordinary: int = 0
    compared_speculative: int = 0
    compared_buckets: tuple[int, ...] = ()
    collected_ordinary: int = 0
    collected_speculative: int = 0
    tokens_per_second_now: float | None = None
    tokens_per_second: float | None = None
    series: tuple[float, ...] = ()
    series_modes: tuple[str, ...] = ()
    acceptance: float | None = None
    mean_accepted_length: float | None = None
    acceptance_by_position: tuple[float, ...] = ()
    conditional_by_position: tuple[float | None, ...] = ()
    verification_steps: int | None = None
    rollbacks: int | None = None
    native_rollbacks: int | None = None
    checkpoint_rollbacks: int | None = None
    drafted: int | None = None
    verified: int | None = None
    accepted: int | None = None
    ttft_seconds: float | None = None
    prefill_tokens_per_second: float | None = None
    prompt_tokens: int | None = None
    reused_tokens: int | None = None
    draft_seconds: float | None = None
    verify_seconds: float | None = None
    process_seconds: float | None = None
    rollback_seconds: float | None = None
    other_seconds: float | None = None
    context_used: int | None = None
    context_total: int | None = None


@dataclass(slots=True)
class Pace:
    """Speed over time, from rounds alone, so that a recount draws the same line as the live panel did."""

    _samples: deque[tuple[float, str]] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    _last: deque[tuple[int, float]] = field(default_factory=deque)
    _last_tokens: int = 0
    _last_seconds: float = 0.0
    _stretch_modes: dict[str, int] = field(default_factory=dict)
    _stretch_seconds: float = 0.0

    def add(self, r: Round) -> None:
        """The first decode after a switch (`timed` False) and rounds that took no time are left out."""
        if not r.timed or r.seconds <= 0:
            return
        tokens = len(r.tokens)
        self._last.append((tokens, r.seconds))
        self._last_tokens += tokens
        self._last_seconds += r.seconds
        while len(self._last) > 1 and self._last_seconds - self._last[0][1] >= NOW_SECONDS:
            old_tokens, old_seconds = self._last.popleft()
            self._last_tokens -= old_tokens
            self._last_seconds -= old_seconds
        self._stretch_modes[r.mode] = self._stretch_modes.get(r.mode, 0) + tokens
        self._stretch_seconds += r.seconds
        if self._stretch_seconds >= SAMPLE_SECONDS:
            tokens = sum(self._stretch_modes.values())
            mode = max(self._stretch_modes, key=lambda m: self._stretch_modes[m])
            self._samples.append((tokens / self._stretch_seconds, mode))
            self._stretch_modes, self._stretch_seconds = {}, 0.0

    def now(self) -> float | None:
        return ratio(self._last_tokens, self._last_seconds)

    def series(self) -> tuple[float, ...]:
        return tuple(value for value, _ in self._samples)

    def series_modes(self) -> tuple[str, ...]:
        return tuple(mode for _, mode in self._samples)


def figures_of(
    stats: SpeculativeStats,
    pace: Pace,
    *,
    running: bool,
    speedup: Speedup | None = None,
    collected: tuple[int, int] = (0, 0),
    context_used: int | None = None,
    context_total: int | None = None,
    prefilled: tuple[int, float] | None = None,
) -> PanelFigures:
    """The panel for one reply. `running` False leaves "now" empty: nothing is being made.

    `prefilled` (tokens, seconds) is how far the prompt has been read, while it is being read.
    """
    derived = stats.as_dict()
    verify = stats.target_decode_seconds + stats.target_sync_seconds
    rollback = stats.rollback_seconds + stats.accept_seconds
    read_tokens, read_seconds = prefilled or (
        stats.prompt_tokens - stats.reused_tokens,
        stats.prompt_seconds,
    )
    parts = stats.draft_seconds + verify + stats.process_seconds + rollback

    def drafted(value: int) -> int | None:
        """Counts of drafts mean something once one was drafted."""
        return value if stats.drafted else None

    def timed(seconds: float) -> float | None:
        return seconds if stats.generation_seconds > 0 else None

    return PanelFigures(
        speedup=speedup.ratio if speedup is not None else None,
        compared_ordinary=speedup.ordinary_tokens if speedup is not None else 0,
        compared_speculative=speedup.speculative_tokens if speedup is not None else 0,
        compared_buckets=speedup.buckets if speedup is not None else (),
        collected_ordinary=collected[0],
        collected_speculative=collected[1],
        tokens_per_second_now=pace.now() if running else None,
        tokens_per_second=ratio(stats.generation_tokens, stats.generation_seconds),
        series=pace.series(),
        series_modes=pace.series_modes(),
        acceptance=ratio(stats.accepted, stats.verified),
        mean_accepted_length=ratio(stats.drafting_steps + stats.accepted, stats.drafting_steps),
        acceptance_by_position=tuple(derived["acceptance_rate_per_position"]),  # type: ignore[arg-type]
        conditional_by_position=tuple(derived["conditional_acceptance_per_position"]),  # type: ignore[arg-type]
        verification_steps=drafted(stats.verification_steps),
        rollbacks=drafted(stats.rollbacks),
        native_rollbacks=drafted(stats.native_rollbacks),
        checkpoint_rollbacks=drafted(stats.checkpoint_rollbacks),
        drafted=drafted(stats.drafted),
        verified=drafted(stats.verified),
        accepted=drafted(stats.accepted),
        ttft_seconds=stats.request_ttft_seconds or None,
        prefill_tokens_per_second=ratio(read_tokens, read_seconds) or None,
        prompt_tokens=stats.prompt_tokens or None,
        reused_tokens=stats.reused_tokens if stats.prompt_tokens else None,
        draft_seconds=timed(stats.draft_seconds),
        verify_seconds=timed(verify),
        process_seconds=timed(stats.process_seconds),
        rollback_seconds=timed(rollback),
        other_seconds=timed(max(stats.generation_seconds - parts, 0.0)),
        context_used=context_used,
        context_total=context_total,
    )
