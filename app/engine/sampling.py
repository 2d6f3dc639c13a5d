"""Chooses tokens from the target's rows: greedy by argmax, everything else by the native sampler chain.

The same chain runs over ordinary and verified rows, in order and once per chosen token, so the random
numbers fall on the same tokens with speculation on and off. Knows nothing about drafts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.core.sampling import SamplingParams
from app.engine import native
from app.engine.handles import Context, Model
from app.engine.native import F32, I32, SIZE, U32, VOID, function

_chain_init = function("llama_sampler_chain_init", VOID, type(native.chain_default_params()))
_chain_add = function("llama_sampler_chain_add", None, VOID, VOID)
_free = function("llama_sampler_free", None, VOID)
_accept = function("llama_sampler_accept", None, VOID, I32)
_sample = function("llama_sampler_sample", I32, VOID, VOID, I32)
_greedy = function("llama_sampler_init_greedy", VOID)
_dist = function("llama_sampler_init_dist", VOID, U32)
_top_k = function("llama_sampler_init_top_k", VOID, I32)
_top_p = function("llama_sampler_init_top_p", VOID, F32, SIZE)
_min_p = function("llama_sampler_init_min_p", VOID, F32, SIZE)
_temp = function("llama_sampler_init_temp", VOID, F32)
_penalties = function("llama_sampler_init_penalties", VOID, I32, I32, F32, F32, F32)
_logit_bias = function("llama_sampler_init_logit_bias", VOID, I32, I32, VOID)


class Sampler:
    """The sampler of one reply. `verify` reads the rows of the last decode of `context`."""

    def __init__(
        self, model: Model, params: SamplingParams, seed: int, n_ctx: int, ignore_eos: bool = False
    ) -> None:
        self._window = n_ctx if params.repeat_last_n < 0 else params.repeat_last_n
        self._banned = np.array(model.eog, np.intp) if ignore_eos else None
        self._chain: int | None = None
        if not params.greedy or params.repeat_penalty != 1.0:
            self._chain = _build_chain(model, params, seed, self._window, ignore_eos)

    def start(self, prompt: Sequence[int]) -> None:
        """Show the prompt's tail to the penalties."""
        if self._chain:
            for token in prompt[max(len(prompt) - self._window, 0) :]:
                _accept(self._chain, token)

    def verify(self, context: Context, draft: Sequence[int], first: int = 0) -> list[int]:
        """Tokens the target chooses at the rows `[last, *draft]`, the outputs of the last decode.

        `first` tokens without outputs came before them in the batch. Row by row while the choice equals
        the draft; so the result is the accepted prefix of `draft` followed by one token of the target's
        own: 1 to `len(draft) + 1` tokens.
        """
        rows = len(draft) + 1
        if self._chain:
            chosen: list[int] = []
            for i in range(rows):
                token = int(_sample(self._chain, context.handle, first + i))
                chosen.append(token)
                if i == len(draft) or token != draft[i]:
                    break
            return chosen
        logits = context.ready_logits(rows)
        if self._banned is not None:
            logits[:, self._banned] = -np.inf
        if rows == 1:
            return [int(logits[0].argmax())]
        best: list[int] = logits.argmax(axis=1).tolist()
        accepted = 0
        while accepted < len(draft) and best[accepted] == draft[accepted]:
            accepted += 1
        return best[: accepted + 1]

    def close(self) -> None:
        chain, self._chain = self._chain, None
        if chain:
            _free(chain)


def _build_chain(model: Model, params: SamplingParams, seed: int, window: int, ignore_eos: bool) -> int:
    """The native project's order: bias, penalties, top-k, top-p, min-p, temperature, draw."""
    chain: int = _chain_init(native.chain_default_params())
    if ignore_eos and model.eog:
        bias = (native.LogitBias * len(model.eog))()
        for entry, token in zip(bias, model.eog, strict=True):
            entry.token, entry.bias = token, float("-inf")
        _chain_add(chain, _logit_bias(model.n_vocab, len(model.eog), bias))
    if params.repeat_penalty != 1.0:
        _chain_add(chain, _penalties(model.n_vocab, window, params.repeat_penalty, 0.0, 0.0))
    if params.greedy:
        _chain_add(chain, _greedy())
        return chain
    if params.top_k > 0:
        _chain_add(chain, _top_k(params.top_k))
    if params.top_p < 1.0:
        _chain_add(chain, _top_p(params.top_p, 1))
    if params.min_p > 0.0:
        _chain_add(chain, _min_p(params.min_p, 1))
    _chain_add(chain, _temp(params.temperature))
    _chain_add(chain, _dist(seed))
    return chain
