"""What of a long conversation still goes to the model: everything, or what comes after a mark.

A mark stands on the last message that is left out. The messages themselves stay in the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.conversation import Message

LEFT_OUT = "left_out"
"""Key of `Message.meta`: a mapping with `summary`, which is empty when nothing takes their place."""

_SUMMARY = "Summary of the conversation so far:"


@dataclass(frozen=True, slots=True)
class PromptSize:
    """Tokens of a prompt, and how many of them at most are in the model's context already."""

    tokens: int
    reusable: int = 0


def mark(message: Message, summary: str = "") -> None:
    """Leave this message and all before it out of later prompts; `summary` goes in their place."""
    message.meta[LEFT_OUT] = {"summary": summary}


def unmark(message: Message) -> None:
    message.meta.pop(LEFT_OUT, None)


def is_marked(message: Message) -> bool:
    return isinstance(message.meta.get(LEFT_OUT), dict)


def summary_of(message: Message) -> str:
    """The summary that a mark brings; empty without one."""
    kept = message.meta.get(LEFT_OUT)
    return str(kept.get("summary", "")) if isinstance(kept, dict) else ""


def kept(branch: Sequence[Message]) -> tuple[str, list[Message]]:
    """The summary that stands for what is left out, and the messages after the last mark."""
    for i in range(len(branch) - 1, -1, -1):
        if is_marked(branch[i]):
            return summary_of(branch[i]), list(branch[i + 1 :])
    return "", list(branch)


def with_summary(system_prompt: str, summary: str) -> str:
    """The system prompt of a conversation whose beginning is a summary."""
    if not summary:
        return system_prompt
    told = f"{_SUMMARY}\n{summary}"
    return f"{system_prompt}\n\n{told}" if system_prompt.strip() else told


def fits(size: int, reply: int, total: int, share: int = 4) -> bool:
    """Whether a prompt of `size` tokens leaves room for a reply worth having.

    `reply` is the limit of a reply, 0 for none; one `share`-th of the context is room enough for any.
    """
    room = total // share
    return size + (min(reply, room) if reply > 0 else room) <= total
