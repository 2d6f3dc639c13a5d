"""The conversations file: opened when first needed, brought up to date, set aside when damaged.

Everything here runs in the one thread that owns the connection.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.wording import say
from app.storage import problems
from app.storage.aside import set_aside
from app.storage.connection import read_only_uri
from app.storage.conversations import mark_interrupted
from app.storage.migrations import MIGRATIONS, migrate, version_of
from app.storage.rescue import rescue

T = TypeVar("T")

_log = logging.getLogger(__name__)

_NEWER = say(
    "The conversations were written by a newer version of Slipstream. Update Slipstream to go on saving them."
)

# A growing reply is made safe against a power cut this often; against a crash of the program, always.
_SYNC_EVERY = 1.0


class Database:
    """`read_only_reason` is known once the file is open. `notices` is what the user has to be told."""

    def __init__(self, path: Path, read_only_reason: str = "", busy_timeout: float = 5.0) -> None:
        """`read_only_reason`: why this copy must not write. `busy_timeout`: seconds to wait for a lock."""
        self._path = path
        self._timeout = busy_timeout
        self._connection: sqlite3.Connection | None = None
        self._was_open = False
        self._full_sync = True
        self._last_sync = 0.0
        self.read_only_reason = read_only_reason
        self.notices: list[Problem] = []

    def open(self) -> sqlite3.Connection:
        """The connection; opened now if it is not. Raises EnvironmentProblem."""
        if self._connection is None:
            try:
                self._connection = self._open()
                self._was_open = True
            except (sqlite3.Error, OSError) as error:
                raise problems.problem_of(error, self._path) from error
        return self._connection

    def read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """`job`'s result. Raises EnvironmentProblem."""
        connection = self.open()
        try:
            return job(connection)
        except (sqlite3.Error, OSError) as error:
            raise self._after(error, job) from error

    def write(self, job: Callable[[sqlite3.Connection], T], lasting: bool = True) -> T:
        """As `read`. `lasting`: on the disk when this returns; otherwise a second later at most."""
        connection = self.open()
        if self.read_only_reason:
            raise EnvironmentProblem(
                say("Nothing can be saved."), self.read_only_reason, code=problems.READ_ONLY
            )
        now = time.monotonic()
        sync = lasting or now - self._last_sync >= _SYNC_EVERY
        if sync and not self._path.exists():
            raise self._after_removal(job)
        try:
            if sync != self._full_sync:
                connection.execute(f"PRAGMA synchronous = {'FULL' if sync else 'NORMAL'}")
                self._full_sync = sync
            result = job(connection)
        except (sqlite3.Error, OSError) as error:
            raise self._after(error, job) from error
        if sync:
            self._last_sync = now
        return result

    def sync(self) -> None:
        """Make what was written with `lasting=False` safe."""
        if self._connection is not None and not self._full_sync:
            self.read(lambda connection: connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())

    def close(self) -> None:
        """May be called again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self.read_only_reason:
            return self._open_to_read()
        try:
            # A folder that was there may be a disk that comes back: nothing is made in its place.
            if not self._was_open:
                self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return self._open_to_write()
        except (sqlite3.Error, OSError) as error:
            code = problems.code_of(error)
            if code == problems.DAMAGED:
                return self._begin_afresh()
            refused = isinstance(error, OSError) or "unable to open" in str(error)
            refused = code == problems.READ_ONLY or (code == problems.UNREADABLE and refused)
            if refused and not self._was_open:
                _log.warning("%s cannot be written: %s", self._path, error)
                self.read_only_reason = say(
                    "Slipstream may not write to {folder}. Allow writing there, or set SLIPSTREAM_HOME to "
                    "another folder.",
                    folder=self._path.parent,
                )
                return self._open_to_read()
            raise

    def _open_to_write(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=self._timeout, isolation_level=None)
        try:
            if version_of(connection) > len(MIGRATIONS):
                self.read_only_reason = _NEWER
                connection.execute("PRAGMA query_only = ON")
                return connection
            # Where a network disk has no shared memory for it, SQLite stays with its older journal.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            self._full_sync = True
            migrate(connection)
            connection.execute("PRAGMA foreign_keys = ON")
            if not self._was_open:
                mark_interrupted(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _open_to_read(self) -> sqlite3.Connection:
        """The file without writing anything beside it; an empty database in memory if there is none."""
        # A folder that cannot be written has no place for the write-ahead log's index: read without it.
        for flags in ("", "&immutable=1"):
            try:
                connection = sqlite3.connect(
                    read_only_uri(self._path) + flags, uri=True, timeout=self._timeout, isolation_level=None
                )
            except sqlite3.Error as error:
                _log.info("%s cannot be opened: %s", self._path, error)
                continue
            try:
                version = version_of(connection)
                if version >= len(MIGRATIONS):
                    return connection
                if version:
                    return _brought_up_to_date(connection)
            except sqlite3.Error as error:
                _log.info("%s cannot be read: %s", self._path, error)
            connection.close()
        connection = sqlite3.connect(":memory:", isolation_level=None)
        migrate(connection)
        return connection

    def _begin_afresh(self) -> sqlite3.Connection:
        """Set the damaged file aside and carry over what can still be read."""
        aside = set_aside(self._path)
        for suffix in ("-wal", "-shm"):
            companion = Path(f"{self._path}{suffix}")
            if companion.exists():
                companion.replace(f"{aside}{suffix}")
        connection = self._open_to_write()
        kept = rescue(aside, connection)
        if not self._was_open:
            mark_interrupted(connection)
        self.notices.append(
            Problem(
                say("The conversations file was damaged."),
                say(
                    "{kept} of its messages could still be read and were kept. The damaged file is {aside}.",
                    kept=kept,
                    aside=aside,
                ),
                code=problems.DAMAGED,
            )
        )
        _log.error("damaged database set aside as %s, %d messages kept", aside, kept)
        return connection

    def _after(
        self, error: sqlite3.Error | OSError, job: Callable[[sqlite3.Connection], object]
    ) -> EnvironmentProblem:
        """What to raise for `error`; the next job gets a connection that works, if there can be one."""
        problem = problems.problem_of(error, self._path)
        if problem.code in (problems.DAMAGED, problems.UNREADABLE, problems.READ_ONLY):
            self.close()
        if problem.code == problems.DAMAGED and not self.read_only_reason:
            try:
                self._connection = self._begin_afresh()
                job(self._connection)
            except (sqlite3.Error, OSError) as second:
                self.close()
                return problems.problem_of(second, self._path)
            notice = self.notices.pop()
            return EnvironmentProblem(
                notice.what, notice.why, say("Slipstream goes on with a new file."), notice.code
            )
        return problem

    def _after_removal(self, job: Callable[[sqlite3.Connection], object]) -> EnvironmentProblem:
        """Somebody removed the file. What is written to it now would be lost without an error."""
        self.close()
        self.read(job)
        return EnvironmentProblem(
            say("The conversations file was removed while Slipstream was running."),
            say("{path} was gone.", path=self._path),
            say("Slipstream goes on with a new file; conversations that were only in the old one are lost."),
            problems.UNREADABLE,
        )


def _brought_up_to_date(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A copy in memory, with the newest schema, of an older file that may not be written."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    connection.backup(copy)
    connection.close()
    # The log's index cannot be made for a database in memory.
    copy.execute("PRAGMA journal_mode = MEMORY")
    migrate(copy)
    return copy
