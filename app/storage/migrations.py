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

# Accents and case do not count in a search; prefixes are what is typed so far.
_WORDS = "tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'"

# The index of words refers to rows by number, which only a declared key keeps for good. A growing reply
# changes twice a second: its words are indexed when it has ended.
_VERSION_2 = (
    """
    CREATE TABLE new_conversations (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        leaf_id TEXT,
        draft TEXT NOT NULL,
        deleted_at REAL,
        pin REAL,
        tags TEXT NOT NULL DEFAULT ''
    )
    """,
    """
    INSERT INTO new_conversations (id, title, created_at, updated_at, leaf_id, draft, deleted_at)
    SELECT id, title, created_at, updated_at, leaf_id, draft, deleted_at FROM conversations
    ORDER BY created_at, id
    """,
    "DROP TABLE conversations",
    "ALTER TABLE new_conversations RENAME TO conversations",
    """
    CREATE TABLE new_messages (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        parent_id TEXT,
        role TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at REAL NOT NULL,
        meta TEXT NOT NULL,
        text TEXT NOT NULL
    )
    """,
    """
    INSERT INTO new_messages (id, conversation_id, parent_id, role, status, created_at, meta, text)
    SELECT id, conversation_id, parent_id, role, status, created_at, meta, text FROM messages ORDER BY rowid
    """,
    "DROP TABLE messages",
    "ALTER TABLE new_messages RENAME TO messages",
    "CREATE INDEX messages_by_conversation ON messages (conversation_id, created_at)",
    "CREATE INDEX messages_streaming ON messages (id) WHERE status = 'streaming'",
    "CREATE VIRTUAL TABLE titles USING fts5"
    f" (title, content = conversations, content_rowid = number, {_WORDS})",
    f"CREATE VIRTUAL TABLE words USING fts5 (text, content = messages, content_rowid = number, {_WORDS})",
    "INSERT INTO titles (rowid, title) SELECT number, title FROM conversations",
    "INSERT INTO words (rowid, text) SELECT number, text FROM messages WHERE status <> 'streaming'",
    """
    CREATE TRIGGER title_added AFTER INSERT ON conversations BEGIN
        INSERT INTO titles (rowid, title) VALUES (new.number, new.title);
    END
    """,
    """
    CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversations WHEN new.title <> old.title BEGIN
        INSERT INTO titles (titles, rowid, title) VALUES ('delete', old.number, old.title);
        INSERT INTO titles (rowid, title) VALUES (new.number, new.title);
    END
    """,
    """
    CREATE TRIGGER title_removed AFTER DELETE ON conversations BEGIN
        INSERT INTO titles (titles, rowid, title) VALUES ('delete', old.number, old.title);
    END
    """,
    """
    CREATE TRIGGER words_added AFTER INSERT ON messages WHEN new.status <> 'streaming' BEGIN
        INSERT INTO words (rowid, text) VALUES (new.number, new.text);
    END
    """,
    """
    CREATE TRIGGER words_changed AFTER UPDATE OF status, text ON messages
    WHEN (new.status <> 'streaming' OR old.status <> 'streaming')
        AND (new.text <> old.text OR (new.status = 'streaming') <> (old.status = 'streaming'))
    BEGIN
        INSERT INTO words (words, rowid, text)
        SELECT 'delete', old.number, old.text WHERE old.status <> 'streaming';
        INSERT INTO words (rowid, text) SELECT new.number, new.text WHERE new.status <> 'streaming';
    END
    """,
    """
    CREATE TRIGGER words_removed AFTER DELETE ON messages WHEN old.status <> 'streaming' BEGIN
        INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
    END
    """,
)

# The files that wait in the composer, as JSON; empty without any.
_VERSION_3 = ("ALTER TABLE conversations ADD COLUMN draft_files TEXT NOT NULL DEFAULT ''",)

# Files that were sent with messages are found by name and text. They stay where they are, in `meta`: the
# view says what the index of their words refers to. A view sees a message as it is now, so words leave the
# index before a change and come after it.
_VERSION_4 = (
    """
    CREATE VIEW attached AS
    SELECT number,
        (SELECT group_concat(json_extract(value, '$.name'), ', ')
            FROM json_each(meta, '$.attachments') WHERE type = 'object') AS names,
        (SELECT group_concat(json_extract(value, '$.text'), char(10))
            FROM json_each(meta, '$.attachments') WHERE type = 'object') AS text
    FROM messages WHERE role = 'user' AND instr(meta, '"attachments"') AND json_valid(meta)
    """,
    "CREATE VIRTUAL TABLE files USING fts5"
    f" (names, text, content = attached, content_rowid = number, {_WORDS})",
    "INSERT INTO files (rowid, names, text) SELECT number, names, text FROM attached",
    """
    CREATE TRIGGER files_added AFTER INSERT ON messages WHEN instr(new.meta, '"attachments"') BEGIN
        INSERT INTO files (rowid, names, text)
        SELECT number, names, text FROM attached WHERE number = new.number;
    END
    """,
    """
    CREATE TRIGGER files_changing BEFORE UPDATE OF meta, role ON messages
    WHEN instr(old.meta, '"attachments"') AND (old.meta <> new.meta OR old.role <> new.role)
    BEGIN
        INSERT INTO files (files, rowid, names, text)
        SELECT 'delete', number, names, text FROM attached WHERE number = old.number;
    END
    """,
    """
    CREATE TRIGGER files_changed AFTER UPDATE OF meta, role ON messages
    WHEN instr(new.meta, '"attachments"') AND (old.meta <> new.meta OR old.role <> new.role)
    BEGIN
        INSERT INTO files (rowid, names, text)
        SELECT number, names, text FROM attached WHERE number = new.number;
    END
    """,
    """
    CREATE TRIGGER files_removed BEFORE DELETE ON messages WHEN instr(old.meta, '"attachments"') BEGIN
        INSERT INTO files (files, rowid, names, text)
        SELECT 'delete', number, names, text FROM attached WHERE number = old.number;
    END
    """,
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4)


def version_of(connection: sqlite3.Connection) -> int:
    """Steps the file has gone through; 0 for a new one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest schema, each step wholly or not at all.

    `connection` is in autocommit mode and does not enforce foreign keys: a step may replace a table that
    others refer to. Does nothing to a file that is newer than this program.
    """
    for version in range(version_of(connection), len(MIGRATIONS)):
        with transaction(connection):
            # Another copy may have taken the step while this one waited for the lock.
            if version_of(connection) == version:
                for statement in MIGRATIONS[version]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {version + 1}")
