"""The context menu of a conversation."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.core.conversation import ConversationSummary


def export_kinds() -> list[tuple[str, str]]:
    """(ending of the file, what the menu says)."""
    return [
        ("md", QCoreApplication.translate("ConversationMenu", "Markdown…")),
        ("html", QCoreApplication.translate("ConversationMenu", "Web page…")),
        ("json", QCoreApplication.translate("ConversationMenu", "JSON, with everything…")),
    ]


class ConversationMenu(QMenu):
    """Its actions are for the owner to connect. `tag_toggled` has (tag, on), `export_chosen` an ending."""

    tag_toggled = Signal(str, bool)
    export_chosen = Signal(str)

    def __init__(self, summary: ConversationSummary, tags: Sequence[str], parent: QWidget) -> None:
        """`tags`: all that are in use."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.rename = self._add(self.tr("Rename"), Qt.Key.Key_F2)
        self.pin = self._add(self.tr("Pin") if summary.pin is None else self.tr("Unpin"))
        self.tags = self.addMenu(self.tr("Tags"))
        for tag in tags:
            action = self.tags.addAction(tag.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(tag in summary.tags)
            action.toggled.connect(lambda on, tag=tag: self.tag_toggled.emit(tag, on))
        if tags:
            self.tags.addSeparator()
        self.new_tag = self.tags.addAction(self.tr("New tag…"))
        self.duplicate = self._add(self.tr("Duplicate"))
        self.exports = self.addMenu(self.tr("Export"))
        for kind, text in export_kinds():
            action = self.exports.addAction(text)
            action.triggered.connect(lambda _=False, kind=kind: self.export_chosen.emit(kind))
        self.addSeparator()
        self.delete = self._add(self.tr("Delete"), Qt.Key.Key_Delete)

    def _add(self, text: str, key: Qt.Key | None = None) -> QAction:
        action = self.addAction(text)
        if key is not None:
            action.setShortcut(QKeySequence(key))
            action.setShortcutVisibleInContextMenu(True)
        return action
