"""Says that a long reply has ended while the user does something else."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon

from app.core.conversation import Message
from app.services.app_state import AppState
from app.services.chat_session import ChatSession
from app.ui.icons import icon

LONG_SECONDS = 10.0
_MOST = 140


class ReplyNotifier(QObject):
    """The task bar asks for attention and, where there is a tray, a message appears.

    Off by the setting `notify`. `notified(title, text)` comes with both; a click on the message brings
    the window back.
    """

    notified = Signal(str, str)

    def __init__(self, window: QMainWindow, session: ChatSession, state: AppState) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._state = state
        self._reply: Message | None = None
        self._began = 0.0
        self._tray: QSystemTrayIcon | None = None
        self.long_seconds = LONG_SECONDS
        session.streaming_changed.connect(self._on_streaming)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.Close) and self._tray is not None:
            # What it told is known by now.
            self._tray.hide()
        return super().eventFilter(watched, event)

    def _on_streaming(self) -> None:
        ended, self._reply = self._reply, self._session.streaming
        if ended is self._reply:
            return
        seconds = time.monotonic() - self._began
        self._began = time.monotonic()
        if ended is None or seconds < self.long_seconds:
            return
        if self._state.settings.notify and not self._window.isActiveWindow():
            self._notify(ended)

    def _notify(self, message: Message) -> None:
        title = self._title_of(message) or self.tr("The reply is ready")
        text = " ".join(message.text.split())[:_MOST]
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable():
            if self._tray is None:
                own = self._window.windowIcon()
                self._tray = QSystemTrayIcon(icon("model") if own.isNull() else own, self)
                self._tray.setToolTip("Slipstream")
                self._tray.messageClicked.connect(self._come_back)
                self._tray.activated.connect(self._come_back)
            self._tray.show()
            self._tray.showMessage(title, text, self._tray.icon())
        self.notified.emit(title, text)

    def _title_of(self, message: Message) -> str:
        known = (s.title for s in self._session.conversations if s.id == message.conversation_id)
        return next(known, "")

    def _come_back(self) -> None:
        bring_to_front(self._window)


def bring_to_front(window: QMainWindow) -> None:
    """Also from the task bar; the system may only let the window ask for attention."""
    if window.isMinimized():
        window.showNormal()
    window.show()
    window.raise_()
    window.activateWindow()
