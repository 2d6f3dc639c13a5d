"""The list of conversations: open, rename in place, delete; all by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QFrame, QListView, QMenu, QWidget

from app.core.conversation import ConversationSummary
from app.ui.sidebar.conversation_delegate import ConversationDelegate
from app.ui.sidebar.conversation_model import ConversationModel, IdRole
from app.ui.theme import Theme


class ConversationListView(QListView):
    """Signals carry conversation ids. Arrow keys move a ring; Return, space or a click opens."""

    opened = Signal(str)
    renamed = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal()
    left_upwards = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "sidebar")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Conversations"))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self._items: list[ConversationSummary] | None = None  # what came while a title was being edited
        self._model = ConversationModel(self)
        self._model.renamed.connect(self.renamed)
        self.setModel(self._model)
        self.setItemDelegate(ConversationDelegate(self))
        self.clicked.connect(self._open)
        Theme.current().changed.connect(self._restyle)

    @property
    def conversation_model(self) -> ConversationModel:
        return self._model

    @property
    def current_id(self) -> str:
        """The conversation the keyboard is at."""
        return self.currentIndex().data(IdRole) or ""

    def set_items(self, items: Sequence[ConversationSummary]) -> None:
        """Show these; a title that is being edited is not disturbed."""
        if self.state() == QAbstractItemView.State.EditingState:
            self._items = list(items)
            return
        kept = self.current_id
        self._model.set_items(items)
        self._select(kept)

    def set_filter(self, text: str) -> None:
        kept = self.current_id
        self._model.set_filter(text)
        self._select(kept)

    def set_open(self, conversation_id: str) -> None:
        self._model.set_open(conversation_id)
        self._select(conversation_id)

    def rename(self, conversation_id: str) -> None:
        """Edit the title in place."""
        index = self._model.index_of(conversation_id)
        if index.isValid():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.setCurrentIndex(index)
            self.edit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open(self.currentIndex())
        elif key == Qt.Key.Key_F2:
            self.rename(self.current_id)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._delete(self.current_id)
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif key == Qt.Key.Key_Up and self.current_id == next(iter(self._model.ids()), ""):
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            first = next(iter(self._model.ids()), "")
            self._select(first)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
        conversation_id = index.data(IdRole)
        if not conversation_id:
            return
        self.setCurrentIndex(index)
        where = self.visualRect(index).bottomLeft() + QPoint(16, 0)
        mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        self.menu_for(conversation_id).popup(
            event.globalPos() if mouse else self.viewport().mapToGlobal(where)
        )

    def menu_for(self, conversation_id: str) -> QMenu:
        """What can be done with a conversation."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = QAction(self.tr("Rename"), menu)
        rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        rename.triggered.connect(lambda: self.rename(conversation_id))
        delete = QAction(self.tr("Delete"), menu)
        delete.setShortcut(QKeySequence(Qt.Key.Key_Delete))
        delete.triggered.connect(lambda: self._delete(conversation_id))
        for action in (rename, delete):
            action.setShortcutVisibleInContextMenu(True)
            menu.addAction(action)
        return menu

    def _open(self, index: QModelIndex) -> None:
        conversation_id = index.data(IdRole)
        if conversation_id:
            self.opened.emit(conversation_id)

    def _delete(self, conversation_id: str) -> None:
        if not conversation_id:
            return
        # The keyboard goes on with the next line, or the one before.
        ids = self._model.ids()
        at = ids.index(conversation_id) if conversation_id in ids else -1
        neighbour = ids[at + 1] if 0 <= at < len(ids) - 1 else ids[at - 1] if at > 0 else ""
        self.delete_requested.emit(conversation_id)
        if conversation_id not in self._model.ids() and self.current_id not in self._model.ids():
            self._select(neighbour)

    def _select(self, conversation_id: str) -> None:
        index = self._model.index_of(conversation_id)
        if index.isValid() and index != self.currentIndex():
            with QSignalBlocker(self):
                self.setCurrentIndex(index)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        items, self._items = self._items, None
        if items is not None:
            kept = self.current_id
            self._model.set_items(items)
            self._select(kept)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _restyle(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
