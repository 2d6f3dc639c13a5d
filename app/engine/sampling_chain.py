"""The native sampler chain of one reply: which steps, in which order, with which numbers.

Owns the chain and frees it. It knows neither rows nor drafts; grammars are apart, in `constraint`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.errors import EnvironmentProblem
from app.core.sampling import SamplingParams
from app.core.wording import say
from app.engine import native
from app.engine.handles import Context, Model
from app.engine.native import F32, I32, SIZE, U32, VOID, function

_chain_init = function("llama_sampler_chain_init", VOID, type(native.chain_default_params()))
_chain_add = function("llama_sampler_chain_add", None, VOID, VOID)
_free = function("llama_sampler_free", None, VOID)
_accept = function("llama_sampler_accept", None, VOID, I32, quick=True)
_apply = function("llama_sampler_apply", None, VOID, VOID)
_sample = function("llama_sampler_sample", I32, VOID, VOID, I32)
_greedy = function("llama_sampler_init_greedy", VOID)
_dist = function("llama_sampler_init_dist", VOID, U32)
_top_k = function("llama_sampler_init_top_k", VOID, I32)
_top_p = function("llama_sampler_init_top_p", VOID, F32, SIZE)
_min_p = function("llama_sampler_init_min_p", VOID, F32, SIZE)
_typical = function("llama_sampler_init_typical", VOID, F32, SIZE)
_top_n_sigma = function("llama_sampler_init_top_n_sigma", VOID, F32)
_xtc = function("llama_sampler_init_xtc", VOID, F32, F32, SIZE, U32)
_temp_ext = function("llama_sampler_init_temp_ext", VOID, F32, F32, F32)
_mirostat = function("llama_sampler_init_mirostat", VOID, I32, U32, F32, F32, I32)
_mirostat_v2 = function("llama_sampler_init_mirostat_v2", VOID, U32, F32, F32)
_penalties = function("llama_sampler_init_penalties", VOID, I32, I32, F32, F32, F32)
_dry = function("llama_sampler_init_dry", VOID, VOID, F32, F32, I32, I32, VOID, SIZE)
_logit_bias = function("llama_sampler_init_logit_bias", VOID, I32, I32, VOID)
_SUPPRESSED = "llama_vocab_get_suppress_tokens"
_suppressed = function(_SUPPRESSED, VOID, VOID, VOID) if native.has(_SUPPRESSED) else None

# Tokens that mirostat 1 estimates the distribution's shape from.
_MIROSTAT_M = 100
# The library takes the highest number for "draw a seed yourself".
_HIGHEST_SEED = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Step:
    """One sampler: its name in the library and its handle."""

    name: str
    handle: int


class Chain:
    """The steps in the native project's order, ending in the one that chooses. Raises EnvironmentProblem."""

    def __init__(
        self,
        model: Model,
        params: SamplingParams,
        seed: int,
        n_ctx: int,
        banned: Sequence[int] = (),
    ) -> None:
        self._handle: int | None = _chain_init(native.chain_default_params())
        self.steps: tuple[Step, ...] = ()
        try:
            self.steps = tuple(_steps(model, params, seed, n_ctx, banned))
        except BaseException:
            self.close()
            raise
        for step in self.steps:
            _chain_add(self._handle, step.handle)

    @property
    def handle(self) -> int:
        assert self._handle is not None
        return self._handle

    def sample(self, context: Context, row: int) -> int:
        """Choose from the row and take the choice in; `row` counts the batch's tokens."""
        return int(_sample(self._handle, context.handle, row))

    def apply(self, candidates: object) -> None:
        """Choose among candidates (a native array by reference), taking nothing in."""
        _apply(self._handle, candidates)

    def accept(self, token: int) -> None:
        _accept(self._handle, token)

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle:
            _free(handle)


