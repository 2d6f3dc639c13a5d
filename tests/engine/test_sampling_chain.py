"""Every step of the sampler chain: text and distribution are the same with speculation on and off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.core.errors import EnvironmentProblem
from app.core.sampling import SamplingParams
from app.engine.decoding import Decoder
from app.engine.sampling import Sampler
from app.engine.target import Target
from tests.engine.chains import CHAINS, DRAWN
from tests.engine.distribution import PROMPT, chi_square_tail, compare, continuations, p_value
from tests.engine.support import EXACT, ReplayDrafter, bare_decoder, bare_target, run
from tests.models import TargetSpec, make_target

SAMPLES = 1500
PLAIN = SamplingParams(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)


@pytest.fixture(scope="module")
def flat_target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target that is unsure of itself: many continuations are likely."""
    return make_target(tmp_path_factory.mktemp("models") / "flat.gguf", TargetSpec(gain=1.2))


@pytest.fixture(scope="module")
def decoder(flat_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(flat_target, n_max=7, **EXACT)
    yield decoder
    decoder.close()


@pytest.fixture(scope="module")
def target(flat_target: Path) -> Iterator[Target]:
    target = bare_target(flat_target, rows_max=4, **EXACT)
    yield target
    target.close()


@pytest.mark.parametrize("name", CHAINS)
def test_the_same_seed_gives_the_same_text(decoder: Decoder, name: str) -> None:
    params = CHAINS[name]
    decoder.drafter = None
    ordinary = run(decoder, PROMPT, 64, params)
    n_vocab = decoder.target.model.n_vocab
    for right in (1.0, 0.6, 0.0):
        decoder.drafter = ReplayDrafter(ordinary.tokens, len(PROMPT), right, n_vocab)
        speculative = run(decoder, PROMPT, 64, params)
        assert speculative.tokens == ordinary.tokens
        assert speculative.text == ordinary.text
        if right != 0.6:
            assert (decoder.stats.accepted > 0) is (right == 1.0)
    assert len(set(ordinary.tokens)) > 3


def test_every_chain_gives_another_text(decoder: Decoder) -> None:
    """So that no setting is silently left out."""
    decoder.drafter = None
    texts = Counter(run(decoder, PROMPT, 64, params).text for params in CHAINS.values())
    assert len(texts) >= len(CHAINS) - 1


@pytest.mark.parametrize("name", DRAWN)
def test_verified_rows_are_sampled_as_ordinary_ones(target: Target, name: str) -> None:
    ((_, p, cells),) = compare(target, SAMPLES, [name])
    assert cells > 8 or name == "top-n-sigma"
    assert p > 1e-4 / len(DRAWN)


def test_the_comparison_sees_another_temperature(target: Target) -> None:
    a = continuations(target, PLAIN, range(SAMPLES))
    b = continuations(target, SamplingParams(0.9, 0, 1.0, 0.0), range(SAMPLES, 2 * SAMPLES))
    assert p_value(a, b)[0] < 1e-4 / len(DRAWN)


def test_the_tail_of_chi_square() -> None:
    """Values from tables."""
    for statistic, freedom, wanted in (
        (3.841, 1, 0.05),
        (124.342, 100, 0.05),
        (29.588, 10, 0.001),
        (5, 5, 0.4159),
    ):
        assert chi_square_tail(statistic, freedom) == pytest.approx(wanted, rel=1e-3)


def first_tokens(target: Target, params: SamplingParams, n: int = 400) -> set[int]:
    return {first for first, _ in continuations(target, params, range(n))}


def probabilities(target: Target) -> np.ndarray:
    """Of the first token, `[n_vocab]`, from the target's own row."""
    continuations(target, PLAIN, [1])
    target.cut(39)
    target.decode_rows(PROMPT[-1:])
    row = target.context.logits(1)[0].astype(np.float64)
    weights = np.exp(row - row.max())
    return weights / weights.sum()


def test_each_step_cuts_what_it_says(target: Target) -> None:
    p = probabilities(target)
    order = np.argsort(p)[::-1]
    assert first_tokens(target, SamplingParams(1.0, 3, 1.0, 0.0)) == set(order[:3].tolist())
    kept = first_tokens(target, SamplingParams(1.0, 0, 1.0, 0.3))
    assert kept == set(np.flatnonzero(p >= 0.3 * p.max()).tolist())
    nucleus = order[: int(np.searchsorted(np.cumsum(p[order]), 0.2)) + 1]
    assert first_tokens(target, SamplingParams(1.0, 0, 0.2, 0.0)) == set(nucleus.tolist())
    logits = np.log(p)
    near = set(np.flatnonzero(logits >= logits.max() - 0.7 * logits.std()).tolist())
    assert first_tokens(target, SamplingParams(1.0, 0, 1.0, 0.0, top_n_sigma=0.7)) <= near
    # XTC always: of the tokens above the threshold only the least likely stays.
    bar = float((p[order[1]] + p[order[2]]) / 2)
    found = first_tokens(target, SamplingParams(1.0, 0, 1.0, 0.0, xtc_probability=1.0, xtc_threshold=bar))
    assert order[0] not in found
    assert order[1] in found


def test_bias_bans_and_forces(target: Target) -> None:
    best = int(probabilities(target).argmax())
    assert best not in first_tokens(target, SamplingParams(1.0, logit_bias={best: float("-inf")}))
    assert first_tokens(target, SamplingParams(1.0, logit_bias={7: 100.0})) == {7}
    greedy = SamplingParams(0.0, logit_bias={best: float("-inf"), 9: 50.0})
    assert first_tokens(target, greedy, 1) == {9}


def test_a_bias_on_a_token_that_does_not_exist_is_refused(target: Target) -> None:
    with pytest.raises(EnvironmentProblem, match="token 288, which this model does not have"):
        Sampler(target.model, SamplingParams(logit_bias={288: 1.0}), 1, 2048)


def test_the_highest_seed_is_a_seed(decoder: Decoder) -> None:
    """The library takes it for a wish to draw one."""
    decoder.drafter = None
    params = SamplingParams(temperature=1.0, seed=2**32 - 1)
    assert run(decoder, PROMPT, 64, params).tokens == run(decoder, PROMPT, 64, params).tokens
