"""The proof that sampled texts part by rounding alone accepts no text that was drawn otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.sampling import SamplingParams
from tests.engine.copying import ring_prompt
from tests.engine.draws import assert_same_draws
from tests.engine.support import bare_decoder, run

WARM = SamplingParams(temperature=0.8, seed=5)


def test_another_seed_is_no_rounding(tiny_target: Path) -> None:
    decoder = bare_decoder(tiny_target)
    try:
        prompt = ring_prompt(0.5)
        texts = []
        for seed in range(5, 10):
            decoder.target.clear()
            texts.append(run(decoder, prompt, 50, replace(WARM, seed=seed)).tokens)
        assert_same_draws(decoder.target, prompt, texts[0], list(texts[0]), 8, WARM)
        for other in texts[1:]:
            with pytest.raises(AssertionError, match="texts part at"):
                assert_same_draws(decoder.target, prompt, texts[0], other, 8, WARM)
    finally:
        decoder.close()
