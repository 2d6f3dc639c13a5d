"""How the text of the sampling page becomes `SamplingParams` or errors, and the presets among them.

It knows no widgets. What the page has no field for is kept as it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.core.gbnf import GrammarError, check_grammar
from app.core.json_schema import ANY_OBJECT, SchemaError, schema_to_gbnf
from app.core.sampling import SamplingParams
from app.core.wording import reason_of, sentence
from app.ui.dialogs.values import Errors, Reader, Texts, plain
from app.ui.language import translated

MAX_TOKENS_LIMIT = 1 << 20
SEED_LIMIT = 2**32

PRESETS: dict[str, SamplingParams] = {
    "greedy": SamplingParams(temperature=0.0),
    "precise": SamplingParams(temperature=0.3, top_k=40, top_p=0.9, min_p=0.05),
    "balanced": SamplingParams(),
    "creative": SamplingParams(temperature=1.1, top_k=0, top_p=0.98, min_p=0.03),
}
CUSTOM = "custom"

# What bounds the text of a reply.
ANY_TEXT, JSON, SCHEMA, GRAMMAR = "text", "json", "schema", "grammar"

# Numbers of the page: (lowest, highest, whether the lowest itself is too low).
_NUMBERS: dict[str, tuple[float, float, bool]] = {
    "temperature": (0.0, 5.0, False),
    "top_p": (0.0, 1.0, True),
    "min_p": (0.0, 1.0, False),
    "typical_p": (0.0, 1.0, True),
    "top_n_sigma": (0.0, 10.0, False),
    "xtc_probability": (0.0, 1.0, False),
    "xtc_threshold": (0.0, 1.0, False),
    "dynatemp_range": (0.0, 5.0, False),
    "dynatemp_exponent": (0.0, 10.0, True),
    "repeat_penalty": (0.0, 5.0, True),
    "frequency_penalty": (-2.0, 2.0, False),
    "presence_penalty": (-2.0, 2.0, False),
    "dry_multiplier": (0.0, 10.0, False),
    "dry_base": (1.0, 10.0, False),
    "mirostat_tau": (0.0, 100.0, True),
    "mirostat_eta": (0.0, 10.0, True),
}
_INTEGERS = {
    "top_k": (0, 100_000),
    "repeat_last_n": (-1, 1 << 20),
    "dry_allowed_length": (0, 1000),
    "dry_penalty_last_n": (-1, 1 << 20),
}


def preset_of(sampling: SamplingParams) -> str:
    """The preset these values are, whatever seed and form; `custom` when none is. All greedy settings are
    one."""
    if sampling.greedy and not (sampling.penalises or sampling.dries or sampling.logit_bias):
        return "greedy"
    alike = replace(sampling, seed=None, grammar="", json_schema="")
    for name, preset in PRESETS.items():
        if not preset.greedy and alike == preset:
            return name
    return CUSTOM


def with_preset(name: str, sampling: SamplingParams) -> SamplingParams:
    """The preset in place of `sampling`, of which seed, penalty window, bias and form stay."""
    kept = ("seed", "repeat_last_n", "logit_bias", "dry_sequence_breakers", "grammar", "json_schema")
    return replace(PRESETS[name], **{field: getattr(sampling, field) for field in kept})


def form_of(sampling: SamplingParams) -> tuple[str, str]:
    """(what bounds the reply, its text)"""
    if sampling.grammar.strip():
        return GRAMMAR, sampling.grammar
    if sampling.json_schema.strip():
        return (JSON, "") if sampling.json_schema == ANY_OBJECT else (SCHEMA, sampling.json_schema)
    return ANY_TEXT, ""


def read_sampling(
    texts: Texts, base: SamplingParams = PRESETS["balanced"]
) -> tuple[tuple[SamplingParams, int] | None, Errors]:
    """Sampling settings and the longest reply from typed text; an empty seed is a fresh one per reply.

    `base` has what the page does not show.
    """
    reader = Reader(texts)
    values: dict[str, Any] = {
        name: reader.number(name, low, high, above=above) for name, (low, high, above) in _NUMBERS.items()
    }
    values |= {name: reader.integer(name, low, high) for name, (low, high) in _INTEGERS.items()}
    values["mirostat_mode"] = int(texts["mirostat_mode"])
    values["seed"] = reader.integer("seed", 0, SEED_LIMIT - 1) if texts["seed"].strip() else None
    form, text = texts["form"], texts["form_text"]
    values["grammar"] = text if form == GRAMMAR else ""
    values["json_schema"] = {JSON: ANY_OBJECT, SCHEMA: text}.get(form, "")
    problem = _problem_of(form, text)
    if problem:
        reader.errors["form_text"] = problem
    max_tokens = reader.integer("max_tokens", 1, MAX_TOKENS_LIMIT)
    kept = {"logit_bias": base.logit_bias, "dry_sequence_breakers": base.dry_sequence_breakers}
    sampling = reader.build(SamplingParams, {**values, **kept}, "temperature")
    if sampling is None or max_tokens is None:
        return None, reader.errors
    return (sampling, max_tokens), {}


def _problem_of(form: str, text: str) -> str:
    """What is wrong with a grammar or a schema, empty when nothing is."""
    if form in (GRAMMAR, SCHEMA) and not text.strip():
        return QCoreApplication.translate("SettingsValues", "Write it here, or choose any text.")
    try:
        if form == GRAMMAR:
            check_grammar(text)
        elif form == SCHEMA:
            schema_to_gbnf(text)
    except (GrammarError, SchemaError) as error:
        return translated(sentence(reason_of(error)))
    return ""


def sampling_texts(sampling: SamplingParams, max_tokens: int) -> dict[str, str]:
    """What the fields show; `read_sampling` gives the same values back."""
    form, text = form_of(sampling)
    return {
        **{name: plain(getattr(sampling, name)) for name in _NUMBERS},
        **{name: str(getattr(sampling, name)) for name in (*_INTEGERS, "mirostat_mode")},
        "seed": "" if sampling.seed is None else str(sampling.seed),
        "max_tokens": str(max_tokens),
        "form": form,
        "form_text": text,
    }
