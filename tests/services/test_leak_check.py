"""The check that every service test ends with can fail: it sees a running thread and an active timer."""

from __future__ import annotations

import threading

from PySide6.QtCore import QThread, QTimer

from tests.services.conftest import leftovers


def test_running_qthread_is_seen() -> None:
    thread = QThread()
    thread.setObjectName("forgotten")
    thread.start()
    assert "running forgotten" in leftovers(set(), set(threading.enumerate()))
    thread.quit()
    assert thread.wait(2000)
    assert leftovers({id(thread)}, set(threading.enumerate())) == []


def test_active_timer_is_seen() -> None:
    timer = QTimer()
    timer.start(60_000)
    assert any("60000 ms" in line for line in leftovers(set(), set()))
    timer.stop()
    assert not any("60000 ms" in line for line in leftovers(set(), set()))


def test_python_thread_is_seen() -> None:
    release = threading.Event()
    before = set(threading.enumerate())
    thread = threading.Thread(target=release.wait, name="forgotten")
    thread.start()
    assert leftovers(set(), before) == ["thread forgotten"]
    release.set()
    thread.join()
