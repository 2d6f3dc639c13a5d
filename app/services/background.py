"""Results that come later, brought into the GUI thread: futures of the store, and small chores of our own."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

T = TypeVar("T")
log = logging.getLogger(__name__)


def _log_failure(error: BaseException) -> None:
    log.error("a background task failed", exc_info=error)


class Background(QObject):
    """`watch` a future or `run` a function in a thread; `then` or `failed` is called in this object's thread.

    Callbacks come in later turns of the event loop, never from inside `watch` or `run`.
    """

    _done = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tokens = count()
        self._waiting: dict[int, tuple[Future[Any], Callable[[Any], None], Callable[[Any], None]]] = {}
        self._executor: ThreadPoolExecutor | None = None
        self._done.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def watch(
        self,
        future: Future[T],
        then: Callable[[T], None],
        failed: Callable[[BaseException], None] = _log_failure,
    ) -> None:
        token = next(self._tokens)
        self._waiting[token] = (future, then, failed)
        # The thread that finishes the future must never hold the last reference to a Qt object.
        me = weakref.ref(self)
        future.add_done_callback(lambda _: _announce(me, token))

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[BaseException], None] = _log_failure,
    ) -> None:
        """`work` must not touch anything that changes meanwhile."""
        if self._executor is None:
            self._executor = ThreadPoolExecutor(1, "chores")
        self.watch(self._executor.submit(work), then, failed)

    def finish(self) -> None:
        """Wait for own chores, then deliver everything that is done, now. Used at shutdown."""
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None
        for token in [t for t, (future, _, _) in self._waiting.items() if future.done()]:
            self._deliver(token)

    @Slot(int)
    def _deliver(self, token: int) -> None:
        waiting = self._waiting.pop(token, None)
        if waiting is None:
            return
        future, then, failed = waiting
        error = future.exception()
        if error is None:
            then(future.result())
        else:
            failed(error)


def _announce(reference: weakref.ref[Background], token: int) -> None:
    background = reference()
    try:
        if background is not None:
            background._done.emit(token)
    except RuntimeError:
        log.info("a result came after its receiver was gone")
