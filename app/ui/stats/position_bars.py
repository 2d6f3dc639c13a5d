"""Acceptance by position in the draft: one bar per drafted token, full height is always."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.ui import theme
from app.ui.palette import mix
from app.ui.stats import numbers
from app.ui.stats.figure import Figure, explain
from app.ui.theme import Theme

# Room kept for bars while nothing was drafted yet.
_EMPTY_SLOTS = 7
_ROUNDED_FROM = 8


class PositionBars(Figure):
    """Share of drafting steps that committed draft 1, 2, 3, …; a tick marks the conditional share."""

    def __init__(self, label: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(label, tooltip, parent)
        self._rates: tuple[float | None, ...] = ()
        self._conditional: tuple[float | None, ...] = ()
        self._slots = _EMPTY_SLOTS

    @property
    def rates(self) -> tuple[float | None, ...]:
        return self._rates

    def set_rates(
        self, rates: Sequence[float | None], conditional: Sequence[float | None] = (), slots: int = 0
    ) -> None:
        """Shares 0..1 by position. `slots` keeps the width steady: the effective draft length."""
        new = tuple(rates), tuple(conditional), max(len(rates), slots) or _EMPTY_SLOTS
        if new == (self._rates, self._conditional, self._slots):
            return
        self._rates, self._conditional, self._slots = new
        self.setAccessibleName(self.copy_text())
        self.update()

    def copy_text(self) -> str:
        values = " ".join(f"{i}: {numbers.percent(r)}" for i, r in enumerate(self._rates, 1)) or numbers.DASH
        return f"{self._label}: {values}"

    def sizeHint(self) -> QSize:
        return QSize(200, round(76 * Theme.current().scale))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tooltip_at(event.x()), self)
            return True
        return super().event(event)

    def tooltip_at(self, x: float) -> str:
        """The general explanation, or the figures of the bar under `x`."""
        i = int(x // (self.width() / self._slots))
        if not 0 <= i < len(self._rates) or self._rates[i] is None:
            return self.toolTip()
        text = self.tr("Draft {i}: accepted in {rate} of the steps that drafted.").format(
            i=i + 1, rate=numbers.percent(self._rates[i])
        )
        more = ""
        if i < len(self._conditional) and self._conditional[i] is not None:
            more = self.tr("Of the steps that got this far: {rate}.").format(
                rate=numbers.percent(self._conditional[i])
            )
        return explain(text, "", more)

    def paint_figure(self, painter: QPainter) -> None:
        font = self.font_of(theme.LABEL)
        metrics = QFontMetrics(font)
        gap = 4 if self.width() >= 14 * self._slots else 1
        # The last gap falls outside, so that the first and the last bar end where the text above ends.
        slot = (self.width() + gap) / self._slots
        line_height = metrics.height()
        with_percent = slot >= metrics.horizontalAdvance("100") + 4
        top = line_height + 2 if with_percent else 4
        area_height = self.height() - top - line_height - 4
        painter.setFont(font)
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        every = 1 if slot >= metrics.horizontalAdvance("00") + 2 else 5
        palette = Theme.current().palette
        track_colour = QColor(mix(palette.line, palette.window, 0.55))
        for i in range(self._slots):
            # Whole pixels, so that the edges are sharp.
            x = round(i * slot)
            track = QRectF(x, top, round((i + 1) * slot) - gap - x, area_height)
            self._fill(painter, track, track_colour)
            if every == 1 or (i + 1) % every == 0 or i == 0:
                painter.setPen(self.colour("muted"))
                label = QRectF(x - slot, self.height() - line_height - 1, 3 * slot - gap, line_height)
                painter.drawText(label, centre, str(i + 1))
            rate = self._rates[i] if i < len(self._rates) else None
            if rate is None:
                continue
            self._fill(painter, track.adjusted(0, area_height * (1 - rate), 0, 0), self.colour("speculative"))
            self._draw_tick(painter, track, i)
            if with_percent:
                painter.setPen(self.colour("text"))
                painter.drawText(QRectF(x - 4, 0, slot - gap + 8, line_height), centre, f"{100 * rate:.0f}")

    @staticmethod
    def _fill(painter: QPainter, rect: QRectF, colour: QColor) -> None:
        if rect.width() < _ROUNDED_FROM:
            painter.fillRect(rect, colour)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(rect, 2, 2)

    def _draw_tick(self, painter: QPainter, track: QRectF, i: int) -> None:
        conditional = self._conditional[i] if i < len(self._conditional) else None
        if conditional is None:
            return
        y = track.bottom() - track.height() * conditional
        painter.setPen(QPen(self.colour("muted"), 1.5))
        painter.drawLine(QPointF(track.left(), y), QPointF(track.right(), y))
