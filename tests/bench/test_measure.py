"""The statistics: medians over passes, intervals that keep their promise, and no claim within noise."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from app.bench.measure import chances, pass_ratios, speedup
from app.core.bench_values import FASTER, SLOWER, UNKNOWN, WITHIN_NOISE, PairTimes
from tests.bench.support import times


def experiment(
    chance: random.Random, ratios: list[float], passes: int, noise: float
) -> list[list[PairTimes]]:
    """One benchmark: prompts with these true ratios, measured with multiplicative noise."""
    return [[times(r * math.exp(chance.gauss(0, noise))) for _ in range(passes)] for r in ratios]


def test_a_pass_is_weighed_by_time() -> None:
    # Prompt 1 takes 1 s and halves, prompt 2 takes 9 s and stays: 10 s become 9.5 s.
    groups = [[PairTimes(100, 1.0, 100, 0.5)], [PairTimes(900, 9.0, 900, 9.0)]]
    assert pass_ratios(groups) == [pytest.approx(10 / 9.5)]


def test_the_median_pass_is_the_speedup() -> None:
    found = speedup([[times(1.5), times(1.2), times(1.3)]])
    assert found is not None
    assert found.ratio == pytest.approx(1.3)
    assert found.pairs == 3
    assert found.low is not None
    assert found.high is not None
    assert found.low < 1.2
    assert found.high > 1.5


@pytest.mark.parametrize(("ratios", "passes"), [([1.4], 3), ([0.3], 5), ([1.1, 2.0, 0.8, 1.3], 3)])
def test_a_repeat_falls_into_the_interval(ratios: list[float], passes: int) -> None:
    """The promise of the interval, over 60 pairs of benchmarks with known noise."""
    chance = random.Random(1)
    inside = 0
    for _ in range(60):
        found = speedup(experiment(chance, ratios, passes, 0.02))
        repeat = statistics.median(pass_ratios(experiment(chance, ratios, passes, 0.02)))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        inside += found.low <= repeat <= found.high
    assert inside >= 54


def test_equal_speed_is_within_noise_and_a_gain_is_not() -> None:
    chance = random.Random(2)
    verdicts = [speedup(experiment(chance, [1.0], 4, 0.02)) for _ in range(40)]
    assert sum(v is not None and v.verdict == WITHIN_NOISE for v in verdicts) >= 38
    faster = speedup(experiment(chance, [1.3], 4, 0.02))
    slower = speedup(experiment(chance, [0.7], 4, 0.02))
    assert faster is not None
    assert faster.verdict == FASTER
    assert slower is not None
    assert slower.verdict == SLOWER


def test_a_tiny_difference_is_no_claim_however_exact() -> None:
    found = speedup([[times(1.004), times(1.004001), times(1.003999)]])
    assert found is not None
    assert found.low is not None
    assert found.low > 1.0
    assert found.verdict == WITHIN_NOISE


def test_one_pair_tells_no_certainty() -> None:
    found = speedup([[times(2.0)]])
    assert found is not None
    assert (found.ratio, found.low, found.high) == (pytest.approx(2.0), None, None)
    assert found.verdict == UNKNOWN
    assert speedup([]) is None


def test_one_pair_per_prompt_speaks_of_prompts() -> None:
    found = speedup([[times(r)] for r in (1.1, 1.4, 1.2, 1.9, 1.5, 1.3)])
    assert found is not None
    assert found.over_prompts
    assert found.low is not None
    assert found.high is not None
    assert 1.1 <= found.low < found.ratio < found.high <= 1.9


def test_draws_are_the_same_every_time() -> None:
    groups = [[times(1.5), times(1.2), times(1.3)]]
    assert speedup(groups) == speedup(groups)


def test_two_noisy_pairs_do_not_overflow() -> None:
    found = speedup([[times(0.001), times(1000.0)]])
    assert found is not None
    assert found.high is not None
    assert math.isfinite(found.high)


def test_chances_know_a_clear_winner_from_a_close_one() -> None:
    chance = random.Random(3)
    clear = chances([experiment(chance, [r], 5, 0.01) for r in (1.1, 1.5, 0.9)])
    assert clear is not None
    assert clear[1] > 0.95
    assert sum(clear) == pytest.approx(1.0)
    slower = chances([experiment(chance, [r], 5, 0.01) for r in (0.6, 0.5)])
    assert slower is not None
    assert slower[-1] > 0.95
    close = chances([experiment(chance, [r], 5, 0.02) for r in (1.3, 1.301)])
    assert close is not None
    assert max(close) < 0.95
    assert chances([[[times(1.2)]]]) is None
