"""All keys at a glance, in the groups that the window gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui import theme
from app.ui.closing import closable
from app.ui.fitting import fit
from app.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class ShortcutGroup:
    """`entries`: (keys in Qt's portable form such as `Ctrl+N`, what they do)."""

    title: str
    entries: tuple[tuple[str, str], ...]


def native_keys(keys: str) -> str:
    """`Ctrl+N` as this system writes it; the key that sends is called as below the message field."""
    text = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText) or keys
    return text.replace("Return", QCoreApplication.translate("ShortcutsDialog", "Enter"))


class ShortcutsDialog(QDialog):
    """Read only; Esc closes it."""

    def __init__(self, groups: Sequence[ShortcutGroup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self._keys: list[QLabel] = []
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(24, theme.MARGIN, 24, theme.MARGIN)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(theme.GRID)
        grid.setColumnStretch(0, 1)
        row = 0
        for group in groups:
            title = QLabel(group.title)
            title.setProperty("role", "label")
            if row:
                grid.setRowMinimumHeight(row, theme.GRID)
                row += 1
            grid.addWidget(title, row, 0, 1, 2)
            row += 1
            for keys, what in group.entries:
                grid.addWidget(QLabel(what), row, 0)
                grid.addWidget(self._make_keys(native_keys(keys)), row, 1, Qt.AlignmentFlag.AlignRight)
                row += 1
        grid.setRowStretch(row, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        body.setAutoFillBackground(False)
        scroll.viewport().setAutoFillBackground(False)
        sheet = QFrame()
        sheet.setProperty("role", "page")
        sheet_layout = QVBoxLayout(sheet)
        sheet_layout.setContentsMargins(0, 0, 0, 0)
        sheet_layout.addWidget(scroll)
        self.close_button = closable(self, sheet)
        self._restyle()
        Theme.current().changed.connect(self._restyle)
        scale = Theme.current().scale
        # The keys have a padding, which counts from now on.
        for label in body.findChildren(QLabel):
            label.ensurePolished()
        bar = scroll.verticalScrollBar().sizeHint().width()
        wide = max(460 * scale, body.sizeHint().width() + bar)
        fit(self, wide, min(560 * scale, body.sizeHint().height() + 64 * scale))

    def _make_keys(self, keys: str) -> QLabel:
        label = QLabel(keys)
        label.setAccessibleName(keys)
        self._keys.append(label)
        return label

    def _restyle(self) -> None:
        palette = Theme.current().palette
        for label in self._keys:
            label.setStyleSheet(
                f"background: {palette.raised}; color: {palette.text}; border: 1px solid {palette.line};"
                "border-radius: 4px; padding: 2px 8px;"
            )
