"""Cyclic garbage is collected in the GUI thread alone.

Python collects in whichever thread happens to allocate. In a worker that would destroy forgotten Qt
objects (a closed dialog, a folder watch) away from the thread they live in, and Qt crashes some time
later. So the automatic collection is off while workers run, and a timer does its work.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 500


class Collector(QObject):
    """Whoever has a thread that runs Python starts one; the last to stop restores the default."""

    _running: set[int] = set()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(collect_if_due)

    def start(self) -> None:
        if not self._running:
            gc.disable()
        self._running.add(id(self))
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        if id(self) in self._running:
            self._running.discard(id(self))
            if not self._running:
                gc.enable()


def collect_if_due() -> None:
    """Collect the oldest generation whose threshold is exceeded, as Python would have done by itself."""
    due = [
        n
        for n, (count, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
        if count > limit
    ]
    if due:
        gc.collect(due[-1])
