"""Conversations and messages as rows. Every function runs in the thread that owns the connection."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from app.core.conversation import (
    STOPPED,
    STREAMING,
    Attachment,
    Conversation,
    ConversationSummary,
    Message,
)
from app.storage.connection import transaction

SummaryRow = tuple[str, str, float, float, str | None, str, float | None, str, str]
MessageRow = tuple[str, str, str | None, str, str, float, str, str]

_SUMMARY = "id, title, created_at, updated_at, leaf_id, draft, pin, tags, draft_files"
_MESSAGE = "id, conversation_id, parent_id, role, status, created_at, meta, text"


def summary_row(summary: ConversationSummary) -> SummaryRow:
    """A copy of the summary as it is now."""
    return (
        summary.id,
        _storable(summary.title),
        summary.created_at,
        summary.updated_at,
        summary.leaf_id,
        _storable(summary.draft),
        summary.pin,
        _storable("\n".join(summary.tags)),
        _files_text(summary.draft_files),
    )


def message_row(message: Message) -> MessageRow:
    """A copy of the message as it is now, without its rounds. TypeError if `meta` is no JSON."""
    return (
        message.id,
        message.conversation_id,
        message.parent_id,
        message.role,
        message.status,
        message.created_at,
        json.dumps(message.meta, separators=(",", ":")),
        _storable(message.text),
    )


def list_conversations(connection: sqlite3.Connection) -> list[ConversationSummary]:
    """Newest first, without deleted ones."""
    rows = connection.execute(
        f"SELECT {_SUMMARY} FROM conversations WHERE deleted_at IS NULL"
        " ORDER BY updated_at DESC, created_at DESC, id"
    )
    return [_read_summary(*row) for row in rows]


def load_conversation(connection: sqlite3.Connection, conversation_id: str) -> Conversation | None:
    """With every message and its rounds; None if there is none or it was deleted."""
    row = connection.execute(
        f"SELECT {_SUMMARY} FROM conversations WHERE id = ? AND deleted_at IS NULL", (conversation_id,)
    ).fetchone()
    if row is None:
        return None
    rows = connection.execute(
        f"SELECT {_MESSAGE}, data FROM messages LEFT JOIN rounds ON message_id = id"
        " WHERE conversation_id = ? ORDER BY created_at, number",
        (conversation_id,),
    )
    return Conversation(_read_summary(*row), {row[0]: _message(*row) for row in rows})


def save_conversation(connection: sqlite3.Connection, row: SummaryRow) -> None:
    """Insert or replace; whether it is deleted stays as it is."""
    connection.execute(
        f"INSERT INTO conversations ({_SUMMARY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET title = excluded.title, created_at = excluded.created_at,"
        " updated_at = excluded.updated_at,"
        " leaf_id = excluded.leaf_id, draft = excluded.draft, pin = excluded.pin, tags = excluded.tags,"
        " draft_files = excluded.draft_files",
        row,
    )


def save_message(connection: sqlite3.Connection, row: MessageRow, rounds: bytes) -> None:
    """Insert or replace. A conversation that was never saved is added, so that no message is refused."""
    message_id, conversation_id, status, created_at = row[0], row[1], row[4], row[5]
    with transaction(connection):
        changed = connection.execute(
            "UPDATE messages SET conversation_id = ?, parent_id = ?, role = ?, status = ?, created_at = ?,"
            " meta = ?, text = ? WHERE id = ?",
            (*row[1:], message_id),
        ).rowcount
        if not changed:
            add_missing_conversation(connection, conversation_id, created_at)
            connection.execute(f"INSERT INTO messages ({_MESSAGE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        if rounds:
            connection.execute(
                "INSERT INTO rounds (message_id, data) VALUES (?, ?)"
                " ON CONFLICT (message_id) DO UPDATE SET data = excluded.data",
                (message_id, rounds),
            )
        elif changed and status != STREAMING:
            connection.execute("DELETE FROM rounds WHERE message_id = ?", (message_id,))


def delete_messages(connection: sqlite3.Connection, message_ids: Sequence[str]) -> None:
    """Remove messages and their rounds."""
    with transaction(connection):
        connection.executemany("DELETE FROM messages WHERE id = ?", [(i,) for i in message_ids])


def add_missing_conversation(connection: sqlite3.Connection, conversation_id: str, at: float) -> None:
    """An untitled conversation, unless it is there."""
    connection.execute(
        f"INSERT OR IGNORE INTO conversations ({_SUMMARY}) VALUES (?, '', ?, ?, NULL, '', NULL, '', '')",
        (conversation_id, at, at),
    )


def add_conversations(
    connection: sqlite3.Connection, conversations: Sequence[Conversation]
) -> list[ConversationSummary]:
    """Add whole conversations, all or none; one whose ids are taken is added under new ones.

    Returns their summaries as they were stored.
    """
    with transaction(connection):
        return [_add(connection, conversation).summary for conversation in conversations]


def _add(connection: sqlite3.Connection, conversation: Conversation) -> Conversation:
    ids = [(message_id,) for message_id in conversation.messages]
    taken = connection.execute(
        "SELECT 1 FROM conversations WHERE id = ?", (conversation.summary.id,)
    ).fetchone() or any(
        connection.execute("SELECT 1 FROM messages WHERE id = ?", row).fetchone() for row in ids
    )
    added = conversation.copied() if taken else conversation
    save_conversation(connection, summary_row(added.summary))
    connection.executemany(
        f"INSERT INTO messages ({_MESSAGE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [message_row(m) for m in added.messages.values()],
    )
    connection.executemany(
        "INSERT INTO rounds (message_id, data) VALUES (?, ?)",
        [(m.id, m.rounds) for m in added.messages.values() if m.rounds],
    )
    return added


def set_deleted(connection: sqlite3.Connection, conversation_id: str, deleted: bool) -> None:
    """Hide a conversation or bring it back."""
    connection.execute(
        "UPDATE conversations SET deleted_at = ? WHERE id = ?",
        (time.time() if deleted else None, conversation_id),
    )


def purge(connection: sqlite3.Connection, messages_deleted: bool = False) -> None:
    """Remove what was deleted, for good, and the traces of it in the index of words."""
    gone = connection.execute("DELETE FROM conversations WHERE deleted_at IS NOT NULL").rowcount
    if gone or messages_deleted:
        for index in ("titles", "words", "files"):
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")


def mark_interrupted(connection: sqlite3.Connection) -> None:
    """Replies that were growing when the program died are stopped replies now."""
    connection.execute("UPDATE messages SET status = ? WHERE status = 'streaming'", (STOPPED,))


def _read_summary(
    conversation_id: str,
    title: str,
    created_at: float,
    updated_at: float,
    leaf_id: str | None,
    draft: str,
    pin: float | None,
    tags: str,
    draft_files: str,
) -> ConversationSummary:
    return ConversationSummary(
        conversation_id,
        title,
        created_at,
        updated_at,
        leaf_id,
        draft,
        pin,
        tuple(tags.split("\n")) if tags else (),
        _files(draft_files),
    )


def _message(
    message_id: str,
    conversation_id: str,
    parent_id: str | None,
    role: str,
    status: str,
    created_at: float,
    meta: str,
    text: str,
    rounds: bytes | None,
) -> Message:
    return Message(
        conversation_id, role, text, parent_id, message_id, created_at, status, _meta(meta), rounds or b""
    )


@lru_cache(maxsize=1)
def _files_text(files: tuple[Attachment, ...]) -> str:
    """As JSON. What is typed beside large files is saved often, and they stay the same."""
    return json.dumps([{"name": a.name, "text": a.text} for a in files]) if files else ""


def _files(text: str) -> tuple[Attachment, ...]:
    """Files that cannot be read are no reason to withhold the conversation."""
    try:
        return tuple(Attachment(str(a["name"]), str(a["text"])) for a in json.loads(text or "[]"))
    except (ValueError, TypeError, KeyError):
        return ()


def _meta(text: str) -> dict[str, Any]:
    """Figures that cannot be read are no reason to withhold the message."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _storable(text: str) -> str:
    """The text as UTF-8 can hold it: lone surrogates, which a window may hand out, are replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
