"""The foot of a dialog that is only read: a rule, buttons for what is in it, and Close."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.icons import TextButton


def closable(dialog: QDialog, content: QWidget, *buttons: QWidget) -> TextButton:
    """Lay out `dialog` with `content` above its foot; returns the button that closes it, its default."""
    close = TextButton(QCoreApplication.translate("Dialogs", "Close"))
    close.setDefault(True)
    close.clicked.connect(dialog.accept)
    rule = QFrame()
    rule.setProperty("role", "rule")
    row = QHBoxLayout()
    row.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
    row.setSpacing(theme.GRID)
    for button in buttons:
        row.addWidget(button)
    row.addStretch()
    row.addWidget(close)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(content, 1)
    layout.addWidget(rule)
    layout.addLayout(row)
    return close
