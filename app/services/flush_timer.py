"""When the window takes in what the engine reported: soon, but never so often that nothing else gets done."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from app.services.event_buffer import EventBuffer, FlushPacer


class FlushTimer(QObject):
    """Calls `deliver` in the GUI thread after `wake`, no sooner than what the last one cost allows."""

    def __init__(self, buffer: EventBuffer, deliver: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._buffer = buffer
        self._deliver = deliver
        self._pacer = FlushPacer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._flush)
        self._paint_timer = QTimer(self)
        self._paint_timer.setSingleShot(True)
        self._paint_timer.setInterval(0)
        self._paint_timer.timeout.connect(self._painted)
        self._flush_started = 0.0
        self._flushing = False
        self._painting = False
        self._ended = False

    @Slot()
    def wake(self) -> None:
        """Something was put into the buffer."""
        if not self._timer.isActive() and not self._ended and not self._painting:
            self._timer.start(round(1000 * self._pacer.delay(time.perf_counter())))

    def stop(self) -> None:
        """For good."""
        self._ended = True
        self._timer.stop()
        self._paint_timer.stop()

    @Slot()
    def _flush(self) -> None:
        if self._flushing:
            # A receiver runs an event loop of its own (a dialog); what came since waits its turn.
            self._timer.start(round(1000 * self._pacer.interval))
            return
        started = time.perf_counter()
        self._flushing = True
        try:
            self._deliver()
        finally:
            self._flushing = False
            # What it costs is known when what it changed has been laid out and painted.
            self._painting = True
            self._flush_started = started
            self._paint_timer.start()

    @Slot()
    def _painted(self) -> None:
        self._painting = False
        self._pacer.note(self._flush_started, time.perf_counter())
        if len(self._buffer):
            self.wake()
