"""The rounds that were recorded with a reply."""

from __future__ import annotations

from app.core.conversation import Message
from app.core.rounds import Round, decode_rounds


def recorded(message: Message) -> list[Round]:
    """All of them; none if a newer program wrote them."""
    try:
        return decode_rounds(message.rounds)
    except ValueError:
        return []
