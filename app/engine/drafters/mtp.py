"""DRAFT_MTP: next-token heads, which a target carries behind its last layer or a file of its own holds.

A head is one layer that sees a token and the target's last state before it. One head foretells token
after token, fed with its own states; several trained heads foretell one token each, in a chain: head i
works on the whole draft so far and leaves its keys and values in a layer of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.core.speculation import SpeculativeType
from app.engine.drafters.paired import PairedDrafter
from app.engine.handles import Context, Floats, Model
from app.engine.native import I32, VOID, function
from app.engine.target import Target

MTP = "MTP"


class MtpDrafter(PairedDrafter):
    """`model` is the file of the heads, None when the target carries them. `n_heads` > 1 are chained."""

    def __init__(
        self,
        target: Target,
        context: Context,
        model: Model | None,
        n_heads: int,
        n_max_limit: int,
        on_backend: bool = False,
    ) -> None:
        width = target.model.n_embd_out
        limit = n_max_limit if n_heads == 1 else n_heads
        super().__init__(
            SpeculativeType.DRAFT_MTP, MTP, target, context, model, width, width, limit, on_backend
        )
        self.n_heads = n_heads
        self._select = function("llama_set_nextn_layer_offset", None, VOID, I32, quick=True)

    def attach(self, on: bool) -> None:
        self._target.set_nextn(on)

    def _read(self, out: Floats, rows: int, first: int) -> None:
        out[:] = self._target.nextn_rows(rows)[first : first + len(out)]

    def _hidden(self, n: int) -> Floats:
        return self._raw[:n]

    def _take_in(self, tokens: Sequence[int], position: int) -> None:
        """Every head has keys and values of its own for the same positions."""
        batch = self._pairs.set_tokens(tokens, position, outputs=False)
        for head in range(self.n_heads):
            self._use(head, position)
            self._context.decode(batch)

    def _use(self, head: int, position: int) -> None:
        """The decodes from here on are by `head`, which has to fill its layer from `position` on."""
        if self.n_heads > 1:
            if head:
                self._context.remove(position)
            self._select(self._context.handle, head)

    def _propose(self, last: int, position: int, n_max: int, p_min: float) -> list[int]:
        if self.n_heads == 1:
            return super()._propose(last, position, n_max, p_min)
        proposal: list[int] = []
        self._pairs.rows[0] = self._row(position - 1)
        for head in range(min(n_max, self.n_heads)):
            self._use(head, position)
            batch = self._pairs.set_tokens([last, *proposal], position, outputs=False).only_last()
            self._context.decode(batch)
            found = self._choose(p_min)
            if found is None:
                break
            proposal.append(found)
            self._pairs.rows[len(proposal)] = self._found_row()
        return proposal
