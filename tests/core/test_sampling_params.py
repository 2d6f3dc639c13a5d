"""Sampling settings are checked where they are made, and compared without regard to how they are kept."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict
from typing import Any

import pytest

from app.core.sampling import SamplingParams, sampling_terms
from app.core.speculation import SpecConfig


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"temperature": -0.1}, "temperature must be 0 or more"),
        ({"temperature": math.nan}, "temperature must be a finite number"),
        ({"top_k": -1}, "top_k must not be negative"),
        ({"top_p": 0}, r"top_p must lie in \(0, 1\]"),
        ({"min_p": 1.1}, r"min_p must lie in \[0, 1\]"),
        ({"typical_p": 0}, r"typical_p must lie in \(0, 1\]"),
        ({"top_n_sigma": -1}, "top_n_sigma must be 0 or more"),
        ({"xtc_probability": 2}, r"xtc_probability must lie in \[0, 1\]"),
        ({"xtc_threshold": -1}, r"xtc_threshold must lie in \[0, 1\]"),
        ({"dynatemp_range": -1}, "dynatemp_range must be 0 or more"),
        ({"dynatemp_exponent": 0}, "dynatemp_exponent must be positive"),
        ({"repeat_penalty": 0}, "repeat_penalty must be positive"),
        ({"repeat_last_n": -2}, r"repeat_last_n must be -1 \(whole context\) or more"),
        ({"frequency_penalty": math.inf}, "frequency_penalty must be a finite number"),
        ({"presence_penalty": math.nan}, "presence_penalty must be a finite number"),
        ({"dry_multiplier": -1}, "dry_multiplier must be 0 or more"),
        ({"dry_base": 0.5}, "dry_base must be 1 or more"),
        ({"dry_allowed_length": -1}, "dry_allowed_length must not be negative"),
        ({"dry_penalty_last_n": -2}, "dry_penalty_last_n must be -1"),
        ({"mirostat_mode": 3}, "mirostat_mode must be 0, 1 or 2"),
        ({"mirostat_tau": 0}, "mirostat_tau must be positive"),
        ({"mirostat_eta": 0}, "mirostat_eta must be positive"),
        ({"logit_bias": {"a": 1}}, "must map token numbers to numbers"),
        ({"logit_bias": [(3, 1), (3, 2)]}, "name each token once"),
        ({"logit_bias": {-1: 1}}, "name each token once"),
        ({"logit_bias": {1: math.inf}}, "must be a number"),
        ({"seed": 2**32}, r"seed must lie in 0\.\.2\*\*32-1"),
        ({"grammar": "root ::= [a]", "json_schema": "{}"}, "cannot be used together"),
    ],
)
def test_bad_values_are_refused_by_name(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        SamplingParams(**changes)


def test_the_steps_that_were_added_are_off_by_default() -> None:
    params = SamplingParams()
    assert not params.penalises
    assert not params.dries
    assert not params.constrained
    assert (params.typical_p, params.top_n_sigma, params.xtc_probability) == (1, 0, 0)
    assert (params.dynatemp_range, params.mirostat_mode, params.logit_bias) == (0, 0, ())


def test_a_bias_is_kept_in_order_whatever_it_was_given_as() -> None:
    wanted = ((3, -math.inf), (5, 1.0))
    for given in ({5: 1, 3: -math.inf}, {"5": 1, "3": -math.inf}, [[5, 1], [3, -math.inf]]):
        assert SamplingParams(logit_bias=given).logit_bias == wanted  # type: ignore[arg-type]


def test_a_stored_reply_and_a_live_one_are_compared_alike() -> None:
    live = SamplingParams(temperature=0.5, logit_bias={5: 1.0}, dry_sequence_breakers=("x",), seed=1)
    stored = json.loads(json.dumps(asdict(live)))
    assert sampling_terms(stored) == sampling_terms(asdict(live))
    assert hash(sampling_terms(stored)) == hash(sampling_terms(asdict(live)))
    assert sampling_terms(stored) != sampling_terms(asdict(SamplingParams(temperature=0.5)))
    # Replies of an earlier version lack what was added since.
    old = {"temperature": 0.5, "top_k": 40, "top_p": 0.95, "min_p": 0.05, "seed": 9}
    assert sampling_terms(old) == sampling_terms(asdict(SamplingParams(temperature=0.5)))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"temperature": "0.8"}, "temperature must be a number, not str"),
        ({"temperature": None}, "temperature must be a number, not None"),
        ({"top_p": [0.9]}, "top_p must be a number, not list"),
        ({"top_k": 40.0}, "top_k must be a whole number, not float"),
        ({"top_k": True}, "top_k must be a whole number, not bool"),
        ({"seed": "7"}, "seed must be a whole number or None, not str"),
        ({"mirostat_mode": 1.0}, "mirostat_mode must be a whole number, not float"),
        ({"grammar": None}, "grammar must be a text, not None"),
        ({"json_schema": {"type": "object"}}, "json_schema must be a text, not dict"),
        ({"dry_sequence_breakers": "ab"}, "dry_sequence_breakers must be a list of texts, not str"),
        ({"dry_sequence_breakers": [1]}, "dry_sequence_breakers must hold texts, but has int"),
    ],
)
def test_wrong_types_are_refused_by_name(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(problem)}$"):
        SamplingParams(**changes)


@pytest.mark.parametrize("name", ["temperature", "top_n_sigma", "mirostat_tau", "dry_base", "repeat_penalty"])
@pytest.mark.parametrize("value", [10**400, 1e39, math.inf, math.nan])
def test_numbers_that_the_library_cannot_hold_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} must be a finite number"):
        SamplingParams(**{name: value})


@pytest.mark.parametrize("name", ["top_k", "repeat_last_n", "dry_allowed_length", "dry_penalty_last_n"])
def test_whole_numbers_of_more_than_32_bits_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must not be larger than 2147483647"):
        SamplingParams(**{name: 10**23})


@pytest.mark.parametrize(
    ("changes", "error", "problem"),
    [
        ({"draft_n_max": "7"}, TypeError, "draft_n_max must be a whole number, not str"),
        ({"draft_n_max": 10**23}, ValueError, "draft_n_max must not be larger than"),
        ({"draft_p_min": None}, TypeError, "draft_p_min must be a number, not None"),
        ({"ngram_size_n": 2.5}, TypeError, "ngram_size_n must be a whole number, not float"),
        (
            {"spec_type": "dflash"},
            TypeError,
            "spec_type must be a SpeculativeType or .*, not str",
        ),
        (
            {"spec_type": None},
            TypeError,
            "spec_type must be a SpeculativeType or .*, not NoneType",
        ),
    ],
)
def test_wrong_values_of_a_speculation_are_refused_by_name(
    changes: dict[str, Any], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        SpecConfig(**changes)
