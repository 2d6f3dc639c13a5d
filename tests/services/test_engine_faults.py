"""Failures in every phase: told once, in words, and the next attempt works."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from app.core.context import PromptSize
from app.core.errors import Bug, EnvironmentProblem
from app.core.events import NO_MODEL, LoadFailed, ReplyDone, ReplyFailed
from app.core.ports import GenerateRequest, LoadRequest
from app.services.engine_controller import EngineController
from app.services.problems import RETRY_WITHOUT_DRAFT
from tests.fakes import FakeEngine, Script
from tests.services.conftest import PAIR, Recorder, Rig, pause, spin

MISSING = EnvironmentProblem("The file is missing.", "It was moved.", "Choose it again.", "missing-file")
FAULTS = [MISSING, Bug("a counter went backwards"), ValueError("unforeseen")]


@pytest.mark.parametrize("error", FAULTS, ids=lambda e: type(e).__name__)
def test_failed_load_is_told_and_the_next_one_works(rig: Rig, error: Exception) -> None:
    rig.script.load_error = error
    rig.controller.load(PAIR)
    assert spin(lambda: not rig.controller.loading)
    (failed,) = rig.recorder.values("load_failed")
    assert isinstance(failed, LoadFailed)
    assert not failed.cancelled
    assert failed.problem.is_bug == (error is not MISSING)
    assert (failed.problem.code == "missing-file") == (error is MISSING)
    assert str(error) in f"{failed.problem.what} {failed.problem.why} {failed.problem.remedy}"
    assert rig.controller.status.state == NO_MODEL
    assert rig.controller.status.reason == failed.problem
    rig.script.load_error = None
    rig.load()
    rig.reply()
    rig.wait_idle()
    assert rig.recorder.count("ReplyDone") == 1


def test_failed_load_leaves_no_pair_behind(rig: Rig) -> None:
    rig.load()
    rig.script.load_error = MISSING
    rig.controller.load(LoadRequest("other.gguf"))
    assert spin(lambda: not rig.controller.loading)
    assert rig.controller.pair is None
    assert not rig.controller.generate(GenerateRequest("r", ()))


def test_a_fault_of_ours_in_a_load_gets_a_new_engine() -> None:
    engines: list[FakeEngine] = []

    def make() -> FakeEngine:
        engines.append(FakeEngine(Script(load_error=ValueError("boom") if not engines else None)))
        return engines[-1]

    controller = EngineController(make)
    recorder = Recorder(controller)
    controller.load(PAIR)
    assert spin(lambda: recorder.count("load_failed") == 1)
    controller.load(PAIR)
    assert spin(lambda: controller.pair is not None)
    assert controller.shutdown()
    assert [e.closed for e in engines] == [1, 1]


def test_engine_that_cannot_be_made_is_a_failed_load() -> None:
    attempts: list[int] = []

    def make() -> FakeEngine:
        attempts.append(1)
        if len(attempts) == 1:
            raise EnvironmentProblem("The native library is missing.", code="no-library")
        return FakeEngine()

    controller = EngineController(make)
    recorder = Recorder(controller)
    controller.load(PAIR)
    assert spin(lambda: recorder.count("load_failed") == 1)
    (failed,) = recorder.values("load_failed")
    assert isinstance(failed, LoadFailed)
    assert failed.problem.code == "no-library"
    controller.load(PAIR)
    assert spin(lambda: controller.pair is not None)
    assert controller.shutdown()


@pytest.mark.parametrize(
    "error", [EnvironmentProblem("No memory for the sidecar.", code="no-memory"), MemoryError("12 GiB")]
)
def test_no_memory_with_a_sidecar_offers_to_load_without(rig: Rig, error: Exception) -> None:
    rig.script.draft_load_error = error
    rig.controller.load(PAIR)
    assert spin(lambda: not rig.controller.loading)
    (failed,) = rig.recorder.values("load_failed")
    assert isinstance(failed, LoadFailed)
    assert failed.problem.code == RETRY_WITHOUT_DRAFT
    assert failed.problem.remedy
    assert not failed.problem.is_bug
    rig.controller.load_without_draft()
    assert spin(lambda: rig.controller.pair is not None)
    assert rig.controller.pair is not None
    assert rig.controller.pair.draft_path == ""


def test_no_memory_without_a_sidecar_offers_no_such_thing(rig: Rig) -> None:
    rig.script.load_error = EnvironmentProblem("No memory.", code="no-memory")
    rig.controller.load(LoadRequest("target.gguf"))
    assert spin(lambda: not rig.controller.loading)
    (failed,) = rig.recorder.values("load_failed")
    assert isinstance(failed, LoadFailed)
    assert failed.problem.code == "no-memory"


@pytest.mark.parametrize("phase", ["start_error", "prefill_error", "round_error", "end_error"])
@pytest.mark.parametrize("error", FAULTS, ids=lambda e: type(e).__name__)
def test_failed_reply_is_told_and_the_next_one_works(rig: Rig, phase: str, error: Exception) -> None:
    rig.load()
    setattr(rig.script, phase, error)
    rig.reply("bad")
    rig.wait_idle()
    (failed,) = rig.recorder.values("ReplyFailed")
    assert isinstance(failed, ReplyFailed)
    assert failed.reply_id == "bad"
    assert failed.problem.is_bug == (error is not MISSING)
    assert rig.recorder.names()[-2:] == ["ReplyFailed", "busy_changed"]
    assert rig.engine.generators_finished == 1, "the generator's own repair has run"
    setattr(rig.script, phase, None)
    rig.reply("good")
    rig.wait_idle()
    (done,) = rig.recorder.values("ReplyDone")
    assert isinstance(done, ReplyDone)
    assert done.reply_id == "good"


def test_reply_without_an_end_is_a_fault_and_still_ends(rig: Rig) -> None:
    rig.load()
    rig.script.no_terminal = True
    rig.reply()
    rig.wait_idle()
    (failed,) = rig.recorder.values("ReplyFailed")
    assert isinstance(failed, ReplyFailed)
    assert failed.problem.is_bug


def test_cancelled_raised_inside_a_reply_is_a_stopped_reply(rig: Rig) -> None:
    from app.core.errors import Cancelled

    rig.load()
    rig.script.round_error = Cancelled()
    rig.reply()
    rig.wait_idle()
    (done,) = rig.recorder.values("ReplyDone")
    assert isinstance(done, ReplyDone)
    assert done.finish_reason == "cancelled"
    assert done.stats.generation_tokens > 0


def test_count_that_fails_is_silent_and_the_next_is_answered(rig: Rig) -> None:
    rig.load()
    rig.script.count_error = EnvironmentProblem("The template cannot be used.")
    rig.controller.count_tokens(1, [])
    pause(0.1)
    assert rig.recorder.count("tokens_counted") == 0
    rig.script.count_error = None
    rig.controller.count_tokens(2, [])
    assert spin(lambda: rig.recorder.values("tokens_counted") == [(2, PromptSize(0))])


def test_close_that_fails_still_ends_the_thread(caplog: pytest.LogCaptureFixture) -> None:
    rig = Rig(Script(close_error=ValueError("double free")))
    rig.load()
    with caplog.at_level(logging.ERROR):
        assert rig.controller.shutdown()
    assert "closing the engine failed" in caplog.text


@pytest.mark.parametrize("phase", ["loading", "cancelling", "prefill", "streaming", "idle", "stopping"])
def test_shutdown_in_the_middle_of(phase: str) -> None:
    slow = Script(load_step_seconds=0.02, prefill_slice_seconds=0.02, round_seconds=0.01, rounds=1000)
    rig = Rig(slow)
    if phase in ("loading", "cancelling"):
        slow.load_steps = 400
        rig.controller.load(PAIR)
        assert spin(lambda: rig.recorder.count("load_progress") > 1)
        if phase == "cancelling":
            rig.controller.cancel_load()
    else:
        rig.load()
        if phase == "prefill":
            slow.prefill_slices = 100
        if phase != "idle":
            rig.reply()
            wanted = "PrefillProgress" if phase == "prefill" else "RoundDone"
            assert spin(lambda: rig.recorder.count(wanted) > 0)
        if phase == "stopping":
            rig.controller.stop()
    started = time.perf_counter()
    assert rig.controller.shutdown()
    assert time.perf_counter() - started < 1.0
    assert rig.engine.closed == 1
    assert not rig.controller.busy
    assert not rig.controller.loading
    if phase in ("prefill", "streaming", "stopping"):
        assert rig.recorder.count("ReplyDone") == 1, "the last events are delivered by shutdown"
    heard = len(rig.recorder.heard)
    pause(0.1)
    assert len(rig.recorder.heard) == heard


def test_shutdown_from_inside_a_receiver_delivers_the_rest_in_order() -> None:
    rig = Rig(Script(rounds=1000, round_seconds=0.005))
    rig.load()
    results: list[bool] = []

    def close(events: list[object]) -> None:
        if not results and rig.recorder.count("RoundDone") > 3:
            results.append(True)
            results.append(rig.controller.shutdown())

    rig.controller.reply_events.connect(close)
    rig.reply()
    assert spin(lambda: len(results) == 2)
    pause(0.05)
    assert results == [True, True]
    names = rig.recorder.names()
    assert names.count("ReplyDone") == 1
    assert "RoundDone" not in names[names.index("ReplyDone") :]


def test_engine_that_does_not_come_back_is_given_up_in_time(caplog: pytest.LogCaptureFixture) -> None:
    """A native call that hangs: the wait ends, nobody is terminated, the caller learns of it."""
    release = threading.Event()

    class Hanging(FakeEngine):
        def close(self) -> None:
            release.wait(20)
            super().close()

    engine = Hanging()
    controller = EngineController(lambda: engine)
    controller.load(PAIR)
    assert spin(lambda: controller.pair is not None)
    started = time.perf_counter()
    with caplog.at_level(logging.ERROR):
        assert not controller.shutdown(0.3)
    assert 0.25 < time.perf_counter() - started < 2.0
    assert "did not end" in caplog.text
    release.set()
    assert spin(lambda: engine.closed == 1)
    assert controller.shutdown(5.0)
