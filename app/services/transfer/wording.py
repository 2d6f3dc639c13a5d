"""What exports say about messages besides their text."""

from __future__ import annotations

import time
from collections.abc import Iterator

from app.core.conversation import ASSISTANT, USER, Message
from app.core.reasoning import THOUGHT, ReasoningFormat, split


def name_of(message: Message) -> str:
    """Who speaks: a reply goes by its model."""
    if message.role == USER:
        return "You"
    if message.role != ASSISTANT:
        return "System"
    pair, imported = message.meta.get("pair") or {}, message.meta.get("imported") or {}
    return str(pair.get("target_name") or imported.get("model") or "Assistant")


def facts_of(message: Message) -> str:
    """How a reply was made: sidecar, speed, acceptance; empty where nothing was measured."""
    stats, pair = message.meta.get("stats") or {}, message.meta.get("pair") or {}
    parts = []
    if pair.get("algorithm") and message.meta.get("mode") not in ("", "ordinary", None):
        parts.append(f"{pair['algorithm']} ({message.meta['mode']})")
    speed, rate = stats.get("generation_tokens_per_second"), stats.get("acceptance_rate")
    if stats.get("generation_tokens"):
        parts.append(f"{stats['generation_tokens']} tokens")
    if speed:
        parts.append(f"{speed:.1f} tok/s")
    if rate is not None:
        parts.append(f"{rate:.0%} of the drafts accepted".replace("%", " %"))
    if message.status != "complete":
        parts.append(message.status)
    return " · ".join(parts)


def date_of(seconds: float) -> str:
    """Day and time here."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds)) if seconds > 0 else ""
    except (OverflowError, OSError, ValueError):
        return ""


def thoughts_and_answer(text: str, form: ReasoningFormat) -> Iterator[tuple[bool, str]]:
    """(is a thought, text) of each part of a reply."""
    for part in split(text, form):
        if text[part.start : part.end].strip():
            yield part.kind == THOUGHT, text[part.start : part.end]
