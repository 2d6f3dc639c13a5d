"""One message on screen: what every message has, its tools first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QEnterEvent
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from app.core.context import is_marked, summary_of
from app.core.conversation import USER, Message
from app.ui import theme
from app.ui.chat.branch_switch import BranchSwitch
from app.ui.chat.copy_button import CopyButton
from app.ui.chat.left_out_marker import LeftOutMarker
from app.ui.chat.text_view import TextView, copy_text
from app.ui.chat.tool_row import ToolRow
from app.ui.icons import IconButton

# What may be asked for by the tools of a message (`MessageRow.asked`).
REGENERATE = "regenerate"
CONTINUE = "continue"
DELETE = "delete"
DETAILS = "details"


class MessageRow(QWidget):
    """Content, and tools that appear on hover and focus.

    `action_requested` is the button of a problem's card; `asked` one of the names above;
    `version_asked` the index of another message in this one's place; `include_asked`: the model is to read
    again what was left out up to here.
    """

    action_requested = Signal(str)
    asked = Signal(str)
    version_asked = Signal(int)
    include_asked = Signal()

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = message
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.HALF)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._tools = ToolRow(align_right=message.role == USER)
        self.switch = BranchSwitch()
        self.switch.chosen.connect(self.version_asked)
        self._tools.add_fixed(self.switch)
        self._tools.add(CopyButton(self.tr("Copy message"), self.markdown))
        self._menu: QMenu | None = None
        self._marker: LeftOutMarker | None = None
        self._more = IconButton("more", self.tr("More about this message"), role="muted")
        self._more.clicked.connect(self._open_menu)

    @property
    def message(self) -> Message:
        return self._message

    @property
    def tools(self) -> ToolRow:
        return self._tools

    @property
    def text_views(self) -> list[TextView]:
        return []

    @property
    def find_views(self) -> Sequence[QTextEdit | QPlainTextEdit]:
        """The texts to look through, as they are shown now, from top to bottom."""
        return self.text_views

    def unfold_all(self, query: str) -> None:
        """Show what is folded away and holds `query`."""

    def markdown(self) -> str:
        """What is copied as Markdown: the text as it was written."""
        return self._message.text

    def plain(self) -> str:
        """What is copied as text: as it is shown."""
        return self._message.text

    def set_place(self, index: int, count: int) -> None:
        """It is version `index` (from 0) of `count` in its place."""
        self.switch.set_place(index, count)

    @property
    def marker(self) -> LeftOutMarker | None:
        """The line below, if the model does not read this message and those before it."""
        return self._marker

    def update_marker(self) -> None:
        """Show or take away the line below, as the message says."""
        if self._marker is not None:
            self._layout.removeWidget(self._marker)
            self._marker.hide()
            self._marker.deleteLater()
            self._marker = None
        if is_marked(self._message):
            self._marker = LeftOutMarker(summary_of(self._message))
            self._marker.undone.connect(self.include_asked)
            self._layout.addWidget(self._marker)

    def make_menu(self) -> QMenu:
        """Everything that can be done with the message."""
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Message"))
        self.fill_menu(menu)
        return menu

    def fill_menu(self, menu: QMenu) -> None:
        """The entries; what a role has besides comes before them."""
        menu.addAction(self.tr("Copy as Markdown"), lambda: copy_text(self.markdown()))
        menu.addAction(self.tr("Copy as text"), lambda: copy_text(self.plain()))
        menu.addSeparator()
        menu.addAction(self.tr("Details…"), lambda: self.asked.emit(DETAILS))
        menu.addAction(self.tr("Delete"), lambda: self.asked.emit(DELETE))

    def prepare(self, width: int) -> None:
        """Lay texts out for a row that will be `width` wide, so that it has its height from the start."""
        for view in self.text_views:
            view.prepare(width)

    @property
    def selecting(self) -> bool:
        """The user is selecting text in here right now."""
        return any(view.selecting for view in self.text_views)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Beside the text; the text has a menu of its own."""
        self._menu = self.make_menu()
        self._menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._menu.popup(event.globalPos())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._tools.set_hovered(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._tools.set_hovered(False)

    def _open_menu(self) -> None:
        menu = self.make_menu()
        self._menu = menu
        self._tools.set_held(True)
        menu.aboutToHide.connect(lambda: self._tools.set_held(False))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))
