"""Something the model is to answer, from Enter or a click until it goes out: there may be no room for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.core.conversation import Attachment
from app.services.asked import Asked

Draft = tuple[str, tuple[Attachment, ...]]


def _nothing() -> Draft:
    return "", ()


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """`asked` and `send` go by what `draft` gives at the time: it may be changed until it goes out.

    `message_id` is the message that it is about, empty for a new one.
    """

    asked: Callable[[], Asked]
    send: Callable[[], object]
    draft: Callable[[], Draft] = _nothing
    message_id: str = ""
    writes: bool = True
    """False when there is no text that could be made shorter."""
