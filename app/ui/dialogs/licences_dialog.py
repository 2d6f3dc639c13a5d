"""The licences of everything inside the program: the parts on the left, the text of one on the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.core import licences
from app.ui import theme
from app.ui.closing import closable
from app.ui.fitting import fit

_LIST_WIDTH = 260


class LicencesDialog(QDialog):
    """Read only; Esc closes it. `folder` holds the list and the texts."""

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.setWindowTitle(self.tr("Licences"))
        self.list = QListWidget()
        self.list.setProperty("role", "choices")
        self.list.setAccessibleName(self.tr("Parts of the program"))
        self.list.setFixedWidth(round(_LIST_WIDTH * theme.Theme.current().scale))
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setProperty("role", "muted")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Text of the licence"))
        # Its look gives the lines their height, which is asked for when the first one is chosen.
        self.list.ensurePolished()
        self._fill()
        self.list.currentItemChanged.connect(self._on_chosen)
        self._arrange()
        if self.list.count():
            self.list.setCurrentRow(0)

    def _fill(self) -> None:
        try:
            parts = licences.read(self._folder)
        except (OSError, ValueError) as error:
            self.summary.setText(self.tr("The list of licences cannot be read: {error}").format(error=error))
            return
        for part in parts:
            item = QListWidgetItem(f"{part.name} {part.version}".strip())
            item.setData(Qt.ItemDataRole.UserRole, part)
            item.setToolTip(part.licence)
            self.list.addItem(item)

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        part: licences.Part = item.data(Qt.ItemDataRole.UserRole)
        self.summary.setText(part.licence)
        self.text.setPlainText(licences.text_of(self._folder, part))

    def _arrange(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(theme.GRID)
        right.addWidget(self.summary)
        right.addWidget(self.text, 1)
        sheet = QFrame()
        sheet.setProperty("role", "page")
        columns = QHBoxLayout(sheet)
        columns.setContentsMargins(theme.MARGIN, theme.MARGIN, theme.MARGIN, theme.MARGIN)
        columns.setSpacing(theme.MARGIN)
        columns.addWidget(self.list)
        columns.addLayout(right, 1)
        self.close_button = closable(self, sheet)
        scale = theme.Theme.current().scale
        fit(self, 820 * scale, 560 * scale)
