"""How long the next draft should be. A policy sees the rounds and nothing else; 0 means "do not draft"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.core.rounds import SUSPENDED, Round
from app.core.wording import say


class DraftLength(Protocol):
    """`choose` before each round, `observe` after it. `why` is a sentence for the user, empty if obvious."""

    automatic: bool
    why: str

    def choose(self, n_max: int, n_min: int = 0) -> int:
        """Tokens to draft this round, `n_min` to `n_max`; 0 suspends drafting for the round."""

    def keep(self, chances: Sequence[float]) -> int:
        """How many tokens of a proposal to verify; `chances` are those that its drafter gives them."""

    def observe(self, r: Round) -> None: ...


class FixedLength:
    """Always as long as allowed: a number the user set is never second-guessed."""

    automatic = False
    why = ""

    def choose(self, n_max: int, n_min: int = 0) -> int:
        return max(n_max, n_min)

    def keep(self, chances: Sequence[float]) -> int:
        return len(chances)

    def observe(self, r: Round) -> None:
        """Nothing to learn."""


class CostModel:
    """Seconds of a verification by width, and of a draft; begun by a profile, kept current by rounds.

    `verify[w - 1]` is one decode of w rows; `draft` is everything that drafting adds to a round.
    """

    _LEARN = 0.15  # weight of a new observation at its own width
    _SHARED = 0.7  # share of it for all others: a longer context or a busier machine slows every width

    def __init__(self, verify: Sequence[float], draft: float) -> None:
        self.verify = list(verify)
        self.draft = draft

    def verify_seconds(self, length: int) -> float:
        """Expected time of a verification of `length` drafts."""
        return self.verify[min(length, len(self.verify) - 1)]

    def round_seconds(self, length: int) -> float:
        """Expected time of a round that drafts and verifies `length` tokens."""
        return self.verify_seconds(length) + (self.draft if length else 0.0)

    def observe(self, r: Round) -> None:
        if not r.timed or r.verified >= len(self.verify):
            return
        t = r.timings
        # A stutter of the machine says nothing about the next round.
        ratio = min(max((t.decode + t.sync) / self.verify[r.verified], 0.5), 2.0)
        for width in range(len(self.verify)):
            share = 1.0 if width == r.verified else self._SHARED
            self.verify[width] *= 1 + self._LEARN * share * (ratio - 1)
        if r.verified:
            extra = t.draft + t.process + t.rollback
            self.draft += self._LEARN * (min(max(extra, 0.5 * self.draft), 2.0 * self.draft) - self.draft)


class AutomaticLength:
    """Chooses the length with the most expected tokens per second, and none when drafts do not pay.

    Expected tokens of length k: `1 + sum_{i<k} prod_{j<=i} a_j`, with `a_j` the recent acceptance of
    draft j among the rounds that got as far. Long drafts are grown into: a copied passage ends without
    warning, and one draft of 48 tokens for nothing costs as much as twenty ordinary tokens. Trying things
    out is paid from a budget: what drafting has lost against ordinary decoding may never exceed a small
    share of the time spent, so a text that does not pay costs next to nothing, and a gain once made may
    be spent on probing again. Where the drafter gives its tokens chances of its own, a proposal is cut
    where a further token is not worth its share of the verification.
    """

    automatic = True

    _BUDGET = 0.008  # share of generation time that probing may lose
    _ALLOWANCE = 0.02  # seconds that may be lost before any time has passed
    _MARGIN = 1.02  # drafting must look this much better than not drafting
    _LEARN_SHARE = 0.05  # weight of one round in how often the drafter proposes anything
    _FORGET = 0.97  # per round that drafted
    _REACH = 8  # drafts this long need no success before them
    _TRUST = 4.0  # accepted drafts' worth of belief that a drafter's own chances are right
    _PRIOR = 0.6, 2.0  # acceptance assumed of the first draft, and the weight of such assumptions

    def __init__(self, costs: CostModel) -> None:
        self.costs = costs
        self.why = ""
        self._hits: list[float] = []
        self._tries: list[float] = []
        self._proposing = 1.0
        self._reach = self._REACH
        self._worth = 0.0  # tokens per second that the time of a round must bring
        self._chances: Sequence[float] = ()
        self._promised = self._kept = self._TRUST
        self._lost = 0.0
        self._spent = 0.0

    def expected_tokens(self, n_max: int) -> list[float]:
        """Expected tokens of a round by draft length 1..n_max.

        A position is assumed to be accepted as often as the one before it, until rounds say otherwise:
        longer drafts are tried while shorter ones do well.
        """
        mean, weight = self._PRIOR
        out = []
        total = survival = 1.0
        for i in range(n_max):
            if i < len(self._tries):
                mean = (self._hits[i] + mean * weight) / (self._tries[i] + weight)
            survival *= mean
            total += survival
            out.append(total)
        return out

    def choose(self, n_max: int, n_min: int = 0) -> int:
        costs = self.costs
        n_max = min(n_max, max(self._reach, n_min))
        lengths = range(max(n_min, 1), n_max + 1)
        if not lengths:
            return 0
        ordinary = 1.0 / costs.round_seconds(0)
        tokens = self.expected_tokens(n_max)
        share = self._proposing

        def rate(k: int) -> float:
            # A drafter may have nothing to say: then the draft was made for one ordinary token.
            verify = share * costs.verify_seconds(k) + (1 - share) * costs.verify_seconds(0)
            return (share * tokens[k - 1] + 1 - share) / (verify + costs.draft)

        best = max(lengths, key=rate)
        self._worth = max(ordinary, rate(best))
        self._chances = ()
        if rate(best) >= ordinary * self._MARGIN:
            self.why = say(
                "Drafts of {best} promise {rate} tok/s against {ordinary} without.",
                best=best,
                rate=f"{rate(best):.0f}",
                ordinary=f"{ordinary:.0f}",
            )
            return best
        self.why = say(
            "Drafts promise at most {rate} tok/s against {ordinary} without.",
            rate=f"{rate(best):.0f}",
            ordinary=f"{ordinary:.0f}",
        )
        if self._can_pay(n_max, ordinary) and self._can_afford(best):
            return best
        return 0

    def keep(self, chances: Sequence[float]) -> int:
        self._chances = chances
        trust = self._kept / self._promised
        survival, gain, most, best = 1.0, 0.0, 0.0, 0
        for k, chance in enumerate(chances, start=1):
            survival *= min(chance * trust, 1.0)
            gain += survival
            value = gain - self._worth * (self.costs.verify_seconds(k) - self.costs.verify_seconds(0))
            if value > most:
                best, most = k, value
        return best

    def observe(self, r: Round) -> None:
        self.costs.observe(r)
        self._spent += r.seconds
        tried = r.verified > 0 or r.timings.draft > 0
        if not tried or r.mode == SUSPENDED:
            return
        if r.timed:
            self._lost += r.seconds - len(r.tokens) * self.costs.round_seconds(0)
            # A long run of gains must not pay for an equally long run of losses.
            self._lost = max(self._lost, -self._ALLOWANCE - self._BUDGET * self._spent)
        self._proposing += self._LEARN_SHARE * ((r.verified > 0) - self._proposing)
        if not r.verified or (r.accepted < r.verified and not r.rejected):
            return  # nothing proposed, or cut by a stop: what the target would have said is not known
        self._reach = max(self._REACH, 2 * r.accepted)
        while len(self._tries) < r.verified:
            self._tries.append(0.0)
            self._hits.append(0.0)
        # Kept and promised are compared over the drafts that the target judged.
        judged = self._chances[: min(r.accepted + 1, r.verified)]
        if judged:
            self._promised = self._FORGET * self._promised + sum(judged)
            self._kept = self._FORGET * self._kept + r.accepted
        for i in range(r.verified):
            self._tries[i] *= self._FORGET
            self._hits[i] *= self._FORGET
            if r.accepted >= i:
                self._tries[i] += 1.0
                self._hits[i] += r.accepted > i

    def _can_pay(self, n_max: int, ordinary: float) -> bool:
        """Whether drafts could be worth it on this machine if every one were accepted."""
        return any((k + 1) / self.costs.round_seconds(k) > ordinary for k in range(1, n_max + 1))

    def _can_afford(self, length: int) -> bool:
        """Whether a probe that gains nothing stays within the budget."""
        risk = self.costs.round_seconds(length) - self.costs.round_seconds(0)
        return self._lost + risk <= self._ALLOWANCE + self._BUDGET * self._spent
