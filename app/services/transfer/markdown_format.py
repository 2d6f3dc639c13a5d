"""The branch on screen as Markdown, to read and to hand on."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.conversation import USER, Conversation, Message
from app.core.reasoning import format_of
from app.services.transfer.wording import date_of, facts_of, name_of, thoughts_and_answer


def written(conversation: Conversation) -> Iterator[str]:
    """The file in pieces."""
    summary = conversation.summary
    yield f"# {_line(summary.title) or 'Conversation'}\n\n{date_of(summary.created_at)}\n"
    for message in conversation.path():
        yield f"\n## {name_of(message)}\n\n{_body(message)}\n"


def _body(message: Message) -> str:
    if message.role == USER:
        files = [_attached(a.name, a.text) for a in message.attachments]
        return "\n\n".join([*files, message.text] if message.text else files)
    parts = []
    for thought, text in thoughts_and_answer(message.text, format_of(message.meta)):
        parts.append("\n".join(f"> {line}".rstrip() for line in text.splitlines()) if thought else text)
    facts = facts_of(message)
    if facts:
        parts.append(f"*{facts}*")
    return "\n\n".join(parts)


def _attached(name: str, text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"**{_line(name)}**\n\n{fence}\n{text.rstrip()}\n{fence}"


def _line(text: str) -> str:
    return " ".join(text.split())
