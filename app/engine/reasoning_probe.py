"""What a chat template says about thinking: found out by its source and by rendering a short exchange.

Knows templates; it does not know models, tokens or replies.
"""

from __future__ import annotations

from app.core.conversation import ASSISTANT, USER, ChatMessage
from app.core.errors import EnvironmentProblem
from app.core.reasoning import DEFAULT, ReasoningFormat, named_in
from app.engine.chat_template import ChatTemplate

# Words that no template changes or contains.
_ASKED = "slipstreamprobeuser"
_THOUGHT = "slipstreamprobethought"
_ANSWER = "slipstreamprobeanswer"


def reasoning_format(template: ChatTemplate, source: str | None) -> ReasoningFormat:
    """Tags, and whether past thoughts stay out of the prompt; usual tags, kept, if it says nothing."""
    tags = named_in(source or "")
    if tags is None:
        return DEFAULT
    opening, closing = tags
    reply = f"{opening}\n{_THOUGHT}\n{closing}\n\n{_ANSWER}"
    chat = [ChatMessage(USER, _ASKED), ChatMessage(ASSISTANT, reply), ChatMessage(USER, _ASKED)]
    try:
        forgotten = _THOUGHT not in template.render(chat)
    except EnvironmentProblem:
        # Templates that want thoughts in a field of their own refuse them in the text.
        forgotten = True
    return ReasoningFormat(opening, closing, opens_thought(template, opening), forgotten)


def opens_thought(template: ChatTemplate, opening: str) -> bool:
    """Whether the prompt for a first reply ends inside a thought."""
    try:
        return ends_inside(template.render([ChatMessage(USER, _ASKED)]), opening)
    except EnvironmentProblem:
        return False


def ends_inside(prompt: str, opening: str) -> bool:
    """Whether the reply to `prompt` begins in the middle of a thought."""
    return prompt.rstrip().endswith(opening)
