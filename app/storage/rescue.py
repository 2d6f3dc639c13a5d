"""What can still be read of a damaged conversations file."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.storage.connection import read_only_uri, transaction
from app.storage.conversations import add_missing_conversation

_log = logging.getLogger(__name__)

_COLUMNS = {
    "conversations": (
        "id", "title", "created_at", "updated_at", "leaf_id", "draft", "deleted_at", "pin", "tags",
        "draft_files",
    ),
    "messages": ("id", "conversation_id", "parent_id", "role", "status", "created_at", "meta", "text"),
    "rounds": ("message_id", "data"),
}  # fmt: skip


def rescue(damaged: Path, connection: sqlite3.Connection) -> int:
    """Copy every readable row into the fresh database; returns the number of messages kept."""
    kept = 0
    try:
        old = sqlite3.connect(read_only_uri(damaged), uri=True, isolation_level=None)
    except sqlite3.Error:
        return 0
    try:
        with transaction(connection):
            for table, wanted in _COLUMNS.items():
                columns = _columns(old, table, wanted)
                places = ", ".join("?" * len(columns))
                insert = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({places})"
                for row in _rows(old, table, columns):
                    try:
                        if table == "messages":
                            add_missing_conversation(connection, row[1], row[5])
                            kept += connection.execute(insert, row).rowcount
                        else:
                            connection.execute(insert, row)
                    except sqlite3.IntegrityError:
                        # Rounds of a message that is gone, or a row that is garbage itself.
                        continue
    finally:
        old.close()
    return kept


def _columns(old: sqlite3.Connection, table: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Those that the file has: it may be of an earlier version."""
    try:
        there = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
    except sqlite3.Error:
        return wanted
    return tuple(name for name in wanted if name in there) or wanted


def _rows(old: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Rows from both ends up to the damage, so some come twice."""
    key = columns[0] if table != "messages" else "rowid"
    for direction in ("ASC", "DESC"):
        try:
            yield from old.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {key} {direction}")
        except sqlite3.Error as error:
            _log.info("%s of the damaged file: %s", table, error)
