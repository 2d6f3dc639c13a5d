"""A drafter that is always right is always accepted, one that is always wrong never; the text is the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.sampling import SamplingParams
from app.engine.decoding import Decoder
from tests.engine.support import GREEDY, ReplayDrafter, Reply, bare_decoder, run

PROMPT = list(range(40, 72))
N = 96


@pytest.fixture
def decoder(tiny_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(tiny_target, n_max=7)
    yield decoder
    decoder.close()


def replayed(decoder: Decoder, right: float, sampling: SamplingParams = GREEDY) -> tuple[Reply, Reply]:
    decoder.drafter = None
    ordinary = run(decoder, PROMPT, N, sampling)
    decoder.drafter = ReplayDrafter(ordinary.tokens, len(PROMPT), right, decoder.target.model.n_vocab)
    return ordinary, run(decoder, PROMPT, N, sampling)


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=0.8, seed=5)], ids=["greedy", "0.8"])
def test_oracle_is_always_accepted(decoder: Decoder, sampling: SamplingParams) -> None:
    ordinary, speculative = replayed(decoder, 1.0, sampling)
    assert speculative.tokens == ordinary.tokens
    assert speculative.text == ordinary.text
    stats = decoder.stats.as_dict()
    assert stats["acceptance_rate"] == 1.0
    assert stats["rollbacks"] == 0
    assert stats["verification_steps"] == N // 8
    assert stats["acceptance_rate_per_position"] == [1.0] * 7
    assert stats["mean_accepted_length"] == 8.0


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=0.8, seed=5)], ids=["greedy", "0.8"])
def test_a_drafter_that_is_always_wrong_is_never_accepted(decoder: Decoder, sampling: SamplingParams) -> None:
    ordinary, speculative = replayed(decoder, 0.0, sampling)
    assert speculative.tokens == ordinary.tokens
    assert speculative.text == ordinary.text
    stats = decoder.stats.as_dict()
    assert stats["acceptance_rate"] == 0.0
    assert stats["rollbacks"] == stats["native_rollbacks"] == N - 1  # the last step has room for one token
    assert stats["verification_steps"] == N
    assert stats["mean_accepted_length"] == 1.0


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=0.8, seed=5)], ids=["greedy", "0.8"])
def test_a_drafter_that_is_often_right_is_accepted_as_often(
    decoder: Decoder, sampling: SamplingParams
) -> None:
    ordinary, speculative = replayed(decoder, 0.6, sampling)
    assert speculative.tokens == ordinary.tokens
    stats = decoder.stats.as_dict()
    conditional = stats["conditional_acceptance_per_position"]
    assert isinstance(conditional, list)
    assert 0.35 < conditional[0] < 0.85
    assert 0.2 < float(stats["acceptance_rate"]) < 0.8  # type: ignore[arg-type]


def test_the_drafter_hears_what_was_accepted(decoder: Decoder) -> None:
    replayed(decoder, 0.6)
    drafter = decoder.drafter
    assert isinstance(drafter, ReplayDrafter)
    assert drafter.accepted == [r.accepted for r in decoder.rounds if r.verified]
