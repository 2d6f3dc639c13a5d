"""What all n-gram drafters share: they follow the committed text and propose from it, without a model.

A subclass keeps an index of the text; it is told what was added before it is asked, and what will be
cut off while that text is still there. Proposals are limited here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from app.core.speculation import SpeculativeType
from app.engine.drafters.base import DraftLimits, Unmoved
from app.engine.drafters.committed import CommittedText


class NgramDrafter(Unmoved, ABC):
    """See `Drafter`. `draft_p_min` means nothing here: a text has no probabilities."""

    needs_rows = False
    supports_p_min = False

    def __init__(self, kind: SpeculativeType, name: str, n_max_limit: int) -> None:
        self.kind = kind
        self.name = self.proposer = name
        self.n_max_limit = n_max_limit
        self._text = CommittedText()

    @property
    def known(self) -> int:
        return len(self._text)

    def begin(self, committed: Sequence[int]) -> None:
        agreed = self._text.agrees_with(committed)
        self.truncate(agreed)
        self._add(committed[agreed:])
        self._began()

    def truncate(self, n: int) -> None:
        if n < len(self._text):
            self._forget(n)
            self._text.cut(n)

    def process(self, tokens: Sequence[int], start: int) -> None:
        """After a gap (drafting was off) nothing is taken in until `begin` tells the whole text."""
        self.truncate(start)
        if start == len(self._text):
            self._add(tokens)

    def defer(self, tokens: Sequence[int], start: int) -> None:
        self.process(tokens, start)

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        if position != len(self._text):
            return []
        proposal = self._propose(last)[: limits.n_max]
        if len(proposal) < limits.n_min:
            proposal = []
        self._proposed(len(proposal))
        return proposal

    def _add(self, tokens: Sequence[int]) -> None:
        start = len(self._text)
        self._text.append(tokens)
        self._learn(start)

    # --- for subclasses -----------------------------------------------------------------------------

    @abstractmethod
    def _learn(self, start: int) -> None:
        """The text has grown from `start` on."""

    @abstractmethod
    def _forget(self, n: int) -> None:
        """The text will be cut to `n` tokens; it is still whole."""

    def _began(self) -> None:
        """A reply begins; the text is complete."""

    @abstractmethod
    def _propose(self, last: int) -> list[int]:
        """Tokens to follow the text and `last`, as many as the algorithm likes."""

    def _proposed(self, n: int) -> None:
        """How many tokens of the proposal were left after the limits."""
