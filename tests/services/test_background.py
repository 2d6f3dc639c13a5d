"""Results from other threads arrive in the GUI thread, later, once."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

from shiboken6 import delete

from app.services.background import Background
from tests.services.conftest import pause, spin


def test_results_and_failures_come_in_the_gui_thread(qapp: object) -> None:
    background = Background()
    got: list[Any] = []
    background.run(lambda: threading.get_ident(), lambda ident: got.append((ident, threading.get_ident())))
    background.run(lambda: 1 / 0, got.append, lambda error: got.append(type(error)))
    assert got == []
    assert spin(lambda: len(got) == 2)
    (worker, here), failure = got
    assert worker != here == threading.get_ident()
    assert failure is ZeroDivisionError
    background.finish()


def test_a_result_that_is_there_already_still_comes_later(qapp: object) -> None:
    background = Background()
    got: list[Any] = []
    future: Future[int] = Future()
    future.set_result(7)
    background.watch(future, got.append)
    assert got == []
    assert spin(lambda: got == [7])


def test_finish_waits_for_chores_and_delivers_once(qapp: object) -> None:
    background = Background()
    got: list[Any] = []
    release = threading.Event()
    background.run(lambda: release.wait(5), got.append)
    threading.Timer(0.05, release.set).start()
    background.finish()
    assert got == [True]
    pause(0.05)
    assert got == [True]


def test_result_after_the_receiver_is_gone_is_dropped(qapp: object) -> None:
    background = Background()
    got: list[Any] = []
    future: Future[int] = Future()
    background.watch(future, got.append)
    delete(background)
    future.set_result(1)
    pause(0.05)
    assert got == []
