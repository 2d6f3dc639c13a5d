"""The left column: new chat, search, tags, conversations, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QMenu, QVBoxLayout, QWidget

from app.core.conversation import ConversationSummary
from app.core.search import SearchHit
from app.ui import icons, theme
from app.ui.icons import IconButton, TextButton
from app.ui.sidebar.conversation_list import ConversationListView
from app.ui.sidebar.conversation_model import MessageRole
from app.ui.sidebar.notice_strip import NoticeStrip
from app.ui.sidebar.tag_filter import TagFilter
from app.ui.theme import Theme

# Typing goes on this long before messages are searched; titles are filtered with every letter.
SEARCH_DELAY_MS = 120


class Sidebar(QFrame):
    """Plain values in, wishes out. Ids are those of conversations.

    `search_requested` carries what to look for in messages; `set_hits` takes the answer. `opened` has the
    message that was found, or "". What is wished of one conversation alone, `list` signals.
    """

    new_requested = Signal()
    opened = Signal(str, str)
    search_requested = Signal(str)
    import_requested = Signal()
    export_all_requested = Signal()
    renamed = Signal(str, str)
    delete_requested = Signal(str)
    undo_requested = Signal()
    settings_requested = Signal()
    bench_requested = Signal()
    fold_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "pane")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.GAP, 0, theme.GRID)
        layout.setSpacing(theme.GRID)
        self.new_button = TextButton(self.tr("New chat"), icon_name="plus")
        self.new_button.setToolTip(self.tr("New chat (Ctrl+N)"))
        self.new_button.clicked.connect(self.new_requested)
        self.search = QLineEdit()
        self.search.setProperty("role", "search")
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search titles and messages"))
        self.search.setToolTip(self.tr("Search titles and messages (Ctrl+Shift+F)"))
        self._glass = QAction(self)
        self._glass.setText(self.tr("Search"))
        self.search.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(self.tr("Clear"), self)
        self._clear.triggered.connect(self.search.clear)
        self.search.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.search.textChanged.connect(self._on_search)
        self.search.installEventFilter(self)
        self._search_timer = QTimer(self)
        self._search_timer.setSingleShot(True)
        self._search_timer.setInterval(SEARCH_DELAY_MS)
        self._search_timer.timeout.connect(lambda: self.search_requested.emit(self.search.text().strip()))
        self._searched = ""
        self.more_button = self._make_more()
        self.fold_button = IconButton("sidebar", self.tr("Hide the conversations (Ctrl+B)"))
        self.fold_button.clicked.connect(self.fold_requested)
        self.tags = TagFilter()
        small = (self.fold_button, self.more_button)
        for widgets in ((self.new_button, self.fold_button), (self.search, self.more_button), (self.tags,)):
            box = QHBoxLayout()
            box.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
            box.setSpacing(theme.HALF)
            for widget in widgets:
                box.addWidget(widget, int(widget not in small))
            layout.addLayout(box)
        self._empty = QLabel()
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        self._empty.setTextFormat(Qt.TextFormat.PlainText)
        self._empty.setContentsMargins(theme.MARGIN, theme.GRID, theme.MARGIN, 0)
        layout.addWidget(self._empty)
        self.list = ConversationListView()
        layout.addWidget(self.list, 1)
        self.notice = NoticeStrip()
        notice_box = QVBoxLayout()
        notice_box.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
        notice_box.addWidget(self.notice)
        layout.addLayout(notice_box)
        self.settings_button = TextButton(self.tr("Settings"), role="quiet", icon_name="settings")
        self.settings_button.setToolTip(self.tr("Settings (Ctrl+,)"))
        self.settings_button.setProperty("align", "left")
        self.settings_button.clicked.connect(self.settings_requested)
        self.bench_button = TextButton(self.tr("Benchmark"), role="quiet", icon_name="bench")
        self.bench_button.setToolTip(self.tr("Benchmark (Ctrl+Shift+B)"))
        self.bench_button.setProperty("align", "left")
        self.bench_button.clicked.connect(self.bench_requested)
        # The list may go on beneath it.
        rule = QFrame()
        rule.setProperty("role", "rule")
        layout.addWidget(rule)
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
        foot.setSpacing(0)
        foot.addWidget(self.bench_button)
        foot.addWidget(self.settings_button)
        layout.addLayout(foot)
        self.tags.chosen.connect(self._on_tag)
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
        if self.search.text().strip():
            # A change may have made a conversation match, or no longer match.
            self._search_timer.start()
        self._show_empty()

    def set_tags(self, tags: Mapping[str, int]) -> None:
        """Every tag with the number of its conversations."""
        self.tags.set_tags(tags)

    def set_hits(self, text: str, hits: Sequence[SearchHit]) -> None:
        """What was found for `text`; of no use when something else is looked for by now."""
        if text == self.search.text().strip():
            self._searched = text
            self.list.set_hits(hits)
            self._show_empty()

    def set_open(self, conversation_id: str) -> None:
        """The conversation on screen."""
        self.list.set_open(conversation_id)

    def set_answering(self, conversation_id: str) -> None:
        self.list.conversation_model.set_answering(conversation_id)

    def show_all(self) -> None:
        """Take search and tag away, so that every conversation is listed."""
        self.search.clear()
        self.tags.choose("")

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
            index = self.list.conversation_model.index_of(ids[0])
            self.opened.emit(ids[0], index.data(MessageRole) or "")
        return True

    def _make_more(self) -> IconButton:
        button = IconButton("more", self.tr("More for conversations"))
        self.more_menu = QMenu(button)
        self.more_menu.addAction(self.tr("Import conversations…")).triggered.connect(self.import_requested)
        self.export_all = self.more_menu.addAction(self.tr("Export all conversations…"))
        self.export_all.triggered.connect(self.export_all_requested)
        # A menu of the button's own would draw an arrow over the icon.
        button.clicked.connect(lambda: self.more_menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        return button

    def _on_tag(self, tag: str) -> None:
        self.list.set_tag(tag)
        self._show_empty()

    def _on_search(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self.list.set_filter(text)
        if text.strip():
            self._search_timer.start()
        else:
            self._search_timer.stop()
            self._searched = ""
        self._show_empty()

    def _show_empty(self) -> None:
        text = ""
        if not self._count:
            text = self.tr("Your conversations will be listed here.")
        elif not self.list.conversation_model.rowCount():
            text = self._nothing_found()
        self.export_all.setEnabled(bool(self._count))
        self._empty.setText(text)
        self._empty.setVisible(bool(text))

    def _nothing_found(self) -> str:
        wanted, tag = self.search.text().strip(), self.tags.tag
        if wanted and wanted != self._searched:
            # The answer is on its way; a sentence that flashes by helps nobody.
            return ""
        if wanted and tag:
            return self.tr("No title and no message tagged “{tag}” holds “{text}”.").format(
                tag=tag, text=wanted
            )
        if wanted:
            return self.tr(
                "No title and no message holds “{text}”. Try fewer words, or the beginning of a word."
            ).format(text=wanted)
        return self.tr("No conversation is tagged “{tag}”.").format(tag=tag)

    def _restyle(self) -> None:
        # Large text needs room for its buttons; no more than leaves some for the conversation.
        scale = min(Theme.current().scale, 1.5)
        self.setMinimumWidth(round(180 * scale))
        self.setMaximumWidth(round(420 * scale))
        self._glass.setIcon(icons.icon("search", "muted"))
        self._clear.setIcon(icons.icon("close", "muted"))
        self._clear.setVisible(bool(self.search.text()))
