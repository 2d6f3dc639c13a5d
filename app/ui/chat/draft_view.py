"""A reply as plain text with its drafts shaded: what was accepted, and where a draft was turned down."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QHelpEvent, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QLabel, QToolTip, QVBoxLayout, QWidget

from app.core.rounds import Round
from app.ui import theme
from app.ui.chat import shading
from app.ui.chat.shading import ACCEPTED, REJECTED, Shading, Span
from app.ui.chat.text_view import TextView, clean, units
from app.ui.theme import Theme


class DraftText(TextView):
    """The text itself. `spans` are those drawn so far, in characters of the reply."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._text = ""
        self._shading = Shading()
        self._waiting: list[Span] = []
        self._spans: list[Span] = []
        self._ends: list[int] = []  # end of each span in code units of the document
        super().__init__(theme.READING, parent)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setAccessibleName(self.tr("Reply with drafts"))

    @property
    def spans(self) -> list[Span]:
        return list(self._spans)

    def show_reply(self, text: str, rounds: Iterable[Round]) -> None:
        """A whole reply."""
        self._reset()
        self._text = text
        self._draw(shading.spans(rounds, len(text)))

    def add_round(self, r: Round) -> None:
        """A round of a reply that is being written; its text is drawn by `set_text`."""
        self._waiting += self._shading.feed(r)

    def set_text(self, text: str) -> None:
        """The text so far. A part of it may still be held back while its round is known."""
        self._text = text
        ready = [span for span in self._waiting if span.end <= len(text)]
        self._waiting = self._waiting[len(ready) :]
        self._draw(ready)

    def rerender(self) -> None:
        self.limit_to_measure()
        spans = self._spans
        self._clear_document()
        self._draw(spans)

    def span_at(self, unit: int) -> Span | None:
        """The span at a position of the document."""
        i = bisect_right(self._ends, unit)
        return self._spans[i] if i < len(self._spans) else None

    def explain(self, span: Span) -> str:
        """What happened at `span`, in words."""
        if span.kind == ACCEPTED:
            said = self.tr("Accepted draft, %1 of %2 in its block")
            return said.replace("%1", str(span.step + 1)).replace("%2", str(span.steps))
        if span.kind == REJECTED:
            if span.steps == 1:
                return self.tr("The target's own token. One draft was rejected here.")
            said = self.tr("The target's own token. %1 drafts were rejected here.")
            return said.replace("%1", str(span.steps))
        return self.tr("The target's own token.")

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self.document().documentLayout().hitTest(event.pos(), Qt.HitTestAccuracy.ExactHit)
            span = self.span_at(at) if at >= 0 else None
            QToolTip.showText(event.globalPos(), self.explain(span) if span else "", self)
            return True
        return super().viewportEvent(event)

    def _reset(self) -> None:
        self._shading = Shading()
        self._waiting = []
        self._clear_document()

    def _clear_document(self) -> None:
        self._spans, self._ends = [], []
        self.document().clear()

    def _draw(self, spans: list[Span]) -> None:
        cursor = QTextCursor(self.document())
        with self.keeping_selection():
            cursor.beginEditBlock()
            cursor.movePosition(cursor.MoveOperation.End)
            form = QTextBlockFormat()
            height = round(self.document().defaultFont().pixelSize() * theme.READING_LINE_HEIGHT / 100)
            form.setLineHeight(height, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
            cursor.setBlockFormat(form)
            for span in spans:
                text = clean(self._text[span.start : span.end])
                cursor.insertText(text, self._char_format(span))
                self._spans.append(span)
                self._ends.append((self._ends[-1] if self._ends else 0) + units(text))
            cursor.endEditBlock()

    def _char_format(self, span: Span) -> QTextCharFormat:
        palette = Theme.current().palette
        form = QTextCharFormat()
        form.setForeground(QColor(palette.text))
        if span.kind == ACCEPTED:
            form.setBackground(QColor(palette.shade(span.step, span.steps)))
        elif span.kind == REJECTED:
            form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            form.setUnderlineColor(QColor(palette.rejected))
        return form


class DraftView(QWidget):
    """The shaded text under a line that says what the shades mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GRID)
        self._legend = QLabel()
        self._legend.setProperty("role", "label")
        self._legend.setWordWrap(True)
        layout.addWidget(self._legend)
        self._view = DraftText()
        layout.addWidget(self._view)
        self._counts = (0, 0, 0)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    @property
    def text_view(self) -> DraftText:
        return self._view

    def show_reply(self, text: str, rounds: list[Round]) -> None:
        self._view.show_reply(text, rounds)
        self._counts = shading.counts(rounds)
        self._restyle()

    def add_round(self, r: Round) -> None:
        self._view.add_round(r)
        self._counts = tuple(a + b for a, b in zip(self._counts, shading.counts([r]), strict=True))  # type: ignore[assignment]

    def set_text(self, text: str) -> None:
        self._view.set_text(text)
        self._restyle()

    def _restyle(self) -> None:
        palette = Theme.current().palette
        accepted, rejected, own = self._counts
        if not accepted and not rejected:
            self._legend.setText(self.tr("No drafts were recorded for this reply."))
            return
        steps = "".join(
            f'<span style="background-color:{palette.shade(i, 4)}">&nbsp;&nbsp;&nbsp;</span>'
            for i in range(4)
        )
        style = f"color:{palette.rejected}; text-decoration:underline"
        line = f'<span style="{style}">&nbsp;&nbsp;&nbsp;&nbsp;</span>'
        taken = self.tr("%1 accepted, stronger later in the block").replace("%1", str(accepted))
        refused = self.tr("%1 rejected here").replace("%1", str(rejected))
        plain = self.tr("%1 the target's own").replace("%1", str(own))
        self._legend.setText(
            f"{steps}&nbsp; {taken} &nbsp;·&nbsp; {line}&nbsp; {refused} &nbsp;·&nbsp; {plain}"
        )
