"""How the next token is chosen from the target's logits."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any

from app.core import checks

SEQUENCE_BREAKERS = ("\n", ":", '"', "*")

Bias = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """Sampler settings; names are llama-cpp-python's where it has one, else the native library's.

    `temperature` 0 is greedy: then bias, penalties, DRY and grammar count, and nothing else does. Steps
    are off at `top_k` 0, `top_p` 1, `min_p` 0, `typical_p` 1, `top_n_sigma` 0, `xtc_probability` 0,
    `dynatemp_range` 0, `repeat_penalty` 1, `frequency_penalty` 0, `presence_penalty` 0,
    `dry_multiplier` 0 and `mirostat_mode` 0; all but the first three and the temperature are off by
    default. With mirostat (1 or 2) the steps that cut the candidates are left out. `repeat_last_n` and
    `dry_penalty_last_n` are tokens, -1 for the whole context. `logit_bias` is given as a mapping or as
    pairs (token, added to its logit; minus infinity bans it). `grammar` is GBNF and `json_schema` JSON
    text; at most one of them. `seed` None draws a fresh seed per request, which is recorded with the
    reply. Raises ValueError.
    """

    temperature: float = 0.8
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    repeat_last_n: int = 64
    seed: int | None = None
    typical_p: float = 1.0
    top_n_sigma: float = 0.0
    xtc_probability: float = 0.0
    xtc_threshold: float = 0.1
    dynatemp_range: float = 0.0
    dynatemp_exponent: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    dry_multiplier: float = 0.0
    dry_base: float = 1.75
    dry_allowed_length: int = 2
    dry_penalty_last_n: int = -1
    dry_sequence_breakers: tuple[str, ...] = SEQUENCE_BREAKERS
    mirostat_mode: int = 0
    mirostat_tau: float = 5.0
    mirostat_eta: float = 0.1
    logit_bias: Bias = ()
    grammar: str = ""
    json_schema: str = ""

    def __post_init__(self) -> None:
        _within("temperature", self.temperature, 0)
        _at_least("top_k", self.top_k, 0, "")
        _above("top_p", self.top_p, 0, 1)
        _within("min_p", self.min_p, 0, 1)
        _above("repeat_penalty", self.repeat_penalty, 0)
        _at_least("repeat_last_n", self.repeat_last_n, -1, " (whole context)")
        if self.seed is not None:
            _seed(self.seed)
        _above("typical_p", self.typical_p, 0, 1)
        _within("top_n_sigma", self.top_n_sigma, 0)
        _within("xtc_probability", self.xtc_probability, 0, 1)
        _within("xtc_threshold", self.xtc_threshold, 0, 1)
        _within("dynatemp_range", self.dynatemp_range, 0)
        _above("dynatemp_exponent", self.dynatemp_exponent, 0)
        _within("frequency_penalty", self.frequency_penalty, -math.inf)
        _within("presence_penalty", self.presence_penalty, -math.inf)
        _within("dry_multiplier", self.dry_multiplier, 0)
        _within("dry_base", self.dry_base, 1)
        _at_least("dry_allowed_length", self.dry_allowed_length, 0, "")
        _at_least("dry_penalty_last_n", self.dry_penalty_last_n, -1, " (whole context)")
        if isinstance(self.dry_sequence_breakers, str):
            raise TypeError("dry_sequence_breakers must be a list of texts, not str")
        breakers = checks.texts("dry_sequence_breakers", self.dry_sequence_breakers)
        object.__setattr__(self, "dry_sequence_breakers", breakers)
        checks.whole("mirostat_mode", self.mirostat_mode)
        if self.mirostat_mode not in (0, 1, 2):
            raise ValueError(f"mirostat_mode must be 0, 1 or 2, but is {self.mirostat_mode}")
        _above("mirostat_tau", self.mirostat_tau, 0)
        _above("mirostat_eta", self.mirostat_eta, 0)
        object.__setattr__(self, "logit_bias", _bias(self.logit_bias))
        checks.text("grammar", self.grammar)
        checks.text("json_schema", self.json_schema)
        if self.grammar.strip() and self.json_schema.strip():
            raise ValueError("grammar and json_schema cannot be used together")

    @property
    def greedy(self) -> bool:
        # So cold that only the best token has any chance, and dividing by it would overflow.
        return self.temperature < 1e-6

    @property
    def penalises(self) -> bool:
        """Whether repeat, frequency or presence penalty does anything."""
        return self.repeat_last_n != 0 and (
            self.repeat_penalty != 1.0 or self.frequency_penalty != 0.0 or self.presence_penalty != 0.0
        )

    @property
    def dries(self) -> bool:
        """Whether DRY does anything."""
        return self.dry_multiplier > 0.0 and self.dry_penalty_last_n != 0

    @property
    def constrained(self) -> bool:
        """Whether a grammar or a schema bounds the text."""
        return bool(self.grammar.strip() or self.json_schema.strip())


def sampling_terms(sampling: Mapping[str, Any]) -> Hashable:
    """What two replies must share to have been sampled alike: every field but the seed.

    Takes the fields as a live or a stored reply has them; what was not stored was at its default.
    """
    defaults = {f.name: f.default for f in fields(SamplingParams)}
    found = ((name, _frozen(value)) for name, value in sampling.items() if name != "seed")
    return tuple(sorted((name, value) for name, value in found if value != defaults.get(name, _frozen)))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


def _seed(seed: int) -> None:
    if isinstance(seed, bool) or not isinstance(seed, Integral):
        raise TypeError(f"seed must be a whole number or None, not {type(seed).__name__}")
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed must lie in 0..2**32-1, but is {seed}")


def _within(name: str, value: float, low: float, high: float = math.inf) -> None:
    checks.number(name, value)
    if not low <= value <= high:
        bounds = f"lie in [{low}, {high}]" if high < math.inf else f"be {low} or more"
        raise ValueError(f"{name} must {bounds}, but is {value}")


def _above(name: str, value: float, low: float, high: float = math.inf) -> None:
    checks.number(name, value)
    if not low < value <= high:
        bounds = f"lie in ({low}, {high}]" if high < math.inf else "be positive"
        raise ValueError(f"{name} must {bounds}, but is {value}")


def _at_least(name: str, value: int, low: int, meaning: str) -> None:
    checks.whole(name, value)
    if value < low:
        bounds = "not be negative" if low == 0 else f"be {low}{meaning} or more"
        raise ValueError(f"{name} must {bounds}, but is {value}")


def _bias(given: Any) -> Bias:
    """Pairs in the order of tokens, from a mapping (JSON has its keys as text) or from pairs."""
    pairs = given.items() if isinstance(given, Mapping) else given
    try:
        found = sorted((int(token), float(bias)) for token, bias in pairs)
    except (TypeError, ValueError):
        raise ValueError(f"logit_bias must map token numbers to numbers, but is {given!r}") from None
    before = -1
    for token, bias in found:
        if token < 0 or token == before:
            raise ValueError(f"logit_bias must name each token once, by its number, but has {token}")
        if math.isnan(bias) or bias == math.inf:
            raise ValueError(f"logit_bias of token {token} must be a number, but is {bias}")
        before = token
    return tuple(found)
