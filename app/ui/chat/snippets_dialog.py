"""The saved texts: name, text, add, remove."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.ui import theme
from app.ui.fitting import fit
from app.ui.icons import TextButton
from app.ui.theme import Theme

_SIZE = (620, 420)


class SnippetsDialog(QDialog):
    """`saved` carries all of them by name, when the dialog is accepted."""

    saved = Signal(dict)

    def __init__(self, snippets: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Saved texts"))
        self._items = [[name, text] for name, text in snippets.items()]
        self._filling = False
        self.list = QListWidget()
        self.list.setProperty("role", "choices")
        self.list.setAccessibleName(self.tr("Saved texts"))
        self.list.currentRowChanged.connect(self._show)
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("Name"))
        self.name.setAccessibleName(self.tr("Name"))
        self.name.textEdited.connect(self._take)
        self.text = QPlainTextEdit()
        self.text.setPlaceholderText(self.tr("What is put into the message"))
        self.text.setAccessibleName(self.tr("Text"))
        self.text.setTabChangesFocus(True)
        self.text.textChanged.connect(self._take)
        self.add_button = TextButton(self.tr("New"), icon_name="plus")
        self.add_button.clicked.connect(lambda: self.add("", ""))
        self.remove_button = TextButton(self.tr("Remove"), role="quiet")
        self.remove_button.clicked.connect(self._remove)
        self._message = QLabel()
        self._message.setProperty("role", "warning")
        page = QFrame()
        page.setProperty("role", "page")
        columns = QHBoxLayout(page)
        columns.setContentsMargins(theme.MARGIN, theme.MARGIN, theme.MARGIN, theme.MARGIN)
        columns.setSpacing(theme.MARGIN)
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.remove_button)
        left.addLayout(buttons)
        right = QVBoxLayout()
        right.addWidget(self.name)
        right.addWidget(self.text, 1)
        columns.addLayout(left, 2)
        columns.addLayout(right, 3)
        rule = QFrame()
        rule.setProperty("role", "rule")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(page, 1)
        layout.addWidget(rule)
        layout.addLayout(self._make_end())
        for name, _ in self._items:
            self.list.addItem(name)
        self.list.setCurrentRow(0)
        self._show()
        scale = Theme.current().scale
        fit(self, _SIZE[0] * scale, _SIZE[1] * scale)

    def add(self, name: str, text: str) -> None:
        """One more, which is then being edited."""
        self._items.append([name, text])
        self.list.addItem(name or self.tr("New text"))
        self.list.setCurrentRow(len(self._items) - 1)
        self.name.setFocus()

    def accept(self) -> None:
        names = [name.strip() for name, _ in self._items]
        if not all(names):
            self._message.setText(self.tr("Give every text a name."))
            self.list.setCurrentRow(names.index(""))
            self.name.setFocus()
            return
        if len(set(names)) < len(names):
            self._message.setText(self.tr("Two texts have the same name."))
            return
        self.saved.emit(dict(zip(names, (text for _, text in self._items), strict=True)))
        super().accept()

    def _make_end(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        row.setSpacing(theme.GRID)
        row.addWidget(self._message, 1)
        cancel = TextButton(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.save_button = TextButton(self.tr("Save"), role="primary")
        self.save_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.save_button)
        return row

    def _remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            del self._items[row]
            self.list.takeItem(row)
            self._show()

    def _show(self) -> None:
        row = self.list.currentRow()
        chosen = 0 <= row < len(self._items)
        self._filling = True
        self.name.setText(self._items[row][0] if chosen else "")
        self.text.setPlainText(self._items[row][1] if chosen else "")
        self._filling = False
        for widget in (self.name, self.text, self.remove_button):
            widget.setEnabled(chosen)

    def _take(self) -> None:
        row = self.list.currentRow()
        if self._filling or not 0 <= row < len(self._items):
            return
        self._items[row] = [self.name.text(), self.text.toPlainText()]
        self.list.item(row).setText(self.name.text() or self.tr("New text"))
        self._message.setText("")
