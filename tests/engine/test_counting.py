"""Statistics equal an independent recount from the recorded rounds, written from the definitions alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.rounds import Round, RoundTimings, decode_rounds, encode_rounds, settle
from app.core.stats import SpeculativeStats, recount
from app.engine.decoding import Decoder
from tests.engine.support import ReplayDrafter, bare_decoder, run

PROMPT = list(range(50, 80))


@pytest.fixture
def decoder(tiny_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(tiny_target, n_max=7)
    yield decoder
    decoder.close()


def check(stats: SpeculativeStats, rounds: list[Round]) -> None:
    """The published figures, each from its definition."""
    d = stats.as_dict()
    assert d["drafted"] == sum(len(r.drafted) for r in rounds)
    assert d["verified"] == sum(r.verified for r in rounds)
    assert d["accepted"] == d["accepted_draft_tokens"] == sum(r.accepted for r in rounds)
    assert d["verification_steps"] == len(rounds)
    rejecting = [r for r in rounds if r.rejected]
    assert d["rollbacks"] == len(rejecting)
    assert d["native_rollbacks"] == sum(r.rollback == "native" for r in rejecting)
    drafting = [r for r in rounds if r.verified]
    assert d["generation_tokens"] == sum(len(r.tokens) for r in rounds)
    assert d["generation_seconds"] == pytest.approx(sum(r.seconds for r in rounds))
    timed = [r for r in rounds if r.timed]
    assert d["decode_tokens"] == sum(len(r.tokens) for r in timed)
    if not drafting:
        assert d["acceptance_rate"] is None
        assert d["mean_accepted_length"] is None
        return
    assert d["acceptance_rate"] == pytest.approx(d["accepted"] / d["verified"])  # type: ignore[operator]
    assert d["draft_token_acceptance_rate"] == pytest.approx(d["accepted"] / d["drafted"])  # type: ignore[operator]
    assert d["mean_accepted_length"] == pytest.approx(1 + sum(r.accepted for r in rounds) / len(drafting))
    widest = max(r.verified for r in rounds)
    for i in range(widest):
        committed = sum(r.accepted > i for r in drafting)
        reached = sum(r.verified > i and r.accepted >= i for r in drafting)
        assert d["acceptance_rate_per_position"][i] == pytest.approx(committed / len(drafting))  # type: ignore[index]
        if reached:
            assert d["conditional_acceptance_per_position"][i] == pytest.approx(committed / reached)  # type: ignore[index]


def test_figures_of_a_mixed_reply(decoder: Decoder) -> None:
    decoder.drafter = None
    ordinary = run(decoder, PROMPT, 120)
    check(decoder.stats, ordinary.rounds)
    decoder.drafter = ReplayDrafter(ordinary.tokens, len(PROMPT), 0.6, decoder.target.model.n_vocab)
    speculative = run(decoder, PROMPT, 120)
    assert 0 < decoder.stats.accepted < decoder.stats.verified
    check(decoder.stats, speculative.rounds)
    assert decoder.stats.request_ttft_seconds >= decoder.stats.first_token_seconds > 0


def test_a_draft_leaves_room_for_the_last_token_of_the_limit(decoder: Decoder) -> None:
    decoder.drafter = None
    ordinary = run(decoder, PROMPT, 60)
    decoder.drafter = ReplayDrafter(ordinary.tokens, len(PROMPT), 1.0, decoder.target.model.n_vocab)
    reply = run(decoder, PROMPT, 20)
    assert reply.tokens == ordinary.tokens[:20]
    rounds = [(r.verified, r.accepted, len(r.tokens)) for r in reply.rounds]
    assert rounds == [(7, 7, 8), (7, 7, 8), (3, 3, 4)]
    check(decoder.stats, reply.rounds)


def test_a_stop_string_across_rounds_withdraws_what_it_began(decoder: Decoder) -> None:
    decoder.drafter = None
    ordinary = run(decoder, PROMPT, 40)
    starts = [0]
    for r in ordinary.rounds:
        starts.append(starts[-1] + r.chars[0])
    # A stop string from the text of token 16 to that of token 18: with blocks of 8 it begins in one
    # round (as its last token) and is complete in the next but one.
    at = next(
        i
        for i in range(12, 30)
        if ordinary.text.find(ordinary.text[starts[i] : starts[i + 3]]) == starts[i]
        and starts[i + 3] > starts[i] + 1
    )
    stop = ordinary.text[starts[at] : starts[at + 3]]
    reply = run(decoder, PROMPT, 40, stop=[stop])
    assert reply.finish == "stop"
    assert reply.text == ordinary.text[: starts[at]]
    assert reply.tokens == ordinary.tokens[:at]
    assert sum(c for r in reply.rounds for c in r.chars) == len(reply.text)
    assert decoder.stats.generation_tokens == at
    check(decoder.stats, reply.rounds)
    done = reply.events[-1]
    assert done.withdrawn == 2  # type: ignore[union-attr]


def test_rounds_survive_storage(decoder: Decoder) -> None:
    decoder.drafter = None
    ordinary = run(decoder, PROMPT, 30)
    decoder.drafter = ReplayDrafter(ordinary.tokens, len(PROMPT), 0.6, decoder.target.model.n_vocab)
    reply = run(decoder, PROMPT, 30)
    kept = decode_rounds(encode_rounds(reply.rounds))
    a, b = recount(reply.rounds).as_dict(), recount(kept).as_dict()
    for name, value in a.items():
        # Times are kept in microseconds.
        assert (
            b[name] == pytest.approx(value, abs=1e-4, rel=1e-3)
            if isinstance(value, float)
            else b[name] == value
        )


def test_the_published_example() -> None:
    """5 x 512 tokens at draft length 15: 790 steps, 1770 of 11850 accepted, 775 rollbacks."""
    accepted = [15] * 15 + [2] * 770 + [1] * 5  # 775 of 790 steps reject something
    rounds = [
        Round(
            mode="speculative",
            position=0,
            tokens=(1,) * (a + 1),
            accepted=a,
            drafted=(1,) * 15,
            verified=15,
            rejected=(1,) * (15 - a),
            rollback="native" if a < 15 else "",
        )
        for a in accepted
    ]
    stats = recount(rounds)
    assert (stats.drafted, stats.verified, stats.accepted, stats.rollbacks) == (11850, 11850, 1770, 775)
    assert stats.verification_steps == 790
    assert stats.generation_tokens == 5 * 512
    assert round(100 * float(stats.as_dict()["acceptance_rate"]), 1) == 14.9  # type: ignore[arg-type]


def test_settling_a_reply() -> None:
    rounds = [
        Round("speculative", 0, (1, 2, 3), 2, chars=(1, 1, 1)),
        Round("speculative", 3, (4,), 0, chars=(2,)),
    ]
    kept = settle(rounds, 2, 2)
    assert [r.tokens for r in kept] == [(1, 2), ()]
    assert [r.accepted for r in kept] == [2, 0]
    assert [r.chars for r in kept] == [(1, 1), ()]
    assert settle(rounds, 0, 5) == rounds
    # A stop string cut the last kept token in the middle; half a character became a whole one.
    assert [r.chars for r in settle(rounds, 1, 2)] == [(1, 1, 0), ()]
    assert [r.chars for r in settle(rounds, 0, 6)] == [(1, 1, 1), (3,)]


def test_nothing_behind_a_rate_is_none() -> None:
    d = SpeculativeStats().as_dict()
    for name in ("acceptance_rate", "draft_token_acceptance_rate", "mean_accepted_length",
                 "generation_tokens_per_second", "decode_tokens_per_second"):  # fmt: skip
        assert d[name] is None


def test_timings_fit_into_the_round(decoder: Decoder) -> None:
    decoder.drafter = None
    reply = run(decoder, PROMPT, 30)
    for r in reply.rounds:
        t: RoundTimings = r.timings
        assert 0 < t.draft + t.decode + t.sync + t.process + t.accept + t.rollback <= r.seconds
