"""Weights in IQ4_NL, four and a half bits each: for files, and as what a draft is trained to live with.

Of the small formats, the native library multiplies Q4_0 and IQ4_NL by many rows at once on a CPU, which makes
a draft nearly twice as fast as in Q5_0 or Q8_0; IQ4_NL's unequal steps lose less. The values and the layout
are those of its `block_iq4_nl`: a half-precision scale and 32 places in a table of 16 values.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from draft import Draft
from numpy.typing import NDArray
from torch import Tensor

BLOCK = 32
TABLE = (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
# Parameters that are written so (by the last part of their names); the head is as well.
MATRICES = ("q", "k", "v", "o", "gate", "up", "down", "fc")
PAIRS = ("markov_w1", "markov_w2", "predecessor", "successor")


@torch.no_grad()
def _places(blocks: Tensor) -> tuple[Tensor, Tensor]:
    """Scales [n] (of half precision) and places in the table [n, 32] for blocks [n, 32].

    The value of the greatest size gets the table's, then the scale is the one of least squared error.
    """
    table = torch.tensor(TABLE, dtype=torch.float32, device=blocks.device)
    peak = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    inverse = torch.where(peak == 0, 0.0, table[0] / peak)
    places = torch.bucketize(blocks * inverse, (table[1:] + table[:-1]) / 2)
    values = table[places]
    scale = (values * blocks).sum(1) / values.square().sum(1)
    return scale.half().float(), places


def rounded(values: Tensor) -> Tensor:
    """`values` [rows, columns] as the format can express them."""
    scale, places = _places(values.reshape(-1, BLOCK))
    table = torch.tensor(TABLE, dtype=torch.float32, device=values.device)
    return (scale[:, None] * table[places]).view(values.shape)


def packed(values: Tensor) -> NDArray[np.uint8]:
    """The bytes [rows, columns / 32 * 18] of `values` [rows, columns]."""
    scale, places = _places(values.detach().float().cpu().reshape(-1, BLOCK))
    d = scale.numpy().astype(np.float16).view(np.uint8).reshape(-1, 2)
    p = places.numpy().astype(np.uint8)
    halves = p[:, : BLOCK // 2] | p[:, BLOCK // 2 :] << 4
    return np.concatenate((d, halves), 1).reshape(len(values), -1)


class AsWritten:
    """A draft's matrices with what the file format will do to them, for training.

    What rounding changes is found anew every few steps; in between it goes along with the weights.
    """

    EVERY = 8

    def __init__(self, draft: Draft) -> None:
        names = MATRICES + PAIRS
        self._matrices = [p for n, p in draft.named_parameters() if n.rsplit(".", 1)[-1] in names]
        self._changes: list[Tensor] = []
        self._steps = 0
        draft.head = rounded(draft.head)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Within, the matrices are as written; gradients are those at these values."""
        if self._steps % self.EVERY == 0:
            self._changes = [rounded(p.data) - p.data for p in self._matrices]
        self._steps += 1
        kept = [p.data for p in self._matrices]
        for p, change in zip(self._matrices, self._changes, strict=True):
            p.data = p.data + change
        try:
            yield
        finally:
            for p, data in zip(self._matrices, kept, strict=True):
                p.data = data
