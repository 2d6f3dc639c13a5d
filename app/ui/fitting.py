"""How large a dialog opens: as its content likes it, but within its window and its screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

from app.ui.theme import Theme

# A window smaller than this does not make a dialog any smaller.
_LEAST = QSize(720, 560)
# Of a form, which does not get any narrower; grows with the text.
_LEAST_WIDTH = 600
# What a frame and a task bar that is not told of take.
_FRAME = QSize(16, 48)


def fit(dialog: QDialog, width: float, height: float) -> None:
    """Resize to so many px, or to what the window it belongs to and the screen leave room for."""
    room = dialog.screen().availableSize() - _FRAME
    parent = dialog.parentWidget()
    if parent is not None:
        least = QSize(round(_LEAST_WIDTH * Theme.current().scale), _LEAST.height()).expandedTo(_LEAST)
        room = room.boundedTo(parent.window().size().expandedTo(least))
    dialog.resize(QSize(round(width), round(height)).boundedTo(room))
