"""Conversations and settings on disk, behind the `Store` port.

Every call returns at once; one thread does the work in the order it was asked for, so that a reader
sees what was written before. The first copy of the program writes; another one on the same folder
only reads.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from sqlite3 import Connection
from typing import TypeVar

from app.core.conversation import STREAMING, Conversation, ConversationSummary, Message
from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.search import SearchHit
from app.core.settings import AppSettings
from app.core.wording import say
from app.storage import conversations, problems, search
from app.storage.database import Database
from app.storage.instance import InstanceLock
from app.storage.paths import Paths, app_paths
from app.storage.settings import SettingsFile
from app.storage.writer import WriterThread

T = TypeVar("T")

_log = logging.getLogger(__name__)

_ANOTHER_COPY = say(
    "Slipstream is already running and saves for itself. This window only shows what is saved."
)

# No disk is waited for longer than this, at start and at the end.
_PATIENCE = 10.0


class FileStore:
    """Implements `app.core.ports.Store`. Close it to make deletions final and to let another copy write."""

    def __init__(self, paths: Paths | None = None, busy_timeout: float = 5.0) -> None:
        """`busy_timeout`: seconds to wait for a foreign program that keeps the database locked."""
        self._paths = paths if paths is not None else app_paths()
        self._lock = InstanceLock(self._paths.lock)
        reason = ""
        try:
            if not self._lock.acquire():
                reason = _ANOTHER_COPY
        except OSError as error:
            # Opening the database will tell what is wrong with the folder.
            _log.warning("no lock file: %s", error)
        self._another_copy = reason
        self._settings = SettingsFile(self._paths.settings)
        self._database = Database(self._paths.database, reason, busy_timeout)
        self._writer = WriterThread("storage")
        self._messages_deleted = False
        self._opened = self._writer.submit(self._database.open)

    @property
    def paths(self) -> Paths:
        return self._paths

    @property
    def read_only_reason(self) -> str:
        """Why nothing can be saved, or empty. Waits until the database is open."""
        self._await_opening()
        return self._database.read_only_reason

    @property
    def notices(self) -> tuple[Problem, ...]:
        """Damage that was found and dealt with at start, to be shown once. Waits as above."""
        self._await_opening()
        return (*self._settings.notices, *self._database.notices)

    def conversations(self) -> Future[list[ConversationSummary]]:
        """Newest first, without deleted ones."""
        return self._read(conversations.list_conversations)

    def conversation(self, conversation_id: str) -> Future[Conversation | None]:
        """None when there is none, or it was deleted."""
        return self._read(lambda c: conversations.load_conversation(c, conversation_id))

    def save_conversation(self, summary: ConversationSummary) -> Future[None]:
        """Insert or replace; the summary is copied before the call returns."""
        row = conversations.summary_row(summary)
        return self._write(lambda c: conversations.save_conversation(c, row))

    def save_message(self, message: Message) -> Future[None]:
        """Insert or replace; the message is copied before the call returns."""
        row, rounds = conversations.message_row(message), message.rounds
        return self._write(
            lambda c: conversations.save_message(c, row, rounds), lasting=message.status != STREAMING
        )

    def delete_messages(self, message_ids: Sequence[str]) -> Future[None]:
        """Removes them with their rounds, for good."""
        ids = tuple(message_ids)
        self._messages_deleted = True
        return self._write(lambda c: conversations.delete_messages(c, ids))

    def add_conversations(self, added: Sequence[Conversation]) -> Future[list[ConversationSummary]]:
        """Whole conversations in one piece, all or none; nothing that is there is replaced."""
        return self._writer.submit(
            lambda: self._database.write(lambda c: conversations.add_conversations(c, added))
        )

    def search(self, text: str, limit: int = 200) -> Future[list[SearchHit]]:
        """Conversations whose title or messages hold all words of `text`, the newest messages first."""
        return self._read(lambda c: search.find(c, text, limit))

    def delete_conversation(self, conversation_id: str) -> Future[None]:
        """Hides it; it is gone for good when the store is closed."""
        return self._write(lambda c: conversations.set_deleted(c, conversation_id, True))

    def restore_conversation(self, conversation_id: str) -> Future[None]:
        """Brings a deleted one back."""
        return self._write(lambda c: conversations.set_deleted(c, conversation_id, False))

    def load_settings(self) -> AppSettings:
        """Read once at start; a damaged file is set aside and defaults are returned (see `notices`)."""
        return self._settings.load(may_set_aside=not self._another_copy)

    def save_settings(self, settings: AppSettings) -> Future[None]:
        """The settings are copied before the call returns."""
        content = self._settings.dump(settings)
        return self._writer.submit(lambda: self._write_settings(content))

    def flush(self) -> None:
        """Returns when everything asked for so far is on disk, or the disk has not answered for long."""
        try:
            self._writer.submit(self._database.sync).result(_PATIENCE)
        except FutureTimeout:
            _log.error("the disk has not answered for %g s", _PATIENCE)
        except Exception as error:
            # Whoever asked for the writing has been told by its own future.
            _log.info("flushing: %s", error)

    def close(self) -> None:
        """Finishes the writing, removes deleted conversations for good, lets go. May be called again."""
        self._writer.submit(self._finish)
        if not self._writer.close(_PATIENCE):
            _log.error("the disk has not answered for %g s; leaving it", _PATIENCE)
        self._lock.release()

    def _read(self, job: Callable[[Connection], T]) -> Future[T]:
        return self._writer.submit(lambda: self._database.read(job))

    def _write(self, job: Callable[[Connection], None], lasting: bool = True) -> Future[None]:
        return self._writer.submit(lambda: self._database.write(job, lasting))

    def _write_settings(self, content: bytes) -> None:
        if self._another_copy:
            raise EnvironmentProblem(
                say("The settings are not saved."), self._another_copy, code=problems.READ_ONLY
            )
        self._settings.write(content)

    def _finish(self) -> None:
        try:
            self._database.open()
            if not self._database.read_only_reason:
                self._database.write(lambda c: conversations.purge(c, self._messages_deleted))
        finally:
            self._database.close()

    def _await_opening(self) -> None:
        """Whether opening worked shows in the futures of those who ask for something."""
        try:
            self._opened.exception(_PATIENCE)
        except FutureTimeout:
            _log.error("the disk has not answered for %g s", _PATIENCE)
