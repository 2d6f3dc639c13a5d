"""Every drafter beside every kind of target, at several draft lengths, greedy and sampled: the text of
ordinary decoding, or a refusal by name.

By default a part of it runs, in which every drafter and every target occurs. `--whole-matrix` runs all of
it with 512 tokens a reply, which takes about an hour of one core; `--whole-matrix=N` with N tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.errors import EnvironmentProblem
from app.core.sampling import SamplingParams
from app.engine.decoding import Decoder
from app.engine.drafters.build import limits_for
from tests.engine.copying import assert_same_text, ring_prompt
from tests.engine.draws import assert_same_draws
from tests.engine.matrix import DRAFTERS, TARGETS, Files, open_pair
from tests.engine.support import GREEDY, Reply, run
from tests.engine.test_counting import check

LENGTHS = (1, 3, 7, 15)
SAMPLINGS = {"greedy": GREEDY, "0.8": SamplingParams(temperature=0.8, seed=5)}
PROMPT = ring_prompt(1.7)
SHORT_REPLY = 64


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "pair" not in metafunc.fixturenames:
        return
    pairs = [(target, drafter) for target in TARGETS for drafter in DRAFTERS]
    if not metafunc.config.getoption("--whole-matrix"):
        # A diagonal: each drafter on two or three targets, and each target with a few drafters.
        places = {name: i for i, name in enumerate(DRAFTERS)}
        pairs = [
            (target, drafter)
            for i, target in enumerate(TARGETS)
            for drafter in DRAFTERS
            if (places[drafter] + 4 * i) % 7 == 0
        ]
    metafunc.parametrize("pair", pairs, ids=[f"{t}/{d}" for t, d in pairs], scope="module")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("matrix"))


@pytest.fixture(scope="module")
def ordinary() -> dict[tuple[str, str], Reply]:
    """Ordinary replies by target and sampling, as they are first needed."""
    return {}


@pytest.fixture(scope="module")
def decoder(files: Files, pair: tuple[str, str]) -> Iterator[Decoder | EnvironmentProblem]:
    """The pair, or why it is refused."""
    target, drafter = pair
    try:
        opened = open_pair(files, drafter, target)
    except EnvironmentProblem as problem:
        yield problem
        return
    yield opened
    opened.close()


def test_lossless_or_refused(
    decoder: Decoder | EnvironmentProblem,
    pair: tuple[str, str],
    ordinary: dict[tuple[str, str], Reply],
    request: pytest.FixtureRequest,
) -> None:
    target, drafter = pair
    refused = DRAFTERS[drafter].refused(TARGETS[target])
    if isinstance(decoder, EnvironmentProblem):
        assert decoder.code == refused
        assert decoder.why
        assert decoder.remedy
        return
    assert not refused
    whole: int = request.config.getoption("--whole-matrix")
    turn = list(DRAFTERS).index(drafter) + list(TARGETS).index(target)
    for length in LENGTHS if whole else (LENGTHS[turn % 4], LENGTHS[(turn + 2) % 4]):
        for name in SAMPLINGS if whole else (list(SAMPLINGS)[(turn + length // 7) % 2],):
            _compare(decoder, target, name, length, whole or SHORT_REPLY, ordinary)


def _compare(
    decoder: Decoder,
    target: str,
    sampling: str,
    length: int,
    n: int,
    ordinary: dict[tuple[str, str], Reply],
) -> None:
    if (target, sampling) not in ordinary:
        decoder.target.clear()
        ordinary[target, sampling] = run(decoder, PROMPT, n, SAMPLINGS[sampling], on=False)
    expected = ordinary[target, sampling]
    drafter = decoder.drafter
    assert drafter is not None
    decoder.target.clear()
    drafter.truncate(0)
    limits = limits_for(drafter, length)
    decoder.control.limits = replace(limits, n_max=min(limits.n_max, length))
    reply = run(decoder, PROMPT, n, SAMPLINGS[sampling])
    where = f"{target}, {drafter.name}, {length}, {sampling}"
    assert max(r.verified for r in reply.rounds) <= length, where
    if sampling == "greedy":
        assert_same_text(decoder, PROMPT, expected, reply)
    else:
        assert_same_draws(
            decoder.target, PROMPT, expected.tokens, reply.tokens, length + 1, SAMPLINGS[sampling]
        )
    stats = decoder.stats
    assert 0 < stats.accepted < stats.verified, where
    assert stats.rollbacks == stats.native_rollbacks + stats.checkpoint_rollbacks, where
    if max(r.accepted for r in reply.rounds) + 1 >= max(r.verified for r in reply.rounds):
        check(stats, list(reply.rounds))
