"""What was deleted and can still come back. No Qt, no disk."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.conversation import ConversationSummary, Message


@dataclass(frozen=True, slots=True)
class Deleted:
    """A deleted conversation, the place where it stood then and whether it was the one on screen."""

    summary: ConversationSummary
    index: int
    was_current: bool


@dataclass(frozen=True, slots=True)
class DeletedMessages:
    """A message with everything that followed it, and the leaf that was shown before."""

    conversation_id: str
    messages: tuple[Message, ...]
    leaf_id: str | None
