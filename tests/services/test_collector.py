"""Forgotten Qt objects end in the thread they live in."""

from __future__ import annotations

import gc
import threading
import weakref

from app.services.collector import Collector
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


def test_a_worker_collects_garbage_of_others_by_default(qapp: object) -> None:
    """What this is about; if it ever fails, the collector is not needed any more."""
    gc.collect()
    (thread,) = end_of_a_knot([])
    assert thread != threading.get_ident()


def test_while_it_runs_garbage_is_collected_in_the_gui_thread(qapp: object) -> None:
    gc.collect()
    collector = Collector()
    collector.start()
    kept: list[list[int]] = []
    ended = end_of_a_knot(kept)
    assert ended == []
    assert spin(lambda: bool(ended), 3)
    assert ended == [threading.get_ident()]
    collector.stop()


def test_the_last_one_to_stop_restores_the_default(qapp: object) -> None:
    first, second = Collector(), Collector()
    first.start()
    second.start()
    second.start()
    first.stop()
    first.stop()
    assert not gc.isenabled()
    second.stop()
    assert gc.isenabled()
