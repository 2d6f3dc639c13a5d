"""DRAFT_SIMPLE: a smaller model of the same vocabulary drafts token by token, greedily.

It has a context of its own, which follows the committed text: what it decoded while drafting stays if
it was committed, the rest is taken back. How that is done, by removal or by a checkpoint, was proven at
load. What it missed is read in slices, so that a reply goes on (undrafted) and can be stopped meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from app.core.rounds import NATIVE
from app.core.speculation import SpeculativeType
from app.engine.checkpoints import Checkpoint
from app.engine.drafters.base import DraftLimits, Unmoved
from app.engine.drafters.committed import CommittedText
from app.engine.drafters.top_tokens import TopTokens
from app.engine.handles import Batch, Context, Model
from app.engine.vocabulary import NO_TOKEN, Translation

_SLICE_SECONDS = 0.05
_FIRST_SLICE = 32
_SMALLEST_SLICE = 8
_WAITING = 16  # committed tokens that may wait for the next draft, to share its first decode


class DraftModel(Unmoved):
    """Owns the draft's model and context; see `Drafter` for the protocol.

    `rollback` is NATIVE or CHECKPOINT, as `prove_context` found. `n_max_limit` bounds proposals. The
    text may outgrow the draft's context: then nothing is proposed until it is shorter again.
    """

    kind = SpeculativeType.DRAFT_SIMPLE
    name = proposer = "Draft model"
    needs_rows = False
    supports_p_min = True

    def __init__(
        self,
        model: Model,
        context: Context,
        rollback: str,
        n_max_limit: int,
        translation: Translation | None = None,
        checkpoint_on_device: bool = False,
        on_backend: bool = False,
    ) -> None:
        self.n_max_limit = n_max_limit
        self.checkpoint = None if rollback == NATIVE else Checkpoint(context, checkpoint_on_device)
        self._model = model
        self._context = context
        self._best = TopTokens(context, on_backend)
        self.samples_on_backend = self._best.active
        self._translation = translation
        self._stand_in = max(model.eos, 0)
        self._text = CommittedText()  # in the draft's own tokens
        # Memory holds `_n` positions of the text and then what was decoded ahead of it: the token
        # sampled last and drafts. Something is ahead only while nothing of the text is missing.
        self._n = 0
        self._ahead: list[int] = []
        self._slice = _FIRST_SLICE
        self._batch = Batch(min(context.n_batch, context.n_ubatch))

    # --- following the text -------------------------------------------------------------------------

    @property
    def known(self) -> int:
        return self._n

    def begin(self, committed: Sequence[int]) -> None:
        """What is missing is read by the next drafts, a slice each."""
        tokens = self._own(committed)
        agreed = self._text.agrees_with(tokens)
        self.truncate(agreed)
        self._follow(tokens[agreed:])

    def truncate(self, n: int) -> None:
        if n == 0:
            # Also after a failure, when memory may hold anything.
            self._clear()
        elif n < self._n:
            self._go_back(n)
        self._text.cut(n)

    def process(self, tokens: Sequence[int], start: int) -> None:
        self.defer(tokens, start)
        # A prompt is read along with the target; a long gap is left to the drafts.
        behind = len(self._text) - self._n
        if behind <= max(2 * len(tokens), 4 * _WAITING):
            self._read(behind)

    def defer(self, tokens: Sequence[int], start: int) -> None:
        """After a gap (drafting was off) nothing is taken in until `begin` tells the whole text."""
        self.truncate(start)
        if start == len(self._text):
            self._follow(self._own(tokens))

    def _follow(self, tokens: list[int]) -> None:
        """Append to the text. Of what was decoded ahead, the part that agrees belongs to it now."""
        self._text.append(tokens)
        agreed = 0
        while agreed < min(len(tokens), len(self._ahead)) and tokens[agreed] == self._ahead[agreed]:
            agreed += 1
        self._n += agreed
        del self._ahead[:agreed]
        if self._ahead and agreed < len(tokens):
            self._go_back(self._n)

    def _read(self, limit: int) -> None:
        """Decode missing tokens, at most `limit`, until few enough are left to wait."""
        while limit > 0:
            n = min(len(self._text) - _WAITING - self._n, limit, self._batch.capacity)
            n = min(n, self._context.n_ctx - self._n)
            if n <= 0:
                return
            start = perf_counter()
            tokens = self._text.tokens[self._n : self._n + n].tolist()
            self._context.decode(self._batch.set_tokens(tokens, self._n, outputs=False))
            self._context.synchronize()
            self._n += n
            limit -= n
            if n >= _SMALLEST_SLICE:
                took = perf_counter() - start
                self._slice = max(_SMALLEST_SLICE, int(n * _SLICE_SECONDS / took))

    def _own(self, tokens: Sequence[int]) -> list[int]:
        """The target's tokens as the draft knows them; one it does not know becomes its end token."""
        if self._translation is None:
            return list(tokens)
        own = self._translation.to_draft[np.asarray(tokens, np.intp)]
        own[own == NO_TOKEN] = self._stand_in
        translated: list[int] = own.tolist()
        return translated

    # --- taking back --------------------------------------------------------------------------------

    def _go_back(self, n: int) -> None:
        """Keep at most the first `n` positions, as many as the memory can; nothing is ahead then."""
        self._ahead.clear()
        if self.checkpoint is None:
            if self._reaches_back(n) and self._context.remove(n):
                self._n = n
                return
        elif 0 < self.checkpoint.position <= n:
            self._n = self.checkpoint.restore()
            return
        self._clear()

    def _reaches_back(self, n: int) -> bool:
        """A windowed cache may have dropped what the tokens after position `n` attend to."""
        window = self._model.n_swa
        return window <= 0 or self._context.first_position() <= max(0, n - window)

    def _clear(self) -> None:
        self._context.clear()
        self._ahead.clear()
        self._n = 0
        if self.checkpoint is not None:
            self.checkpoint.drop()

    # --- drafting -----------------------------------------------------------------------------------

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        n_max = min(limits.n_max, self.n_max_limit, self._context.n_ctx - position)
        if position != len(self._text) or n_max < 1:
            return []
        if self._ahead:
            self._go_back(self._n)
        self._read(self._slice)
        missing: list[int] = self._text.tokens[self._n :].tolist()
        if len(missing) > _WAITING:
            return []
        # `last` will be committed whatever the target says, so the state after it is worth keeping.
        own_last = self._own([last])[0]
        self._decode([*missing, own_last], self._n)
        self._n = position
        self._ahead.append(own_last)
        proposal: list[int] = []
        while True:
            token = self._choose(limits.p_min)
            if token is None:
                break
            proposal.append(self._to_target(token))
            if len(proposal) == n_max:
                break
            if len(proposal) == 1 and self.checkpoint is not None:
                self.checkpoint.capture()
            self._decode([token], position + len(proposal))
            self._ahead.append(token)
        return proposal if len(proposal) >= limits.n_min else []

    def _decode(self, tokens: list[int], start: int) -> None:
        self._context.decode(self._batch.set_tokens(tokens, start, outputs=False).only_last())

    def _choose(self, p_min: float) -> int | None:
        """The most probable token of the last row; None if it is too improbable or not the target's."""
        token = self._best.read(1)[0]
        if p_min > 0.0 and self._best.chance(0, token) < p_min:
            return None
        return None if self._to_target(token) == NO_TOKEN else token

    def _to_target(self, token: int) -> int:
        return token if self._translation is None else int(self._translation.to_target[token])

    def close(self) -> None:
        """Free order: context, then model."""
        if self.checkpoint is not None:
            self.checkpoint.close()
        self._best.close()
        self._context.close()
        self._model.close()
