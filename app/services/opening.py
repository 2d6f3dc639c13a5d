"""Gets one conversation from the disk for the screen; a later wish takes the place of an earlier one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.core.conversation import Conversation
from app.core.ports import Store
from app.services.background import Background
from app.services.library import Library
from app.services.reply import cut_off
from app.services.saving import Saver


class Opening(QObject):
    """`opened` carries the conversation, `failed` the id of one that is gone or cannot be read."""

    opened = Signal(object)
    failed = Signal(str)

    def __init__(self, store: Store, library: Library, saver: Saver, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._library = library
        self._saver = saver
        self._background = Background(self)
        self._wanted = ""

    @property
    def wanted(self) -> str:
        """The conversation that is being read, or empty."""
        return self._wanted

    def begin(self, conversation_id: str) -> None:
        self._wanted = conversation_id
        self._background.watch(
            self._store.conversation(conversation_id),
            lambda conversation: self._on_read(conversation_id, conversation),
            lambda error: self._on_unreadable(conversation_id, error),
        )

    def cancel(self) -> None:
        """What is being read is of no interest any more."""
        self._wanted = ""

    def close(self) -> None:
        """Nothing is told afterwards."""
        self._wanted = ""
        self._background.finish()

    def _on_read(self, conversation_id: str, conversation: Conversation | None) -> None:
        if self._wanted != conversation_id:
            return
        self._wanted = ""
        summary = self._library.find(conversation_id)
        if conversation is None or summary is None:
            self._library.forget(conversation_id)
            self.failed.emit(conversation_id)
            return
        conversation.summary = summary
        for message in conversation.messages.values():
            # The program ended in the middle of it.
            if cut_off(message):
                self._saver.save(message)
        if summary.leaf_id not in conversation.messages and conversation.children(None):
            # An imported one may not say where it ends.
            conversation.show(conversation.children(None)[-1].id)
        self.opened.emit(conversation)

    def _on_unreadable(self, conversation_id: str, error: BaseException) -> None:
        if self._wanted == conversation_id:
            self._wanted = ""
            self._library.fail(error)
            self.failed.emit("")
