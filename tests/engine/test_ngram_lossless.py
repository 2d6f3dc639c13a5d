"""N-gram drafting on tiny targets: the text is that of ordinary decoding, and copies are found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.events import Event, ReplyStarted, RoundDone
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.decoding import Decoder
from app.engine.drafters.base import DraftLimits
from app.engine.drafters.build import limits_for, make_ngram
from tests.engine.copying import NGRAM_KINDS, assert_same_text, ring_prompt, short_config
from tests.engine.support import GREEDY, Reply, bare_decoder, run
from tests.models import TargetSpec, make_target

WARM = SamplingParams(temperature=0.8, seed=5)
SAMPLINGS = pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "0.8"])
KINDS = pytest.mark.parametrize("kind", NGRAM_KINDS, ids=lambda kind: kind.to_str())


@pytest.fixture(scope="module")
def copying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Decoder]:
    """Goes on along its ring without fail."""
    path = make_target(tmp_path_factory.mktemp("models") / "copying.gguf", TargetSpec(drift=0.3))
    decoder = bare_decoder(path, n_max=64)
    yield decoder
    decoder.close()


@pytest.fixture(scope="module")
def drifting(tiny_target: Path) -> Iterator[Decoder]:
    """Leaves the ring every few tokens: some drafts are right, some are not."""
    decoder = bare_decoder(tiny_target, n_max=64)
    yield decoder
    decoder.close()


_ordinary: dict[tuple[object, ...], Reply] = {}


def ordinary(decoder: Decoder, prompt: list[int], n: int | None, sampling: SamplingParams) -> Reply:
    """The reply without drafts, from an empty cache, which is left empty; computed once."""
    key = (decoder, tuple(prompt), n, sampling)
    decoder.drafter = None
    if key not in _ordinary:
        decoder.target.cut(0)
        _ordinary[key] = run(decoder, prompt, n, sampling)
    decoder.target.cut(0)
    return _ordinary[key]


def use(decoder: Decoder, kind: SpeculativeType, spec: SpecConfig) -> None:
    decoder.drafter = make_ngram(kind, spec)
    decoder.control.limits = limits_for(decoder.drafter, spec.draft_n_max)


@SAMPLINGS
@KINDS
def test_a_copy_is_found_with_the_default_settings(
    copying: Decoder, kind: SpeculativeType, sampling: SamplingParams
) -> None:
    expected = ordinary(copying, ring_prompt(), 200, sampling)
    use(copying, kind, SpecConfig(kind))
    reply = run(copying, ring_prompt(), 200, sampling)
    assert reply.tokens == expected.tokens
    assert reply.text == expected.text
    stats = copying.stats
    assert stats.accepted > 170
    assert stats.verification_steps <= (6 if kind is not SpeculativeType.NGRAM_CACHE else 24)
    assert {r.algorithm for r in reply.rounds if r.drafted} == {copying.drafter.name}  # type: ignore[union-attr]


@SAMPLINGS
@pytest.mark.parametrize("length", [1, 3, 7, 15])
@KINDS
def test_lossless_where_drafts_are_often_wrong(
    drifting: Decoder, kind: SpeculativeType, length: int, sampling: SamplingParams
) -> None:
    expected = ordinary(drifting, ring_prompt(), 512, sampling)
    use(drifting, kind, short_config(kind))
    drifting.control.limits = DraftLimits(length)
    reply = run(drifting, ring_prompt(), 512, sampling)
    assert reply.tokens == expected.tokens
    assert reply.text == expected.text
    assert 0 < drifting.stats.accepted < drifting.stats.verified
    assert max(r.verified for r in reply.rounds) <= length


@KINDS
def test_the_second_turn_finds_what_the_first_said(drifting: Decoder, kind: SpeculativeType) -> None:
    first = ordinary(drifting, ring_prompt(), 150, GREEDY)
    turn = [*ring_prompt(), *first.tokens, 99, 98, *first.tokens[20:40]]
    expected = ordinary(drifting, turn, 120, GREEDY)
    use(drifting, kind, short_config(kind))
    run(drifting, ring_prompt(), 150)
    reply = run(drifting, turn, 120)
    started = reply.events[0]
    assert isinstance(started, ReplyStarted)
    assert started.reused_tokens == len(ring_prompt()) + 149
    assert drifting.stats.accepted > 0
    # An edit in the middle of the prompt: both sides go back to it.
    edited = [*ring_prompt()[:200], 97, *ring_prompt()[100:280]]
    again = run(drifting, edited, 100)
    assert drifting.stats.accepted > 0
    assert drifting.drafter is not None
    assert drifting.drafter.known == len(drifting.target.cached)
    assert_same_text(drifting, turn, expected, reply)
    assert_same_text(drifting, edited, ordinary(drifting, edited, 100, GREEDY), again)


@SAMPLINGS
@KINDS
def test_switched_off_and_on_in_the_middle(
    drifting: Decoder, kind: SpeculativeType, sampling: SamplingParams
) -> None:
    expected = ordinary(drifting, ring_prompt(), 300, sampling)
    use(drifting, kind, short_config(kind))
    rounds = 0

    def switch(event: Event) -> None:
        nonlocal rounds
        if isinstance(event, RoundDone):
            rounds += 1
            drifting.control.on = not 15 <= rounds < 60

    reply = run(drifting, ring_prompt(), 300, sampling, watch=switch)
    assert reply.tokens == expected.tokens
    modes = [r.mode for r in reply.rounds]
    assert set(modes[:15]) == {"speculative"}
    assert set(modes[15:60]) == {"ordinary"}
    assert set(modes[60:]) == {"speculative"}
    assert sum(r.accepted for r in reply.rounds[:15]) > 0
    assert sum(r.accepted for r in reply.rounds[60:]) > 0
    # Nothing has to be decoded again for a drafter that reads tokens alone.
    assert drifting.stats.catch_up_tokens == 0


@KINDS
def test_a_reply_that_starts_switched_off(drifting: Decoder, kind: SpeculativeType) -> None:
    """The drafter is told neither the prompt nor the first rounds; then everything at once."""
    expected = ordinary(drifting, ring_prompt(), 200, GREEDY)
    use(drifting, kind, short_config(kind))

    def switch(event: Event) -> None:
        if isinstance(event, RoundDone) and event.round.position > len(ring_prompt()) + 40:
            drifting.control.on = True

    reply = run(drifting, ring_prompt(), 200, on=False, watch=switch)
    assert reply.tokens == expected.tokens
    assert reply.rounds[0].mode == "ordinary"
    assert sum(r.accepted for r in reply.rounds) > 0


@KINDS
def test_a_full_context_ends_the_reply(tiny_target: Path, kind: SpeculativeType) -> None:
    decoder = bare_decoder(tiny_target, n_max=64, n_ctx=512)
    try:
        expected = ordinary(decoder, ring_prompt(), None, GREEDY)
        use(decoder, kind, short_config(kind))
        reply = run(decoder, ring_prompt(), None)
        assert reply.tokens == expected.tokens
        assert len(decoder.target.cached) == 512
        assert decoder.stats.accepted > 0
    finally:
        decoder.close()
