"""What a conversation gains and loses: questions, replies that are to be made, messages taken away.

It changes the tree and has it saved; what is on screen, and who has to be told, it does not know.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.core.conversation import (
    ASSISTANT,
    FAILED,
    STOPPED,
    STREAMING,
    TRUNCATED,
    USER,
    Attachment,
    Conversation,
    Message,
)
from app.core.ports import Store
from app.core.titles import propose_title
from app.services.background import Background
from app.services.deletions import DeletedMessages
from app.services.library import Library
from app.services.reply import Reply
from app.services.reply_runner import ReplyRunner
from app.services.saving import Saver


class Turns:
    """A reply that is added waits; `ReplyRunner.begin` starts it."""

    def __init__(
        self, store: Store, library: Library, runner: ReplyRunner, saver: Saver, background: Background
    ) -> None:
        self._store = store
        self._library = library
        self._runner = runner
        self._saver = saver
        self._background = background

    def ask(
        self, conversation: Conversation, text: str, attachments: Sequence[Attachment], parent_id: str | None
    ) -> tuple[Message, Message]:
        """A user's message under the parent, with a reply that waits to be made."""
        summary = conversation.summary
        user = Message(summary.id, USER, text.strip("\n").rstrip(), parent_id, created_at=time.time())
        user.attach(attachments)
        conversation.add(user)
        named = user.text or (attachments[0].name if attachments else "")
        summary.title = summary.title or propose_title(named)
        return user, self.answer(conversation, user)

    def answer(self, conversation: Conversation, question: Message) -> Message:
        """A reply below the question, which waits to be made; everything is on its way to the disk."""
        summary, now = conversation.summary, time.time()
        answer = Message(summary.id, ASSISTANT, "", question.id, created_at=now, status=STREAMING)
        conversation.add(answer)
        self._runner.add(Reply(conversation, answer))
        self._library.touch(summary, now)
        self._saver.save(question)
        self._saver.save(answer)
        return answer

    def go_on(self, conversation: Conversation, reply: Message) -> None:
        """The reply waits to be gone on with."""
        self._runner.add(Reply(conversation, reply))
        self._library.touch(conversation.summary, time.time())
        self._saver.save(reply)

    def remove(
        self, conversation: Conversation, message_id: str, failed: Callable[[], None]
    ) -> DeletedMessages:
        """Take a message away with all that follows it, stopping a reply among them.

        `failed` is called when the disk does not let go of them.
        """
        reply = self._runner.current
        if reply is not None and any(m is reply.message for m in conversation.subtree(message_id)):
            self._runner.stop()
        leaf_id = conversation.summary.leaf_id
        gone = DeletedMessages(conversation.summary.id, tuple(conversation.remove(message_id)), leaf_id)
        self._saver.forget(gone.messages)
        self._saver.save(conversation.summary)
        future = self._store.delete_messages([m.id for m in gone.messages])
        self._background.watch(future, lambda _: None, lambda error: self._refused(error, failed))
        return gone

    def put_back(self, gone: DeletedMessages, shown: Conversation | None) -> bool:
        """Bring removed messages back, also into `shown`; False when their conversation is gone."""
        summary = self._library.find(gone.conversation_id)
        if summary is None:
            return False
        summary.leaf_id = gone.leaf_id
        reply = self._runner.current
        for live in (shown, reply.conversation if reply is not None else None):
            if live is not None and live.summary is summary:
                live.put(gone.messages)
        self._saver.save(summary)
        for message in gone.messages:
            self._saver.save(message)
        return True

    def _refused(self, error: BaseException, failed: Callable[[], None]) -> None:
        failed()
        self._library.fail(error)


def can_go_on(conversation: Conversation, message: Message) -> bool:
    """A reply that did not end by itself, at the end of its branch."""
    open_ended = message.role == ASSISTANT and message.status in (STOPPED, TRUNCATED, FAILED)
    return open_ended and message.parent_id in conversation.messages and not conversation.children(message.id)
