"""Next-token heads for the tiny targets: they turn the state they are given one token on along the ring.

A head reads the state alone, so a row of the wrong position foretells the wrong token. Each of several
heads hands its state on turned further than it should be, which only the head after it makes up for; so
a head used in another's place foretells nothing.
"""

from __future__ import annotations

import numpy as np

from tests.models.ring import CONTENT, N_EMBD, N_HARMONICS, Array
from tests.models.target import TargetSpec

_EXTRA = 11  # tokens that a head turns its state too far


def head_tensors(spec: TargetSpec, head: int) -> dict[str, Array]:
    """What head number `head` has besides the tensors of a layer; the layer's own say almost nothing."""
    ring = spec.ring()
    before, after = head * _EXTRA, (head + 1) * _EXTRA if spec.mtp_heads > 1 else 0
    fuse = np.zeros((N_EMBD, 2 * N_EMBD), np.float32)
    state = slice(N_EMBD + CONTENT.start, N_EMBD + CONTENT.stop)
    fuse[CONTENT, state] = 4.0 * ring.step(1 + after - before)
    tensors = {
        "nextn.eh_proj": fuse,
        "nextn.enorm": np.ones(N_EMBD, np.float32),
        "nextn.hnorm": np.ones(N_EMBD, np.float32),
        # Less than sure of anything.
        "nextn.shared_head_norm": np.full(N_EMBD, 0.2, np.float32),
    }
    if spec.mtp_heads > 1:
        own = spec.head().copy()
        own[:, CONTENT] = own[:, CONTENT] @ ring.step(-after)
        tensors["nextn.shared_head_head"] = own
    assert CONTENT.stop - CONTENT.start == 2 * N_HARMONICS
    return tensors
