"""Fixtures of the service tests: every test is also a test that no thread or timer is left over."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QThread, QTimer
from shiboken6 import getAllValidWrappers

from app.core.ports import GenerateRequest, LoadRequest
from app.services.app_state import AppState
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.live_stats import LiveStats
from tests.fakes import FakeEngine, MemoryStore, Script

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PAIR = LoadRequest("target.gguf", "sidecar.gguf")


def spin(until: Callable[[], bool], seconds: float = 15.0) -> bool:
    """Run the event loop until `until()` holds; whether it did."""
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() > end:
            return False
        QCoreApplication.processEvents()
        time.sleep(0.001)
    return True


def pause(seconds: float) -> None:
    """Run the event loop for a while."""
    spin(lambda: False, seconds)


def native_threads() -> int:
    """Threads of the process as the system counts them, those of Qt included; 0 where it does not tell."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.is_dir() else 0


def leftovers(known: set[int], threads_before: set[threading.Thread]) -> list[str]:
    """Running threads and active timers that the test made."""
    found = [
        f"thread {t.name}"
        for t in threading.enumerate()
        if t not in threads_before and not isinstance(t, threading._DummyThread) and t.is_alive()
    ]
    for thing in getAllValidWrappers():
        if id(thing) in known:
            continue
        if isinstance(thing, QThread) and thing.isRunning():
            found.append(f"running {thing.objectName() or 'QThread'}")
        elif isinstance(thing, QTimer) and thing.isActive():
            found.append(f"timer of {type(thing.parent()).__name__}, {thing.interval()} ms")
    return found


@pytest.fixture(autouse=True)
def nothing_left_over(qapp: QCoreApplication) -> Iterator[None]:
    threads = set(threading.enumerate())
    known = {id(thing) for thing in getAllValidWrappers()}
    interval = sys.getswitchinterval()
    native = native_threads()
    yield
    # A single-shot timer may run out by itself; a second is more than any of them takes.
    spin(lambda: not leftovers(known, threads), 1.0)
    assert leftovers(known, threads) == []
    assert spin(lambda: native_threads() <= native, 2.0), "a native thread is left over"
    assert sys.getswitchinterval() == interval


class Recorder:
    """Everything a controller said, in order, as (name, value)."""

    def __init__(self, controller: EngineController) -> None:
        self.heard: list[tuple[str, Any]] = []
        for name in ("load_progress", "loaded", "load_failed", "status_changed", "busy_changed"):
            getattr(controller, name).connect(lambda value, name=name: self.heard.append((name, value)))
        controller.tokens_counted.connect(lambda value: self.heard.append(("tokens_counted", value)))
        controller.unloaded.connect(lambda: self.heard.append(("unloaded", None)))
        controller.reply_events.connect(self._on_events)
        self.batches: list[list[object]] = []

    def _on_events(self, events: list[object]) -> None:
        self.batches.append(events)
        self.heard += [(type(event).__name__, event) for event in events]

    def names(self) -> list[str]:
        return [name for name, _ in self.heard]

    def values(self, name: str) -> list[Any]:
        return [value for n, value in self.heard if n == name]

    def count(self, name: str) -> int:
        return self.names().count(name)


class Rig:
    """A controller with a scripted engine."""

    def __init__(self, script: Script | None = None) -> None:
        self.engine = FakeEngine(script)
        self.script = self.engine.script
        self.controller = EngineController(lambda: self.engine)
        self.recorder = Recorder(self.controller)

    def load(self, request: LoadRequest = PAIR) -> None:
        self.controller.load(request)
        assert spin(lambda: self.controller.pair is not None)

    def reply(self, reply_id: str = "r", max_tokens: int | None = None) -> None:
        assert self.controller.generate(GenerateRequest(reply_id, (), max_tokens=max_tokens))

    def wait_idle(self) -> None:
        assert spin(lambda: not self.controller.busy)


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    assert rig.controller.shutdown()


class Desk(Rig):
    """The services behind the window, as compose puts them together."""

    def __init__(self, store: MemoryStore | None = None, script: Script | None = None) -> None:
        super().__init__(script)
        self.store = store if store is not None else MemoryStore()
        self.state = AppState(self.store)
        self.session = ChatSession(self.store, self.controller, self.state)
        self.stats = LiveStats(self.controller, self.session)
        self.told: list[tuple[str, Any]] = []
        for name in ("message_added", "message_updated", "message_finished", "problem", "send_refused"):
            getattr(self.session, name).connect(lambda v, name=name: self.told.append((name, v)))
        self.session.deleted.connect(lambda v: self.told.append(("deleted", v)))
        self.session.conversation_opened.connect(lambda: self.told.append(("conversation_opened", None)))

    def start(self) -> None:
        self.session.start()
        assert spin(lambda: self.session.current is not None)

    def names(self) -> list[str]:
        return [name for name, _ in self.told]

    def wait_answered(self) -> None:
        assert spin(lambda: self.session.streaming is None)

    def close(self, timeout_s: float = 5.0) -> bool:
        self.session.refuse_work()
        finished = self.controller.shutdown(timeout_s)
        self.session.close()
        self.stats.close()
        self.state.flush()
        self.store.close()
        return finished


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    desk.start()
    desk.load()
    yield desk
    assert desk.close()
