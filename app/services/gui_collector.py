"""Cyclic garbage is collected in the GUI thread only.

Python's collector runs in whichever thread allocates, and what it frees may be a Qt object that must
die in the GUI thread. The engine's thread is spared the pauses as well.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 1000


class GuiCollector(QObject):
    """Takes over from the automatic collector until `close()`; make it in the GUI thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        gc.disable()
        # What lives as long as the program need not be looked at again.
        gc.collect()
        gc.freeze()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(INTERVAL_MS)

    def _look(self) -> None:
        """One generation at most, the oldest that is due, by the interpreter's own thresholds."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > self._thresholds[generation] > 0:
                gc.collect(generation)
                return

    def close(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
