"""What the disk and SQLite complain about, in the user's words."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from app.core.errors import EnvironmentProblem
from app.core.wording import say

DISK_FULL = "disk-full"
READ_ONLY = "read-only"
LOCKED = "database-locked"
DAMAGED = "database-damaged"
UNREADABLE = "disk-problem"
NO_SEARCH = "no-full-text-search"

# Python 3.10 does not report SQLite's error codes, so its fixed messages are looked at.
_SQLITE_CODES = (
    ("disk is full", DISK_FULL),
    ("readonly database", READ_ONLY),
    ("is locked", LOCKED),
    ("malformed", DAMAGED),
    ("not a database", DAMAGED),
    ("no such module", NO_SEARCH),
)
# What the index of words says of itself, whatever kept it from being opened.
_NO_INDEX = "vtable constructor failed"
_SQLITE_ERROR, _BUSY, _SQLITE_LOCKED, _CORRUPT, _NOT_A_DATABASE = 1, 5, 6, 11, 26
_OS_CODES = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EFBIG: DISK_FULL,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.EROFS: READ_ONLY,
}
_TEXTS = {
    DISK_FULL: (
        say("The disk is full."),
        say("Free some space; what was typed and generated stays in the window until then."),
    ),
    READ_ONLY: (
        say("Slipstream may not write to its folder."),
        say("Allow writing there, or set SLIPSTREAM_HOME to another folder."),
    ),
    LOCKED: (
        say("Another program keeps the conversations file locked."),
        say("Close that program (a backup or a database viewer, perhaps)."),
    ),
    DAMAGED: (say("The conversations file is damaged."), say("Start Slipstream again.")),
    UNREADABLE: (
        say("The disk did not do what it was asked."),
        say("Check that the folder is still there and the disk is well."),
    ),
    NO_SEARCH: (
        say("SQLite cannot search texts on this machine, so conversations cannot be kept."),
        say("Use a Python whose SQLite has FTS5, as those of python.org and of most systems do."),
    ),
}


def code_of(error: sqlite3.Error | OSError) -> str:
    """One of the codes above."""
    if isinstance(error, OSError):
        return _OS_CODES.get(error.errno or 0, UNREADABLE)
    text = str(error)
    if _NO_INDEX in text:
        return _code_of_index(error)
    return next((code for part, code in _SQLITE_CODES if part in text), UNREADABLE)


def _code_of_index(error: sqlite3.Error) -> str:
    """A sound file must not be set aside because somebody else holds it."""
    number = getattr(error, "sqlite_errorcode", None)
    if number is None:
        return LOCKED if isinstance(error, sqlite3.OperationalError) else DAMAGED
    if number & 0xFF in (_BUSY, _SQLITE_LOCKED):
        return LOCKED
    return DAMAGED if number & 0xFF in (_SQLITE_ERROR, _CORRUPT, _NOT_A_DATABASE) else UNREADABLE


def problem_of(error: sqlite3.Error | OSError, path: Path) -> EnvironmentProblem:
    """The same failure for the user; `path` is the file it happened to."""
    code = code_of(error)
    what, remedy = _TEXTS[code]
    return EnvironmentProblem(what, f"{path}: {error}.", remedy, code)
