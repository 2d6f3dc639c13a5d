"""All that a reply says: thoughts, each folded under its line, and the answer between and after them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core import reasoning
from app.core.reasoning import THOUGHT, ReasoningFormat, ReasoningStream
from app.core.rounds import Round
from app.ui import theme
from app.ui.chat.reply_body import ReplyBody
from app.ui.chat.text_selection import TextSelection
from app.ui.chat.text_view import TextView
from app.ui.chat.thought_section import ThoughtSection


class ReplyContent(QWidget):
    """Feed it the text as it grows; thoughts are told from the answer here."""

    def __init__(self, form: ReasoningFormat, live: bool, parent: QWidget | None = None) -> None:
        """`live`: the reply is being written, so a thought is shown while it lasts."""
        super().__init__(parent)
        self._live = live
        self._stream = ReasoningStream(form)
        self._selection = TextSelection(lambda: self.text_views, self)
        self._sections: list[ThoughtSection | ReplyBody] = []
        self._tokens, self._seconds = 0, 0.0  # of the thought that is being written
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.GAP)

    @property
    def sections(self) -> Sequence[ThoughtSection | ReplyBody]:
        return self._sections

    @property
    def thoughts(self) -> list[ThoughtSection]:
        return [s for s in self._sections if isinstance(s, ThoughtSection)]

    @property
    def text_views(self) -> list[TextView]:
        return [view for section in self._sections for view in section.text_views]

    @property
    def pending(self) -> bool:
        """Some of the text is not drawn yet."""
        return any(isinstance(s, ReplyBody) and s.pending for s in self._sections)

    def feed(self, delta: str) -> None:
        """More text of the reply, tags and all."""
        self._show(self._stream.feed(delta))

    def add_round(self, r: Round) -> None:
        """A round, as it comes: while the model thinks, it counts for the thought."""
        if self._stream.thinking:
            self._tokens += len(r.tokens)
            self._seconds += r.seconds
            if self._sections and isinstance(last := self._sections[-1], ThoughtSection):
                last.set_effort(self._tokens, self._seconds)

    def finish(self, rounds: Sequence[Round] = ()) -> None:
        """No more text comes. With the recorded rounds, what each thought took is known exactly."""
        self._show(self._stream.feed("", final=True))
        for section in self._sections:
            if isinstance(section, ReplyBody):
                section.finish()
            else:
                section.close_thought()
        if self.thoughts and rounds:
            parts = self._stream.parts
            costs = reasoning.effort(parts, rounds)
            told = [cost for part, cost in zip(parts, costs, strict=True) if part.kind == THOUGHT]
            for section, cost in zip(self.thoughts, told, strict=False):
                section.set_effort(cost.tokens, cost.seconds)

    def _show(self, growth: reasoning.Growth) -> None:
        if growth.again:
            self._clear()
        for piece in growth.pieces:
            if piece.part >= len(self._sections):
                self._begin(piece.kind)
            section = self._sections[piece.part]
            if piece.text:
                section.feed(piece.text)
            if piece.closed and isinstance(section, ThoughtSection):
                section.close_thought()
                self._tokens, self._seconds = 0, 0.0

    def _begin(self, kind: str) -> None:
        if self._sections and isinstance(last := self._sections[-1], ReplyBody):
            last.finish()
        section = ThoughtSection(self._live) if kind == THOUGHT else ReplyBody()
        section.text_made.connect(self._selection.watch)
        self._sections.append(section)
        self._layout.addWidget(section)
        if self.isVisible() and isinstance(section, ReplyBody):
            # A layout shows what is added to it one turn of the event loop later.
            section.show()

    def _clear(self) -> None:
        for section in self._sections:
            self._layout.removeWidget(section)
            # Hidden first: it would stay on screen until the event loop deletes it.
            section.hide()
            section.deleteLater()
        self._sections = []
