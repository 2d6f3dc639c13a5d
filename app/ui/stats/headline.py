"""The headline of the panel: how much faster or slower, in figures, colour and word, and on what evidence."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui import theme
from app.ui.icons import TextButton
from app.ui.stats import numbers
from app.ui.stats.figure import Figure

# Ratios that read 1.00x are neither faster nor slower.
EVEN = 0.005
_NOTE_LINES = 2


class Headline(Figure):
    """`1.42x faster`, `0.81x slower – turn it off?`, or a dash; one or two quiet lines beneath."""

    turn_off_requested = Signal()

    def __init__(self, label: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(label, tooltip, parent)
        self._ratio: float | None = None
        self._note = ""
        self._offer_off = False
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._off = TextButton(self.tr("turn it off?"), self, role="quiet")
        self._off.setAccessibleName(self.tr("Turn speculation off"))
        self._off.setToolTip(self.tr("Switch speculation off for this conversation."))
        self._off.clicked.connect(self.turn_off_requested)
        self._off.hide()

    @property
    def off_button(self) -> TextButton:
        """The way out of a slowdown; visible only while there is one and speculation is on."""
        return self._off

    @property
    def word(self) -> str:
        """The sign of the figure as a word; empty while it is unknown."""
        if self._ratio is None:
            return ""
        if abs(self._ratio - 1) < EVEN:
            return self.tr("same speed")
        if self._ratio > 1:
            return self.tr("faster")
        return self.tr("slower –") if self._offer_off else self.tr("slower")

    @property
    def role(self) -> str:
        """The colour of figure and word."""
        if self._ratio is None:
            return "muted"
        if abs(self._ratio - 1) < EVEN:
            return "text"
        return "good" if self._ratio > 1 else "warning"

    @property
    def note(self) -> str:
        return self._note

    def set_speedup(self, ratio: float | None, note: str, *, offer_off: bool = False) -> None:
        """`note` says what the ratio was measured on or what is still missing.

        `offer_off`: speculation is on, so that a slowdown offers to switch it off.
        """
        if (ratio, note, offer_off) == (self._ratio, self._note, self._offer_off):
            return
        self._ratio, self._note, self._offer_off = ratio, note, offer_off
        self._off.setVisible(offer_off and ratio is not None and ratio < 1 - EVEN)
        self.setAccessibleName(self.copy_text())
        self.updateGeometry()
        self._place_button()
        self.update()

    def copy_text(self) -> str:
        word = self.word.removesuffix(" –")
        figure = f"{numbers.ratio(self._ratio)} {word}".rstrip()
        return f"{self._label}: {figure}" + (f" ({self._note})" if self._note else "")

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(max(self.width(), 160)))

    def heightForWidth(self, width: int) -> int:
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        needed = metrics.boundingRect(QRect(0, 0, width, 10_000), flags, self._note).height()
        return self._rows(width)[2] + 2 + max(needed, _NOTE_LINES * metrics.lineSpacing()) + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_button()

    def _figure_height(self) -> int:
        return QFontMetrics(self.font_of(theme.HEADLINE, bold=True)).height()

    def _word_x(self) -> int:
        metrics = QFontMetrics(self.font_of(theme.HEADLINE, bold=True))
        return metrics.horizontalAdvance(numbers.ratio(self._ratio)) + 8

    def _rows(self, width: int) -> tuple[QPoint, QPoint, int]:
        """Where the word and the button begin on their baselines, and the height of it all.

        What does not fit beside the figure stands beneath it.
        """
        metrics = QFontMetrics(self.font_of(theme.READING))
        baseline = QFontMetrics(self.font_of(theme.HEADLINE, bold=True)).ascent()
        height = self._figure_height()
        row = max(metrics.height(), self._off.sizeHint().height() if not self._off.isHidden() else 0)
        word = QPoint(self._word_x(), baseline)
        if self.word and word.x() + metrics.horizontalAdvance(self.word) > width:
            word = QPoint(0, height + (row + metrics.ascent() - metrics.descent()) // 2)
            height += row
        button = QPoint(word.x() + metrics.horizontalAdvance(self.word), word.y())
        if not self._off.isHidden() and button.x() + self._off.sizeHint().width() > width:
            button = QPoint(0, height + (row + metrics.ascent() - metrics.descent()) // 2)
            height += row
        return word, button, height

    def _place_button(self) -> None:
        start = self._rows(self.width())[1]
        theme.set_look(self._off, "align", "" if start.x() else "flush")
        size = self._off.sizeHint()
        metrics = QFontMetrics(self._off.font())
        top = start.y() - (size.height() + metrics.ascent() - metrics.descent()) // 2
        self._off.setGeometry(start.x(), max(top, 0), size.width(), size.height())

    def paint_figure(self, painter: QPainter) -> None:
        big = self.font_of(theme.HEADLINE, bold=True)
        word, _, height = self._rows(self.width())
        baseline = QFontMetrics(big).ascent()
        painter.setPen(self.colour(self.role))
        painter.setFont(big)
        painter.drawText(0, baseline, numbers.ratio(self._ratio))
        if self.word:
            painter.setFont(self.font_of(theme.READING))
            painter.drawText(word, self.word)
        painter.setFont(self.font_of(theme.LABEL))
        painter.setPen(self.colour("muted"))
        note = QRect(0, height + 2, self.width(), self.height())
        painter.drawText(note, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, self._note)
