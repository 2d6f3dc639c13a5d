"""The list of conversations: open, rename in place, pin, delete; all by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QDragMoveEvent, QDropEvent, QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QFrame, QListView, QMenu, QWidget

from app.core.conversation import ConversationSummary
from app.core.search import SearchHit
from app.ui.sidebar.conversation_delegate import ConversationDelegate
from app.ui.sidebar.conversation_menu import ConversationMenu
from app.ui.sidebar.conversation_model import MIME, ConversationModel, IdRole, MessageRole
from app.ui.theme import Theme


class ConversationListView(QListView):
    """Signals carry conversation ids. Arrow keys move a ring; Return, space or a click opens.

    `opened` says also at which message, for what a search found. `pin_requested` has the place among the
    pinned ones, -1 for the last.
    """

    opened = Signal(str, str)
    renamed = Signal(str, str)
    delete_requested = Signal(str)
    pin_requested = Signal(str, int)
    unpin_requested = Signal(str)
    tag_requested = Signal(str, str, bool)
    new_tag_requested = Signal(str)
    duplicate_requested = Signal(str)
    export_requested = Signal(str, str)
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
        # Thousands of lines are laid out without asking for each.
        self.setUniformItemSizes(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDropIndicatorShown(True)
        self._items: list[ConversationSummary] | None = None  # what came while a title was being edited
        self._by_id: dict[str, ConversationSummary] = {}
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
        self._by_id = {item.id: item for item in items}
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

    def set_hits(self, hits: Sequence[SearchHit]) -> None:
        """What was found in messages by the words of the filter."""
        kept = self.current_id
        self._model.set_hits(hits)
        self._select(kept)

    def set_tag(self, tag: str) -> None:
        kept = self.current_id
        self._model.set_tag(tag)
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
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move_pin(self.current_id, -1 if key == Qt.Key.Key_Up else 1)
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
        summary = self._by_id.get(conversation_id, ConversationSummary(conversation_id))
        tags = {tag for item in self._by_id.values() for tag in item.tags}
        menu = ConversationMenu(summary, sorted(tags, key=str.casefold), self)
        menu.rename.triggered.connect(lambda: self.rename(conversation_id))
        menu.delete.triggered.connect(lambda: self._delete(conversation_id))
        menu.duplicate.triggered.connect(lambda: self.duplicate_requested.emit(conversation_id))
        menu.pin.triggered.connect(lambda: self._toggle_pin(summary))
        menu.tag_toggled.connect(lambda tag, on: self.tag_requested.emit(conversation_id, tag, on))
        menu.new_tag.triggered.connect(lambda: self.new_tag_requested.emit(conversation_id))
        menu.export_chosen.connect(lambda kind: self.export_requested.emit(conversation_id, kind))
        return menu

    # -- pins -------------------------------------------------------------------------------------------

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        if self._place_at(event.position().toPoint()) is None:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """The session puts the pins in order; the list follows it."""
        place = self._place_at(event.position().toPoint())
        if place is not None and event.mimeData().hasFormat(MIME):
            # The source would remove a line that was moved.
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            conversation_id = bytes(event.mimeData().data(MIME).data()).decode()
            self.pin_requested.emit(conversation_id, self._without(conversation_id, place))
        self.setState(QAbstractItemView.State.NoState)
        self.viewport().update()

    def _place_at(self, where: QPoint) -> int | None:
        """The place among the pinned ones at a point, counted before anything is moved; None elsewhere."""
        count = self._model.pinned_count
        index = self.indexAt(where)
        if not count or not index.isValid() or index.row() > count:
            return None
        below = where.y() > self.visualRect(index).center().y()
        return min(max(index.row() - 1 + below, 0), count)

    def _without(self, conversation_id: str, place: int) -> int:
        """The same place counted without the conversation itself."""
        index = self._model.index_of(conversation_id)
        own = index.row() - 1 if index.isValid() and index.row() <= self._model.pinned_count else place
        return place - (own < place)

    def _move_pin(self, conversation_id: str, by: int) -> None:
        index, count = self._model.index_of(conversation_id), self._model.pinned_count
        place = index.row() - 1 + by
        if index.isValid() and index.row() <= count and 0 <= place < count:
            self.pin_requested.emit(conversation_id, place)
            self._select(conversation_id)

    def _toggle_pin(self, summary: ConversationSummary) -> None:
        if summary.pin is None:
            self.pin_requested.emit(summary.id, -1)
        else:
            self.unpin_requested.emit(summary.id)

    def _open(self, index: QModelIndex) -> None:
        conversation_id = index.data(IdRole)
        if conversation_id:
            self.opened.emit(conversation_id, index.data(MessageRole) or "")

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
