"""One generation, and the pair of one ordinary and one speculative generation that are compared."""

from __future__ import annotations

from dataclasses import dataclass

from app.bench.measure import PairTimes
from app.core.rounds import Round, round_to_row, row_to_round


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


def as_recorded(rounds: list[Round]) -> tuple[Round, ...]:
    """The rounds as a file gives them back, so that figures and recount start from the same numbers."""
    return tuple(row_to_round(*round_to_row(r)) for r in rounds)  # type: ignore[arg-type]
