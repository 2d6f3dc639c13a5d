"""The loop's behaviour around rounds: prefix reuse, switching, stopping, failing, and what stays behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.events import Event, PrefillProgress, ReplyDone, ReplyStarted, RoundDone
from app.core.sampling import SamplingParams
from app.engine.decoding import Decoder
from app.engine.handles import Batch
from tests.engine.support import ReplayDrafter, bare_decoder, run

PROMPT = list(range(30, 90))


@pytest.fixture
def decoder(tiny_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(tiny_target, n_max=7)
    yield decoder
    decoder.close()


def test_the_second_turn_prefills_only_what_is_new(decoder: Decoder) -> None:
    first = run(decoder, PROMPT, 20)
    held = len(decoder.target.cached)
    assert held == len(PROMPT) + 19  # the last token was never decoded
    turn = [*PROMPT, *first.tokens, 33, 34, 35]
    second = run(decoder, turn, 20)
    started = second.events[0]
    assert isinstance(started, ReplyStarted)
    assert started.reused_tokens == decoder.stats.reused_tokens == held
    prefilled = [e for e in second.events if isinstance(e, PrefillProgress)]
    assert prefilled[-1].total == len(turn) - 1 - held
    decoder.target.cut(0)
    assert run(decoder, turn, 20).tokens == second.tokens


def test_an_edited_prompt_reuses_the_common_part(decoder: Decoder) -> None:
    run(decoder, PROMPT, 10)
    edited = [*PROMPT[:25], 99, *PROMPT[26:]]
    reply = run(decoder, edited, 10)
    assert decoder.stats.reused_tokens == 25
    decoder.target.cut(0)
    assert run(decoder, edited, 10).tokens == reply.tokens


def test_cancel_during_prefill_keeps_what_was_read(decoder: Decoder) -> None:
    cancel = threading.Event()

    def stop_at_first_slice(event: Event) -> None:
        if isinstance(event, PrefillProgress):
            cancel.set()

    prompt = [30 + i % 100 for i in range(400)]
    reply = run(decoder, prompt, 10, cancel=cancel, watch=stop_at_first_slice)
    assert reply.finish == "cancelled"
    assert reply.tokens == []
    read = len(decoder.target.cached)
    assert 0 < read < len(prompt) - 1
    again = run(decoder, prompt, 10)
    assert decoder.stats.reused_tokens == read
    decoder.target.cut(0)
    assert run(decoder, prompt, 10).tokens == again.tokens


def test_cancel_while_generating_keeps_the_text(decoder: Decoder) -> None:
    cancel = threading.Event()
    seen: list[RoundDone] = []

    def stop_after_five(event: Event) -> None:
        if isinstance(event, RoundDone):
            seen.append(event)
            if len(seen) == 5:
                cancel.set()

    reply = run(decoder, PROMPT, 100, cancel=cancel, watch=stop_after_five)
    assert reply.finish == "cancelled"
    assert len(reply.tokens) == 5
    full = run(decoder, PROMPT, 100)
    assert full.tokens[:5] == reply.tokens
    assert full.text.startswith(reply.text)


def test_closing_the_generator_leaves_the_cache_fit(decoder: Decoder) -> None:
    whole = run(decoder, PROMPT, 30)
    seen = 0

    class Enough(Exception):
        pass

    def leave(event: Event) -> None:
        nonlocal seen
        seen += isinstance(event, RoundDone)
        if seen == 3:
            raise Enough

    with pytest.raises(Enough):
        run(decoder, PROMPT, 30, watch=leave)
    assert run(decoder, PROMPT, 30).tokens == whole.tokens


def test_a_failing_decode_is_an_error_and_the_next_request_works(
    decoder: Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(decoder, PROMPT, 30)
    calls = 0
    decode = type(decoder.target.context).decode

    def fail_once(context: object, batch: Batch) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise EnvironmentProblem("The engine could not compute the next step.")
        decode(context, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(type(decoder.target.context), "decode", fail_once)
    with pytest.raises(EnvironmentProblem):
        run(decoder, PROMPT, 30)
    monkeypatch.undo()
    assert run(decoder, PROMPT, 30).tokens == whole.tokens


def test_a_prompt_that_does_not_fit_says_so(decoder: Decoder) -> None:
    n_ctx = decoder.target.context.n_ctx
    with pytest.raises(EnvironmentProblem, match="no longer fits") as caught:
        run(decoder, [40] * n_ctx, 1)
    assert caught.value.code == "context-full"
    with pytest.raises(EnvironmentProblem, match="empty"):
        run(decoder, [], 1)
    assert run(decoder, PROMPT, 5).finish == "length"


@pytest.mark.parametrize("right", [None, 1.0, 0.0, 0.6])
def test_a_full_context_ends_the_reply(tiny_target: Path, right: float | None) -> None:
    decoder = bare_decoder(tiny_target, n_max=7, n_ctx=256)
    try:
        ordinary = run(decoder, PROMPT, None, ignore_eos=True)
        assert ordinary.finish == "length"
        assert len(PROMPT) + len(ordinary.tokens) == 256 + 1
        if right is not None:
            decoder.drafter = ReplayDrafter(ordinary.tokens, len(PROMPT), right, decoder.target.model.n_vocab)
            assert run(decoder, PROMPT, None, ignore_eos=True).tokens == ordinary.tokens
        assert len(decoder.target.cached) <= 256
    finally:
        decoder.close()


def test_max_tokens_and_the_end_of_generation(decoder: Decoder) -> None:
    assert len(run(decoder, PROMPT, 1).tokens) == 1
    assert run(decoder, PROMPT, 1).finish == "length"


def test_the_same_seed_gives_the_same_text(decoder: Decoder) -> None:
    warm = SamplingParams(temperature=1.2, seed=7)
    first, second = run(decoder, PROMPT, 40, warm), run(decoder, PROMPT, 40, warm)
    other = run(decoder, PROMPT, 40, SamplingParams(temperature=1.2, seed=8))
    assert first.tokens == second.tokens != other.tokens


def test_a_repeat_penalty_changes_a_greedy_text(decoder: Decoder) -> None:
    plain = run(decoder, PROMPT, 60)
    punished = run(decoder, PROMPT, 60, SamplingParams(temperature=0.0, repeat_penalty=1.8))
    assert len(set(punished.tokens)) > len(set(plain.tokens))


def test_events_come_in_order(decoder: Decoder) -> None:
    events = run(decoder, PROMPT, 8).events
    kinds = [type(e) for e in events]
    rounds = kinds.index(RoundDone)
    assert kinds[0] is ReplyStarted
    assert set(kinds[1:rounds]) == {PrefillProgress}
    assert set(kinds[rounds:-1]) == {RoundDone}
    assert kinds[-1] is ReplyDone
    positions = [e.round.position for e in events if isinstance(e, RoundDone)]
    assert positions == sorted(positions)
