"""What the model is to answer, with what comes before it: as it would be sent, before anything is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.conversation import ASSISTANT, USER, Attachment, Conversation, Message

# A reply that is gone on with has taken its room already: a little more is worth having.
_SHARE_OF_REST = 16


@dataclass(frozen=True, slots=True)
class Asked:
    """`before` may be left out, `after` not; one `share`-th of the context is to be left for the reply."""

    before: tuple[Message, ...]
    after: tuple[Message, ...]
    share: int = 4

    @property
    def prompt(self) -> tuple[Message, ...]:
        return (*self.before, *self.after)


def written(
    conversation: Conversation | None, text: str, files: Sequence[Attachment], parent_id: str | None
) -> Asked:
    """A message below `parent_id`; at the root for None."""
    message = Message("", USER, text.strip("\n").rstrip())
    message.attach(files)
    return Asked(_branch(conversation, parent_id), (message,))


def again(conversation: Conversation | None, message_id: str) -> Asked:
    """The question of a reply, or a user's message itself, that is to have another answer."""
    branch = _branch(conversation, message_id)
    if branch and branch[-1].role == ASSISTANT:
        branch = branch[:-1]
    return Asked(branch[:-1], branch[-1:])


def further(conversation: Conversation | None, message_id: str) -> Asked:
    """A reply that is to be gone on with."""
    branch = _branch(conversation, message_id)
    # All of its text counts: of a past reply a template may leave out the reasoning. Its mark does not.
    reply = tuple(Message("", USER, m.text) for m in branch[-1:])
    return Asked(branch[:-2], (*branch[-2:-1], *reply), _SHARE_OF_REST)


def _branch(conversation: Conversation | None, leaf_id: str | None) -> tuple[Message, ...]:
    if conversation is None or leaf_id is None:
        return ()
    return tuple(conversation.path(leaf_id))
