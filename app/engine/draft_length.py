"""How long the next draft should be. A policy sees the rounds and nothing else; 0 means "do not draft"."""

from __future__ import annotations

from typing import Protocol

from app.core.rounds import Round


class DraftLength(Protocol):
    """`choose` before each round, `observe` after it."""

    automatic: bool

    def choose(self, n_max: int) -> int:
        """Tokens to draft this round, at most `n_max`; 0 suspends drafting for the round."""

    def observe(self, r: Round) -> None: ...


class FixedLength:
    """Always as long as allowed: a number the user set is never second-guessed."""

    automatic = False

    def choose(self, n_max: int) -> int:
        return n_max

    def observe(self, r: Round) -> None:
        """Nothing to learn."""
