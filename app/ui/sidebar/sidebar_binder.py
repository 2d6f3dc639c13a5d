"""Connects the sidebar to the session."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.services.chat_session import ChatSession
from app.ui.sidebar.sidebar import Sidebar


class SidebarBinder(QObject):
    """Keeps the list and its marks up to date; carries out what is asked for in it."""

    def __init__(self, sidebar: Sidebar, session: ChatSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._session = session
        session.conversations_changed.connect(self._on_list)
        session.conversation_opened.connect(self._on_open)
        session.streaming_changed.connect(self._on_streaming)
        sidebar.opened.connect(session.open)
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

    def _current_id(self) -> str:
        current = self._session.current
        return current.summary.id if current is not None else ""

    def _on_list(self) -> None:
        self._sidebar.set_conversations(self._session.conversations)
        self._on_open()

    def _on_open(self) -> None:
        self._sidebar.set_open(self._current_id())
        self._on_streaming()

    def _on_streaming(self) -> None:
        reply = self._session.streaming
        self._sidebar.set_answering(reply.conversation_id if reply is not None else "")
