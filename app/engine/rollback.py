"""Which rollback a memory allows, found out by trying it at load.

`seq_rm` has answered true without restoring recurrent state in some builds, so its word is not enough:
the same tokens must give the same logits after something else was decoded and removed in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from app.core.errors import Bug
from app.core.rounds import CHECKPOINT, NATIVE
from app.engine.checkpoints import Checkpoint
from app.engine.handles import Batch, Context, Floats
from app.engine.target import NONE, SNAPSHOTS, Target

# Decoding a token again at another width moves logits by rounding only; a state that was not restored
# moves them by far more.
_RELATIVE_TOLERANCE = 0.02


# Drafts whose removal is tried where the memory does not say how much it can take back.
_TRIED = 4


def prove_rollback(target: Target) -> str:
    """Set and return how the target takes back drafts; leaves the cache empty.

    NATIVE when removal restores its memory, SNAPSHOTS when that holds for so many drafts as the memory
    keeps states of, CHECKPOINT when a saved state does, else NONE.
    """
    snapshots = target.context.n_rs_seq
    for way in (SNAPSHOTS if snapshots else NATIVE, CHECKPOINT):
        target.rollback = way
        longest = min(snapshots if way == SNAPSHOTS else _TRIED, target.rows_max - 1)
        # All rejected, one accepted; and longer than what the memory keeps.
        tries = [(1, 0), (longest, 0), (longest, 1)]
        if snapshots < target.rows_max - 1:
            tries.append((snapshots + 1, 0))
        if _takes_back(target, tries):
            return way
    target.rollback = NONE
    return NONE


def _takes_back(target: Target, tries: Sequence[tuple[int, int]]) -> bool:
    """Whether each round of (drafts, accepted) leaves the memory as if nothing had been rejected."""
    vocab = target.model.n_vocab

    def token(i: int) -> int:
        # Any valid ids do: the question is about memory, not about language.
        return (vocab // 2 + i) % vocab

    def first_row(tokens: list[int]) -> Floats:
        target.decode_rows(tokens)
        row: Floats = target.context.logits(1)[0].copy()
        return row

    target.clear()
    try:
        found = []
        for drafts, accepted in (*tries, (0, 0)):
            n = len(target.cached)
            target.prepare(drafts)
            right = [token(n + i) for i in range(accepted + 1)]
            found.append((n, first_row(right + [0] * (drafts - accepted))))
            if drafts > accepted:
                target.roll_back(n + 1 + accepted)
        length = len(target.cached)
        target.clear()
        wanted = [first_row([token(i)]) for i in range(length)]
        return all(_equal(row, wanted[n]) for n, row in found)
    except Bug:
        return False
    finally:
        target.clear()


def _equal(found: Floats, wanted: Floats) -> bool:
    spread = float(np.ptp(wanted)) or 1.0
    return float(np.abs(found - wanted).max()) <= _RELATIVE_TOLERANCE * spread


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
        return _equal(decode(c, 2), wanted)
    finally:
        context.clear()
