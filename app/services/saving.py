"""Gets conversations onto the disk, and keeps trying: what could not be saved is saved as soon as it can."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.conversation import ConversationSummary, Message
from app.core.events import Problem
from app.core.ports import Store
from app.services.background import Background

log = logging.getLogger(__name__)

# Half of the second within which growing text has to be safe: the store needs a part of it.
SOON_MS = 500
RETRY_MS = 5000


class Saver(QObject):
    """Saves live objects: a later save of the same one stores what it holds then.

    `problem` comes once when the disk begins to refuse, not with every attempt.
    """

    problem = Signal(object)

    def __init__(self, store: Store, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._background = background
        self._soon: dict[str, tuple[ConversationSummary | Message, Callable[[], None] | None]] = {}
        self._unsaved: dict[str, ConversationSummary | Message] = {}
        self._failing = False
        self._read_only = False
        self._closed = False
        self._timer = self._make_timer(SOON_MS, self.flush)
        self._retry_timer = self._make_timer(RETRY_MS, self._retry)

    def save(self, item: ConversationSummary | Message) -> None:
        """Hand it to the store now. A message's conversation has to be saved before it."""
        self._soon.pop(item.id, None)
        if self._read_only:
            return
        if isinstance(item, Message):
            future = self._store.save_message(item)
        else:
            future = self._store.save_conversation(item)
        self._background.watch(future, lambda _: self._saved(item), lambda error: self._failed(item, error))

    def save_soon(
        self, item: ConversationSummary | Message, prepare: Callable[[], None] | None = None
    ) -> None:
        """Save it within `SOON_MS`, however often it changes until then; `prepare` is called just before."""
        self._soon[item.id] = (item, prepare)
        if not self._timer.isActive():
            self._timer.start()

    def forget(self, items: Iterable[Message]) -> None:
        """They were deleted: nothing of them is saved any more."""
        for item in items:
            self._soon.pop(item.id, None)
            self._unsaved.pop(item.id, None)

    def flush(self) -> None:
        """Save now what was to be saved soon."""
        self._timer.stop()
        pending, self._soon = list(self._soon.values()), {}
        for _, prepare in pending:
            if prepare is not None:
                prepare()
        self._save_all([item for item, _ in pending])

    def close(self) -> None:
        """A last attempt for everything; nothing is tried again afterwards."""
        self._closed = True
        self.flush()
        self._retry()

    def _save_all(self, items: Iterable[ConversationSummary | Message]) -> None:
        # Conversations first: a message belongs to one.
        for item in sorted(items, key=lambda i: isinstance(i, Message)):
            self.save(item)

    def _retry(self) -> None:
        self._retry_timer.stop()
        pending, self._unsaved = list(self._unsaved.values()), {}
        self._save_all(pending)

    def _saved(self, item: ConversationSummary | Message) -> None:
        self._failing = False
        self._unsaved.pop(item.id, None)
        if self._unsaved and not self._closed:
            self._retry()

    def _failed(self, item: ConversationSummary | Message, error: BaseException) -> None:
        if self._store.read_only_reason:
            # Said once by the session; asking again would not change it.
            self._read_only = True
            return
        self._unsaved[item.id] = item
        if not self._retry_timer.isActive() and not self._closed:
            self._retry_timer.start()
        if not self._failing:
            self._failing = True
            log.warning("a conversation could not be saved: %s", error)
            self.problem.emit(Problem.of(error))

    def _make_timer(self, milliseconds: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer
