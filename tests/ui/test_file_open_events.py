"""A file that macOS asks to open reaches the window; the event is Qt's own, so it can be sent anywhere."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.ui.file_open_events import FileOpenEvents


def test_the_path_is_handed_over(qapp: QApplication) -> None:
    opened: list[list[str]] = []
    events = FileOpenEvents(qapp, opened.append)
    try:
        QCoreApplication.sendEvent(qapp, QFileOpenEvent("/models/Ж ü.gguf"))
        QCoreApplication.sendEvent(qapp, QEvent(QEvent.Type.User))
        assert opened == [["/models/Ж ü.gguf"]]
    finally:
        qapp.removeEventFilter(events)
        events.deleteLater()
