"""What the model thought, folded under one line that says how long it took."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.chat import reply_words
from app.ui.chat.reply_body import ReplyBody
from app.ui.chat.text_view import TextView
from app.ui.icons import TextButton


class ThoughtSection(QWidget):
    """Open while the model thinks, folded when it is done, unless the reader says otherwise.

    A folded thought is not laid out before it is opened for the first time.
    """

    text_made = Signal(object)

    def __init__(self, live: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text: list[str] = []
        self._body: ReplyBody | None = None
        self._open = False
        self._chosen = False  # the reader folded or unfolded it
        self._closed = False
        self._tokens, self._seconds = 0, 0.0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.HALF)
        self._header = TextButton("", role="quiet", icon_name="chevron-right")
        # Its sign stands in line with the text, not the edge of a button that shows on hover alone.
        self._header.setProperty("align", "flush")
        self._header.setCheckable(True)
        self._header.clicked.connect(self._on_clicked)
        row = QHBoxLayout()
        row.addWidget(self._header)
        row.addStretch()
        layout.addLayout(row)
        self._frame = QFrame()
        self._frame.setProperty("role", "thought")
        self._inner = QVBoxLayout(self._frame)
        self._inner.setContentsMargins(theme.MARGIN, 0, 0, 0)
        layout.addWidget(self._frame)
        self._frame.hide()
        self._name()
        self._live = live

    @property
    def header(self) -> TextButton:
        """Says what it took, and folds or unfolds."""
        return self._header

    @property
    def is_open(self) -> bool:
        return self._open

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def text_views(self) -> list[TextView]:
        return self._body.text_views if self._body is not None and self._open else []

    def feed(self, delta: str) -> None:
        """More of the thought."""
        if self._live and not self._text and not self._chosen:
            self.set_open(True)
        self._text.append(delta)
        if self._body is not None:
            self._body.feed(delta)
        self._name()

    def close_thought(self) -> None:
        """It is complete."""
        if self._closed:
            return
        self._closed = True
        if self._body is not None:
            self._body.finish()
        if not self._chosen:
            self.set_open(False)
        self._name()

    def set_effort(self, tokens: int, seconds: float) -> None:
        """What it took; 0 tokens when nothing was recorded."""
        self._tokens, self._seconds = tokens, seconds
        self._name()

    def set_open(self, shown: bool) -> None:
        self._open = shown
        if shown and self._body is None:
            self._body = ReplyBody()
            self._body.text_made.connect(self.text_made)
            self._inner.addWidget(self._body)
            self._body.feed(self.text)
            if self._closed:
                self._body.finish()
        self._frame.setVisible(shown)
        self._header.setChecked(shown)
        self._header.set_icon("chevron-down" if shown else "chevron-right")

    def _on_clicked(self) -> None:
        self._chosen = True
        self.set_open(not self._open)

    def _name(self) -> None:
        self._header.setText(reply_words.thought(self._closed, self._tokens, self._seconds))
        # An empty thought is how some models say that they did not think.
        self.setVisible(bool(self._text) or not self._closed)
