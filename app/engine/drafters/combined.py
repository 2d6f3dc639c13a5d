"""Several algorithms, tried in order: the first that proposes wins the round.

All of them are told the committed text; only the winner hears how much was accepted. It is a drafter
itself, so the loop does not know that there are several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.engine.drafters.base import Drafter, DraftLimits


class Combined:
    """Owns its members. See `Drafter` for the protocol; `proposer` names the winner of the last round."""

    def __init__(self, members: Sequence[Drafter]) -> None:
        if not members:
            raise ValueError("a combination needs at least one drafter")
        if sum(member.needs_rows for member in members) > 1:
            raise ValueError("only one drafter can read the target's rows")
        self.members = tuple(members)
        self.name = " + ".join(member.name for member in members)
        self.kind = members[0].kind
        self.n_max_limit = max(member.n_max_limit for member in members)
        self.needs_rows = any(member.needs_rows for member in members)
        self.supports_p_min = any(member.supports_p_min for member in members)
        self._winner: Drafter | None = None

    @property
    def proposer(self) -> str:
        return self._winner.proposer if self._winner is not None else ""

    @property
    def chances(self) -> Sequence[float]:
        return self._winner.chances if self._winner is not None else ()

    @property
    def samples_on_backend(self) -> bool:
        """Whether the member with a model does."""
        return any(member.samples_on_backend for member in self.members)

    @property
    def known(self) -> int:
        """What the target need not decode again: the least of those that read its rows."""
        reading = [member for member in self.members if member.needs_rows]
        return min(member.known for member in reading or self.members)

    def attach(self, on: bool) -> None:
        """Only a member that reads rows has anything to switch."""
        for member in self.members:
            member.attach(on)

    def begin(self, committed: Sequence[int]) -> None:
        for member in self.members:
            member.begin(committed)

    def truncate(self, n: int) -> None:
        for member in self.members:
            member.truncate(n)

    def process(self, tokens: Sequence[int], start: int) -> None:
        for member in self.members:
            member.process(tokens, start)

    def defer(self, tokens: Sequence[int], start: int) -> None:
        for member in self.members:
            member.defer(tokens, start)

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        self._winner = None
        for member in self.members:
            proposal = member.draft(last, position, _limits_of(member, limits))
            if proposal:
                self._winner = member
                return proposal
        return []

    def accept(self, n_accepted: int) -> None:
        if self._winner is not None:
            self._winner.accept(n_accepted)

    def forget(self) -> None:
        for member in self.members:
            member.forget()

    def close(self) -> None:
        """The last first, as they were opened."""
        for member in reversed(self.members):
            member.close()


def _limits_of(member: Drafter, limits: DraftLimits) -> DraftLimits:
    n_max = limits.n_max
    if limits.model_n_max is not None and not member.kind.is_ngram():
        n_max = min(n_max, limits.model_n_max)
    return replace(
        limits,
        n_max=min(n_max, member.n_max_limit),
        p_min=limits.p_min if member.supports_p_min else 0.0,
    )
