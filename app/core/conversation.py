"""Conversations as trees of messages: an edit or another reply is a sibling, never an overwrite."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
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


ATTACHMENTS = "attachments"
"""Key of `Message.meta`: a list of mappings with `name` and `text`."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text file that goes with a message; `name` is shown, also to the model."""

    name: str
    text: str


@dataclass(slots=True)
class Message:
    """One node of the tree. `created_at` is seconds since the epoch.

    `meta` is JSON-able: the pair, settings, seed, finish reason and derived statistics of a reply, or the
    attachments of a user's message. `rounds` is what `encode_rounds` made of the reply's rounds, or empty.
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

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that were sent with it."""
        kept = self.meta.get(ATTACHMENTS) or ()
        return tuple(Attachment(str(a["name"]), str(a["text"])) for a in kept)

    def attach(self, attachments: Sequence[Attachment]) -> None:
        """Replace its files."""
        if attachments:
            self.meta[ATTACHMENTS] = [{"name": a.name, "text": a.text} for a in attachments]
        else:
            self.meta.pop(ATTACHMENTS, None)


@dataclass(slots=True)
class ConversationSummary:
    """A line of the sidebar. `leaf_id` is the message the conversation was last shown at; `draft` and
    `draft_files` are what waits in the composer.

    `pin` orders pinned conversations, the lowest first; None for all others.
    """

    id: str = field(default_factory=new_id)
    title: str = ""
    created_at: float = 0.0
    updated_at: float = 0.0
    leaf_id: str | None = None
    draft: str = ""
    pin: float | None = None
    tags: tuple[str, ...] = ()
    draft_files: tuple[Attachment, ...] = ()


@dataclass(slots=True)
class Conversation:
    """A summary with its messages, in any order; `path()` gives the branch that is shown."""

    summary: ConversationSummary
    messages: dict[str, Message] = field(default_factory=dict)
    # Where each message was last shown, so that a switch there and back ends where it began.
    _seen: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    # Messages by parent, oldest first; those without one, or whose parent is gone, under None.
    _below: dict[str | None, list[Message]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def add(self, message: Message) -> None:
        """Add a message and make it the shown leaf."""
        self.put((message,))
        self.summary.leaf_id = message.id

    def put(self, messages: Iterable[Message]) -> None:
        """Add messages, e.g. removed ones; the shown leaf stays."""
        self.messages.update((m.id, m) for m in messages)
        self._below = None

    def copied(self) -> Conversation:
        """The same under new ids, as an independent conversation."""
        ids = {message_id: new_id() for message_id in self.messages}
        summary = replace(self.summary, id=new_id(), leaf_id=ids.get(self.summary.leaf_id or ""))
        messages = (
            replace(
                m,
                id=ids[m.id],
                conversation_id=summary.id,
                parent_id=ids.get(m.parent_id or ""),
                meta=copy.deepcopy(m.meta),
            )
            for m in self.messages.values()
        )
        return Conversation(summary, {m.id: m for m in messages})

    def path(self, leaf_id: str | None = None) -> list[Message]:
        """Messages from the root to `leaf_id` (default: the shown leaf)."""
        out: list[Message] = []
        current = leaf_id if leaf_id is not None else self.summary.leaf_id
        passed: set[str] = set()
        # A damaged or foreign tree may run in a circle.
        while current is not None and current in self.messages and current not in passed:
            passed.add(current)
            message = self.messages[current]
            out.append(message)
            current = message.parent_id
        out.reverse()
        return out

    def children(self, message_id: str | None) -> list[Message]:
        """Siblings under one parent, oldest first; None for those at the root."""
        if self._below is None:
            self._below = {}
            for message in sorted(self.messages.values(), key=lambda m: m.created_at):
                parent = message.parent_id if message.parent_id in self.messages else None
                self._below.setdefault(parent, []).append(message)
        return list(self._below.get(message_id, ()))

    def siblings(self, message_id: str) -> list[Message]:
        """The message and the others in its place, oldest first; empty for an unknown one."""
        message = self.messages.get(message_id)
        if message is None:
            return []
        return self.children(message.parent_id if message.parent_id in self.messages else None)

    def show(self, message_id: str) -> bool:
        """Make a branch through the message the shown one: where it was left, or its newest end.

        False when the shown branch stays as it is.
        """
        if message_id not in self.messages:
            return False
        shown = self.path()
        if any(m.id == message_id for m in shown):
            return False
        for message in shown:
            self._seen[message.id] = shown[-1].id
        leaf = self._seen.get(message_id, "")
        if not any(m.id == message_id for m in self.path(leaf)):
            leaf = message_id
        # What was its end then may have been followed since, by a deletion that was undone.
        self.summary.leaf_id = self._newest_end(leaf)
        return True

    def subtree(self, message_id: str) -> list[Message]:
        """The message and everything that follows it in any branch, parents first."""
        if message_id not in self.messages:
            return []
        out, taken = [self.messages[message_id]], {message_id}
        for message in out:
            for child in self.children(message.id):
                if child.id not in taken:
                    taken.add(child.id)
                    out.append(child)
        return out

    def remove(self, message_id: str) -> list[Message]:
        """Take out a message with its subtree; the shown branch ends beside it or before it."""
        gone = self.subtree(message_id)
        if not gone:
            return []
        shown, beside = self.path(), self.siblings(message_id)
        for message in gone:
            del self.messages[message.id]
        self._below = None
        at = next((i for i, m in enumerate(shown) if m.id == message_id), None)
        if at is not None:
            index = next(i for i, m in enumerate(beside) if m.id == message_id)
            others = [*beside[:index][::-1], *beside[index + 1 :]]
            if others:
                self.summary.leaf_id = self._newest_end(others[0].id)
            else:
                self.summary.leaf_id = shown[at - 1].id if at else None
        return gone

    def _newest_end(self, message_id: str) -> str:
        passed: set[str] = set()
        while message_id not in passed:
            passed.add(message_id)
            children = self.children(message_id)
            if children:
                message_id = children[-1].id
        return message_id


def as_chat(messages: Iterable[Message], system_prompt: str = "") -> tuple[ChatMessage, ...]:
    """The branch as a chat template sees it: what is seen is what the model sees, empty messages aside.

    A reply keeps its reasoning here: whether past reasoning is repeated is the template's to say.
    """
    chat = [ChatMessage(SYSTEM, system_prompt)] if system_prompt.strip() else []
    chat += [ChatMessage(m.role, content) for m in messages if (content := content_of(m))]
    return tuple(chat)


def content_of(message: Message) -> str:
    """The text with the attachments before it, each under its name and between marks it does not hold."""
    parts = [_quoted(a) for a in message.attachments]
    if message.text:
        parts.append(message.text)
    return "\n\n".join(parts)


def _quoted(attachment: Attachment) -> str:
    longest = max((len(run) for run in re.findall("`+", attachment.text)), default=0)
    fence = "`" * max(3, longest + 1)
    body = attachment.text if attachment.text.endswith("\n") else attachment.text + "\n"
    return f"{attachment.name}\n{fence}\n{body}{fence}"
