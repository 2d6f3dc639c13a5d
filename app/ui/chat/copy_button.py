"""A button that copies a text and shows for a moment that it did."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app.ui.chat.text_view import copy_text
from app.ui.icons import IconButton

_SHOWN_MS = 1500


class CopyButton(IconButton):
    """`text` is asked when the button is used, so it copies what is there then."""

    def __init__(self, label: str, text: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__("copy", label, parent, role="muted")
        self._label, self._text = label, text
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self._settle)
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        copy_text(self._text())
        self.set_icon("check", "good")
        self.set_label(self.tr("Copied"))
        self._timer.start()

    def _settle(self) -> None:
        self.set_icon("copy", "muted")
        self.set_label(self._label)
