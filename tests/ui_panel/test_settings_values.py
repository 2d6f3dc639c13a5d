"""Typed text becomes settings or an error at the right field, and settings survive the way there and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.json_schema import ANY_OBJECT
from app.core.pair_settings import FLASH_ATTENTION, KV_TYPES, PairSettings
from app.core.sampling import SamplingParams
from app.ui.dialogs.sampling_values import (
    CUSTOM,
    PRESETS,
    preset_of,
    read_sampling,
    sampling_texts,
    with_preset,
)
from app.ui.dialogs.values import pair_texts, read_pair

layers = st.one_of(st.sampled_from(["all", "auto"]), st.integers(0, 999))


@st.composite
def pair_settings(draw: st.DrawFn) -> PairSettings:
    n_max = draw(st.integers(1, 64))
    n_batch = draw(st.integers(1 + n_max, 8192))
    return PairSettings(
        n_ctx=draw(st.integers(64, 1 << 20)),
        n_batch=n_batch,
        n_ubatch=draw(st.integers(1, n_batch)),
        n_gpu_layers=draw(layers),
        draft_n_gpu_layers=draw(layers),
        n_threads=draw(st.integers(0, 512)),
        type_k=draw(st.sampled_from(KV_TYPES)),
        type_v=draw(st.sampled_from(KV_TYPES)),
        flash_attn=draw(st.sampled_from(FLASH_ATTENTION)),
        algorithm=draw(st.sampled_from(["auto", "dflash"])),
        draft_backend_sampling=draw(st.booleans()),
        backend_sampling=draw(st.booleans()),
        draft_n_max=n_max,
        draft_n_min=draw(st.integers(0, n_max)),
        draft_p_min=draw(st.floats(0, 1)),
        automatic_length=draw(st.booleans()),
    )


@settings(deadline=None)
@given(pair_settings())
def test_pair_settings_round_trip(settings: PairSettings) -> None:
    assert read_pair(pair_texts(settings)) == (settings, {})


@settings(deadline=None)
@given(
    st.builds(
        SamplingParams,
        temperature=st.floats(0, 5),
        top_k=st.integers(0, 100_000),
        top_p=st.floats(0, 1, exclude_min=True),
        min_p=st.floats(0, 1),
        repeat_penalty=st.floats(0, 5, exclude_min=True),
        repeat_last_n=st.integers(-1, 4096),
        seed=st.one_of(st.none(), st.integers(0, 2**32 - 1)),
        typical_p=st.floats(0, 1, exclude_min=True),
        top_n_sigma=st.floats(0, 10),
        xtc_probability=st.floats(0, 1),
        xtc_threshold=st.floats(0, 1),
        dynatemp_range=st.floats(0, 5),
        dynatemp_exponent=st.floats(0, 10, exclude_min=True),
        frequency_penalty=st.floats(-2, 2),
        presence_penalty=st.floats(-2, 2),
        dry_multiplier=st.floats(0, 10),
        dry_base=st.floats(1, 10),
        dry_allowed_length=st.integers(0, 1000),
        dry_penalty_last_n=st.integers(-1, 4096),
        mirostat_mode=st.sampled_from([0, 1, 2]),
        mirostat_tau=st.floats(0, 100, exclude_min=True),
        mirostat_eta=st.floats(0, 10, exclude_min=True),
    ),
    st.sampled_from([{}, {"grammar": 'root ::= "a"'}, {"json_schema": ANY_OBJECT}, {"json_schema": "{}"}]),
    st.integers(1, 1 << 20),
)
def test_sampling_round_trip(sampling: SamplingParams, form: dict[str, str], max_tokens: int) -> None:
    sampling = replace(sampling, **form)
    assert read_sampling(sampling_texts(sampling, max_tokens)) == ((sampling, max_tokens), {})


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"n_ctx": "16"}, {"n_ctx": "Enter a whole number from 64 to 16777216."}),
        ({"n_ctx": ""}, {"n_ctx": "Enter a whole number from 64 to 16777216."}),
        ({"n_ctx": "8k"}, {"n_ctx": "Enter a whole number from 64 to 16777216."}),
        ({"n_threads": "-1"}, {"n_threads": "Enter a whole number from 0 to 512."}),
        ({"n_ubatch": "1024"}, {"n_ubatch": "Must not be larger than the batch size, 512."}),
        ({"draft_n_min": "8"}, {"draft_n_min": "Must not be larger than the draft length, 7."}),
        (
            {"n_batch": "7", "n_ubatch": "7"},
            {"n_batch": "Must be at least 8: one token and a whole draft are verified in one batch."},
        ),
        ({"draft_p_min": "1.5"}, {"draft_p_min": "Enter a number from 0 to 1."}),
        ({"draft_p_min": "nan"}, {"draft_p_min": "Enter a number from 0 to 1."}),
        ({"n_gpu_layers": "some"}, {"n_gpu_layers": "Enter auto, all or a number of layers up to 99999."}),
        (
            {"draft_n_gpu_layers": "-3"},
            {"draft_n_gpu_layers": "Enter auto, all or a number of layers up to 99999."},
        ),
        (
            {"draft_n_max": "0", "n_ctx": "x"},
            {
                "draft_n_max": "Enter a whole number from 1 to 512.",
                "n_ctx": "Enter a whole number from 64 to 16777216.",
            },
        ),
    ],
)
def test_pair_errors_name_their_field(changes: dict[str, str], errors: dict[str, str]) -> None:
    assert read_pair({**pair_texts(PairSettings()), **changes}) == (None, errors)


def test_what_people_type_is_understood() -> None:
    texts = {**pair_texts(PairSettings()), "n_ctx": " 4096 ", "n_gpu_layers": " ALL ", "draft_p_min": "0,25"}
    settings, errors = read_pair(texts)
    assert not errors
    assert settings == replace(PairSettings(), n_ctx=4096, draft_p_min=0.25)


def test_what_only_the_dataclass_refuses_is_shown_all_the_same() -> None:
    settings, errors = read_pair({**pair_texts(PairSettings()), "type_k": "q3_0"})
    assert settings is None
    assert "KV types" in errors["n_ctx"]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"temperature": "-0.1"}, "Enter a number from 0 to 5."),
        ({"temperature": "inf"}, "Enter a number from 0 to 5."),
        ({"top_p": "0"}, "Enter a number above 0, up to 1."),
        ({"min_p": "2"}, "Enter a number from 0 to 1."),
        ({"repeat_penalty": "0"}, "Enter a number above 0, up to 5."),
        ({"top_k": "1.5"}, "Enter a whole number from 0 to 100000."),
        ({"seed": "-"}, "Enter a whole number from 0 to 4294967295."),
        ({"seed": "4294967296"}, "Enter a whole number from 0 to 4294967295."),
        ({"max_tokens": "0"}, "Enter a whole number from 1 to 1048576."),
        ({"typical_p": "0"}, "Enter a number above 0, up to 1."),
        ({"frequency_penalty": "3"}, "Enter a number from -2 to 2."),
        ({"dry_penalty_last_n": "-2"}, "Enter a whole number from -1 to 1048576."),
        ({"form_text": "root ::= x", "form": "grammar"}, "Line 1, column 10: there is no rule named x."),
        ({"form_text": '{"type": 1}', "form": "schema"}, "At #: type 1 is unknown."),
        ({"form_text": " ", "form": "schema"}, "Write it here, or choose any text."),
    ],
)
def test_sampling_errors(changes: dict[str, str], error: str) -> None:
    texts = {**sampling_texts(SamplingParams(), 1024), **changes}
    assert read_sampling(texts) == (None, {next(iter(changes)): error})


def test_presets_are_recognised() -> None:
    for name, preset in PRESETS.items():
        assert preset_of(replace(preset, seed=7)) == name
    assert preset_of(SamplingParams(temperature=0.0, top_k=3)) == "greedy"
    assert preset_of(SamplingParams(temperature=0.0, repeat_penalty=1.1)) == CUSTOM
    assert preset_of(SamplingParams(temperature=0.55)) == CUSTOM


def test_a_preset_leaves_what_is_not_its_own() -> None:
    before = SamplingParams(
        0.5, seed=3, repeat_last_n=9, mirostat_mode=2, logit_bias={5: 1.0}, grammar='root ::= "a"'
    )
    after = with_preset("creative", before)
    assert (after.temperature, after.mirostat_mode) == (1.1, 0)
    kept = ("seed", "repeat_last_n", "logit_bias", "grammar")
    assert all(getattr(after, name) == getattr(before, name) for name in kept)
    assert preset_of(SamplingParams(grammar='root ::= "a"')) == "balanced"


def test_what_has_no_field_stays_as_it_was() -> None:
    base = SamplingParams(logit_bias={7: -2.0}, dry_sequence_breakers=("x",))
    assert read_sampling(sampling_texts(base, 5), base) == ((base, 5), {})
