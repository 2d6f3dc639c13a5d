"""Earlier messages back in the composer: Up while it is empty, then Up and Down through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from app.ui.chat.composer_text import ComposerText


class SentHistory(QObject):
    """`messages` gives what was sent, oldest first; it is asked when the first one is wanted."""

    def __init__(self, field: ComposerText) -> None:
        super().__init__(field)
        self._field = field
        self._texts: list[str] = []
        self._at = 0
        self.messages: Callable[[], Sequence[str]] = lambda: ()
        field.history_wanted = self.step

    def step(self, back: bool) -> bool:
        """Show the message before or after; whether the key was meant for this."""
        text = self._field.text()
        browsing = self._at < len(self._texts) and text == self._texts[self._at]
        if not browsing:
            if text or not back:
                return False
            self._texts = [t for t in self.messages() if t.strip()]
            self._at = len(self._texts)
        at = self._at + (-1 if back else 1)
        if at < 0:
            return browsing
        self._at = min(at, len(self._texts))
        self._field.set_text(self._texts[self._at] if self._at < len(self._texts) else "")
        return True
