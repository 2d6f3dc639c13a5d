"""Our own file: whole trees with rounds and attachments, nothing left out.

    {"format": "slipstream-conversations", "version": 1, "conversations": [{..., "messages": [...]}, ...]}

Names are those of `core.conversation`. A reply's `rounds` are the rows that `core.rounds` records.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.core.conversation import (
    ASSISTANT,
    COMPLETE,
    FAILED,
    STOPPED,
    STREAMING,
    SYSTEM,
    TRUNCATED,
    USER,
    Attachment,
    Conversation,
    ConversationSummary,
    Message,
)
from app.core.rounds import decode_rounds
from app.core.stats import SpeculativeStats
from app.services.reply import CONTINUATIONS

FORMAT = "slipstream-conversations"
VERSION = 1

# Times are seconds since the epoch; calendars end long before this one.
_LARGEST = 1e11
_RECORDS = ("pair", "stats", "settings", "sampling", "imported", "problem", "reasoning")
_FIGURES = {
    name
    for name, value in SpeculativeStats().as_dict().items()
    if not isinstance(value, str | list | tuple | dict)
}

_ROLES = (USER, ASSISTANT, SYSTEM)
_STATUS = (COMPLETE, STOPPED, TRUNCATED, FAILED)


def written(conversations: Iterable[Conversation]) -> Iterator[str]:
    """The file in pieces, one conversation at a time."""
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "conversations": ['
    for number, conversation in enumerate(conversations):
        yield ",\n" if number else "\n"
        yield json.dumps(document_of(conversation), ensure_ascii=False, separators=(",", ":"))
    yield "\n]}\n"


def document_of(conversation: Conversation) -> dict[str, Any]:
    """One conversation as JSON-able values."""
    summary = conversation.summary
    return {
        "id": summary.id,
        "title": summary.title,
        "created_at": summary.created_at,
        "updated_at": summary.updated_at,
        "leaf_id": summary.leaf_id,
        "draft": summary.draft,
        "draft_files": [{"name": a.name, "text": a.text} for a in summary.draft_files],
        "pin": summary.pin,
        "tags": list(summary.tags),
        "messages": [
            {
                "id": m.id,
                "parent_id": m.parent_id,
                "role": m.role,
                # What grows while it is written out has stopped for whoever reads it.
                "status": STOPPED if m.status == STREAMING else m.status,
                "created_at": m.created_at,
                "text": m.text,
                "meta": m.meta,
                "rounds": _rounds_out(m.rounds),
            }
            for m in conversation.messages.values()
        ],
    }


def conversation_of(document: Mapping[str, Any]) -> Conversation:
    """The conversation again; ValueError says what is wrong with it."""
    summary = ConversationSummary(
        _text(document, "id"),
        _text(document, "title"),
        _number(document, "created_at"),
        _number(document, "updated_at"),
        _name(document, "leaf_id"),
        _text(document, "draft", ""),
        _number(document, "pin") if document.get("pin") is not None else None,
        tuple(" ".join(str(tag).split()) for tag in _list(document, "tags", ()) if str(tag).split()),
        tuple(_file_of(item) for item in _list(document, "draft_files", ())),
    )
    if not summary.id:
        raise ValueError("it has an empty id")
    messages: dict[str, Message] = {}
    for number, item in enumerate(_list(document, "messages"), 1):
        try:
            message = _message_of(item, summary.id)
        except ValueError as error:
            raise ValueError(f"message {number}: {error}") from error
        if message.id in messages:
            raise ValueError(f"message {number}: its id is used twice")
        messages[message.id] = message
    return Conversation(summary, messages)


def _message_of(item: Any, conversation_id: str) -> Message:
    if not isinstance(item, Mapping):
        raise ValueError("it is not an object")
    role, status = _text(item, "role"), _text(item, "status", COMPLETE)
    if role not in _ROLES:
        raise ValueError(f"“{role}” is not a role")
    if status not in _STATUS:
        raise ValueError(f"“{status}” is not a status")
    meta = item.get("meta", {})
    if not isinstance(meta, dict):
        raise ValueError("“meta” is not an object")
    message = Message(
        conversation_id,
        role,
        _text(item, "text"),
        _name(item, "parent_id"),
        _text(item, "id"),
        _number(item, "created_at"),
        status,
        meta,
        _rounds_in(item.get("rounds")),
    )
    _check_records(meta)
    if not message.id:
        raise ValueError("it has an empty id")
    try:
        assert all(isinstance(a.text, str) for a in message.attachments)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("its attachments have no name or text") from error
    return message


def _file_of(item: Any) -> Attachment:
    if not isinstance(item, Mapping):
        raise ValueError("“draft_files” holds something that is not an object")
    return Attachment(_text(item, "name"), _text(item, "text"))


def _rounds_out(rounds: bytes) -> Any:
    if not rounds:
        return None
    try:
        return json.loads(zlib.decompress(rounds))
    except (zlib.error, ValueError):
        # Recorded by a newer version, perhaps: kept as it is.
        return {"base64": base64.b64encode(rounds).decode()}


def _rounds_in(value: Any) -> bytes:
    if not value:
        return b""
    try:
        if isinstance(value, Mapping):
            return base64.b64decode(value["base64"], validate=True)
        rounds = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)
        decode_rounds(rounds)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"its rounds cannot be read ({error})") from error
    return rounds


def _text(document: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = document.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"“{key}” is missing or not a text")
    return value


def _name(document: Mapping[str, Any], key: str) -> str | None:
    return None if document.get(key) is None else _text(document, key)


def _number(document: Mapping[str, Any], key: str) -> float:
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        raise ValueError(f"“{key}” is missing or not a number")
    return float(value)


def _check_records(meta: Mapping[str, Any]) -> None:
    """What a reply recorded has the kinds that all who show it rely on."""
    for part in (meta, *_list(meta, CONTINUATIONS, ())):
        if not isinstance(part, Mapping):
            raise ValueError(f"“{CONTINUATIONS}” holds something that is not an object")
        for key in _RECORDS:
            if part.get(key) is not None and not isinstance(part[key], Mapping):
                raise ValueError(f"“{key}” is not an object")
        for key, value in (part.get("stats") or {}).items():
            if key in _FIGURES and value is not None and not isinstance(value, int | float):
                raise ValueError(f"“{key}” is not a number")


def _list(document: Mapping[str, Any], key: str, default: Any = None) -> Any:
    value = document.get(key, default)
    if not isinstance(value, list | tuple):
        raise ValueError(f"“{key}” is missing or not a list")
    return value
