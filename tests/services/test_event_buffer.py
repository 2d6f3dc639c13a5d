"""The buffer wakes once, keeps order, folds progress; the pacer bounds what flushing costs."""

from __future__ import annotations

import threading

import pytest

from app.core.events import LoadProgress, PrefillProgress, Unloaded
from app.services.event_buffer import COST_FACTOR, MAX_INTERVAL, MIN_INTERVAL, EventBuffer, FlushPacer, Report


def test_wakes_only_when_it_was_empty() -> None:
    buffer = EventBuffer()
    assert buffer.put(Report(1, Unloaded()))
    assert not buffer.put(Report(2, Unloaded()))
    assert [r.serial for r in buffer.drain()] == [1, 2]
    assert buffer.drain() == []
    assert buffer.put(Report(3, Unloaded()))


def test_unread_progress_is_replaced_by_newer_of_its_kind_and_command() -> None:
    buffer = EventBuffer()
    for fraction in (0.1, 0.2, 0.3):
        buffer.put(Report(1, LoadProgress("reading", fraction)))
    buffer.put(Report(2, LoadProgress("reading", 0.0)))
    buffer.put(Report(3, PrefillProgress("r", 1, 9, 0.1, catch_up=True)))
    buffer.put(Report(3, PrefillProgress("r", 2, 9, 0.1)))
    buffer.put(Report(3, PrefillProgress("r", 5, 9, 0.2)))
    events = [r.event for r in buffer.drain()]
    assert events == [
        LoadProgress("reading", 0.3),
        LoadProgress("reading", 0.0),
        PrefillProgress("r", 1, 9, 0.1, catch_up=True),
        PrefillProgress("r", 5, 9, 0.2),
    ]


def test_nothing_is_lost_or_woken_twice_under_load() -> None:
    """Writers and a reader at full speed: every report once, in order per writer, one wake per filling."""
    buffer, wakes, done = EventBuffer(), threading.Semaphore(0), threading.Event()
    read: list[int] = []

    def write(first: int) -> None:
        for i in range(2000):
            if buffer.put(Report(first + i, Unloaded())):
                wakes.release()

    writers = [threading.Thread(target=write, args=(n * 10_000,)) for n in range(3)]
    for w in writers:
        w.start()

    def reading() -> None:
        while not (done.is_set() and len(buffer) == 0):
            if wakes.acquire(timeout=0.05):
                batch = buffer.drain()
                assert batch, "woken for nothing"
                read.extend(r.serial for r in batch)

    reader = threading.Thread(target=reading)
    reader.start()
    for w in writers:
        w.join(20)
    done.set()
    reader.join(20)
    assert len(read) == 6000
    for n in range(3):
        mine = [s for s in read if n * 10_000 <= s < (n + 1) * 10_000]
        assert mine == sorted(mine)


def test_first_flush_after_quiet_is_immediate_then_paced() -> None:
    pacer = FlushPacer()
    assert pacer.delay(10.0) == 0.0
    pacer.note(10.0, 10.0001)
    assert pacer.delay(10.0001) == pytest.approx(MIN_INTERVAL)
    assert pacer.delay(10.0201) == pytest.approx(MIN_INTERVAL - 0.02)
    assert pacer.delay(11.0) == 0.0


def test_interval_widens_with_the_measured_cost_and_recovers() -> None:
    pacer, now = FlushPacer(), 0.0
    for _ in range(30):
        pacer.note(now, now + 0.010)
        now += 1
    assert pacer.interval == pytest.approx(COST_FACTOR * 0.010, rel=0.01)
    pacer.note(now, now + 5.0)
    assert pacer.interval == MAX_INTERVAL
    for _ in range(60):
        pacer.note(now, now + 0.0001)
    assert pacer.interval == MIN_INTERVAL
