"""Off, on and suspended: the switch works between and inside replies, and never changes the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from app.core.events import OFF, SPECULATING, SUSPENDED, Event, PrefillProgress, RoundDone
from app.core.rounds import Round
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from tests.engine.support import GREEDY, Reply, collect

KINDS = {
    "DFlash": SpeculativeType.DRAFT_DFLASH,
    "DSpark": SpeculativeType.DRAFT_DSPARK,
    "DFlash2": SpeculativeType.DRAFT_DFLASH,
}
PROMPT = [40 + (7 * i) % 90 for i in range(50)]


@pytest.fixture(params=KINDS)
def llm(tiny_target: Path, tiny_sidecars: dict[str, Path], request: pytest.FixtureRequest) -> Iterator[Llama]:
    spec = SpecConfig(
        spec_type=KINDS[request.param], draft_model_path=str(tiny_sidecars[request.param]), draft_n_max=7
    )
    with Llama(str(tiny_target), n_ctx=2048, n_threads=1, speculative=spec, verbose=False) as llm:
        yield llm


def reply(llm: Llama, tokens: list[int], n: int, switch_at: dict[int, bool] | None = None) -> Reply:
    """A reply; after so many rounds, speculation is switched as `switch_at` says."""
    events: list[Event] = []
    rounds = 0
    for event in llm.generate(tokens, GREEDY, n, ignore_eos=True):
        events.append(event)
        if isinstance(event, RoundDone):
            rounds += 1
            if switch_at and rounds in switch_at:
                llm.set_speculation(switch_at[rounds])
    return collect(events, llm.last_rounds)


def modes(rounds: list[Round]) -> list[str]:
    """The modes in the order they appear, runs collapsed."""
    out: list[str] = []
    for r in rounds:
        if not out or out[-1] != r.mode:
            out.append(r.mode)
    return out


def test_switching_in_the_middle_of_a_reply(llm: Llama) -> None:
    llm.set_speculation(False)
    ordinary = reply(llm, PROMPT, 200)
    assert modes(ordinary.rounds) == ["ordinary"]
    assert llm.status().state == OFF

    llm.set_speculation(True)
    assert llm.status().state == SPECULATING
    mixed = reply(llm, PROMPT, 200, {10: False, 40: True})
    assert modes(mixed.rounds) == ["speculative", "ordinary", "speculative"]
    assert mixed.tokens == ordinary.tokens
    assert mixed.text == ordinary.text
    # Coming back on, the draft reads the 30 ordinary tokens it missed, and that is counted and shown.
    assert llm.decoder.stats.catch_up_tokens == 30
    shown = [e for e in mixed.events if isinstance(e, PrefillProgress) and e.catch_up]
    assert shown[-1].done == shown[-1].total == 30
    # The first decode after each switch rebuilds the graph and is not timed.
    untimed = [i for i, r in enumerate(mixed.rounds) if not r.timed]
    assert 10 in untimed
    # What it read is right: it drafts as well as before.
    late = mixed.rounds[40:]
    assert sum(r.accepted for r in late) > 0


def test_acceptance_after_a_switch_is_as_if_never_off(llm: Llama) -> None:
    llm.set_speculation(True)
    always = reply(llm, PROMPT, 160)
    llm.reset()
    mixed = reply(llm, PROMPT, 160, {1: False, 6: True})
    at = mixed.rounds[6].position
    assert at > 0
    expected = {r.position: r.drafted for r in always.rounds}
    compared = 0
    for r in mixed.rounds[6:]:
        if r.position in expected:
            assert r.drafted == expected[r.position]
            compared += 1
    assert compared > 3


def test_the_second_turn_reads_only_what_is_new_in_both_caches(llm: Llama) -> None:
    llm.set_speculation(True)
    first = reply(llm, PROMPT, 40)
    turn = [*PROMPT, *first.tokens, 50, 51, 52, 53]
    drafter = llm.decoder.drafter
    assert drafter is not None
    held = len(llm.decoder.target.cached)
    assert drafter.known == held
    second = reply(llm, turn, 60)
    assert llm.decoder.stats.reused_tokens == held
    llm.reset()
    fresh = reply(llm, turn, 60)
    assert llm.decoder.stats.reused_tokens == 0
    assert second.tokens == fresh.tokens
    assert [r.drafted for r in second.rounds] == [r.drafted for r in fresh.rounds]


def test_off_leaves_the_draft_alone(llm: Llama) -> None:
    llm.set_speculation(True)
    first = reply(llm, PROMPT, 40)
    drafter = llm.decoder.drafter
    assert drafter is not None
    known = drafter.known
    llm.set_speculation(False)
    turn = [*PROMPT, *first.tokens, 50, 51]
    second = reply(llm, turn, 30)
    assert drafter.known == known
    assert llm.decoder.stats.draft_calls == llm.decoder.stats.process_calls == 0
    # The third turn, on again, goes back to what the draft knows.
    llm.set_speculation(True)
    third_prompt = [*turn, *second.tokens, 60]
    third = reply(llm, third_prompt, 30)
    assert llm.decoder.stats.reused_tokens == known
    llm.reset()
    assert reply(llm, third_prompt, 30).tokens == third.tokens


class EveryOther:
    """A length policy that suspends drafting for runs of rounds."""

    automatic = True
    why = ""

    def __init__(self) -> None:
        self.n = 0

    def choose(self, n_max: int, n_min: int = 0) -> int:
        self.n += 1
        return 0 if self.n % 20 >= 8 else n_max

    def keep(self, chances: Sequence[float]) -> int:
        return len(chances)

    def observe(self, r: Round) -> None: ...


def test_suspended_keeps_the_draft_informed(llm: Llama) -> None:
    llm.set_speculation(True)
    always = reply(llm, PROMPT, 200)
    llm.reset()
    llm.decoder.length = EveryOther()
    suspended = reply(llm, PROMPT, 200)
    assert suspended.tokens == always.tokens
    assert set(modes(suspended.rounds)) == {"speculative", "suspended"}
    assert llm.decoder.stats.catch_up_tokens == 0
    expected = {r.position: r.drafted for r in always.rounds}
    compared = [r for r in suspended.rounds if r.mode == "speculative" and r.position in expected]
    assert len(compared) > 5
    assert all(r.drafted == expected[r.position] for r in compared)
    states = [e.status.state for e in suspended.events if isinstance(e, RoundDone)]
    assert {SPECULATING, SUSPENDED} == set(states)
