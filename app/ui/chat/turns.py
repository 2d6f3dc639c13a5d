"""Long work for the GUI thread, a few milliseconds in each turn of the event loop."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from shiboken6 import isValid

_TURN_SECONDS = 0.006


class Turns(QObject):
    """All owners share one turn, so many long messages cost no more per turn than one."""

    _current: Turns | None = None

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: dict[int, tuple[QObject, Callable[[], bool]]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._turn)

    @classmethod
    def current(cls) -> Turns:
        app = QCoreApplication.instance()
        if cls._current is None or not isValid(cls._current) or cls._current.parent() is not app:
            cls._current = cls(app)
        return cls._current

    def run(self, owner: QObject, step: Callable[[], bool]) -> None:
        """Call `step` until it returns False (done) or `owner` is deleted. One job for each owner.

        A step must be short: at least one is taken in every turn.
        """
        self._jobs[id(owner)] = (owner, step)
        self._timer.start()

    def _turn(self) -> None:
        until = time.perf_counter() + _TURN_SECONDS
        while self._jobs:
            key = next(iter(self._jobs))
            owner, step = job = self._jobs.pop(key)
            if isValid(owner) and step() and key not in self._jobs:
                # At the end of the queue: everybody gets on.
                self._jobs[key] = job
            if time.perf_counter() > until:
                break
        if self._jobs:
            self._timer.start()
