"""Connects the sidebar to the session."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from app.services.chat_session import ChatSession
from app.ui.sidebar.conversation_files import ConversationFiles
from app.ui.sidebar.sidebar import Sidebar
from app.ui.sidebar.tag_filter import ask_text


class SidebarBinder(QObject):
    """Keeps the list and its marks up to date; carries out what is asked for in it."""

    def __init__(self, sidebar: Sidebar, session: ChatSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._session = session
        session.conversations_changed.connect(self._on_list)
        session.conversation_opened.connect(self._on_open)
        session.streaming_changed.connect(self._on_streaming)
        library, lines = session.library, sidebar.list
        self.files = ConversationFiles(sidebar.notice, session, sidebar)
        sidebar.opened.connect(session.open)
        sidebar.search_requested.connect(library.search)
        library.found.connect(sidebar.set_hits)
        lines.pin_requested.connect(lambda i, place: library.pin(i, place if place >= 0 else None))
        lines.unpin_requested.connect(library.unpin)
        lines.tag_requested.connect(library.set_tag)
        lines.new_tag_requested.connect(self.ask_tag)
        lines.duplicate_requested.connect(self._duplicate)
        lines.export_requested.connect(self.files.export)
        sidebar.tags.renamed.connect(self._rename_tag)
        sidebar.tags.removed.connect(lambda tag: library.rename_tag(tag, ""))
        sidebar.import_requested.connect(self.files.ask_import)
        sidebar.export_all_requested.connect(self.files.export_all)
        sidebar.renamed.connect(session.rename)
        sidebar.delete_requested.connect(session.delete)
        sidebar.undo_requested.connect(session.undo_delete)
        self._on_list()

    def step(self, by: int) -> None:
        """Open the conversation `by` lines below the one on screen."""
        ids = self._sidebar.list.conversation_model.ids()
        if not ids:
            return
        current = self._current_id()
        at = ids.index(current) + by if current in ids else 0 if by > 0 else len(ids) - 1
        self._session.open(ids[min(max(at, 0), len(ids) - 1)])

    def toggle_pin(self) -> None:
        """Pin the conversation on screen, or unpin it."""
        library, summary = self._session.library, self._session.library.find(self._current_id())
        if summary is not None and summary.pin is None:
            library.pin(summary.id)
        elif summary is not None:
            library.unpin(summary.id)

    def export_current(self) -> None:
        """Ask where the conversation on screen goes, and in which format."""
        self.files.export(self._current_id())

    def ask_tag(self, conversation_id: str) -> QInputDialog:
        """Ask for a new tag and give it to the conversation."""
        return ask_text(
            self._sidebar,
            self.tr("New tag"),
            self.tr("Name of the tag"),
            "",
            lambda tag: self._session.library.set_tag(conversation_id, tag, True),
        )

    def _rename_tag(self, tag: str, new: str) -> None:
        self._session.library.rename_tag(tag, new)
        self._sidebar.tags.choose(" ".join(new.split()))

    def _duplicate(self, conversation_id: str) -> None:
        summary = self._session.library.find(conversation_id)
        if summary is not None:
            self._session.library.duplicate(
                conversation_id, self.tr("{title} (copy)").format(title=summary.title)
            )

    def _current_id(self) -> str:
        current = self._session.current
        return current.summary.id if current is not None else ""

    def _on_list(self) -> None:
        self._sidebar.set_conversations(self._session.conversations)
        self._sidebar.set_tags(self._session.library.tags())
        self._on_open()

    def _on_open(self) -> None:
        self._sidebar.set_open(self._current_id())
        self._on_streaming()

    def _on_streaming(self) -> None:
        reply = self._session.streaming
        self._sidebar.set_answering(reply.conversation_id if reply is not None else "")
