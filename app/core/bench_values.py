"""What a benchmark measures and derives, as picklable values: engine, window and files speak of these.

The figures are computed in `app.bench`; nothing here measures or counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.rounds import Round

# Smaller differences are not worth a claim, however often they were measured.
MIN_EFFECT = 0.01

FASTER = "faster"
SLOWER = "slower"
WITHIN_NOISE = "within noise"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DraftChoice:
    """One way to draft. `automatic`: the engine chooses each round's length, up to `n_max`."""

    n_max: int
    p_min: float = 0.0
    automatic: bool = False

    @property
    def label(self) -> str:
        length = "auto" if self.automatic else str(self.n_max)
        return f"{length}, p_min {self.p_min:g}" if self.p_min else length


@dataclass(frozen=True, slots=True)
class Run:
    """`rounds` are as they are recorded: times in whole microseconds. Checkpoint figures are the engine's."""

    mode: str
    finish_reason: str
    rounds: tuple[Round, ...]
    checkpoint_captures: int = 0
    checkpoint_restores: int = 0
    checkpoint_seconds: float = 0.0

    @property
    def tokens(self) -> list[int]:
        return [t for r in self.rounds for t in r.tokens]

    @property
    def timed_tokens(self) -> int:
        return sum(len(r.tokens) for r in self.rounds if r.timed)

    @property
    def timed_seconds(self) -> float:
        return sum(r.seconds for r in self.rounds if r.timed)


@dataclass(frozen=True, slots=True)
class Pair:
    """Pass `number` (from 0) of prompt `prompt` (an index into the plan's prompts)."""

    prompt: int
    number: int
    ordinary: Run
    speculative: Run

    @property
    def times(self) -> PairTimes:
        return PairTimes(
            self.ordinary.timed_tokens,
            self.ordinary.timed_seconds,
            self.speculative.timed_tokens,
            self.speculative.timed_seconds,
        )

    @property
    def matches(self) -> bool:
        """Whether both modes delivered the same tokens."""
        return self.ordinary.tokens == self.speculative.tokens


@dataclass(frozen=True, slots=True)
class PairTimes:
    """Timed tokens and seconds of an ordinary run and of the speculative run after it."""

    ordinary_tokens: int
    ordinary_seconds: float
    speculative_tokens: int
    speculative_seconds: float

    @property
    def usable(self) -> bool:
        """Whether both runs gave a rate."""
        return min(self.ordinary_tokens, self.speculative_tokens) > 0 and (
            min(self.ordinary_seconds, self.speculative_seconds) > 0
        )

    @property
    def ratio(self) -> float:
        """Speculative over ordinary throughput."""
        return (self.speculative_tokens / self.speculative_seconds) / (
            self.ordinary_tokens / self.ordinary_seconds
        )


@dataclass(frozen=True, slots=True)
class Speedup:
    """Median ratio of the passes, above 1 when speculation is faster; `low..high` holds a repeat's median.

    `low` and `high` are None when there are too few pairs to tell. `over_prompts`: there was one pair
    per prompt, so the interval is about prompts like these, not about a repeat with the same ones.
    """

    ratio: float
    low: float | None
    high: float | None
    pairs: int
    over_prompts: bool = False

    @property
    def verdict(self) -> str:
        if self.low is None or self.high is None:
            return UNKNOWN
        if self.low > 1.0 and self.ratio >= 1.0 + MIN_EFFECT:
            return FASTER
        if self.high < 1.0 and self.ratio <= 1.0 - MIN_EFFECT:
            return SLOWER
        return WITHIN_NOISE


@dataclass(frozen=True, slots=True)
class PassFigures:
    """One pass over all prompts in one mode. `tokens` and `seconds` leave out rounds that are not timed."""

    number: int
    generated: int
    tokens: int
    seconds: float
    tokens_per_second: float | None


@dataclass(frozen=True, slots=True)
class ModeFigures:
    """Throughput of one mode; `spread` is (highest - lowest) / median of the passes."""

    passes: tuple[PassFigures, ...]
    tokens: int
    seconds: float
    aggregate: float | None
    median: float | None
    lowest: float | None
    highest: float | None
    spread: float | None
    deterministic: bool | None


@dataclass(frozen=True, slots=True)
class DraftFigures:
    """Counts of the speculative runs, and seconds by phase (`decode` includes waiting for the device).

    `loop_free_length` is the mean accepted length without what follows a loop (see `loops`);
    `left_out` counts the tokens that this leaves out.
    """

    drafted: int
    verified: int
    steps: int
    drafting_steps: int
    suspended_steps: int
    accepted: int
    acceptance_rate: float | None
    by_position: tuple[float, ...]
    mean_accepted_length: float | None
    loop_free_length: float | None
    left_out: int
    rollbacks: int
    native_rollbacks: int
    checkpoint_rollbacks: int
    decode_seconds: float
    draft_seconds: float
    process_seconds: float
    accept_seconds: float
    rollback_seconds: float
    other_seconds: float
    checkpoint_captures: int
    checkpoint_restores: int
    checkpoint_seconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """`pairs` counts those compared; `prompts` the prompts with timed tokens in both modes.

    `throughput_change` is the aggregate of all speculative over that of all ordinary runs, minus 1.
    """

    pairs: int
    prompts: int
    matching_pairs: int
    ordinary: ModeFigures
    speculative: ModeFigures
    draft: DraftFigures
    speedup: Speedup | None
    throughput_change: float | None


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where the first differing pair of a prompt parts.

    `gap` and `noise` are logits; None when the texts were sampled, where closeness of logits proves
    nothing. `tie` None then.
    """

    prompt: int
    number: int
    index: int
    gap: float | None
    noise: float | None
    tie: bool | None


@dataclass(frozen=True, slots=True)
class Point:
    """All pairs of one draft choice, with the figures of all prompts and by category."""

    choice: DraftChoice
    pairs: tuple[Pair, ...]
    divergences: tuple[Divergence, ...]
    figures: Figures
    categories: dict[str, Figures] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The draft length to use, 0 for ordinary decoding. `chance`: how likely it is the fastest.

    `chance` is None when there are too few pairs to tell; `partial`: the sweep was stopped early.
    """

    length: int
    p_min: float
    speedup: float
    chance: float | None
    partial: bool = False

    @property
    def certainty(self) -> str:
        """In a word: sure, likely, open, or unknown."""
        if self.chance is None:
            return "unknown"
        return "sure" if self.chance >= 0.95 else "likely" if self.chance >= 0.7 else "open"


Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rows:
    """Label and value, one per line."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Section = Rows | Table
