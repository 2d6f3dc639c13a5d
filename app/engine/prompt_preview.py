"""A prompt to look at: the text that a chat template makes, with the tokens that mark it up told apart."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.conversation import ChatMessage
from app.core.errors import EnvironmentProblem
from app.core.templates import PromptPiece, PromptPreview
from app.engine.chat_template import ChatTemplate
from app.engine.handles import Model


def preview(
    template: ChatTemplate, messages: Sequence[ChatMessage], model: Model | None = None
) -> PromptPreview:
    """Raises EnvironmentProblem when an edited template does not work, or refuses the conversation.

    Without `model` nothing is known of tokens.
    """
    if template.refused:
        raise EnvironmentProblem(template.refused, code="template-unusable")
    text = template.render(messages)
    pieces: tuple[PromptPiece, ...] = (PromptPiece(text),)
    n_tokens = None
    if model is not None:
        tokens = model.tokenize(text, model.adds_bos and not template.adds_bos, True)
        pieces, n_tokens = _pieces(model, tokens), len(tokens)
    return PromptPreview(pieces, n_tokens, template.name, template.source, template.note, template.variables)


def _pieces(model: Model, tokens: Sequence[int]) -> tuple[PromptPiece, ...]:
    """Neighbouring tokens of ordinary text become one piece, whose characters are then whole."""
    found: list[PromptPiece] = []
    text = b""
    for token in tokens:
        shown = model.piece(token, special=True)
        if shown and not model.piece(token):
            if text:
                found.append(PromptPiece(text.decode("utf-8", "replace")))
                text = b""
            found.append(PromptPiece(shown.decode("utf-8", "replace"), special=True))
        else:
            text += shown
    if text:
        found.append(PromptPiece(text.decode("utf-8", "replace")))
    return tuple(found)
