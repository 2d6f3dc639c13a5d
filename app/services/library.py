"""All conversations as the sidebar lists them: titles, pins, tags, search, copies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from app.core.conversation import Conversation, ConversationSummary
from app.core.events import Problem
from app.core.ports import Store
from app.core.wording import say
from app.services.background import Background
from app.services.conversation_list import ConversationList
from app.services.deletions import Deleted
from app.services.reply import cut_off
from app.services.saving import Saver

HITS = 200


class Library(QObject):
    """Everything happens at once in the list and later on the disk; `problem` says when that fails.

    `found` answers `search` with (text, hits), the newest question alone. `added` carries conversations
    that came in whole, by copying or importing.
    """

    changed = Signal()
    found = Signal(str, object)
    added = Signal(object)
    problem = Signal(object)

    def __init__(self, store: Store, saver: Saver, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._saver = saver
        self._background = Background(self)
        self._list = ConversationList()
        self._asked = ""

    # -- the list ---------------------------------------------------------------------------------------

    @property
    def items(self) -> list[ConversationSummary]:
        """Newest first."""
        return self._list.items

    def find(self, conversation_id: str) -> ConversationSummary | None:
        return self._list.find(conversation_id)

    def neighbour(self, index: int) -> ConversationSummary | None:
        """Who stands where a deleted one stood."""
        return self._list.neighbour(index)

    def read(self, then: Callable[[], None], failed: Callable[[], None]) -> None:
        """Get the list from the disk."""

        def filled(summaries: list[ConversationSummary]) -> None:
            # Asked only now: before the first answer the store may still be opening its files.
            reason = self._store.read_only_reason
            if reason:
                self.problem.emit(Problem(say("Nothing can be saved."), reason, code="read-only"))
            self._list.fill(summaries)
            self.changed.emit()
            then()

        def refused(error: BaseException) -> None:
            self.problem.emit(Problem.of(error))
            failed()

        self._background.watch(self._store.conversations(), filled, refused)

    def touch(self, summary: ConversationSummary, now: float) -> None:
        """It changed: to the front, and onto the disk; a new one is added."""
        self._list.touch(summary, now)
        self._saver.save(summary)
        self.changed.emit()

    def forget(self, conversation_id: str) -> None:
        """The disk does not have it any more."""
        self._list.remove(conversation_id)
        self.changed.emit()

    # -- what a line says -------------------------------------------------------------------------------

    def rename(self, conversation_id: str, title: str) -> None:
        summary, title = self._list.find(conversation_id), " ".join(title.split())
        if summary is not None and title and title != summary.title:
            summary.title = title
            self._save((summary,))

    def pinned(self) -> list[ConversationSummary]:
        """In their order."""
        return sorted((s for s in self._list.items if s.pin is not None), key=lambda s: s.pin or 0.0)

    def pin(self, conversation_id: str, at: int | None = None) -> None:
        """Pin it, or move its pin, to place `at` among the pinned ones; by default the last."""
        summary = self._list.find(conversation_id)
        if summary is None:
            return
        order = [s for s in self.pinned() if s is not summary]
        order.insert(len(order) if at is None else max(at, 0), summary)
        changed = [s for place, s in enumerate(order) if s.pin != place]
        for place, s in enumerate(order):
            s.pin = float(place)
        self._save(changed)

    def unpin(self, conversation_id: str) -> None:
        summary = self._list.find(conversation_id)
        if summary is not None and summary.pin is not None:
            summary.pin = None
            self._save((summary,))

    def tags(self) -> dict[str, int]:
        """Every tag in use and how many conversations have it, by name."""
        counts: dict[str, int] = {}
        for summary in self._list.items:
            for tag in summary.tags:
                counts[tag] = counts.get(tag, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: item[0].casefold()))

    def set_tag(self, conversation_id: str, tag: str, on: bool) -> None:
        """Give or take a tag. One that differs from a known tag only by case is that tag."""
        summary, tag = self._list.find(conversation_id), " ".join(tag.split())
        if summary is None or not tag:
            return
        tag = next((known for known in self.tags() if known.casefold() == tag.casefold()), tag)
        if on != (tag in summary.tags):
            others = [t for t in summary.tags if t != tag]
            summary.tags = tuple(sorted([*others, tag] if on else others, key=str.casefold))
            self._save((summary,))

    def rename_tag(self, tag: str, new: str) -> None:
        """In every conversation; an empty name takes the tag away, a known one joins the two."""
        new = " ".join(new.split())
        changed = [s for s in self._list.items if tag in s.tags]
        for summary in changed:
            kept = {t for t in summary.tags if t != tag} | ({new} if new else set())
            summary.tags = tuple(sorted(kept, key=str.casefold))
        self._save(changed)

    # -- search and copies ------------------------------------------------------------------------------

    def search(self, text: str) -> None:
        """Look for words in titles and messages; `found` follows."""
        self._asked = text
        self._background.watch(
            self._store.search(text, HITS),
            lambda hits: self.found.emit(text, hits) if text == self._asked else None,
            self.fail,
        )

    def duplicate(self, conversation_id: str, title: str) -> None:
        """A copy with all branches; `added` follows. A growing reply is a stopped one in it."""

        def copy(conversation: Conversation | None) -> None:
            if conversation is None:
                return
            twin = conversation.copied()
            twin.summary.title, twin.summary.pin = title, None
            # It stands above the one it was made of, now and after a restart.
            twin.summary.created_at = time.time()
            for message in twin.messages.values():
                cut_off(message)
            self._background.watch(self._store.add_conversations([twin]), self.take_in, self.fail)

        # A growing reply is copied as far as it has come.
        self._saver.flush()
        self._background.watch(self._store.conversation(conversation_id), copy, self.fail)

    def take_in(self, summaries: Iterable[ConversationSummary]) -> None:
        """List conversations that were just stored; `added` follows."""
        taken = list(summaries)
        self._list.fill(taken)
        self.changed.emit()
        self.added.emit(taken)

    # -- deleting ---------------------------------------------------------------------------------------

    def take_out(self, conversation_id: str, was_current: bool) -> Deleted | None:
        """Out of the list; `delete` takes it from the disk, `put_back` brings it back."""
        deleted = self._list.delete(conversation_id, was_current)
        if deleted is not None:
            self.changed.emit()
        return deleted

    def delete(self, deleted: Deleted) -> None:
        """From the disk, too; it comes back by itself if that fails."""

        def failed(error: BaseException) -> None:
            self._list.put_back(deleted)
            self.changed.emit()
            self.fail(error)

        self._saver.flush()
        self._background.watch(self._store.delete_conversation(deleted.summary.id), lambda _: None, failed)

    def put_back(self, deleted: Deleted, on_disk: bool) -> bool:
        """False when it is back already. `on_disk`: it was not deleted there yet."""
        if not self._list.put_back(deleted):
            return False
        if not on_disk:
            future = self._store.restore_conversation(deleted.summary.id)
            self._background.watch(future, lambda _: None, self.fail)
        self.changed.emit()
        return True

    def close(self) -> None:
        """Nothing is told afterwards."""
        self._background.finish()

    def _save(self, summaries: Iterable[ConversationSummary]) -> None:
        for summary in summaries:
            self._saver.save(summary)
        self.changed.emit()

    def fail(self, error: BaseException) -> None:
        """The disk refused something of a conversation."""
        self.problem.emit(Problem.of(error))
