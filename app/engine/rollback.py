"""Which rollback a memory allows, found out by trying it at load.

`seq_rm` has answered true without restoring recurrent state in some builds, so its word is not enough:
the same token must give the same logits after something else was decoded and removed in its place.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.core.rounds import CHECKPOINT, NATIVE
from app.engine.checkpoints import Checkpoint
from app.engine.handles import Batch, Context, Floats
from app.engine.target import Target

NONE = "none"

# Decoding a token again at another width moves logits by rounding only; a state that was not restored
# moves them by far more.
_RELATIVE_TOLERANCE = 0.02


def prove_rollback(target: Target) -> str:
    """NATIVE when removal restores the target's memory, else NONE. Leaves the cache empty."""
    target.clear()
    try:
        return NATIVE if restores(target.context, target.context.remove) else NONE
    finally:
        target.clear()


def prove_context(context: Context) -> str:
    """NATIVE when removal restores the memory, CHECKPOINT when a checkpoint does, else NONE.

    For any context with logits; its memory is empty afterwards.
    """
    if restores(context, context.remove):
        return NATIVE
    checkpoint = Checkpoint(context)

    def save() -> None:
        checkpoint.capture()

    def go_back(position: int) -> bool:
        return checkpoint.restore() == position

    try:
        return CHECKPOINT if restores(context, go_back, save) else NONE
    finally:
        checkpoint.close()


def restores(
    context: Context, go_back: Callable[[int], bool], save: Callable[[], None] | None = None
) -> bool:
    """Whether `go_back(n)` restores the state after n positions, at which `save` was called."""
    batch = Batch(1)
    vocab = context.n_vocab
    # Any valid ids do: the question is about memory, not about language.
    a, b, c, d, e = ((vocab // 2 + step) % vocab for step in (0, 1, 2, 3, 5))

    def decode(token: int, position: int) -> Floats:
        context.decode(batch.set_tokens([token], position, outputs=True))
        row: Floats = context.logits(1)[0]
        return row

    context.clear()
    try:
        decode(a, 0)
        decode(b, 1)
        if save is not None:
            save()
        wanted = decode(c, 2).copy()
        if not go_back(2):
            return False
        decode(d, 2)
        decode(e, 3)
        if not go_back(2):
            return False
        found = decode(c, 2)
        spread = float(np.ptp(wanted)) or 1.0
        return float(np.abs(found - wanted).max()) <= _RELATIVE_TOLERANCE * spread
    finally:
        context.clear()
