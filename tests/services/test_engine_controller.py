"""Commands and signals of the controller, with an engine that behaves."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace

from app.core.context import PromptSize
from app.core.conversation import ChatMessage
from app.core.events import (
    CANCELLED,
    LENGTH,
    LOADING,
    NO_MODEL,
    OFF,
    SPECULATING,
    STOP,
    LoadFailed,
    LoadProgress,
    ReplyDone,
    RoundDone,
)
from app.core.ports import GenerateRequest, LoadRequest
from app.core.rounds import ORDINARY, SPECULATIVE
from app.services.engine_controller import SWITCH_INTERVAL, EngineController
from tests.services.conftest import PAIR, Rig, pause, spin


def test_load_reports_progress_then_the_pair(rig: Rig) -> None:
    rig.script.load_step_seconds = 0.05
    rig.controller.load(PAIR)
    assert rig.controller.loading
    assert rig.controller.pair is None
    assert rig.controller.status.state == LOADING
    assert spin(lambda: not rig.controller.loading)
    assert rig.controller.pair is not None
    assert rig.controller.pair.draft_path == "sidecar.gguf"
    assert rig.controller.status.state == SPECULATING
    fractions = [p.fraction for p in rig.recorder.values("load_progress") if isinstance(p, LoadProgress)]
    assert len(fractions) >= 3
    assert fractions == sorted(fractions)
    assert rig.recorder.names()[-2:] == ["status_changed", "loaded"]


def test_everything_of_the_engine_happens_in_its_thread(rig: Rig) -> None:
    rig.load()
    rig.reply()
    rig.wait_idle()
    rig.controller.count_tokens(1, [ChatMessage("user", "one two")])
    assert spin(lambda: rig.recorder.count("tokens_counted") == 1)
    assert rig.controller.shutdown()
    used = {c.thread for c in rig.engine.calls}
    assert len(used) == 1
    assert threading.get_ident() not in used
    assert rig.engine.closed == 1


def test_reply_arrives_in_order_and_ends_once(rig: Rig) -> None:
    rig.load()
    rig.reply()
    assert rig.controller.busy
    rig.wait_idle()
    names = [type(e).__name__ for batch in rig.recorder.batches for e in batch]
    assert names[0] == "ReplyStarted"
    assert names[-1] == "ReplyDone"
    assert names.count("ReplyDone") == 1
    assert names.count("RoundDone") == rig.script.rounds
    assert names.index("RoundDone") > names.index("PrefillProgress")
    (done,) = rig.recorder.values("ReplyDone")
    assert isinstance(done, ReplyDone)
    assert done.finish_reason == STOP
    assert rig.recorder.values("busy_changed") == [True, False]
    assert rig.engine.generators_finished == 1


def test_events_come_in_batches_not_one_by_one(rig: Rig) -> None:
    rig.script.rounds, rig.script.round_seconds = 200, 0.002
    rig.load()
    started = time.perf_counter()
    rig.reply()
    rig.wait_idle()
    elapsed = time.perf_counter() - started
    assert sum(len(b) for b in rig.recorder.batches) > 200
    assert len(rig.recorder.batches) <= elapsed / 0.033 + 2


def test_nothing_comes_after_the_end(rig: Rig) -> None:
    """The engine goes on yielding after its terminal event: none of it reaches the window."""
    rig.script.trailing_events = 5
    rig.load()
    rig.reply()
    rig.wait_idle()
    pause(0.1)
    assert rig.recorder.names()[-2:] == ["ReplyDone", "busy_changed"]
    assert "too late" not in [e.text for e in rig.recorder.values("RoundDone") if isinstance(e, RoundDone)]


def test_stop_in_the_middle_of_text(rig: Rig) -> None:
    rig.script.rounds, rig.script.round_seconds = 1000, 0.01
    rig.load()
    rig.reply()
    assert spin(lambda: rig.recorder.count("RoundDone") > 3)
    started = time.perf_counter()
    rig.controller.stop()
    rig.wait_idle()
    assert time.perf_counter() - started < 0.5
    (done,) = rig.recorder.values("ReplyDone")
    assert isinstance(done, ReplyDone)
    assert done.finish_reason == CANCELLED
    assert rig.engine.rounds_made < 1000
    rig.script.rounds = 2
    rig.reply("next")
    rig.wait_idle()
    assert rig.recorder.count("ReplyDone") == 2


def test_stop_while_the_prompt_is_read(rig: Rig) -> None:
    rig.script.prefill_slices, rig.script.prefill_slice_seconds = 100, 0.02
    rig.load()
    rig.reply()
    assert spin(lambda: rig.recorder.count("PrefillProgress") > 0)
    rig.controller.stop()
    rig.wait_idle()
    (done,) = rig.recorder.values("ReplyDone")
    assert isinstance(done, ReplyDone)
    assert done.finish_reason == CANCELLED
    assert rig.recorder.count("RoundDone") == 0


def test_stop_before_the_worker_has_even_begun(rig: Rig) -> None:
    rig.load()
    rig.reply()
    rig.controller.stop()
    rig.wait_idle()
    assert rig.recorder.count("RoundDone") == 0
    assert rig.recorder.count("ReplyDone") == 1


def test_limit_is_passed_on(rig: Rig) -> None:
    rig.load()
    rig.reply(max_tokens=2)
    rig.wait_idle()
    (done,) = rig.recorder.values("ReplyDone")
    assert isinstance(done, ReplyDone)
    assert done.finish_reason == LENGTH


def test_generate_is_refused_without_a_pair_while_loading_and_while_busy(rig: Rig) -> None:
    request = GenerateRequest("r", ())
    assert not rig.controller.generate(request)
    rig.script.load_step_seconds = 0.05
    rig.controller.load(PAIR)
    assert not rig.controller.generate(request)
    assert spin(lambda: rig.controller.pair is not None)
    rig.script.rounds, rig.script.round_seconds = 50, 0.01
    assert rig.controller.generate(request)
    assert not rig.controller.generate(GenerateRequest("other", ()))
    rig.controller.stop()
    rig.wait_idle()
    assert [r.reply_id for r in rig.engine.requests] == ["r"]


def test_switch_takes_effect_in_the_middle_of_a_reply(rig: Rig) -> None:
    rig.script.rounds, rig.script.round_seconds = 400, 0.005
    rig.load()
    rig.reply()
    assert spin(lambda: rig.recorder.count("RoundDone") > 3)
    time.sleep(0.1)  # rounds of the old mode wait in the buffer when the switch is made
    rig.controller.set_speculation(False)
    assert rig.controller.status.state == OFF
    seen = rig.recorder.count("RoundDone")
    assert spin(lambda: rig.recorder.count("RoundDone") > seen + 20)
    rig.controller.stop()
    rig.wait_idle()
    modes = [e.round.mode for e in rig.recorder.values("RoundDone") if isinstance(e, RoundDone)]
    assert modes[0] == SPECULATIVE
    assert modes[-1] == ORDINARY
    states = [getattr(s, "state", "") for s in rig.recorder.values("status_changed")]
    assert states == [LOADING, SPECULATING, OFF], "the chip must not flip back on older news"


def test_draft_limits_take_effect_in_the_middle_of_a_reply(rig: Rig) -> None:
    rig.script.rounds, rig.script.round_seconds = 400, 0.005
    rig.load()
    rig.reply()
    assert spin(lambda: rig.recorder.count("RoundDone") > 3)
    rig.controller.set_draft_limits(2, 0, 0.0)
    assert rig.controller.status.draft_n_max == 2
    seen = rig.recorder.count("RoundDone")
    assert spin(lambda: rig.recorder.count("RoundDone") > seen + 20)
    rig.controller.stop()
    rig.wait_idle()
    lengths = [len(e.round.drafted) for e in rig.recorder.values("RoundDone") if isinstance(e, RoundDone)]
    assert lengths[0] == 4
    assert lengths[-1] == 2


def test_what_is_switched_while_loading_holds_after_it(rig: Rig) -> None:
    rig.script.load_step_seconds = 0.03
    rig.controller.load(PAIR)
    rig.controller.set_speculation(False)
    rig.controller.set_draft_limits(3, 1, 0.5, automatic=True)
    assert spin(lambda: rig.controller.pair is not None)
    assert rig.controller.status.state == OFF
    assert rig.controller.status.draft_n_max == 3
    assert rig.controller.status.automatic


def test_cancel_load_within_a_second_and_load_again(rig: Rig) -> None:
    rig.script.load_steps, rig.script.load_step_seconds = 400, 0.02
    rig.controller.load(PAIR)
    assert spin(lambda: rig.recorder.count("load_progress") > 2)
    started = time.perf_counter()
    rig.controller.cancel_load()
    assert spin(lambda: not rig.controller.loading)
    assert time.perf_counter() - started < 1.0
    (failed,) = rig.recorder.values("load_failed")
    assert isinstance(failed, LoadFailed)
    assert failed.cancelled
    assert rig.controller.status.state == NO_MODEL
    assert rig.controller.status.reason is None
    rig.script.load_steps = 2
    rig.load()
    assert rig.recorder.count("loaded") == 1


def test_load_that_does_not_answer_to_cancelling_is_left_behind_and_freed(rig: Rig) -> None:
    rig.script.load_ignores_cancel = True
    rig.script.load_steps, rig.script.load_step_seconds = 2, 0.8
    rig.controller.load(PAIR)
    assert spin(lambda: rig.recorder.count("load_progress") > 0)
    started = time.perf_counter()
    rig.controller.cancel_load()
    assert spin(lambda: not rig.controller.loading)
    assert 0.5 < time.perf_counter() - started < 1.0
    assert rig.controller.status.state == NO_MODEL
    assert spin(lambda: rig.engine.closed == 1), "what it loaded in the end is not kept"
    pause(0.1)
    assert rig.recorder.count("load_failed") == 1
    assert rig.recorder.count("loaded") == 0
    assert rig.recorder.count("unloaded") == 0
    rig.script.load_ignores_cancel, rig.script.load_step_seconds = False, 0.0
    rig.load()


def test_load_after_one_that_was_left_behind_is_the_one_that_counts(rig: Rig) -> None:
    rig.script.load_ignores_cancel = True
    rig.script.load_steps, rig.script.load_step_seconds = 2, 0.7
    rig.controller.load(PAIR)
    assert spin(lambda: rig.recorder.count("load_progress") > 0)
    rig.controller.cancel_load()
    assert spin(lambda: not rig.controller.loading)
    rig.load(LoadRequest("other.gguf"))
    pause(0.2)
    assert rig.controller.pair is not None
    assert rig.controller.pair.target_path == "other.gguf"
    rig.reply()
    rig.wait_idle()
    assert rig.recorder.count("ReplyDone") == 1


def test_another_choice_while_loading_replaces_the_first(rig: Rig) -> None:
    rig.script.load_steps, rig.script.load_step_seconds = 400, 0.02
    rig.controller.load(PAIR)
    assert spin(lambda: rig.recorder.count("load_progress") > 2)
    rig.script.load_steps = 3
    started = time.perf_counter()
    rig.controller.load(LoadRequest("other.gguf"))
    rig.recorder.heard.clear()
    assert spin(lambda: rig.controller.pair is not None)
    assert time.perf_counter() - started < 1.0
    assert rig.controller.pair is not None
    assert rig.controller.pair.target_path == "other.gguf"
    assert rig.recorder.count("load_failed") == 0
    assert rig.recorder.count("loaded") == 1


def test_many_choices_in_a_row_load_only_the_last(rig: Rig) -> None:
    rig.script.load_step_seconds = 0.01
    for n in range(10):
        rig.controller.load(LoadRequest(f"{n}.gguf"))
    assert spin(lambda: rig.controller.pair is not None)
    pause(0.1)
    assert rig.controller.pair is not None
    assert rig.controller.pair.target_path == "9.gguf"
    assert rig.recorder.count("loaded") == 1
    assert rig.recorder.count("load_failed") == 0


def test_a_load_that_finished_too_late_to_cancel_is_still_replaced(rig: Rig) -> None:
    """The first load ignores cancelling and succeeds; the second one is the one that counts."""
    rig.script.load_ignores_cancel, rig.script.load_step_seconds = True, 0.05
    rig.controller.load(PAIR)
    assert spin(lambda: rig.recorder.count("load_progress") > 1)
    rig.controller.load(LoadRequest("other.gguf"))
    assert spin(lambda: rig.controller.pair is not None)
    assert [getattr(p, "target_path", "") for p in rig.recorder.values("loaded")] == ["other.gguf"]


def test_loading_another_pair_stops_the_reply_first(rig: Rig) -> None:
    rig.script.rounds, rig.script.round_seconds = 1000, 0.01
    rig.load()
    rig.reply()
    assert spin(lambda: rig.recorder.count("RoundDone") > 2)
    rig.controller.load(LoadRequest("other.gguf"))
    assert spin(lambda: rig.controller.pair is not None)
    names = rig.recorder.names()
    assert not rig.controller.busy
    assert names.index("ReplyDone") < len(names) - 1 - names[::-1].index("loaded")


def test_unload_frees_the_engine_and_loading_works_again(rig: Rig) -> None:
    rig.load()
    rig.controller.unload()
    assert rig.controller.pair is None
    assert spin(lambda: rig.recorder.count("unloaded") == 1)
    assert rig.engine.closed == 1
    assert rig.controller.status.state == NO_MODEL
    rig.load()


def test_unload_that_a_load_overtook_is_not_told(rig: Rig) -> None:
    rig.load()
    rig.controller.unload()
    rig.load(LoadRequest("other.gguf"))
    pause(0.1)
    assert rig.recorder.count("unloaded") == 0
    assert rig.controller.status.state != NO_MODEL


def test_load_without_draft_repeats_the_load(rig: Rig) -> None:
    rig.load(replace(PAIR, speculation_on=False))
    rig.controller.load_without_draft()
    assert spin(lambda: rig.controller.pair is not None)
    assert rig.engine.loads[-1] == LoadRequest("target.gguf", "", speculation_on=False)


def test_only_the_newest_of_many_counts_is_answered(rig: Rig) -> None:
    rig.script.rounds, rig.script.round_seconds = 20, 0.01
    rig.load()
    rig.reply()
    for n in range(50):
        rig.controller.count_tokens(n, [ChatMessage("user", "word " * n)])
    rig.wait_idle()
    assert spin(lambda: (49, PromptSize(49, 0)) in rig.recorder.values("tokens_counted"))
    assert rig.recorder.count("tokens_counted") <= 2


def test_receiver_may_ask_for_the_next_reply_when_it_sees_the_end(rig: Rig) -> None:
    rig.load()
    asked: list[bool] = []

    def again(events: list[object]) -> None:
        if isinstance(events[-1], ReplyDone) and not asked:
            asked.append(rig.controller.generate(GenerateRequest("second", ())))

    rig.controller.reply_events.connect(again)
    rig.reply("first")
    assert spin(lambda: rig.recorder.count("ReplyDone") == 2)
    rig.wait_idle()
    assert asked == [True]
    assert rig.recorder.values("busy_changed") == [True, False]


def test_event_loop_inside_a_receiver_does_not_mix_up_the_order(rig: Rig) -> None:
    """A dialog opened by a receiver: later batches wait until every receiver has had this one."""
    rig.script.rounds, rig.script.round_seconds = 30, 0.005
    rig.load()
    depth, deepest = 0, 0

    def dialog(events: list[object]) -> None:
        nonlocal depth, deepest
        depth += 1
        deepest = max(deepest, depth)
        pause(0.08)
        depth -= 1

    rig.controller.reply_events.connect(dialog)
    rig.reply()
    rig.wait_idle()
    assert deepest == 1
    assert rig.recorder.names()[-2:] == ["ReplyDone", "busy_changed"]


def test_flushing_costs_at_most_a_thirtieth_of_the_time(rig: Rig) -> None:
    rig.script.rounds, rig.script.round_seconds = 100_000, 0.002
    spent = [0.0]

    def slow(events: list[object]) -> None:
        started = time.perf_counter()
        time.sleep(0.008)
        spent[0] += time.perf_counter() - started

    rig.controller.reply_events.connect(slow)
    rig.load()
    rig.reply()
    pause(1.0)
    spent[0], started = 0.0, time.perf_counter()
    pause(2.5)
    share = spent[0] / (time.perf_counter() - started)
    rig.controller.stop()
    rig.wait_idle()
    assert 0 < share < 1 / 25


def test_switch_interval_is_short_only_while_the_worker_lives() -> None:
    before = sys.getswitchinterval()
    rig = Rig()
    assert sys.getswitchinterval() == before
    rig.load()
    assert abs(sys.getswitchinterval() - SWITCH_INTERVAL) < 1e-6
    assert rig.controller.shutdown()
    assert sys.getswitchinterval() == before


def test_controller_that_was_never_used_shuts_down() -> None:
    made: list[int] = []
    controller = EngineController(lambda: made.append(1))  # type: ignore[arg-type,return-value]
    assert controller.shutdown()
    controller.load(PAIR)
    pause(0.05)
    assert not controller.loading
    assert made == []
