"""Deleting conversations and messages, with a way back for each, the last one first."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.core.conversation import Conversation
from app.services.deletions import Deleted, DeletedMessages
from app.services.library import Library
from app.services.reply_runner import ReplyRunner
from app.services.turns import Turns


class Trash(QObject):
    """`conversation_back` and `messages_back` carry what an undo, or a disk that refuses, brought back."""

    conversation_back = Signal(object)
    messages_back = Signal(object)

    def __init__(
        self,
        library: Library,
        runner: ReplyRunner,
        turns: Turns,
        shown: Callable[[], Conversation | None],
        parent: QObject | None = None,
    ) -> None:
        """`shown` gives the conversation on screen."""
        super().__init__(parent)
        self._library = library
        self._runner = runner
        self._turns = turns
        self._shown = shown
        self._stack: list[Deleted | DeletedMessages] = []
        self._later: Deleted | None = None
        runner.finished.connect(self._on_finished)

    def take_conversation(self, conversation_id: str, was_current: bool) -> Deleted | None:
        """Out of the list at once; from the disk when a reply that is written into it has ended."""
        deleted = self._library.take_out(conversation_id, was_current)
        if deleted is None:
            return None
        self._stack.append(deleted)
        if self._runner.waits_in(conversation_id):
            self._runner.stop_waiting()
        if self._runner.makes_in(conversation_id):
            self._later = deleted
            self._runner.stop_running()
        else:
            self._library.delete(deleted)
        return deleted

    def take_messages(self, conversation: Conversation, message_id: str) -> DeletedMessages:
        """A message with all that follows it."""
        gone = self._turns.remove(conversation, message_id, lambda: self._on_refused(gone))
        self._stack.append(gone)
        return gone

    def undo(self) -> None:
        """Bring back what was deleted last and is not back yet."""
        while self._stack:
            last = self._stack.pop()
            if isinstance(last, Deleted):
                undone = self._bring_conversation(last)
            else:
                undone = self._bring_messages(last)
            if undone:
                return

    def _bring_conversation(self, deleted: Deleted) -> bool:
        on_disk = self._later is deleted
        if not self._library.put_back(deleted, on_disk):
            return False
        if on_disk:
            self._later = None
        self.conversation_back.emit(deleted)
        return True

    def _bring_messages(self, gone: DeletedMessages) -> bool:
        if not self._turns.put_back(gone, self._shown()):
            return False
        self.messages_back.emit(gone)
        return True

    def _on_refused(self, gone: DeletedMessages) -> None:
        if gone in self._stack:
            self._stack.remove(gone)
            self._bring_messages(gone)

    def _on_finished(self) -> None:
        later, self._later = self._later, None
        if later is not None:
            self._library.delete(later)
