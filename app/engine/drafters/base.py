"""What the decoding loop asks of a drafter. The loop does not know which algorithm it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.core.speculation import SpeculativeType


@dataclass(slots=True)
class DraftLimits:
    """Length limits of a proposal; `n_max` is the effective one, already clamped to the trained block.

    `model_n_max` is the shorter limit of drafters with a model where n-grams are combined with one.
    `chances` asks for the drafter's own chances of its tokens.
    """

    n_max: int
    n_min: int = 0
    p_min: float = 0.0
    model_n_max: int | None = None
    chances: bool = False


class Unmoved:
    """What a drafter answers to whatever does not concern it."""

    chances: Sequence[float] = ()
    samples_on_backend = False

    def attach(self, on: bool) -> None:
        """Nothing is read from the target."""

    def begin(self, committed: Sequence[int]) -> None:
        """The committed rows say it all."""

    def accept(self, n_accepted: int) -> None:
        """There is nothing to learn from it."""

    def forget(self) -> None:
        """Nothing was learned."""

    def close(self) -> None:
        """Nothing native is held."""


class Drafter(Protocol):
    """Proposes tokens and follows the committed text.

    `known` counts the positions from 0 that its memory follows without a gap. A drafter without
    taps reports `needs_rows` False and is told tokens only. `proposer` is whose proposal the last one
    was: `name` itself, unless algorithms are combined. `chances` are the probabilities of acceptance
    that a trained confidence or transition score gives to each token of the last proposal, where asked
    for; empty when the algorithm has none.
    """

    name: str
    kind: SpeculativeType
    n_max_limit: int
    needs_rows: bool
    supports_p_min: bool

    @property
    def proposer(self) -> str: ...

    @property
    def chances(self) -> Sequence[float]: ...

    @property
    def samples_on_backend(self) -> bool:
        """Whether the backend finds its tokens."""

    @property
    def known(self) -> int: ...

    def attach(self, on: bool) -> None:
        """Switch what the target must extract for this drafter on or off."""

    def begin(self, committed: Sequence[int]) -> None:
        """A reply begins, or speculation was switched on: the committed tokens from position 0."""

    def truncate(self, n: int) -> None:
        """Forget everything at positions `n..`."""

    def process(self, tokens: Sequence[int], start: int) -> None:
        """Take in the committed `tokens` at `start..`: the first rows of the target's last decode."""

    def defer(self, tokens: Sequence[int], start: int) -> None:
        """As `process`, but the work may wait until the next draft (drafting is suspended)."""

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        """Up to `limits.n_max` tokens to follow `last`, which stands at `position`, not committed yet."""

    def accept(self, n_accepted: int) -> None:
        """How many tokens of the last proposal were committed."""

    def forget(self) -> None:
        """Forget what earlier replies taught; the committed text itself stays known."""

    def close(self) -> None: ...
