"""The schema of the conversations file, as the steps that lead to it.

A step, once released, is never edited; a change is a new step at the end. `PRAGMA user_version` counts
the steps a file has gone through.
"""

from __future__ import annotations

import sqlite3

from app.storage.connection import transaction

# Messages hold no foreign key to their parent: a reply may reach the disk before what it answers.
_VERSION_1 = (
    """
    CREATE TABLE conversations (
        id TEXT PRIMARY KEY NOT NULL,
        title TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        leaf_id TEXT,
        draft TEXT NOT NULL,
        deleted_at REAL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE messages (
        id TEXT PRIMARY KEY NOT NULL,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        parent_id TEXT,
        role TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at REAL NOT NULL,
        meta TEXT NOT NULL,
        text TEXT NOT NULL
    )
    """,
    "CREATE INDEX messages_by_conversation ON messages (conversation_id, created_at)",
    "CREATE INDEX messages_streaming ON messages (id) WHERE status = 'streaming'",
    # Apart from the messages, so that saving a growing reply does not touch them.
    """
    CREATE TABLE rounds (
        message_id TEXT PRIMARY KEY NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
        data BLOB NOT NULL
    )
    """,
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_VERSION_1,)


def version_of(connection: sqlite3.Connection) -> int:
    """Steps the file has gone through; 0 for a new one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest schema, each step wholly or not at all.

    `connection` is in autocommit mode. Does nothing to a file that is newer than this program.
    """
    for version in range(version_of(connection), len(MIGRATIONS)):
        with transaction(connection):
            # Another copy may have taken the step while this one waited for the lock.
            if version_of(connection) == version:
                for statement in MIGRATIONS[version]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {version + 1}")
