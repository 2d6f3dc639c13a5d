"""What a search through all conversations finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A conversation that matches. `message_id` empty: only its title does.

    `snippet` is one line around the first match in the message; `marks` are the (start, end) of the
    matches in it.
    """

    conversation_id: str
    message_id: str = ""
    snippet: str = ""
    marks: tuple[tuple[int, int], ...] = ()
