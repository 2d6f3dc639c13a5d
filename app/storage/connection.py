"""Small things every user of a SQLite connection needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote


def read_only_uri(path: Path) -> str:
    """The file as SQLite opens it without writing; also for a drive letter and a network share."""
    posix = path.absolute().as_posix()
    return f"file://{'' if posix.startswith('/') else '/'}{quote(posix)}?mode=ro"


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """BEGIN, then COMMIT, or ROLLBACK when the body or the COMMIT fails; needs autocommit mode."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk makes SQLite roll back by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
