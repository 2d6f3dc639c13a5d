"""The pair in the native library, by the program's own engine: target rows, and a draft's raw outputs."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from draft import MASK_TOKEN, DraftConfig
from numpy.typing import NDArray
from paths import REPO, target_file
from target import TAPS, WIDTH

sys.path.insert(0, str(REPO))

from app.engine.drafters.dflash import DFLASH, DFLASH2, DSPARK, BlockDrafter, BlockFacts
from app.engine.handles import Batch, Context, Model, float_view
from app.engine.native import VOID, function
from app.engine.target import Target

VARIANTS = {"dflash": DFLASH, "dspark": DSPARK, "dflash2": DFLASH2}


class NativePair:
    """Target and sidecar with their outputs laid open; close it."""

    def __init__(self, sidecar: Path, config: DraftConfig, threads: int = 1, n_ctx: int = 1024) -> None:
        self.facts = BlockFacts(
            VARIANTS[config.kind],
            config.block,
            MASK_TOKEN,
            config.taps,
            config.causal,
            sample_from_anchor=False,
            has_confidence=config.kind == "dspark",
            selector_top_k=config.selector_top_k if config.kind == "dflash2" else 0,
        )
        shared = {
            "n_ctx": n_ctx,
            "n_batch": 512,
            "n_ubatch": 512,
            "n_threads": threads,
            "n_threads_batch": threads,
        }
        model = Model(str(target_file()))
        self._target = Target(model, Context(model, n_outputs_max=config.block, **shared), config.block)
        draft = Model(str(sidecar), what="sidecar")
        self._context = Context(draft, what="sidecar", ctx_other=self._target.context.handle, **shared)
        self._drafter = BlockDrafter(self.facts, self._target, draft, self._context)
        self._drafter.attach(True)
        self._nextn = function("llama_get_embeddings_nextn", VOID, VOID)
        self._inject = Batch(512, len(config.taps) * WIDTH)

    def target_rows(self, tokens: list[int]) -> NDArray[np.float32]:
        """Tap rows [s, 5, 576] of a sequence, decoded in one batch."""
        self._target.clear()
        self._target.decode_quiet(tokens)
        rows = [self._target.tap_rows(layer, len(tokens)).copy() for layer in TAPS]
        return np.stack(rows, 1)

    def block(
        self, rows: NDArray[np.float32], anchor: int, slots: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits [slots, vocabulary] and nextn rows [slots, 576] of a block after the given tap rows.

        DFlash2 flags no outputs in use; here all rows are flagged to see its logits as well.
        """
        context, n = self._context, len(rows)
        context.clear()
        for a in range(0, n, context.n_ubatch):
            part = rows[a : a + context.n_ubatch].reshape(-1, len(TAPS) * WIDTH)
            self._inject.rows[: len(part)] = part
            context.decode(self._inject.set(len(part), a, outputs=False))
        batch = Batch(slots).set(slots, n, outputs=True)
        batch.tokens[:] = self.facts.mask_token
        batch.tokens[0] = anchor
        context.decode(batch)
        logits = context.logits(slots).copy()
        if self.facts.variant == DFLASH:
            return logits, np.zeros((slots, WIDTH), np.float32)
        return logits, float_view(self._nextn(context.handle), slots, WIDTH).copy()

    def close(self) -> None:
        self._drafter.close()
        self._target.close()
