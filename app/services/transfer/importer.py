"""Takes conversations in from files, in the background, piece by piece."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.conversation import Conversation, ConversationSummary
from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.ports import Store
from app.core.wording import say
from app.services.background import Background
from app.services.library import Library
from app.services.transfer.reading import Source

# Conversations stored in one piece: long enough to be quick, short enough to be stopped soon.
_BATCH = 50
_PROGRESS_MS = 200
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import: the conversations that are stored now, and what could not be read."""

    path: str
    summaries: tuple[ConversationSummary, ...]
    failed: tuple[str, ...]
    stopped: bool = False


class Importer(QObject):
    """One file at a time. `done` or `problem` ends it; `progress` (0 to 1) comes a few times a second.

    What is stored before a failure or a stop stays, and `done` tells of it first.
    """

    progress = Signal(float)
    done = Signal(object)
    problem = Signal(object)

    def __init__(self, store: Store, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._library = library
        self._background = Background(self)
        self._source: Source | None = None
        self._cancel = threading.Event()
        self._stored: list[ConversationSummary] = []
        self._timer = QTimer(self)
        self._timer.setInterval(_PROGRESS_MS)
        self._timer.timeout.connect(self._tell)

    @property
    def running(self) -> bool:
        return self._source is not None

    def start(self, path: str) -> bool:
        """False while another file is being read."""
        if self._source is not None:
            return False
        self._source, self._cancel, self._stored = Source(Path(path)), threading.Event(), []
        source, cancel, stored = self._source, self._cancel, self._stored
        self._timer.start()
        self._background.run(
            lambda: self._work(source, cancel, stored), lambda _: self._end(), self._on_failed
        )
        return True

    def stop(self) -> None:
        """`done` follows with what was stored."""
        self._cancel.set()

    def close(self) -> None:
        """Stop, and wait for the piece that is being stored."""
        self.stop()
        self._background.finish()
        self._timer.stop()

    def _work(self, source: Source, cancel: threading.Event, stored: list[ConversationSummary]) -> None:
        found = source.conversations()
        while not cancel.is_set() and (batch := list(islice(_until(found, cancel), _BATCH))):
            try:
                stored.extend(self._store.add_conversations(batch).result(_PATIENCE))
            except FutureTimeout:
                raise EnvironmentProblem(say("The disk does not answer."), code="import") from None

    def _tell(self) -> None:
        if self._source is not None:
            self.progress.emit(self._source.fraction)

    def _on_failed(self, error: BaseException) -> None:
        self._end(told=bool(self._stored))
        self.problem.emit(Problem.of(error))

    def _end(self, told: bool = True) -> None:
        source, self._source = self._source, None
        self._timer.stop()
        assert source is not None
        if self._stored:
            self._library.take_in(self._stored)
        if told:
            self.done.emit(
                Imported(str(source.path), tuple(self._stored), tuple(source.failed), self._cancel.is_set())
            )


def _until(found: Iterator[Conversation], cancel: threading.Event) -> Iterator[Conversation]:
    for conversation in found:
        yield conversation
        if cancel.is_set():
            return
