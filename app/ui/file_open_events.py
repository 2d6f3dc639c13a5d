"""Files that macOS asks the running program to open, by an event; other systems start the program anew."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent, QGuiApplication


class FileOpenEvents(QObject):
    """Calls `opened` with the path of each file, for as long as the application lives."""

    def __init__(self, application: QGuiApplication, opened: Callable[[list[str]], object]) -> None:
        super().__init__(application)
        self._opened = opened
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self._opened([event.file()])
            return True
        return super().eventFilter(watched, event)
