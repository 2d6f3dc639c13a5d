"""A button that saves a text to a file the user names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.icons import IconButton

_SHOWN_MS = 2500


class SaveButton(IconButton):
    """`text` and `name` (what the file is called at first) are asked when the button is used."""

    def __init__(
        self, label: str, text: Callable[[], str], name: Callable[[], str], parent: QWidget | None = None
    ) -> None:
        super().__init__("save", label, parent, role="muted")
        self._label, self._text, self._file_name = label, text, name
        self._dialog: QFileDialog | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self._settle)
        self.clicked.connect(self.ask)

    def ask(self) -> QFileDialog:
        """Let the user choose where to; the window goes on meanwhile."""
        if self._dialog is None:
            self._dialog = QFileDialog(self.window(), self._label)
            self._dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            self._dialog.fileSelected.connect(self.save)
        self._dialog.selectFile(self._file_name())
        self._dialog.open()
        return self._dialog

    def save(self, path: str) -> bool:
        """Write the file; what went wrong is said at the button."""
        try:
            Path(path).write_text(self._text() + "\n", encoding="utf-8")
        except OSError as error:
            self.set_icon("warning", "error")
            self.set_label(self.tr("Not saved: {reason}").format(reason=error.strerror or str(error)))
            return False
        self.set_icon("check", "good")
        self.set_label(self.tr("Saved as {name}").format(name=Path(path).name))
        self._timer.start()
        return True

    def _settle(self) -> None:
        self.set_icon("save", "muted")
        self.set_label(self._label)
