"""Everything recorded with a message, as labelled lines in sections. Knows no widgets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from app.core import reasoning
from app.core.conversation import COMPLETE, FAILED, STOPPED, STREAMING, TRUNCATED, USER, Message
from app.core.reasoning import THOUGHT
from app.ui.chat import reply_words
from app.ui.chat.recorded import recorded
from app.ui.stats import numbers

Facts = list[tuple[str, str]]
Sections = list[tuple[str, Facts]]


def sections(message: Message) -> Sections:
    """Title and lines of each section that has something to say."""
    out: Sections = [(_tr("Message"), _message(message))]
    meta = message.meta
    if message.role == USER:
        return out
    out.append((_tr("Pair"), _pair(meta)))
    stats = meta.get("stats")
    if isinstance(stats, Mapping):
        out.append((_tr("Statistics"), _statistics(meta, stats)))
    sampling, settings = meta.get("sampling"), meta.get("settings")
    drawn: Facts = [(_tr("Seed"), str(meta["seed"]))] if "seed" in meta else []
    if isinstance(sampling, Mapping):
        drawn += _named(sampling, skip=("seed",))
    out.append((_tr("Sampling"), drawn))
    if isinstance(settings, Mapping):
        out.append((_tr("Settings"), _named(settings)))
    return [(title, facts) for title, facts in out if facts]


def as_text(found: Sections) -> str:
    """All of it, a line each, for a report."""
    return "\n\n".join(
        "\n".join([title, *(f"{label}: {value}" for label, value in facts)]) for title, facts in found
    )


def _message(message: Message) -> Facts:
    facts: Facts = []
    if message.created_at:
        moment = QDateTime.fromSecsSinceEpoch(int(message.created_at))
        facts.append((_tr("Written"), QLocale().toString(moment, QLocale.FormatType.ShortFormat)))
    facts.append((_tr("Characters"), str(len(message.text))))
    for attachment in message.attachments:
        size = numbers.file_size(len(attachment.text.encode("utf-8", "replace")))
        facts.append((_tr("Attached"), f"{attachment.name}, {size}"))
    if message.role != USER:
        facts.append((_tr("Ended"), reply_words.ending(message) or _STATUS[message.status]()))
        facts += _thought(message)
    return facts


def _thought(message: Message) -> Facts:
    parts = reasoning.split(message.text, reasoning.format_of(message.meta))
    if not any(part.kind == THOUGHT for part in parts):
        return []
    costs = reasoning.effort(parts, recorded(message))
    told = [cost for part, cost in zip(parts, costs, strict=True) if part.kind == THOUGHT]
    tokens, seconds = sum(c.tokens for c in told), sum(c.seconds for c in told)
    if not tokens:
        return []
    said = _tr("{n} tokens in {time}").format(n=tokens, time=reply_words.spent(seconds))
    return [(_tr("Thought"), said)]


def _pair(meta: Mapping[str, Any]) -> Facts:
    pair = meta.get("pair")
    if not isinstance(pair, Mapping):
        return []
    facts: Facts = [(_tr("Target"), _file(pair.get("target_name"), pair.get("target_path")))]
    if pair.get("draft_path"):
        facts.append((_tr("Sidecar"), _file(pair.get("draft_name"), pair.get("draft_path"))))
        facts.append((_tr("Algorithm"), str(pair.get("algorithm", ""))))
    mode = meta.get("mode")
    if mode in _MODES:
        facts.append((_tr("Decoded"), _MODES[str(mode)]()))
    return facts


def _file(name: object, path: object) -> str:
    file = PurePath(str(path or "")).name
    return f"{name} ({file})" if name and file else str(name or file)


def _statistics(meta: Mapping[str, Any], stats: Mapping[str, Any]) -> Facts:
    speed = numbers.tokens_per_second(stats.get("generation_tokens_per_second"))
    facts: Facts = [
        (_tr("Prompt"), _prompt(stats)),
        (_tr("Generated"), _tr("{n} tokens").format(n=stats.get("generation_tokens", 0))),
        (_tr("Speed"), speed),
        (_tr("First token after"), numbers.seconds(stats.get("request_ttft_seconds"))),
    ]
    if stats.get("drafted"):
        accepted = numbers.percent(stats.get("acceptance_rate"))
        told = _tr("{rate}: {accepted} of {verified} drafts").format(
            rate=accepted, accepted=stats.get("accepted"), verified=stats.get("verified")
        )
        facts.append((_tr("Accepted"), told))
        facts.append((_tr("Length"), numbers.per_step(stats.get("mean_accepted_length"))))
        facts.append((_tr("Rollbacks"), numbers.count(stats.get("rollbacks"))))
    if meta.get("context_used"):
        facts.append((_tr("Context"), f"{meta['context_used']} / {meta.get('n_ctx', numbers.DASH)}"))
    return facts


def _prompt(stats: Mapping[str, Any]) -> str:
    said = _tr("{n} tokens, {reused} of them reused")
    return said.format(n=stats.get("prompt_tokens", 0), reused=stats.get("reused_tokens", 0))


def _named(values: Mapping[str, Any], skip: tuple[str, ...] = ()) -> Facts:
    """Settings by the names they have in files and in the command line."""
    kept = ((name, value) for name, value in values.items() if name not in skip)
    return [(name, str(value)) for name, value in kept if value not in (None, "", [], ())]


def _tr(text: str) -> str:
    return QCoreApplication.translate("MessageDetails", text)


_STATUS = {
    COMPLETE: lambda: _tr("by itself"),
    STOPPED: lambda: _tr("stopped"),
    TRUNCATED: lambda: _tr("cut off"),
    FAILED: lambda: _tr("failed"),
    STREAMING: lambda: _tr("is being written"),
}
_MODES = {
    "speculative": lambda: _tr("speculatively"),
    "ordinary": lambda: _tr("ordinarily"),
    "suspended": lambda: _tr("ordinarily, drafting suspended"),
    "mixed": lambda: _tr("partly speculatively"),
}
