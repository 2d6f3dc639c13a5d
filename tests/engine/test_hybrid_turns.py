"""Turns of a conversation, switches, stops and failures on a hybrid target: what was read is used again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.events import Event, PrefillProgress, ReplyStarted, RoundDone
from app.engine.decoding import Decoder
from app.engine.drafters.base import DraftLimits
from app.engine.handles import Batch, Context
from tests.engine.copying import assert_same_text, ring_prompt
from tests.engine.hybrids import CHECKPOINTS, FEW_SNAPSHOTS, SNAPSHOTS, hybrid_decoder
from tests.engine.support import ReplayDrafter, Reply, run
from tests.models import TargetSpec
from tests.models.hybrid import make_lfm2

PROMPT = ring_prompt(1.2)
TAIL = 16  # a state is kept so many tokens before the end of a prompt, and one at its end


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_lfm2(tmp_path_factory.mktemp("models") / "tiny-lfm2.gguf", TargetSpec())


@pytest.fixture(params=[SNAPSHOTS, FEW_SNAPSHOTS, CHECKPOINTS], ids=lambda memory: memory.name)
def decoder(hybrid: Path, request: pytest.FixtureRequest) -> Iterator[Decoder]:
    decoder = hybrid_decoder(hybrid, request.param, 7)
    yield decoder
    decoder.close()


def fresh(decoder: Decoder, prompt: list[int], n: int) -> Reply:
    """The ordinary reply from an empty cache, which is left empty."""
    drafter, decoder.drafter = decoder.drafter, None
    decoder.target.cut(0)
    reply = run(decoder, prompt, n)
    decoder.target.cut(0)
    decoder.drafter = drafter
    return reply


def replaying(decoder: Decoder, prompt: list[int], n: int, right: float = 0.6) -> Reply:
    """Put a drafter on that knows the reply; returns that reply."""
    decoder.drafter = None
    expected = fresh(decoder, prompt, n)
    decoder.drafter = ReplayDrafter(expected.tokens, len(prompt), right, decoder.target.model.n_vocab)
    return expected


def reused(reply: Reply) -> int:
    started = reply.events[0]
    assert isinstance(started, ReplyStarted)
    return started.reused_tokens


def test_going_on_with_the_text_reads_only_what_is_new(decoder: Decoder) -> None:
    replaying(decoder, PROMPT, 40)
    first = run(decoder, PROMPT, 40)
    turn = [*PROMPT, *first.tokens, 33, 34, 35]
    expected = fresh(decoder, turn, 40)
    run(decoder, PROMPT, 40)
    held = len(decoder.target.cached)
    assert held >= len(PROMPT) + 39  # the last token may not have been decoded
    second = run(decoder, turn, 40)
    assert reused(second) == held
    assert_same_text(decoder, turn, expected, second)


@pytest.mark.parametrize("kept", [0, 5, 20])
def test_another_turn_starts_from_the_end_of_the_prompt(decoder: Decoder, kept: int) -> None:
    """A template that writes the reply differently in the history: so many of its tokens are the same."""
    first = replaying(decoder, PROMPT, 40)
    turn = [*PROMPT, *first.tokens[:kept], 33, 34, 35, *ring_prompt(0.3)]
    expected = fresh(decoder, turn, 60)
    run(decoder, PROMPT, 40)
    second = run(decoder, turn, 60)
    assert reused(second) == len(PROMPT) - 1
    assert decoder.stats.checkpoint_restores > 0
    assert_same_text(decoder, turn, expected, second)


def test_a_prompt_whose_end_is_not_repeated(decoder: Decoder) -> None:
    """As with reasoning models: what opens the reply is not in the next turn."""
    replaying(decoder, PROMPT, 40)
    turn = [*PROMPT[:-3], 44, 45, 46, *ring_prompt(0.3)]
    expected = fresh(decoder, turn, 40)
    run(decoder, PROMPT, 40)
    second = run(decoder, turn, 40)
    assert reused(second) == len(PROMPT) - 1 - TAIL
    assert_same_text(decoder, turn, expected, second)


def test_states_are_kept_on_the_way_through_a_long_prompt(hybrid: Path) -> None:
    decoder = hybrid_decoder(hybrid, CHECKPOINTS, 7, n_states=3, interval=100, n_batch=64)
    try:
        prompt = ring_prompt(4.0)
        edits = {at: [*prompt[:at], 44, 45, *prompt[at + 2 :]] for at in (len(prompt) - 8, 350, 90)}
        expected = {at: fresh(decoder, edited, 20) for at, edited in edits.items()}
        run(decoder, prompt, 20)
        held = decoder.target.counts.buffer_bytes
        for at, edited in edits.items():
            reply = run(decoder, edited, 20)
            assert reused(reply) <= at
            assert at - reused(reply) < 150
            assert_same_text(decoder, edited, expected[at], reply)
        # Three states at most, however many were taken; their buffers are used again.
        assert decoder.target.counts.buffer_bytes == held
    finally:
        decoder.close()


def test_without_states_the_prompt_is_read_again(hybrid: Path) -> None:
    decoder = hybrid_decoder(hybrid, CHECKPOINTS, 7, n_states=0)
    try:
        turn = [*PROMPT[:-3], 44, 45]
        expected = fresh(decoder, turn, 20)
        captures = decoder.target.counts.captures
        run(decoder, PROMPT, 20)
        reply = run(decoder, turn, 20)
        assert reused(reply) == 0
        assert reply.tokens == expected.tokens
        assert decoder.target.counts.captures == captures
    finally:
        decoder.close()


def test_a_short_edit_after_a_rejection_is_not_mistaken_for_a_snapshot(decoder: Decoder) -> None:
    """Snapshots are of the last decode alone: one token further back must not look like a way back."""
    expected = fresh(decoder, PROMPT, 30)
    for back in (1, 2, 3, 5):
        decoder.target.cut(0)
        run(decoder, PROMPT, 30)  # one token per decode
        turn = [*PROMPT, *expected.tokens[: 30 - back - 1], 44]
        reply = run(decoder, turn, 30)
        assert reused(reply) in (len(PROMPT) - 1, len(turn) - 1)
        assert_same_text(decoder, turn, fresh(decoder, turn, 30), reply)


def test_switched_off_and_on_in_the_middle(decoder: Decoder) -> None:
    expected = replaying(decoder, PROMPT, 200)

    def switch(event: Event) -> None:
        if isinstance(event, RoundDone):
            decoder.control.on = not 10 <= len(decoder.rounds) < 30

    reply = run(decoder, PROMPT, 200, watch=switch)
    assert reply.tokens == expected.tokens
    assert {r.mode for r in reply.rounds[10:30]} == {"ordinary"}
    assert sum(r.accepted for r in reply.rounds[30:]) > 0
    assert decoder.stats.catch_up_tokens == 0


def test_the_length_may_change_between_rounds(decoder: Decoder) -> None:
    expected = replaying(decoder, PROMPT, 200)

    def change(event: Event) -> None:
        if isinstance(event, RoundDone):
            decoder.control.limits = DraftLimits((7, 1, 3, 5, 2)[len(decoder.rounds) % 5])

    reply = run(decoder, PROMPT, 200, watch=change)
    assert reply.tokens == expected.tokens
    assert {r.verified for r in reply.rounds} >= {1, 2, 3, 5, 7}


def test_cancel_while_reading_and_while_generating(decoder: Decoder) -> None:
    prompt = ring_prompt(3.0)
    expected = replaying(decoder, prompt, 100)
    for kind, count in ((PrefillProgress, 1), (RoundDone, 1), (RoundDone, 6)):
        decoder.target.cut(0)
        cancel = threading.Event()
        seen = 0

        def stop(
            event: Event, kind: type = kind, count: int = count, cancel: threading.Event = cancel
        ) -> None:
            nonlocal seen
            seen += isinstance(event, kind)
            if seen == count:
                cancel.set()

        cancelled = run(decoder, prompt, 100, cancel=cancel, watch=stop)
        assert cancelled.finish == "cancelled"
        assert expected.tokens[: len(cancelled.tokens)] == cancelled.tokens
        held = len(decoder.target.cached)
        again = run(decoder, prompt, 100)
        assert 0 < reused(again) <= held
        assert_same_text(decoder, prompt, expected, again)


def test_closing_the_generator_leaves_the_memory_fit(decoder: Decoder) -> None:
    expected = replaying(decoder, PROMPT, 60)

    class Enough(Exception):
        pass

    for after in (1, 2, 5):

        def leave(event: Event, after: int = after) -> None:
            if isinstance(event, RoundDone) and len(decoder.rounds) == after:
                raise Enough

        with pytest.raises(Enough):
            run(decoder, PROMPT, 60, watch=leave)
        assert_same_text(decoder, PROMPT, expected, run(decoder, PROMPT, 60))


@pytest.mark.parametrize("at", [2, 4, 6, 9])
def test_a_failing_decode_is_an_error_and_the_next_request_works(
    decoder: Decoder, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    expected = replaying(decoder, PROMPT, 60)
    calls = 0
    decode = Context.decode

    def fail_after_half(context: Context, batch: Batch) -> None:
        nonlocal calls
        calls += 1
        decode(context, batch)
        if calls == at:
            # The library may have changed the memory when it reports a failure.
            raise EnvironmentProblem("The engine could not compute the next step.")

    monkeypatch.setattr(Context, "decode", fail_after_half)
    with pytest.raises(EnvironmentProblem):
        run(decoder, PROMPT, 60)
    monkeypatch.undo()
    again = run(decoder, PROMPT, 60)
    assert_same_text(decoder, PROMPT, expected, again)
    # What was saved before the failure is used again.
    assert reused(again) > 0


def test_a_failing_sampler_is_an_error_and_the_next_request_works(
    decoder: Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.engine.sampling import Sampler

    expected = replaying(decoder, PROMPT, 60)
    calls = 0
    verify = Sampler.verify

    def fail_once(self: Sampler, *args: object) -> list[int]:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise MemoryError
        return verify(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Sampler, "verify", fail_once)
    with pytest.raises(MemoryError):
        run(decoder, PROMPT, 60)
    monkeypatch.undo()
    assert_same_text(decoder, PROMPT, expected, run(decoder, PROMPT, 60))
