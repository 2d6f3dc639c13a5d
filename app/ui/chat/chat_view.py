"""The centre of the window: the conversation (or what to do while it is empty), composer and notices."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QStackedLayout, QVBoxLayout, QWidget

from app.ui.chat.composer import Composer
from app.ui.chat.composer_text import attachable
from app.ui.chat.context_choice import ContextChoice
from app.ui.chat.empty_state import EmptyState
from app.ui.chat.find_bar import FindBar
from app.ui.chat.finder import Finder
from app.ui.chat.message_list import MessageList
from app.ui.chat.toast import Toast


class _Area(QWidget):
    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class ChatView(QFrame):
    """Widgets only; `ChatBinder` and `DraftBinder` connect them to the session."""

    prompt_chosen = Signal(str)
    files_dropped = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        self.setAcceptDrops(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.area = _Area()
        self._stack = QStackedLayout(self.area)
        self.empty = EmptyState()
        self.messages = MessageList()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.messages)
        layout.addWidget(self.area, 1)
        self.context_choice = ContextChoice()
        layout.addWidget(self.context_choice)
        self.composer = Composer()
        layout.addWidget(self.composer)
        self.toast = Toast(self.area)
        self.finder = Finder(self.messages)
        self.find_bar = FindBar(self.finder)
        layout.insertWidget(0, self.find_bar)
        self.find_bar.closed.connect(self.composer.setFocus)
        self.area.resized.connect(self.toast.place)
        self.empty.prompt_chosen.connect(self.prompt_chosen)
        self.composer.scrolled.connect(self.messages.scroll_pages)

    def show_content(self) -> None:
        """The conversation if there is anything in it, what to do otherwise."""
        wanted = self.empty if self.messages.is_empty() else self.messages
        if self._stack.currentWidget() is not wanted:
            self._stack.setCurrentWidget(wanted)
        self.toast.raise_()
        self.finder.again()

    def open_find(self) -> None:
        """Find in the conversation."""
        self.find_bar.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files to attach; models are the window's business."""
        if attachable(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        files = attachable(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.files_dropped.emit(files)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Typing anywhere in the conversation goes on in the composer."""
        typed = event.text()
        control = event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier
            | Qt.KeyboardModifier.AltModifier
            | Qt.KeyboardModifier.MetaModifier
        )
        if typed and typed.isprintable() and not control:
            self.composer.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.composer.field.insertPlainText(typed)
            return
        super().keyPressEvent(event)
