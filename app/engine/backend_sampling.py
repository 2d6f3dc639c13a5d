"""Sampler chains that run on the backend, as part of a context's graph.

Attaches a chain to a context and says whether all of it runs there. A chain that would run in part is
not used: its rows would have to be copied to the host all the same. Knows no drafts and no parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.engine import native
from app.engine.handles import Context
from app.engine.native import BOOL, I32, STR, VOID, function, has

_REQUIRED = (
    "llama_set_sampler",
    "llama_get_sampled_token_ith",
    "llama_get_sampled_logits_ith",
    "llama_get_sampled_logits_count_ith",
    "llama_get_sampled_candidates_ith",
)

_chain_init = function("llama_sampler_chain_init", VOID, type(native.chain_default_params()))
_chain_add = function("llama_sampler_chain_add", None, VOID, VOID)
_chain_get = function("llama_sampler_chain_get", VOID, VOID, I32)
_chain_n = function("llama_sampler_chain_n", I32, VOID)
_name = function("llama_sampler_name", STR, VOID)
_free = function("llama_sampler_free", None, VOID)
_top_k = function("llama_sampler_init_top_k", VOID, I32)


def missing() -> str:
    """The first function this build of the library lacks for backend sampling, empty if none."""
    if "n_outputs_max_per_seq" not in {field for field, *_ in native.context_default_params()._fields_}:
        return "llama_context_params.n_outputs_max_per_seq"
    return next((name for name in _REQUIRED if not has(name)), "")


def context_options(rows: int) -> dict[str, Any]:
    """What a context needs so that `rows` rows of a decode can be sampled; nothing where none can be."""
    return {} if missing() else {"n_outputs_max_per_seq": rows}


_set_sampler = function("llama_set_sampler", BOOL, VOID, I32, VOID) if not missing() else None


def attach(context: Context, chain: int) -> list[int]:
    """Make `chain` part of the context's graph; places of steps that cannot be, and then nothing is.

    A chain may be attached once; one that was refused must be made anew, also for the host.
    """
    if _set_sampler is None:
        return list(range(_chain_n(chain)))
    taken = bool(_set_sampler(context.handle, 0, chain))
    # A step that the backend took is marked with +; one without effect with ?.
    names = [(_name(_chain_get(chain, i)) or b"").decode() for i in range(_chain_n(chain))]
    refused = [i for i, name in enumerate(names) if not taken or not name.startswith(("+", "?"))]
    if refused:
        detach(context)
    return refused


def detach(context: Context) -> None:
    """Rows are copied to the host again, from the next decode on; nothing after the context's end."""
    if _set_sampler is not None and not context.closed:
        _set_sampler(context.handle, 0, None)


class BackendChain:
    """A chain made for a context for good, of samplers without state."""

    def __init__(self, samplers: Sequence[int]) -> None:
        self._handle: int | None = _chain_init(native.chain_default_params())
        self._context: Context | None = None
        for sampler in samplers:
            _chain_add(self._handle, sampler)

    def attach(self, context: Context) -> bool:
        """Whether all of it runs on the backend now."""
        assert self._handle is not None
        if attach(context, self._handle):
            return False
        self._context = context
        return True

    def close(self) -> None:
        """Detach and free; before the context is closed."""
        handle, self._handle = self._handle, None
        if self._context is not None:
            detach(self._context)
            self._context = None
        if handle:
            _free(handle)


def top_k_chain(k: int) -> BackendChain:
    """Cuts rows to their `k` best tokens."""
    return BackendChain([_top_k(k)])
