"""What a chat template says about thinking: found out by its source and by rendering a short exchange.

It does not know models, tokens or replies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.core.conversation import ASSISTANT, USER, ChatMessage
from app.core.reasoning import DEFAULT, ReasoningFormat, named_in

# Words that no template changes or contains.
_ASKED = "slipstreamprobeuser"
_THOUGHT = "slipstreamprobethought"
_ANSWER = "slipstreamprobeanswer"

Render = Callable[[Sequence[ChatMessage]], str]


def reasoning_format(source: str, render: Render) -> ReasoningFormat:
    """Tags, and whether past thoughts stay out of the prompt; usual tags, kept, if it says nothing.

    `render` gives the prompt for a conversation, and may raise what it likes.
    """
    tags = named_in(source)
    if tags is None:
        return DEFAULT
    opening, closing = tags
    asked = ChatMessage(USER, _ASKED)
    reply = ChatMessage(ASSISTANT, f"{opening}\n{_THOUGHT}\n{closing}\n\n{_ANSWER}")
    try:
        forgotten = _THOUGHT not in render([asked, reply, asked])
    except Exception:
        # Templates that want thoughts in a field of their own refuse them in the text.
        forgotten = True
    try:
        inside = ends_inside(render([asked]), opening)
    except Exception:
        inside = False
    return ReasoningFormat(opening, closing, inside, forgotten)


def ends_inside(prompt: str, opening: str) -> bool:
    """Whether the reply to `prompt` begins in the middle of a thought."""
    return prompt.rstrip().endswith(opening)
