"""Conversations as trees of messages: an edit or another reply is a sibling, never an overwrite."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

USER = "user"
ASSISTANT = "assistant"
SYSTEM = "system"

# Status of a message.
STREAMING = "streaming"
COMPLETE = "complete"
STOPPED = "stopped"
TRUNCATED = "truncated"
FAILED = "failed"


def new_id() -> str:
    """A random identifier for conversations, messages and replies."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What a chat template sees."""

    role: str
    content: str


@dataclass(slots=True)
class Message:
    """One node of the tree. `created_at` is seconds since the epoch.

    `meta` is JSON-able: the pair, settings, seed, finish reason and derived statistics of a reply.
    `rounds` is what `encode_rounds` made of the reply's rounds, or empty.
    """

    conversation_id: str
    role: str
    text: str = ""
    parent_id: str | None = None
    id: str = field(default_factory=new_id)
    created_at: float = 0.0
    status: str = COMPLETE
    meta: dict[str, Any] = field(default_factory=dict)
    rounds: bytes = b""


@dataclass(slots=True)
class ConversationSummary:
    """A line of the sidebar. `leaf_id` is the message the conversation was last shown at."""

    id: str = field(default_factory=new_id)
    title: str = ""
    created_at: float = 0.0
    updated_at: float = 0.0
    leaf_id: str | None = None
    draft: str = ""


@dataclass(slots=True)
class Conversation:
    """A summary with its messages, in any order; `path()` gives the branch that is shown."""

    summary: ConversationSummary
    messages: dict[str, Message] = field(default_factory=dict)

    def add(self, message: Message) -> None:
        """Add a message and make it the shown leaf."""
        self.messages[message.id] = message
        self.summary.leaf_id = message.id

    def path(self, leaf_id: str | None = None) -> list[Message]:
        """Messages from the root to `leaf_id` (default: the shown leaf)."""
        out: list[Message] = []
        current = leaf_id if leaf_id is not None else self.summary.leaf_id
        while current is not None and current in self.messages:
            message = self.messages[current]
            out.append(message)
            current = message.parent_id
        out.reverse()
        return out

    def children(self, message_id: str | None) -> list[Message]:
        """Siblings under one parent, oldest first."""
        return sorted(
            (m for m in self.messages.values() if m.parent_id == message_id), key=lambda m: m.created_at
        )


def as_chat(messages: Iterable[Message], system_prompt: str = "") -> tuple[ChatMessage, ...]:
    """The branch as a chat template sees it: what is seen is what the model sees, empty messages aside."""
    chat = [ChatMessage(SYSTEM, system_prompt)] if system_prompt.strip() else []
    chat += [ChatMessage(m.role, m.text) for m in messages if m.text]
    return tuple(chat)


def propose_title(text: str, limit: int = 48) -> str:
    """A title from the first message: its first line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line.rfind(" ", 0, limit)
    return line[: cut if cut > limit // 2 else limit].rstrip() + "…"
