"""Which rollback a target's memory allows, found out by trying it at load.

`seq_rm` has answered true without restoring recurrent state in some builds, so its word is not enough:
the same token must give the same logits after something else was decoded and removed in its place.
"""

from __future__ import annotations

import numpy as np

from app.core.rounds import NATIVE
from app.engine.target import Target

NONE = "none"

# Decoding a token again at another width moves logits by rounding only; a state that was not restored
# moves them by far more.
_RELATIVE_TOLERANCE = 0.02


def prove_rollback(target: Target) -> str:
    """NATIVE when removal restores the memory, else NONE. Leaves the cache empty."""
    target.clear()
    vocab = target.model.n_vocab
    # Any valid ids do: the question is about memory, not about language.
    a, b, c, d, e = ((vocab // 2 + step) % vocab for step in (0, 1, 2, 3, 5))
    try:
        target.decode_rows([a])
        target.decode_rows([b])
        target.decode_rows([c])
        wanted = target.context.logits(1)[0].copy()
        if not target.context.remove(2):
            return NONE
        del target.cached[2:]
        for token in (d, e)[: max(target.rows_max, 1)]:
            target.decode_rows([token])
        if not target.context.remove(2):
            return NONE
        del target.cached[2:]
        target.decode_rows([c])
        found = target.context.logits(1)[0]
        spread = float(np.ptp(wanted)) or 1.0
        return NATIVE if float(np.abs(found - wanted).max()) <= _RELATIVE_TOLERANCE * spread else NONE
    finally:
        target.clear()
