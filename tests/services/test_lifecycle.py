"""The whole life of an engine, a hundred times over: nothing piles up, nothing crashes."""

from __future__ import annotations

import gc
import weakref

import psutil

from tests.fakes import Script
from tests.services.conftest import PAIR, Rig, native_threads, spin


def one_life(moment: int) -> weakref.ref[object]:
    """Load, generate, stop at the given moment, close."""
    rig = Rig(
        Script(
            load_steps=3,
            load_step_seconds=0.001,
            prefill_slice_seconds=0.002,
            rounds=1000,
            round_seconds=0.001,
        )
    )
    rig.controller.load(PAIR)
    if moment == 0:
        rig.controller.cancel_load()
    else:
        assert spin(lambda: rig.controller.pair is not None)
        rig.reply()
        if moment > 1:
            wanted = "PrefillProgress" if moment == 2 else "RoundDone"
            assert spin(lambda: rig.recorder.count(wanted) > 0)
        rig.controller.stop()
    assert rig.controller.shutdown()
    assert not rig.controller.busy
    assert rig.engine.closed <= 1
    return weakref.ref(rig.controller)


def test_a_hundred_times_load_stop_close() -> None:
    """Stopped at another moment each time: while loading, before, in the prompt, in the text."""
    threads = native_threads()
    alive = []
    for n in range(100):
        alive.append(one_life(n % 4))
        assert spin(lambda: native_threads() <= threads, 2.0)
    gc.collect()
    assert sum(ref() is not None for ref in alive) == 0, "controllers are freed"


def test_a_hundred_replies_do_not_grow_memory(rig: Rig) -> None:
    rig.script.rounds = 200
    rig.load()

    def replies(count: int) -> int:
        for n in range(count):
            rig.reply(str(n))
            rig.wait_idle()
            rig.recorder.heard.clear()
            rig.recorder.batches.clear()
            rig.engine.requests.clear()
            rig.engine.calls.clear()
        gc.collect()
        return int(psutil.Process().memory_info().rss)

    before = replies(30)
    assert replies(60) - before < 4 * 2**20
