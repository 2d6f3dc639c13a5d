"""The best token of each row of a draft's last decode, found on the backend where that is asked for.

The backend cuts every row to its ten best tokens, so that a GPU need not copy whole rows; what a row
means, and which rows there are, is the drafter's. Both ways give the same tokens.
"""

from __future__ import annotations

import ctypes
import math

import numpy as np

from app.engine.backend_sampling import BackendChain, top_k_chain
from app.engine.handles import Context, Floats, Ints, float_view
from app.engine.native import I32, U32, VOID, function

_TOP = 10  # `p_min` looks at the ten best candidates
_NEGLIGIBLE = 20.0  # exp(-20) of the best candidate's weight cannot move a probability

_logits = function("llama_get_sampled_logits_ith", VOID, VOID, I32, quick=True)
_candidates = function("llama_get_sampled_candidates_ith", VOID, VOID, I32, quick=True)
_count = function("llama_get_sampled_logits_count_ith", U32, VOID, I32, quick=True)


class TopTokens:
    """Reads a context whose rows of interest are all output, none else. `on_backend` is asked for once,
    when the context is new; `active` says whether it is so."""

    def __init__(self, context: Context, on_backend: bool = False) -> None:
        self._context = context
        self._chain: BackendChain | None = None
        self._rows: list[tuple[Floats, Ints]] = []
        self._host: Floats | None = None
        if on_backend:
            chain = top_k_chain(_TOP)
            if chain.attach(context):
                self._chain = chain
            else:
                chain.close()

    @property
    def active(self) -> bool:
        return self._chain is not None

    def read(self, rows: int) -> list[int]:
        """The best token of each of the `rows` outputs; waits for the computation."""
        if self._chain is None:
            self._host = self._context.logits(rows)
            best: list[int] = self._host.argmax(axis=1).tolist()
            return best
        self._context.synchronize()
        handle = self._context.handle
        self._rows = []
        for i in range(-rows, 0):
            n = int(_count(handle, i))
            logits = float_view(_logits(handle, i), 1, n)[0]
            ids = np.ctypeslib.as_array((ctypes.c_int32 * n).from_address(_candidates(handle, i)))
            self._rows.append((logits, ids))
        return [int(ids[logits.argmax()]) for logits, ids in self._rows]

    def chance(self, row: int, token: int) -> float:
        """Probability of the best `token` of that row among the ten best; before the next decode."""
        if self._chain is None:
            assert self._host is not None
            return top_probability(self._host[row], token)
        logits = self._rows[row][0].astype(np.float64)
        return 1.0 / math.fsum(np.exp(logits - logits.max()).tolist())

    def close(self) -> None:
        """Before the context is closed."""
        self._host = None
        self._rows = []
        if self._chain is not None:
            self._chain.close()
            self._chain = None


def top_probability(logits: Floats, best: int) -> float:
    """Probability of the best token among the ten best of a row of logits `[n_vocab]`."""
    peak = logits[best]
    near = logits[logits > peak - _NEGLIGIBLE]
    if near.size > _TOP:
        near = np.partition(near, near.size - _TOP)[-_TOP:]
    return 1.0 / math.fsum(np.exp(near.astype(np.float64) - float(peak)).tolist())
