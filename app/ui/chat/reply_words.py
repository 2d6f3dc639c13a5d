"""What is said in words about a reply: how it ended, and its figures in one line."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from app.core.conversation import COMPLETE, FAILED, STOPPED, TRUNCATED, Message
from app.ui.stats import numbers


def ending(message: Message) -> str:
    """How the reply ended; empty when there is nothing to say."""
    if message.status == STOPPED:
        return _tr("Stopped") if message.text else _tr("Stopped before the first word")
    if message.status == TRUNCATED:
        limit = message.meta.get("max_tokens")
        context, used = message.meta.get("n_ctx"), message.meta.get("context_used")
        if context and used and used >= context - 1:
            return _tr("Cut off: the context of {n} tokens is full").format(n=context)
        if limit:
            return _tr("Cut off at the limit of {n} tokens").format(n=limit)
        return _tr("Cut off at the limit")
    if message.status == FAILED and message.text:
        return _tr("Broken off")
    if message.status == COMPLETE and not message.text:
        return _tr("The model ended its reply without a word")
    return ""


def figures(meta: dict[str, Any]) -> str:
    """`DFlash2 · 61 % accepted · 142 tok/s`, from what was recorded with the reply."""
    stats = meta.get("stats")
    if not isinstance(stats, dict):
        return ""
    parts = []
    speed, accepted = stats.get("generation_tokens_per_second"), stats.get("acceptance_rate")
    pair = meta.get("pair")
    algorithm = pair.get("algorithm", "") if isinstance(pair, dict) else ""
    if meta.get("mode") == "ordinary":
        parts.append(_tr("ordinary decoding"))
    elif algorithm:
        parts.append(algorithm)
    if isinstance(accepted, int | float):
        parts.append(_tr("{rate} accepted").format(rate=numbers.percent(accepted)))
    if isinstance(speed, int | float):
        parts.append(numbers.tokens_per_second(speed))
    return " · ".join(parts)


def thought(closed: bool, tokens: int, seconds: float) -> str:
    """`Thought for 12 s · 340 tokens`, or `Thinking …` while it goes on. 0 tokens: nothing was recorded."""
    if not tokens:
        return _tr("Thought") if closed else _tr("Thinking")
    said = _tr("Thought for {time} · {n} tokens") if closed else _tr("Thinking for {time} · {n} tokens")
    return said.format(time=spent(seconds), n=tokens)


def spent(seconds: float) -> str:
    """`0.4 s`, `12 s`, `2 min 5 s`."""
    if seconds < 9.95:
        return f"{numbers.decimal(seconds, 1)} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ReplyRow", text)
