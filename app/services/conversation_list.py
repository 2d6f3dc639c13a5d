"""The sidebar's list: newest first, with what was deleted and can still come back. No Qt, no disk."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.conversation import ConversationSummary
from app.services.deletions import Deleted


class ConversationList:
    """`items` are the live summaries; whoever changes `updated_at` calls `touch`."""

    def __init__(self) -> None:
        self._items: list[ConversationSummary] = []
        self._deleted: list[Deleted] = []

    @property
    def items(self) -> list[ConversationSummary]:
        return list(self._items)

    def fill(self, summaries: Iterable[ConversationSummary]) -> None:
        """What the disk holds, beside what was begun before it answered."""
        known = {s.id for s in self._items}
        self._items += [s for s in summaries if s.id not in known]
        self._items.sort(key=_order)

    def find(self, conversation_id: str) -> ConversationSummary | None:
        return next((s for s in self._items if s.id == conversation_id), None)

    def touch(self, summary: ConversationSummary, now: float) -> None:
        """It changed: to the front, added if it is new; a deleted one stays away."""
        summary.updated_at = now
        if any(d.summary is summary for d in self._deleted):
            return
        self._items = [summary, *(s for s in self._items if s is not summary)]

    def remove(self, conversation_id: str) -> ConversationSummary | None:
        """Take it out for good, e.g. because the disk does not have it any more."""
        summary = self.find(conversation_id)
        if summary is not None:
            self._items.remove(summary)
        return summary

    def delete(self, conversation_id: str, was_current: bool) -> Deleted | None:
        """Take it out so that `put_back` can bring it back."""
        summary = self.find(conversation_id)
        if summary is None:
            return None
        deleted = Deleted(summary, self._items.index(summary), was_current)
        self._items.remove(summary)
        self._deleted.append(deleted)
        return deleted

    def put_back(self, deleted: Deleted) -> bool:
        """Undo this very deletion, e.g. because the disk refused it; False when it is undone already.

        Others may have come, gone or moved to the front since: it stands where its date puts it.
        """
        if deleted not in self._deleted:
            return False
        self._deleted.remove(deleted)
        own = _order(deleted.summary)
        at = next((i for i, s in enumerate(self._items) if _order(s) > own), len(self._items))
        self._items.insert(at, deleted.summary)
        return True

    def neighbour(self, index: int) -> ConversationSummary | None:
        """Who stands where a deleted one stood."""
        return self._items[min(index, len(self._items) - 1)] if self._items else None


def _order(summary: ConversationSummary) -> tuple[float, float, str]:
    """As the disk lists them: the order is the same after a restart."""
    return -summary.updated_at, -summary.created_at, summary.id
