"""Conversations as ChatGPT exports them: `conversations.json`, a list with one `mapping` of nodes each.

What cannot be shown as text (pictures, recordings) leaves a line that says what it was. What a node held
besides its text stays in `Message.meta["imported"]`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.core.conversation import (
    ASSISTANT,
    COMPLETE,
    STOPPED,
    SYSTEM,
    USER,
    Conversation,
    ConversationSummary,
    Message,
)

IMPORTED = "imported"
SOURCE = "ChatGPT"

_ROLES = {"user": USER, "assistant": ASSISTANT, "tool": ASSISTANT, "system": SYSTEM}


def looks_like(document: Any) -> bool:
    """Whether this element of a file is such a conversation."""
    return isinstance(document, Mapping) and isinstance(document.get("mapping"), Mapping)


def conversation_of(document: Mapping[str, Any]) -> Conversation:
    """The whole tree. Nodes without a text are passed over: what follows them follows what they follow.

    ValueError says what is wrong.
    """
    mapping = document["mapping"]
    created = _seconds(document.get("create_time")) or 0.0
    updated = _seconds(document.get("update_time")) or created
    found = document.get("conversation_id") or document.get("id") or ""
    summary = ConversationSummary(title=_line(document.get("title")), created_at=created, updated_at=updated)
    if isinstance(found, str) and found:
        summary.id = found
    messages: dict[str, Message] = {}
    hidden: dict[str, list[str]] = {}
    for node_id, node in mapping.items():
        if not isinstance(node, Mapping):
            raise ValueError(f"node {node_id} is not an object")
        message = _message_of(node_id, node, summary.id, created)
        if message is not None and message.role == SYSTEM:
            hidden.setdefault(node_id, []).append(message.text)
        elif message is not None:
            messages[node_id] = message
    for node_id, message in messages.items():
        message.parent_id, passed = _nearest(mapping, messages, node_id)
        instructions = [text for other in passed for text in hidden.get(other, ())]
        if instructions:
            message.meta[IMPORTED]["instructions"] = instructions
    leaf = document.get("current_node")
    if isinstance(leaf, str) and leaf not in messages:
        leaf, _ = _nearest(mapping, messages, leaf)
    if not isinstance(leaf, str):
        leaf = max(messages, key=lambda i: messages[i].created_at, default=None)
    _make_ids_unique(summary, messages)
    by_node = {node_id: m.id for node_id, m in messages.items()}
    for message in messages.values():
        message.parent_id = by_node.get(message.parent_id or "")
    summary.leaf_id = by_node.get(leaf or "")
    return Conversation(summary, {m.id: m for m in messages.values()})


def _make_ids_unique(summary: ConversationSummary, messages: dict[str, Message]) -> None:
    """Node names such as `client-created-root` come in every conversation."""
    for node_id, message in messages.items():
        message.id = f"{summary.id}:{node_id}"


def _nearest(
    mapping: Mapping[str, Any], messages: Mapping[str, Message], node_id: str
) -> tuple[str | None, list[str]]:
    """The next node upwards that is kept, and those passed on the way."""
    passed: list[str] = []
    current = mapping.get(node_id)
    while isinstance(current, Mapping):
        parent = current.get("parent")
        if not isinstance(parent, str) or parent in passed:
            break
        if parent in messages:
            return parent, passed
        passed.append(parent)
        current = mapping.get(parent)
    return None, passed


def _message_of(
    node_id: str, node: Mapping[str, Any], conversation_id: str, created: float
) -> Message | None:
    source = node.get("message")
    if not isinstance(source, Mapping):
        return None
    author = source.get("author")
    author = author if isinstance(author, Mapping) else {}
    told = str(author.get("role") or "")
    content = source.get("content")
    content = content if isinstance(content, Mapping) else {}
    text = _text_of(content, tool=told == "tool")
    if not text.strip():
        return None
    role = _ROLES.get(told, ASSISTANT)
    kind = str(content.get("content_type") or "")
    if role == USER and kind in ("user_editable_context", "model_editable_context"):
        role = SYSTEM
    metadata = source.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    imported: dict[str, Any] = {"from": SOURCE, "node": node_id}
    if told != role:
        imported["role"] = told
    notes = {"name": author.get("name"), "model": metadata.get("model_slug"), "type": kind}
    imported |= {k: v for k, v in notes.items() if isinstance(v, str) and v not in ("", "text")}
    others = [part for part in content.get("parts") or () if not isinstance(part, str)]
    if others:
        imported["parts"] = others
    for key in ("attachments", "citations"):
        if metadata.get(key):
            imported[key] = metadata[key]
    finished = source.get("status") in (None, "finished_successfully")
    return Message(
        conversation_id,
        role,
        text.strip("\n"),
        created_at=_seconds(source.get("create_time")) or created,
        status=COMPLETE if finished or role != ASSISTANT else STOPPED,
        meta={IMPORTED: imported},
    )


def _text_of(content: Mapping[str, Any], tool: bool) -> str:
    """What a reader saw; anything unknown as it is written in the file."""
    kind = str(content.get("content_type") or "text")
    if kind in ("text", "multimodal_text"):
        parts = content.get("parts")
        text = "\n\n".join(filter(None, map(_part, parts if isinstance(parts, list) else ())))
        return _fenced(text) if tool and text.strip() else text
    if kind == "code":
        language = str(content.get("language") or "")
        return _fenced(str(content.get("text") or ""), "" if language == "unknown" else language)
    if kind in ("execution_output", "system_error"):
        return _fenced(str(content.get("text") or ""))
    if kind == "thoughts":
        thoughts = content.get("thoughts")
        texts = [
            "\n\n".join(str(t[k]) for k in ("summary", "content") if t.get(k))
            for t in (thoughts if isinstance(thoughts, list) else ())
            if isinstance(t, Mapping)
        ]
        joined = "\n\n".join(filter(None, texts))
        return f"<think>\n{joined}\n</think>" if joined else ""
    if kind in ("user_editable_context", "model_editable_context"):
        values = (content.get(k) for k in ("user_profile", "user_instructions", "model_set_context"))
        return "\n\n".join(v for v in values if isinstance(v, str) and v)
    for key in ("text", "result", "content"):
        value = content.get(key)
        if isinstance(value, str):
            title, url = content.get("title"), content.get("url")
            return "\n".join(str(v) for v in (title, url, value) if v)
    rest = {k: v for k, v in content.items() if k != "content_type" and v}
    return _fenced(json.dumps(rest, ensure_ascii=False, indent=1), "json") if rest else ""


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return "" if part is None else str(part)
    if isinstance(part.get("text"), str):
        return str(part["text"])
    kind = str(part.get("content_type") or "attachment").replace("_asset_pointer", "").replace("_", " ")
    name = part.get("name") or part.get("asset_pointer") or ""
    return f"[{kind}: {name}]" if name else f"[{kind}]"


def _fenced(text: str, language: str = "") -> str:
    if not text.strip():
        return ""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _line(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _seconds(value: Any) -> float | None:
    # No calendar goes further, and not a number is no time either.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e11:
        return None
    return float(value)
