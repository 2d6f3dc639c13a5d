"""The automatic draft length: what it chooses, what it costs, and that it never changes the text."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from app.core.errors import Cancelled
from app.core.rounds import Round, RoundTimings
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.draft_length import AutomaticLength, CostModel, FixedLength
from app.engine.profile import ProfileCache, interpolate, measure
from tests.engine.support import GREEDY, collect

# A machine where a wide verification costs little (a GPU), and one where it costs almost its width.
GPU = [0.020 + 0.0004 * w for w in range(8)]
CPU = [0.0085, 0.0136, 0.017, 0.0213, 0.025, 0.028, 0.031, 0.035]


class World:
    """Draws rounds as a pair with the given acceptance would give them."""

    def __init__(self, verify: list[float], draft: float, acceptance: float, seed: int = 1) -> None:
        self.verify, self.draft, self.acceptance = verify, draft, acceptance
        self.random = random.Random(seed)
        self.tokens = 0
        self.seconds = 0.0

    def round(self, length: int) -> Round:
        accepted = 0
        while accepted < length and self.random.random() < self.acceptance:
            accepted += 1
        decode, draft = self.verify[length], self.draft if length else 0.0
        self.tokens += accepted + 1
        self.seconds += decode + draft
        return Round(
            mode="speculative" if length else "suspended",
            position=100,
            tokens=(1,) * (accepted + 1),
            accepted=accepted,
            drafted=(1,) * length,
            verified=length,
            rejected=(1,) * (length - accepted),
            seconds=decode + draft,
            timings=RoundTimings(draft=draft, decode=decode),
        )

    def run(self, policy: AutomaticLength | FixedLength, tokens: int, n_max: int = 7) -> float:
        """Tokens per second."""
        self.tokens, self.seconds = 0, 0.0
        while self.tokens < tokens:
            policy.observe(self.round(policy.choose(n_max)))
        return self.tokens / self.seconds


class Foreseen(World):
    """A drafter whose confidence knows good tokens from bad ones; `bias` is what it overstates them by."""

    def __init__(self, verify: list[float], draft: float, seed: int = 1, bias: float = 1.0) -> None:
        super().__init__(verify, draft, 0.0, seed)
        self.bias = bias
        self.chances: list[float] = []

    def propose(self, length: int) -> list[float]:
        self.chances = [self.random.choice((0.95, 0.1)) for _ in range(length)]
        return [min(c * self.bias, 1.0) for c in self.chances]

    def verify_round(self, kept: int) -> Round:
        accepted = 0
        while accepted < kept and self.random.random() < self.chances[accepted]:
            accepted += 1
        decode, drafted = self.verify[kept], len(self.chances)
        self.tokens += accepted + 1
        self.seconds += decode + self.draft
        return Round(
            mode="speculative",
            position=100,
            tokens=(1,) * (accepted + 1),
            accepted=accepted,
            drafted=(1,) * drafted,
            verified=kept,
            rejected=(1,) * (kept - accepted),
            seconds=decode + self.draft,
            timings=RoundTimings(draft=self.draft, decode=decode),
        )

    def race(self, policy: AutomaticLength, tokens: int, cut: bool) -> float:
        """Tokens per second, with proposals cut by their chances or verified whole."""
        while self.tokens < tokens:
            length = policy.choose(7)
            if not length:
                policy.observe(self.round(0))
                continue
            chances = self.propose(length)
            policy.observe(self.verify_round(policy.keep(chances) if cut else length))
        return self.tokens / self.seconds


@pytest.mark.parametrize("bias", [1.0, 1.3, 0.7])
def test_proposals_are_cut_where_their_own_chances_say_so(bias: float) -> None:
    """On a machine where every row costs, knowing the bad ones pays, also when the scale is wrong."""
    rates = {
        cut: Foreseen(CPU, 0.002, 5, bias).race(AutomaticLength(CostModel(CPU, 0.002)), 4000, cut)
        for cut in (False, True)
    }
    assert rates[True] > 1.05 * rates[False]


def test_no_row_is_verified_for_a_token_that_cannot_be_right() -> None:
    policy = AutomaticLength(CostModel(CPU, 0.002))
    policy.choose(7)
    assert policy.keep([0.99, 0.99, 0.0, 0.99]) == 2
    assert policy.keep([0.0, 0.99]) == 0
    assert policy.keep([]) == 0
    assert FixedLength().keep([0.0, 0.0]) == 2


def test_a_long_draft_needs_a_success_before_it() -> None:
    """One draft of 48 for nothing would cost as much as twenty ordinary tokens."""
    costs = [0.016 + 0.008 * w for w in range(49)]
    world, policy = World(costs, 0.0001, 1.0), AutomaticLength(CostModel(costs, 0.0001))
    lengths = []
    for _ in range(12):
        length = policy.choose(48)
        lengths.append(length)
        policy.observe(world.round(length))
    assert max(lengths[:1]) <= 8
    assert all(b <= max(2 * a, 8) for a, b in pairwise(lengths))
    assert max(lengths) == 48
    world.acceptance = 0.0
    policy.observe(world.round(policy.choose(48)))
    assert policy.choose(48) <= 8


def best_fixed(verify: list[float], draft: float, acceptance: float) -> float:
    rates = []
    for length in range(8):
        expected = sum(acceptance**i for i in range(length + 1))
        rates.append(expected / (verify[length] + (draft if length else 0.0)))
    return max(rates)


@pytest.mark.parametrize("acceptance", [0.0, 0.2, 0.45, 0.7, 0.9, 1.0])
@pytest.mark.parametrize(("verify", "draft"), [(GPU, 0.003), (CPU, 0.004)], ids=["gpu", "cpu"])
def test_it_comes_close_to_the_best_fixed_choice(
    verify: list[float], draft: float, acceptance: float
) -> None:
    world = World(verify, draft, acceptance)
    reached = world.run(AutomaticLength(CostModel(verify, draft)), 3000)
    assert reached >= 0.95 * best_fixed(verify, draft, acceptance)


def test_a_short_reply_that_does_not_pay_loses_little() -> None:
    ordinary = 1 / CPU[0]
    for seed in range(5):
        world = World(CPU, 0.004, 0.3, seed)
        assert world.run(AutomaticLength(CostModel(CPU, 0.004)), 150) >= 0.955 * ordinary
        assert world.run(AutomaticLength(CostModel(CPU, 0.004)), 1000) >= 0.97 * ordinary


def test_it_suspends_on_adverse_text_and_comes_back() -> None:
    policy = AutomaticLength(CostModel(GPU, 0.003))
    world = World(GPU, 0.003, 0.9)
    world.run(policy, 500)
    assert policy.choose(7) > 3
    world.acceptance = 0.0
    world.run(policy, 500)
    chosen = [0] * 8
    for _ in range(400):
        length = policy.choose(7)
        chosen[length] += 1
        policy.observe(world.round(length))
    assert chosen[0] > 350
    assert "Drafts promise at most" in policy.why
    world.acceptance = 0.95
    world.run(policy, 4000)
    assert policy.choose(7) > 3


def test_a_machine_on_which_no_draft_can_pay_never_drafts() -> None:
    hopeless = [0.01 * w for w in range(1, 9)]
    policy = AutomaticLength(CostModel(hopeless, 0.02))
    world = World(hopeless, 0.02, 1.0)
    for _ in range(200):
        assert policy.choose(7) == 0
        policy.observe(world.round(0))


class Silent(World):
    """A drafter that takes its time and then proposes nothing."""

    def round(self, length: int) -> Round:
        decode, draft = self.verify[0], self.draft if length else 0.0
        self.tokens += 1
        self.seconds += decode + draft
        return Round(
            mode="speculative" if length else "suspended",
            position=100,
            tokens=(1,),
            accepted=0,
            seconds=decode + draft,
            timings=RoundTimings(draft=draft, decode=decode),
        )


def test_drafts_that_come_back_empty_are_not_paid_for_long() -> None:
    silent = Silent(GPU, 0.01, 0.0)
    assert silent.run(AutomaticLength(CostModel(GPU, 0.01)), 2000) >= 0.96 / GPU[0]


def test_the_least_length_is_kept_or_nothing_is_drafted() -> None:
    policy = AutomaticLength(CostModel(CPU, 0.004))
    world = World(CPU, 0.004, 0.9)
    for _ in range(300):
        length = policy.choose(7, 5)
        assert length == 0 or length >= 5
        policy.observe(world.round(length))
    assert policy.choose(3, 5) == 0


def test_costs_follow_the_rounds() -> None:
    costs = CostModel(CPU, 0.004)
    slow = World([3 * t for t in CPU], 0.004, 0.5)
    for _ in range(200):
        costs.observe(slow.round(0))
    assert costs.verify[0] == pytest.approx(3 * CPU[0], rel=0.05)
    # Other widths were not seen, but a machine that slows down slows down as a whole.
    assert costs.verify[7] > 2 * CPU[7]


def test_interpolation_never_falls_and_goes_on_beyond_what_was_measured() -> None:
    times = interpolate({1: 1.0, 2: 1.5, 4: 1.4, 8: 3.0}, 10)
    assert len(times) == 10
    assert times == sorted(times)
    assert times[0] == 1.0
    assert times[2] == pytest.approx(1.5)
    assert times[9] > times[7] == 3.0


def test_profile_on_a_real_pair(tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    cache = tmp_path / "costs.json"

    def load(**options: object) -> Llama:
        spec = SpecConfig(
            spec_type=SpeculativeType.DRAFT_DFLASH, draft_model_path=str(tiny_pair[1]), draft_n_max=7
        )
        return Llama(
            str(tiny_pair[0]), n_ctx=1024, n_threads=1, speculative=spec, verbose=False, profile_cache=cache,
            **options,  # type: ignore[arg-type]
        )  # fmt: skip

    with load() as llm:
        assert not llm.decoder.length.automatic
        prompt = list(range(40, 90))
        fixed = collect(list(llm.generate(prompt, GREEDY, 150, ignore_eos=True)), llm.last_rounds)
    assert not cache.exists()
    with load(automatic_length=True) as llm:
        length = llm.decoder.length
        assert isinstance(length, AutomaticLength)
        assert len(length.costs.verify) == 8
        assert all(t > 0 for t in length.costs.verify)
        automatic = collect(list(llm.generate(prompt, GREEDY, 150, ignore_eos=True)), llm.last_rounds)
        assert automatic.tokens == fixed.tokens
        assert llm.status().automatic
        llm.set_draft_limits(3)
        assert llm.status().draft_n_max == 3
        assert not llm.status().automatic
        llm.set_draft_limits(5, automatic=True)
        assert llm.status().automatic
    kept = cache.read_text("utf-8")
    with load(automatic_length=True):
        pass
    assert cache.read_text("utf-8") == kept  # measured once

    with load() as llm:
        calls = 0

        def give_up() -> None:
            nonlocal calls
            calls += 1
            if calls == 3:
                raise Cancelled

        drafter = llm.decoder.drafter
        assert drafter is not None
        with pytest.raises(Cancelled):
            measure(llm.decoder.target, drafter, give_up)


def test_a_damaged_profile_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "costs.json"
    cache = ProfileCache(path)
    assert cache.get("x") is None
    path.write_text("{nonsense", "utf-8")
    assert cache.get("x") is None
    cache.put("x", CostModel([1.0, 2.0], 0.5))
    found = cache.get("x")
    assert found is not None
    assert (found.verify, found.draft) == ([1.0, 2.0], 0.5)
    path.write_text('{"x": {"verify": [0], "draft": 1}}', "utf-8")
    assert cache.get("x") is None
