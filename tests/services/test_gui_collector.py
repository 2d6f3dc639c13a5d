"""Forgotten Qt objects end in the thread they live in."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from app.services.gui_collector import GuiCollector
from tests.services.conftest import spin


class Knot:
    """In a cycle with itself, as a dialog with a slot of its own is."""

    def __init__(self, ended: list[int]) -> None:
        self.me = self
        weakref.finalize(self, lambda: ended.append(threading.get_ident()))


def end_of_a_knot(kept: list[list[int]]) -> list[int]:
    """Where a knot was untied, after a worker has allocated enough for collections to begin."""
    ended: list[int] = []
    Knot(ended)
    worker = threading.Thread(target=lambda: kept.extend([n] for n in range(20_000)))
    worker.start()
    worker.join()
    return ended


@pytest.fixture(autouse=True)
def automatic() -> Iterator[None]:
    """As in a program, not as in the tests, which collect between one another."""
    gc.collect()
    gc.enable()
    yield
    gc.disable()


def test_a_worker_collects_garbage_of_others_by_default(qapp: object) -> None:
    """What this is about; if it ever fails, the collector is not needed any more."""
    (thread,) = end_of_a_knot([])
    assert thread != threading.get_ident()


def test_garbage_is_collected_in_the_gui_thread(qapp: object) -> None:
    collector = GuiCollector()
    kept: list[list[int]] = []
    ended = end_of_a_knot(kept)
    assert ended == []
    assert spin(lambda: bool(ended), 5)
    assert ended == [threading.get_ident()]
    collector.close()


def test_closing_restores_the_default(qapp: object) -> None:
    collector = GuiCollector()
    assert not gc.isenabled()
    assert gc.get_freeze_count() > 0
    collector.close()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