def suppressed_tokens(model: Model) -> tuple[int, ...]:
    """Tokens that the model's file says must never be chosen."""
    n = I32()
    tokens = _suppressed(model.vocab, ctypes.byref(n)) if _suppressed is not None else None
    return tuple((I32 * n.value).from_address(tokens)) if tokens and n.value > 0 else ()


def biased(params: SamplingParams, banned: Sequence[int], n_vocab: int) -> dict[int, float]:
    """What is added to logits, by token. Raises EnvironmentProblem for a token that does not exist."""
    bias = dict(params.logit_bias)
    wrong = [token for token in bias if token >= n_vocab]
    if wrong:
        raise EnvironmentProblem(
            say("The logit bias names token {wrong}, which this model does not have.", wrong=wrong[0]),
            say("Its vocabulary has {n_vocab} tokens.", n_vocab=n_vocab),
            say("Leave it out."),
            code="bad-sampling",
        )
    bias.update((token, float("-inf")) for token in banned)
    return bias


def _steps(model: Model, params: SamplingParams, seed: int, n_ctx: int, banned: Sequence[int]) -> list[Step]:
    seed = min(seed, _HIGHEST_SEED - 1)
    found: list[Step] = []

    def add(name: str, handle: int | None) -> None:
        if not handle:
            raise EnvironmentProblem(
                say("The library could not make the sampler {name}.", name=name), code="bad-sampling"
            )
        found.append(Step(name, handle))

    bias = biased(params, banned, model.n_vocab)
    if bias:
        entries = (native.LogitBias * len(bias))()
        for entry, (token, value) in zip(entries, bias.items(), strict=True):
            entry.token, entry.bias = token, value
        add("logit bias", _logit_bias(model.n_vocab, len(bias), entries))
    if params.penalises:
        window = n_ctx if params.repeat_last_n < 0 else params.repeat_last_n
        add("penalties", _penalties(model.n_vocab, window, params.repeat_penalty, params.frequency_penalty,
                                    params.presence_penalty))  # fmt: skip
    if params.dries:
        add("DRY", _make_dry(model, params, n_ctx))
    if params.greedy:
        add("greedy", _greedy())
        return found
    if params.mirostat_mode:
        add("temperature", _temp_ext(params.temperature, 0.0, 1.0))
        tau, eta = params.mirostat_tau, params.mirostat_eta
        if params.mirostat_mode == 1:
            add("mirostat", _mirostat(model.n_vocab, seed, tau, eta, _MIROSTAT_M))
        else:
            add("mirostat 2", _mirostat_v2(seed, tau, eta))
        return found
    if params.top_n_sigma > 0.0:
        add("top-n-sigma", _top_n_sigma(params.top_n_sigma))
    if params.top_k > 0:
        add("top-k", _top_k(params.top_k))
    if params.typical_p < 1.0:
        add("typical-p", _typical(params.typical_p, 1))
    if params.top_p < 1.0:
        add("top-p", _top_p(params.top_p, 1))
    if params.min_p > 0.0:
        add("min-p", _min_p(params.min_p, 1))
    if params.xtc_probability > 0.0:
        # A seed of its own: with the same one its coin and the draw would fall alike.
        own = (seed ^ 0x9E3779B9) % _HIGHEST_SEED
        add("XTC", _xtc(params.xtc_probability, params.xtc_threshold, 1, own))
    add("temperature", _temp_ext(params.temperature, params.dynatemp_range, params.dynatemp_exponent))
    add("draw", _dist(seed))
    return found


def _make_dry(model: Model, params: SamplingParams, n_ctx: int) -> int | None:
    breakers = [text.encode() for text in params.dry_sequence_breakers if text]
    window = n_ctx if params.dry_penalty_last_n < 0 else params.dry_penalty_last_n
    handle: int | None = _dry(
        model.vocab,
        params.dry_multiplier,
        params.dry_base,
        params.dry_allowed_length,
        window,
        (ctypes.c_char_p * max(len(breakers), 1))(*breakers),
        len(breakers),
    )
    return handle
