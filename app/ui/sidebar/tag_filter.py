"""Chooses the tag whose conversations are listed, and renames or drops tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from app.ui.icons import TextButton


class TagFilter(TextButton):
    """Hidden while there are no tags. `chosen` carries a tag, or "" for all conversations."""

    chosen = Signal(str)
    renamed = Signal(str, str)
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, role="quiet", icon_name="tag")
        self.setProperty("align", "left")
        self._tags: dict[str, int] = {}
        self._tag = ""
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.hide()
        self._show()

    @property
    def tag(self) -> str:
        return self._tag

    def set_tags(self, tags: Mapping[str, int]) -> None:
        """Every tag with the number of its conversations."""
        self._tags = dict(tags)
        if self._tag not in self._tags:
            self.choose("")
        self.setVisible(bool(self._tags))

    def choose(self, tag: str) -> None:
        if tag != self._tag:
            self._tag = tag
            self.chosen.emit(tag)
        self._show()

    def menu_now(self) -> QMenu:
        """The menu as it would be shown."""
        self._fill()
        return self._menu

    def _show(self) -> None:
        text = self._tag or self.tr("All tags")
        self.setText(text.replace("&", "&&"))
        # What hides conversations has to be seen.
        self.setProperty("role", "" if self._tag else "quiet")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setAccessibleName(
            self.tr("Tag: {tag}").format(tag=self._tag) if self._tag else self.tr("Show conversations by tag")
        )

    def _fill(self) -> None:
        self._menu.clear()
        group = QActionGroup(self._menu)
        self._add(group, self.tr("All tags"), "")
        self._menu.addSeparator()
        for tag, count in self._tags.items():
            self._add(group, self.tr("{tag} ({count})").format(tag=tag.replace("&", "&&"), count=count), tag)
        if self._tag:
            self._menu.addSeparator()
            named = self._tag.replace("&", "&&")
            rename = self._menu.addAction(self.tr("Rename “{tag}”…").format(tag=named))
            rename.triggered.connect(self._ask_name)
            remove = self._menu.addAction(self.tr("Remove “{tag}” everywhere").format(tag=named))
            remove.triggered.connect(lambda _=False, tag=self._tag: self.removed.emit(tag))

    def _add(self, group: QActionGroup, text: str, tag: str) -> None:
        action = QAction(text, self._menu)
        action.setCheckable(True)
        action.setChecked(tag == self._tag)
        action.triggered.connect(lambda: self.choose(tag))
        group.addAction(action)
        self._menu.addAction(action)

    def _ask_name(self) -> None:
        tag = self._tag
        ask_text(
            self, self.tr("Rename tag"), self.tr("New name"), tag, lambda name: self.renamed.emit(tag, name)
        )


def ask_text(
    parent: QWidget, title: str, label: str, text: str, then: Callable[[str], object]
) -> QInputDialog:
    """Ask for a line of text; the window goes on meanwhile."""
    dialog = QInputDialog(parent.window())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.textValueSelected.connect(lambda value: then(value) if value.strip() else None)
    dialog.open()
    return dialog
