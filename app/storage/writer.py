"""One thread that does what it is given, in order, and answers with futures."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from app.core.errors import Bug

T = TypeVar("T")

_log = logging.getLogger(__name__)


class WriterThread:
    """A daemon, so that a disk that never answers cannot keep the program from ending."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Any thread. The future fails with whatever `job` raises, or with Bug after `close`."""
        future: Future[T] = Future()
        with self._lock:
            if not self._closed:
                self._jobs.put((job, future))
                return future
        future.set_exception(Bug("something was to be saved after the store was closed"))
        return future

    def close(self, timeout: float) -> bool:
        """Finish what was submitted, then end; False if that takes longer than `timeout` seconds."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            job, future = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = job()
            except BaseException as error:
                _log.debug("a storage job failed", exc_info=True)
                future.set_exception(error)
            else:
                future.set_result(result)
            # Nothing of a finished job is kept while the next one is awaited.
            del item, job, future
