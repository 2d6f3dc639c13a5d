"""What the finished pairs of a running benchmark come to so far: rates by category and by draft choice."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.bench import BenchProgress
from app.core.bench_values import DraftChoice
from app.core.stats import ratio


@dataclass(slots=True)
class Rates:
    """Timed tokens and seconds of both modes."""

    ordinary_tokens: int = 0
    ordinary_seconds: float = 0.0
    speculative_tokens: int = 0
    speculative_seconds: float = 0.0

    @property
    def ordinary(self) -> float | None:
        """Tokens per second."""
        return ratio(self.ordinary_tokens, self.ordinary_seconds)

    @property
    def speculative(self) -> float | None:
        return ratio(self.speculative_tokens, self.speculative_seconds)


@dataclass(slots=True)
class BenchTally:
    """`pairs` counts what has been added. A category without a name is not listed."""

    pairs: int = 0
    total: Rates = field(default_factory=Rates)
    categories: dict[str, Rates] = field(default_factory=dict)
    choices: dict[DraftChoice, Rates] = field(default_factory=dict)

    def add(self, progress: BenchProgress) -> None:
        """Account for the pair that a progress brings, if it does."""
        pair = progress.finished
        if pair is None:
            return
        self.pairs += 1
        rates = [self.total]
        if progress.category:
            rates.append(self.categories.setdefault(progress.category, Rates()))
        if progress.choice is not None:
            rates.append(self.choices.setdefault(progress.choice, Rates()))
        times = pair.times
        for r in rates:
            r.ordinary_tokens += times.ordinary_tokens
            r.ordinary_seconds += times.ordinary_seconds
            r.speculative_tokens += times.speculative_tokens
            r.speculative_seconds += times.speculative_seconds
