"""The panel's figures, live and recounted, against sums made by hand."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from app.core.conversation import ASSISTANT, USER, Conversation, ConversationSummary, Message
from app.core.rounds import NATIVE, ORDINARY, SPECULATIVE, Round, RoundTimings, encode_rounds
from app.core.settings import AppSettings
from app.core.stats import SpeculativeStats, recount
from app.services.panel_figures import SAMPLES, Pace, PanelFigures, figures_of
from tests.fakes import MemoryStore
from tests.services.conftest import Desk, pause, spin

EMPTY = PanelFigures()


def ordinary(seconds: float = 0.01, position: int = 100, timed: bool = True) -> Round:
    return Round(ORDINARY, position, (1,), 0, seconds=seconds, timed=timed)


def drafted(accepted: int, length: int = 4, seconds: float = 0.02, position: int = 100) -> Round:
    drafts = tuple(range(length))
    timings = RoundTimings(0.004, 0.006, 0.002, 0.003, 0.001, 0.0005)
    return Round(
        SPECULATIVE,
        position,
        (*drafts[:accepted], 9),
        accepted,
        drafts,
        length,
        drafts[accepted:],
        NATIVE if accepted < length else "",
        seconds=seconds,
        timings=timings,
    )


def test_nothing_measured_is_none_not_zero() -> None:
    figures = figures_of(SpeculativeStats(), Pace(), running=False)
    assert figures == EMPTY
    assert EMPTY.acceptance is None
    assert EMPTY.tokens_per_second is None


def test_figures_by_hand() -> None:
    rounds = [drafted(4), drafted(2), drafted(0), ordinary()]
    stats, pace = recount(rounds), Pace()
    stats.prompt_tokens, stats.reused_tokens, stats.prompt_seconds = 30, 10, 0.5
    stats.request_ttft_seconds = 0.52
    for r in rounds:
        pace.add(r)
    f = figures_of(stats, pace, running=True, context_used=40, context_total=8192)
    assert (f.drafted, f.verified, f.accepted) == (12, 12, 6)
    assert f.acceptance == pytest.approx(0.5)
    assert f.mean_accepted_length == pytest.approx(1 + 6 / 3)
    assert f.acceptance_by_position == pytest.approx((2 / 3, 2 / 3, 1 / 3, 1 / 3))
    assert f.conditional_by_position == pytest.approx((2 / 3, 1.0, 0.5, 1.0))
    assert (f.verification_steps, f.rollbacks, f.native_rollbacks, f.checkpoint_rollbacks) == (4, 2, 2, 0)
    assert f.tokens_per_second == pytest.approx(10 / 0.07)
    assert f.tokens_per_second_now == pytest.approx(10 / 0.07)
    assert f.draft_seconds == pytest.approx(0.012)
    assert f.verify_seconds == pytest.approx(0.024)
    assert f.process_seconds == pytest.approx(0.009)
    assert f.rollback_seconds == pytest.approx(0.0045)
    assert f.other_seconds == pytest.approx(0.07 - 0.012 - 0.024 - 0.009 - 0.0045)
    assert (f.ttft_seconds, f.prompt_tokens, f.reused_tokens) == (0.52, 30, 10)
    assert f.prefill_tokens_per_second == pytest.approx(20 / 0.5)
    assert (f.context_used, f.context_total) == (40, 8192)


def test_ordinary_reply_has_no_draft_figures() -> None:
    rounds = [ordinary() for _ in range(5)]
    f = figures_of(recount(rounds), Pace(), running=False)
    assert (f.acceptance, f.mean_accepted_length, f.drafted, f.rollbacks) == (None, None, None, None)
    assert f.verification_steps is None
    assert f.tokens_per_second == pytest.approx(100)


def test_speed_now_looks_at_the_last_second_of_decoding() -> None:
    pace = Pace()
    for _ in range(100):
        pace.add(ordinary(0.1))
    for _ in range(60):
        pace.add(ordinary(0.02))
    assert pace.now() == pytest.approx(50)


def test_a_single_round_longer_than_the_window_counts_whole() -> None:
    pace = Pace()
    pace.add(ordinary(5.0))
    assert pace.now() == pytest.approx(0.2)


def test_rounds_that_rebuild_the_graph_are_not_in_the_speed() -> None:
    pace = Pace()
    pace.add(ordinary(3.0, timed=False))
    assert pace.now() is None
    pace.add(ordinary(0.5))
    assert pace.now() == pytest.approx(2)


def test_sparkline_samples_are_equal_stretches_with_their_mode() -> None:
    pace = Pace()
    for _ in range(50):
        pace.add(ordinary(0.01))
    for _ in range(30):
        pace.add(drafted(3, seconds=0.02))
    assert pace.series() == pytest.approx((100, 100, 200, 200), rel=0.1)
    assert pace.series_modes() == (ORDINARY, ORDINARY, SPECULATIVE, SPECULATIVE)
    for _ in range(5000):
        pace.add(ordinary(0.02))
    assert len(pace.series()) == SAMPLES


def test_live_panel_equals_the_recount_of_what_was_stored(desk: Desk) -> None:
    desk.script.rounds = 50
    desk.session.send("A question that takes long")
    desk.wait_answered()
    live = desk.stats.figures()
    assert live.accepted == 74
    assert live.tokens_per_second == pytest.approx(124 / 1.0)
    assert live.ttft_seconds == pytest.approx(0.04)
    assert live.tokens_per_second_now is None, "nothing is being made"
    assert len(live.series) == 3
    assert live.context_used == 24 + 124
    store = MemoryStore(AppSettings(conversation_id=desk.session.conversations[0].id))
    store.summaries, store.messages = desk.store.summaries, desk.store.messages
    again = Desk(store)
    again.start()
    assert spin(lambda: again.stats.figures() != EMPTY)
    recounted = again.stats.figures()
    for name in PanelFigures.__dataclass_fields__:
        if not name.startswith("collected"):
            assert getattr(recounted, name) == pytest.approx(getattr(live, name)), name
    assert recounted.collected_speculative == 0, "the ledger holds what this run measured"
    assert again.close()


def test_speedup_needs_both_modes_on_the_same_terms(desk: Desk) -> None:
    desk.script.rounds = 40
    desk.session.send("first, speculative")
    desk.wait_answered()
    assert desk.stats.figures().speedup is None
    assert desk.stats.figures().collected_speculative == 100
    desk.controller.set_speculation(False)
    desk.script.rounds = 70
    desk.session.send("second, ordinary")
    desk.wait_answered()
    f = desk.stats.figures()
    assert f.speedup == pytest.approx((100 * 0.02) / (40 * 0.02))
    assert (f.compared_ordinary, f.compared_speculative) == (70, 100)
    assert f.compared_buckets == (64,)
    desk.state.update(sampling=type(desk.state.settings.sampling)(temperature=0.0))
    desk.session.send("third, other sampling")
    desk.wait_answered()
    assert desk.stats.figures().speedup is None
    assert desk.stats.figures().collected_speculative == 0


def test_seed_is_not_a_term_but_threads_are(desk: Desk) -> None:
    sampling = type(desk.state.settings.sampling)
    for seed in (1, 2):
        desk.state.update(sampling=sampling(seed=seed))
        desk.session.send("speculative")
        desk.wait_answered()
    assert desk.stats.figures().collected_speculative == 40
    desk.script.n_threads = 2
    desk.load()
    desk.session.send("speculative")
    desk.wait_answered()
    assert desk.stats.figures().collected_speculative == 20


def test_panel_follows_the_prompt_then_the_rounds(desk: Desk) -> None:
    desk.script.prefill_slices, desk.script.prefill_slice_seconds = 4, 0.05
    desk.script.rounds, desk.script.round_seconds = 30, 0.02
    desk.session.send("A question")
    assert desk.stats.figures().tokens_per_second is None
    assert spin(lambda: desk.stats.figures().prefill_tokens_per_second is not None)
    f = desk.stats.figures()
    assert (f.prompt_tokens, f.reused_tokens, f.ttft_seconds) == (24, 8, None)
    assert f.prefill_tokens_per_second == pytest.approx(4 / 0.01)
    assert f.context_used is not None
    assert f.context_used < 24
    assert spin(lambda: desk.stats.figures().tokens_per_second_now is not None)
    desk.wait_answered()


def test_changed_comes_at_most_five_times_a_second(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 150, 0.01
    told: list[float] = []
    desk.stats.changed.connect(lambda: told.append(time.monotonic()))
    started = time.monotonic()
    desk.session.send("A question that takes long")
    desk.wait_answered()
    elapsed = time.monotonic() - started
    pause(0.25)
    assert 3 <= len(told) <= elapsed * 5 + 2
    assert all(b - a > 0.15 for a, b in pairwise(told))


def test_panel_shows_the_conversation_on_screen(desk: Desk) -> None:
    desk.session.send("A question")
    desk.wait_answered()
    first = desk.session.conversations[0].id
    assert desk.stats.figures().accepted is not None
    desk.session.new_conversation()
    assert desk.stats.figures() == EMPTY
    desk.session.open(first)
    assert spin(lambda: desk.stats.figures().accepted is not None)


def test_recorded_reply_with_both_modes_tells_its_speedup() -> None:
    rounds = [ordinary(0.01) for _ in range(80)] + [drafted(3, seconds=0.02) for _ in range(20)]
    conversation = Conversation(ConversationSummary(id="c"))
    conversation.add(Message("c", USER, "q", id="u"))
    conversation.add(Message("c", ASSISTANT, "a", "u", "a", rounds=encode_rounds(rounds)))
    store = MemoryStore(AppSettings(conversation_id="c"))
    store.put(conversation)
    desk = Desk(store)
    desk.start()
    assert spin(lambda: desk.stats.figures().speedup is not None)
    assert desk.stats.figures().speedup == pytest.approx(0.01 / 0.005)
    assert desk.close()


def test_rounds_that_cannot_be_read_leave_an_empty_panel(caplog: pytest.LogCaptureFixture) -> None:
    conversation = Conversation(ConversationSummary(id="c"))
    conversation.add(Message("c", ASSISTANT, "a", None, "a", rounds=b"\x00broken"))
    store = MemoryStore(AppSettings(conversation_id="c"))
    store.put(conversation)
    desk = Desk(store)
    desk.start()
    assert spin(lambda: "cannot be read" in caplog.text)
    assert desk.stats.figures() == EMPTY
    assert desk.close()


def test_panel_follows_the_branch_on_screen(desk: Desk) -> None:
    desk.session.send("A question")
    desk.wait_answered()
    assert desk.session.current is not None
    first = desk.session.current.path()[-1]
    desk.controller.set_speculation(False)
    desk.session.regenerate(first.id)
    desk.wait_answered()
    assert desk.stats.figures().accepted is None
    desk.session.show_branch(first.id)
    assert spin(lambda: desk.stats.figures().accepted is not None)


def test_parts_of_a_reply_made_on_different_terms_are_not_compared() -> None:
    rounds = [ordinary(0.01) for _ in range(80)] + [drafted(3, seconds=0.02) for _ in range(20)]
    conversation = Conversation(ConversationSummary(id="c"))
    conversation.add(Message("c", USER, "q", id="u"))
    meta = {"n_threads": 2, "continuations": [{"at": [80, 80], "n_threads": 4}]}
    conversation.add(Message("c", ASSISTANT, "a", "u", "a", meta=meta, rounds=encode_rounds(rounds)))
    store = MemoryStore(AppSettings(conversation_id="c"))
    store.put(conversation)
    desk = Desk(store)
    desk.start()
    assert spin(lambda: desk.stats.figures().accepted is not None)
    assert desk.stats.figures().speedup is None
    assert desk.close()
