"""Typed text becomes settings or an error at the right field, and settings survive the way there and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.pair_settings import FLASH_ATTENTION, KV_TYPES, PairSettings
from app.core.sampling import SamplingParams
from app.ui.dialogs.values import (
    CUSTOM,
    PRESETS,
    pair_texts,
    preset_of,
    read_pair,
    read_sampling,
    sampling_texts,
)

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
    ),
    st.integers(1, 1 << 20),
)
def test_sampling_round_trip(sampling: SamplingParams, max_tokens: int) -> None:
    assert read_sampling(sampling_texts(sampling, max_tokens)) == ((sampling, max_tokens), {})


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"n_ctx": "16"}, {"n_ctx": "Enter a whole number of at least 64."}),
        ({"n_ctx": ""}, {"n_ctx": "Enter a whole number of at least 64."}),
        ({"n_ctx": "8k"}, {"n_ctx": "Enter a whole number of at least 64."}),
        ({"n_threads": "-1"}, {"n_threads": "Enter a whole number from 0 to 512."}),
        ({"n_ubatch": "1024"}, {"n_ubatch": "Must not be larger than the batch size, 512."}),
        ({"draft_n_min": "8"}, {"draft_n_min": "Must not be larger than the draft length, 7."}),
        (
            {"n_batch": "7", "n_ubatch": "7"},
            {"n_batch": "Must be at least 8: one token and a whole draft are verified in one batch."},
        ),
        ({"draft_p_min": "1.5"}, {"draft_p_min": "Enter a number from 0 to 1."}),
        ({"draft_p_min": "nan"}, {"draft_p_min": "Enter a number from 0 to 1."}),
        ({"n_gpu_layers": "some"}, {"n_gpu_layers": "Enter auto, all or a number of layers."}),
        ({"draft_n_gpu_layers": "-3"}, {"draft_n_gpu_layers": "Enter auto, all or a number of layers."}),
        (
            {"draft_n_max": "0", "n_ctx": "x"},
            {
                "draft_n_max": "Enter a whole number of at least 1.",
                "n_ctx": "Enter a whole number of at least 64.",
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
