"""DFlash, DSpark and DFlash2: a block drafter that reads the target's inner layers.

The draft's cache holds K/V injected from the target's tap rows, one position per committed token. A
draft is one decode of `[last, MASK, ...]` at a fixed width, whose rows never stay. Which of the three
it is comes from the file's header; the layouts are those of the native project's speculative code.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.speculation import SpeculativeType
from app.engine.drafters.base import DraftLimits, Unmoved
from app.engine.drafters.top_tokens import TopTokens
from app.engine.handles import Batch, Context, Model, float_view
from app.engine.native import BOOL, VOID, function
from app.engine.target import Target

DFLASH = "DFlash"
DFLASH2 = "DFlash2"
DSPARK = "DSpark"


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """What the sidecar's header says. `taps` are target layers whose input is read, in file order."""

    variant: str
    block_size: int
    mask_token: int
    taps: tuple[int, ...]
    causal: bool = False
    sample_from_anchor: bool = True
    has_confidence: bool = False
    selector_top_k: int = 0
    mrope: bool = False

    @property
    def anchor_first(self) -> bool:
        """Slot i proposes draft i + 1, so a draft of k tokens needs k slots."""
        return self.variant == DSPARK and self.sample_from_anchor

    @property
    def n_max_limit(self) -> int:
        """The longest draft of the trained block."""
        return self.block_size if self.anchor_first else self.block_size - 1


class BlockDrafter(Unmoved):
    """Owns the draft's model and context; see `Drafter` for the protocol."""

    needs_rows = True

    def __init__(
        self, facts: BlockFacts, target: Target, model: Model, context: Context, on_backend: bool = False
    ) -> None:
        """`on_backend` asks for the best token of each row from the backend; DFlash2 has no such rows."""
        self.facts = facts
        self.name = self.proposer = facts.variant
        self.kind = SpeculativeType.DRAFT_DSPARK if facts.variant == DSPARK else SpeculativeType.DRAFT_DFLASH
        self.n_max_limit = facts.n_max_limit
        self.supports_p_min = facts.variant != DSPARK or facts.has_confidence
        self.chances: Sequence[float] = ()
        self._target = target
        self._model = model
        self._context = context
        self._set_nextn = function("llama_set_embeddings_nextn", None, VOID, BOOL, BOOL)
        self._nextn = function("llama_get_embeddings_nextn", VOID, VOID)
        self._set_nextn(context.handle, True, facts.variant != DFLASH2)
        context.set_causal(facts.causal)
        self._best = TopTokens(context, on_backend and facts.variant != DFLASH2)
        self.samples_on_backend = self._best.active
        self._block = Batch(facts.block_size)
        self._inject = Batch(context.n_ubatch, len(facts.taps) * model.n_embd, 4 if facts.mrope else 1)
        self._pending = 0  # rows gathered, not injected yet
        self._pending_start = 0
        self._injected = 0

    @property
    def known(self) -> int:
        return self._injected + self._pending

    def attach(self, on: bool) -> None:
        self._target.set_taps(self.facts.taps if on else ())

    def truncate(self, n: int) -> None:
        if n >= self.known:
            return
        self._pending = max(min(self._pending, n - self._pending_start), 0)
        if n < self._injected:
            self._pending = 0
            # Full attention without a gap: forgetting a part always works here.
            if n == 0 or not self._context.remove(n):
                self._context.clear()
                n = 0
            self._injected = n

    def process(self, tokens: Sequence[int], start: int) -> None:
        self.defer(tokens, start)
        self._flush()

    def defer(self, tokens: Sequence[int], start: int) -> None:
        if start != self.known:
            # The target could not be cut back: begin anew at the current position.
            self._context.clear()
            self._pending = 0
            self._injected = start
        rows, width = len(tokens), self._model.n_embd
        done = 0
        while done < rows:
            if self._pending == self._inject.capacity:
                self._flush()
            if self._pending == 0:
                self._pending_start = start + done
            take = min(rows - done, self._inject.capacity - self._pending)
            out = self._inject.rows[self._pending : self._pending + take]
            for k, layer in enumerate(self.facts.taps):
                out[:, k * width : (k + 1) * width] = self._target.tap_rows(layer, rows)[done : done + take]
            self._pending += take
            done += take

    def _flush(self) -> None:
        if self._pending:
            self._context.decode(self._inject.set(self._pending, self._pending_start, outputs=False))
            self._injected = self._pending_start + self._pending
            self._pending = 0

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        self._flush()
        width = min(limits.n_max, self.n_max_limit) + (0 if self.facts.anchor_first else 1)
        batch = self._block.set(width, position, outputs=self.facts.variant != DFLASH2)
        batch.tokens[:width] = self.facts.mask_token
        batch.tokens[0] = last
        self._context.decode(batch)
        self.chances = ()
        if self.facts.variant == DFLASH2:
            proposal = self._walk(width, limits)
        elif self.facts.variant == DSPARK:
            proposal = self._read_dspark(width, limits)
        else:
            proposal = self._read_dflash(width, limits.p_min)
        self._context.remove(position)
        return proposal if len(proposal) >= limits.n_min else []

    def _read_dflash(self, width: int, p_min: float) -> list[int]:
        """Slot i >= 1 proposes draft i; ends where the best token's probability is below `p_min`."""
        best = self._best.read(width)[1:]
        if p_min > 0.0:
            for i, token in enumerate(best):
                if self._best.chance(i + 1, token) < p_min:
                    return best[:i]
        return best

    def _read_dspark(self, width: int, limits: DraftLimits) -> list[int]:
        """Logits carry the Markov bias already; the confidence of a slot fills its nextn row."""
        first = 0 if self.facts.sample_from_anchor else 1
        best = self._best.read(width)[first:]
        if limits.p_min > 0.0 or (limits.chances and self.facts.has_confidence):
            rows = float_view(self._nextn(self._context.handle), width, self._model.n_embd)
            confidence: list[float] = rows[first:, 0].tolist()
            low = (i for i, value in enumerate(confidence) if value < limits.p_min)
            kept = next(low, len(best))
            self.chances = confidence[:kept]
            return best[:kept]
        return best

    def _walk(self, width: int, limits: DraftLimits) -> list[int]:
        """Nextn row i >= 1: `[K candidate ids | K x K scores, predecessor-major]`; walk greedily from 0."""
        self._context.synchronize()
        k = self.facts.selector_top_k
        view = float_view(self._nextn(self._context.handle), width, self._model.n_embd)
        rows: list[list[float]] = view[1:, : k + k * k].tolist()
        proposal: list[int] = []
        chances: list[float] = []
        chosen = 0
        for row in rows:
            scores = row[k + chosen * k : k + (chosen + 1) * k]
            best = max(scores)
            chosen = scores.index(best)
            if limits.chances or limits.p_min > 0.0:
                chance = 1.0 / sum(math.exp(score - best) for score in scores)
                if chance < limits.p_min:
                    break
                chances.append(chance)
            proposal.append(int(row[chosen]))
        self.chances = chances
        return proposal

    def close(self) -> None:
        """Free order: context, then model; the target outlives both."""
        self._best.close()
        self._context.close()
        self._model.close()
