"""The left column: new chat, search, conversations, settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.core.conversation import ConversationSummary
from app.ui import icons, theme
from app.ui.icons import IconButton, TextButton
from app.ui.sidebar.conversation_list import ConversationListView
from app.ui.theme import Theme


class Sidebar(QFrame):
    """Plain values in, wishes out. Ids are those of conversations."""

    new_requested = Signal()
    opened = Signal(str)
    renamed = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal()
    settings_requested = Signal()
    bench_requested = Signal()
    fold_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "pane")
        self.setMinimumWidth(180)
        self.setMaximumWidth(420)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.GAP, 0, theme.GRID)
        layout.setSpacing(theme.GRID)
        self.new_button = TextButton(self.tr("New chat"), icon_name="plus")
        self.new_button.setToolTip(self.tr("New chat (Ctrl+N)"))
        self.new_button.clicked.connect(self.new_requested)
        self.search = QLineEdit()
        self.search.setProperty("role", "search")
        self.search.setPlaceholderText(self.tr("Search titles"))
        self.search.setAccessibleName(self.tr("Search conversations by title"))
        self.search.setToolTip(self.tr("Search titles (Ctrl+F)"))
        self._glass = QAction(self)
        self.search.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(self.tr("Clear"), self)
        self._clear.triggered.connect(self.search.clear)
        self.search.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.search.textChanged.connect(self._on_search)
        self.search.installEventFilter(self)
        self.fold_button = IconButton("sidebar", self.tr("Hide the conversations (Ctrl+B)"))
        self.fold_button.clicked.connect(self.fold_requested)
        for widgets in ((self.new_button, self.fold_button), (self.search,)):
            box = QHBoxLayout()
            box.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
            box.setSpacing(theme.HALF)
            for widget in widgets:
                box.addWidget(widget, int(widget is not self.fold_button))
            layout.addLayout(box)
        self._empty = QLabel()
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        self._empty.setTextFormat(Qt.TextFormat.PlainText)
        self._empty.setContentsMargins(theme.MARGIN, theme.GRID, theme.MARGIN, 0)
        layout.addWidget(self._empty)
        self.list = ConversationListView()
        layout.addWidget(self.list, 1)
        self.settings_button = TextButton(self.tr("Settings"), role="quiet", icon_name="settings")
        self.settings_button.setToolTip(self.tr("Settings (Ctrl+,)"))
        self.settings_button.setProperty("align", "left")
        self.settings_button.clicked.connect(self.settings_requested)
        self.bench_button = TextButton(self.tr("Benchmark"), role="quiet", icon_name="bench")
        self.bench_button.setToolTip(self.tr("Benchmark (Ctrl+Shift+B)"))
        self.bench_button.setProperty("align", "left")
        self.bench_button.clicked.connect(self.bench_requested)
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
        foot.setSpacing(0)
        foot.addWidget(self.bench_button)
        foot.addWidget(self.settings_button)
        layout.addLayout(foot)
        self.list.opened.connect(self.opened)
        self.list.renamed.connect(self.renamed)
        self.list.delete_requested.connect(self.delete_requested)
        self.list.undo_requested.connect(self.undo_requested)
        self.list.left_upwards.connect(self.focus_search)
        self._count = 0
        self._restyle()
        self._show_empty()
        Theme.current().changed.connect(self._restyle)

    def sizeHint(self) -> QSize:
        return QSize(theme.SIDEBAR_WIDTH, super().sizeHint().height())

    @property
    def empty_text(self) -> str:
        """What stands in the place of the list, or empty."""
        return self._empty.text()

    def set_conversations(self, items: Sequence[ConversationSummary]) -> None:
        self._count = len(items)
        self.list.set_items(items)
        self._show_empty()

    def set_open(self, conversation_id: str) -> None:
        """The conversation on screen."""
        self.list.set_open(conversation_id)

    def set_answering(self, conversation_id: str) -> None:
        self.list.conversation_model.set_answering(conversation_id)

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def rename_current(self) -> None:
        """Edit the title the keyboard is at."""
        self.list.rename(self.list.current_id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                return self._enter_list(open_first=event.key() != Qt.Key.Key_Down)
        return super().eventFilter(watched, event)

    def _enter_list(self, open_first: bool) -> bool:
        ids = self.list.conversation_model.ids()
        if not ids:
            return True
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.list.current_id not in ids or self.search.text():
            self.list.setCurrentIndex(self.list.conversation_model.index_of(ids[0]))
        if open_first:
            self.opened.emit(ids[0])
        return True

    def _on_search(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self.list.set_filter(text)
        self._show_empty()

    def _show_empty(self) -> None:
        text = ""
        if not self._count:
            text = self.tr("Your conversations will be listed here.")
        elif not self.list.conversation_model.ids():
            text = self.tr("No title contains “%1”.").replace("%1", self.search.text().strip())
        self._empty.setText(text)
        self._empty.setVisible(bool(text))

    def _restyle(self) -> None:
        self._glass.setIcon(icons.icon("search", "muted"))
        self._clear.setIcon(icons.icon("close", "muted"))
        self._clear.setVisible(bool(self.search.text()))
