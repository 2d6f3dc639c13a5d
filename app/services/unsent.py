"""What waits in the composer: text and files, apart for every conversation, kept over a restart."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.conversation import Attachment, ConversationSummary
from app.services.app_state import AppState
from app.services.library import Library
from app.services.saving import Saver


class Unsent:
    """Kept with a stored conversation; for the one that has no message yet, and for None, in the settings."""

    def __init__(self, library: Library, saver: Saver, state: AppState) -> None:
        self._library, self._saver, self._state = library, saver, state

    def begin(self, created_at: float) -> ConversationSummary:
        """A new conversation, with what waits for one. `created_at` in seconds since the epoch."""
        settings = self._state.settings
        return ConversationSummary(
            created_at=created_at, draft=settings.unsent, draft_files=settings.unsent_files
        )

    def text(self, summary: ConversationSummary | None) -> str:
        return summary.draft if summary is not None else self._state.settings.unsent

    def files(self, summary: ConversationSummary | None) -> tuple[Attachment, ...]:
        return summary.draft_files if summary is not None else self._state.settings.unsent_files

    def set_text(self, summary: ConversationSummary | None, text: str) -> None:
        if summary is not None:
            summary.draft = text
        if not self._save(summary):
            self._state.update(unsent=text)

    def set_files(self, summary: ConversationSummary | None, files: Sequence[Attachment]) -> None:
        if summary is not None:
            summary.draft_files = tuple(files)
        if not self._save(summary):
            self._state.update(unsent_files=tuple(files))

    def clear(self, summary: ConversationSummary) -> None:
        """It is being sent; the conversation is saved with the message."""
        summary.draft, summary.draft_files = "", ()
        if not self._stored(summary):
            self._state.update(unsent="", unsent_files=())

    def same(self, one: ConversationSummary | None, other: ConversationSummary | None) -> bool:
        """Whether both have one composer: there is a single one for all that are not stored."""
        return one is other or not (self._stored(one) or self._stored(other))

    def _save(self, summary: ConversationSummary | None) -> bool:
        if summary is None or not self._stored(summary):
            return False
        self._saver.save_soon(summary)
        return True

    def _stored(self, summary: ConversationSummary | None) -> bool:
        return summary is not None and self._library.find(summary.id) is not None
