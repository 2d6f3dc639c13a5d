"""Speedup with its interval, and acceptance, against draft length; the recommended one has a ring."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.ui import theme
from app.ui.bench.chart import Chart
from app.ui.bench.words import tr
from app.ui.palette import mix
from app.ui.stats import numbers
from app.ui.theme import Theme

_HEIGHT = 232
_ACCEPTANCE_SHARE = 0.26
# Distances between the lines of the scale, of which there are a few only.
_STEPS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 100.0)
_MOST_LINES = 5


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """`acceptance` 0..1; the interval may be unknown."""

    label: str
    speedup: float
    low: float | None
    high: float | None
    acceptance: float | None
    recommended: bool = False

    @property
    def reading(self) -> str:
        ratio = numbers.ratio(self.speedup)
        if self.low is not None and self.high is not None:
            ratio = tr("{ratio} ({low} to {high})").format(
                ratio=ratio, low=numbers.ratio(self.low), high=numbers.ratio(self.high)
            )
        text = tr("Length {label}: {ratio}, accepted {share}.")
        if self.recommended:
            text = tr("Length {label}: {ratio}, accepted {share}, recommended.")
        return text.format(label=self.label, ratio=ratio, share=numbers.percent(self.acceptance))


class SweepChart(Chart):
    """Two fields with one axis of lengths: speedup above, acceptance below."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label, parent)
        self._points: tuple[SweepPoint, ...] = ()

    @property
    def points(self) -> tuple[SweepPoint, ...]:
        return self._points

    def set_points(self, points: Sequence[SweepPoint]) -> None:
        if tuple(points) != self._points:
            self._points = tuple(points)
            self.set_readings([point.reading for point in self._points])

    def sizeHint(self) -> QSize:
        return QSize(320, self.px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def item_at(self, x: float, _y: float) -> int:
        field = self._field()
        if not self._points or not field.left() <= x <= field.right():
            return -1
        return min(int((x - field.left()) / field.width() * len(self._points)), len(self._points) - 1)

    def paint_figure(self, painter: QPainter) -> None:
        field = self._field()
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        line = metrics.height()
        lower = round(_ACCEPTANCE_SHARE * field.height())
        axis = QRect(field.left(), field.bottom() - line, field.width(), line)
        below = QRect(field.left(), axis.top() - lower - 2, field.width(), lower)
        above = QRect(
            field.left(), field.top() + line + 4, field.width(), below.top() - field.top() - 2 * line - 12
        )
        painter.setFont(self.font_of(theme.LABEL))
        painter.setPen(self.colour("muted"))
        painter.drawText(
            field.left(), field.top() + metrics.ascent(), self.tr("Speedup over ordinary decoding")
        )
        painter.drawText(field.left(), below.top() - 4, self.tr("Accepted drafts"))
        if self.current >= 0:
            palette = Theme.current().palette
            slot = self._slot(field, self.current)
            wash = QRectF(slot.left(), above.top(), slot.width(), axis.bottom() - above.top())
            painter.fillRect(wash, QColor(mix(palette.text, palette.surface, 0.06)))
        if self._points:
            self._paint_acceptance(painter, below)
            self._paint_speedup(painter, above)
            self._paint_axis(painter, axis)
        self.paint_reading(painter)

    def _field(self) -> QRect:
        margin = QFontMetrics(self.font_of(theme.LABEL)).horizontalAdvance("0.00x ")
        return self.area().adjusted(margin, 0, 0, 0)

    def _slot(self, field: QRect, i: int) -> QRectF:
        width = field.width() / len(self._points)
        return QRectF(field.left() + i * width, field.top(), width, field.height())

    def _paint_speedup(self, painter: QPainter, field: QRect) -> None:
        low, high = self._range()
        pad = max(0.08 * (high - low), 0.02)
        low, high = low - pad, high + pad

        def y(value: float) -> float:
            share = min(max((value - low) / (high - low), 0.0), 1.0)
            return field.bottom() - share * field.height()

        self._paint_scale(painter, field, low, high, y)
        centres = [
            QPointF(self._slot(field, i).center().x(), y(p.speedup)) for i, p in enumerate(self._points)
        ]
        accent = self.colour("speculative")
        painter.setPen(QPen(accent, 1.2))
        for point, centre in zip(self._points, centres, strict=True):
            if point.low is None or point.high is None:
                continue
            top, bottom, half = y(point.high), y(point.low), self.px(4)
            painter.drawLine(QPointF(centre.x(), top), QPointF(centre.x(), bottom))
            # An interval that goes on beyond the chart has no end there.
            for end in (y(v) for v in (point.low, point.high) if low < v < high):
                painter.drawLine(QPointF(centre.x() - half, end), QPointF(centre.x() + half, end))
        painter.setPen(QPen(accent, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(centres))
        for point, centre in zip(self._points, centres, strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            painter.drawEllipse(centre, self.px(3.5), self.px(3.5))
            if point.recommended:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self.colour("text"), 1.6))
                painter.drawEllipse(centre, self.px(8), self.px(8))

    def _range(self) -> tuple[float, float]:
        """Room for every speedup and for 1, and for the intervals as far as they stay near them."""
        values = [1.0, *(p.speedup for p in self._points)]
        lowest, highest = min(values), max(values)
        room = max(highest - lowest, 0.1)
        ends = [v for p in self._points for v in (p.low, p.high) if v is not None]
        return max(min([lowest, *ends]), lowest - room), min(max([highest, *ends]), highest + room)

    def _paint_scale(
        self, painter: QPainter, field: QRect, low: float, high: float, y: Callable[[float], float]
    ) -> None:
        """A line at 1, which is ordinary decoding, and a few steps around it."""
        step = next((s for s in _STEPS if (high - low) / s <= _MOST_LINES), _STEPS[-1])
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        painter.setFont(self.font_of(theme.LABEL))
        steps = [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
        for value in (*(v for v in steps if abs(v - 1) > step / 2), 1.0):
            even = value == 1.0
            style = Qt.PenStyle.DashLine if even else Qt.PenStyle.SolidLine
            painter.setPen(QPen(self.colour("ordinary" if even else "line"), 1, style))
            # Whole pixels without smoothing, so that the lines are sharp.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.drawLine(field.left(), round(y(value)), field.right(), round(y(value)))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self.colour("muted"))
            box = QRectF(0, y(value) - metrics.height() / 2, field.left() - 4, metrics.height())
            painter.drawText(
                box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, numbers.ratio(value)
            )

    def _paint_acceptance(self, painter: QPainter, field: QRect) -> None:
        palette = Theme.current().palette
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        for i, point in enumerate(self._points):
            slot = self._slot(field, i)
            width = min(slot.width() * 0.6, self.px(36))
            track = QRectF(slot.center().x() - width / 2, field.top(), width, field.height())
            painter.fillRect(track, QColor(mix(palette.line, palette.surface, 0.55)))
            if point.acceptance is None:
                continue
            painter.fillRect(
                track.adjusted(0, track.height() * (1 - point.acceptance), 0, 0), QColor(palette.shade(1, 2))
            )
            text = numbers.percent(point.acceptance)
            if metrics.horizontalAdvance(text) < slot.width() - 4:
                painter.setPen(self.colour("text"))
                box = QRectF(
                    slot.left(), field.bottom() - metrics.height() - 1, slot.width(), metrics.height()
                )
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_axis(self, painter: QPainter, axis: QRect) -> None:
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        wide = max(metrics.horizontalAdvance(p.label) for p in self._points) + 6
        every = max(1, math.ceil(wide / self._slot(axis, 0).width()))
        for i, point in enumerate(self._points):
            if i % every == 0 or point.recommended:
                painter.setFont(self.font_of(theme.LABEL, bold=point.recommended))
                painter.setPen(self.colour("text" if point.recommended else "muted"))
                slot = self._slot(axis, i).adjusted(-wide / 2, 0, wide / 2, 0)
                painter.drawText(slot, Qt.AlignmentFlag.AlignCenter, point.label)
