"""The end of the program: in order, from any state, with everything saved."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

import pytest

from app.core.conversation import STOPPED
from app.core.events import Problem
from app.core.rounds import decode_rounds
from app.services.chat_session import CLOSING
from app.services.model_files import TARGET, ModelFile
from app.services.model_scanner import ModelScanner
from app.services.shutdown import Shutdown
from tests.fakes import MemoryStore, Script
from tests.services.conftest import PAIR, Desk, pause, spin

STATES = ["new", "loading", "idle", "waiting", "prefill", "streaming", "stopping", "deleting", "typing"]


class AnyReader:
    def read(self, path: str) -> ModelFile:
        return ModelFile(path, TARGET, "Any")

    def fit(self, target_path: str, sidecar_path: str) -> Problem | None:
        return None


def make(script: Script, folder: Path) -> tuple[Desk, Shutdown]:
    desk = Desk(MemoryStore(threaded=True), script)
    scanner = ModelScanner(desk.state, [folder], AnyReader(), own_folders=[])
    scanner.start()
    shutdown = Shutdown(desk.controller, desk.session, desk.state, desk.store, desk.stats, scanner)
    return desk, shutdown


def bring_to(desk: Desk, state: str) -> None:
    if state == "new":
        return
    desk.start()
    if state in ("loading", "waiting"):
        desk.script.load_steps = 400
        desk.controller.load(PAIR)
        assert spin(lambda: desk.recorder.count("load_progress") > 1)
        if state == "waiting":
            assert desk.session.send("A question")
        return
    desk.load()
    if state == "typing":
        desk.session.set_unsent("half a thought")
    if state in ("idle", "typing"):
        return
    if state == "prefill":
        desk.script.prefill_slices = 400
    assert desk.session.send("A question")
    wanted = "PrefillProgress" if state == "prefill" else "RoundDone"
    assert spin(lambda: desk.recorder.count(wanted) > 0)
    if state == "stopping":
        desk.session.stop()
    if state == "deleting":
        desk.session.delete(desk.session.conversations[0].id)


@pytest.mark.parametrize("state", STATES)
def test_clean_from(state: str, tmp_path: Path) -> None:
    script = Script(load_step_seconds=0.01, prefill_slice_seconds=0.01, round_seconds=0.01, rounds=1000)
    desk, shutdown = make(script, tmp_path)
    bring_to(desk, state)
    started = time.perf_counter()
    assert shutdown.run()
    assert time.perf_counter() - started < 2.0
    assert desk.store.closed
    assert desk.engine.closed == (0 if state == "new" else 1)
    asked = state in ("waiting", "prefill", "streaming", "stopping", "deleting")
    assert len(desk.store.messages) == (2 if asked else 0)
    for message in desk.store.messages.values():
        if message.role == "assistant":
            assert message.status == STOPPED
            assert "waiting" not in message.meta
            assert len(decode_rounds(message.rounds)) == desk.engine.rounds_made
    assert len(desk.store.hidden) == (state == "deleting")
    if state == "typing":
        assert desk.store.settings.unsent == "half a thought"
    assert shutdown.run(), "a second call changes nothing"


def test_nothing_begins_after_it(tmp_path: Path) -> None:
    desk, shutdown = make(Script(), tmp_path)
    desk.start()
    desk.load()
    assert shutdown.run()
    assert not desk.session.send("too late")
    assert [v for n, v in desk.told if n == "send_refused"] == [CLOSING]
    desk.controller.load(PAIR)
    pause(0.05)
    assert not desk.controller.loading


def test_engine_that_hangs_costs_the_wait_and_no_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()
    desk, shutdown = make(Script(rounds=1000, round_seconds=0.01), tmp_path)
    desk.start()
    desk.load()
    assert desk.session.send("A question")
    answer = desk.session.streaming
    assert answer is not None
    assert spin(lambda: bool(answer.text))
    original = desk.engine._round

    def hang(position: int, index: int) -> object:
        release.wait(20)
        return original(position, index)

    desk.engine._round = hang  # type: ignore[method-assign,assignment]
    pause(0.1)
    with caplog.at_level(logging.ERROR):
        assert not shutdown.run(timeout_s=0.3)
    assert "did not end" in caplog.text
    saved = desk.store.messages[answer.id]
    assert saved.text == answer.text
    assert saved.status == STOPPED
    assert desk.store.closed
    release.set()
    assert desk.controller.shutdown()


def test_stage_that_fails_does_not_stop_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, shutdown = make(Script(close_error=ValueError("engine")), tmp_path)
    desk.start()
    desk.load()
    assert desk.session.send("A question")
    desk.wait_answered()

    def refuse() -> None:
        raise OSError("disk")

    monkeypatch.setattr(desk.store, "flush", refuse)
    with caplog.at_level(logging.ERROR):
        assert shutdown.run()
    assert "closing the engine failed" in caplog.text
    assert "'save' failed" in caplog.text
    assert desk.engine.closed == 1
    monkeypatch.undo()
    desk.store.close()
    assert len(desk.store.messages) == 2
