"""Speed over the reply as a small line; colour, filling and dots say which mode each stretch ran in.

The scale starts at zero and ends at a round number, so that the line neither exaggerates nor trembles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.core.rounds import SPECULATIVE, SUSPENDED
from app.ui import theme
from app.ui.stats import numbers
from app.ui.stats.figure import Figure


def nice_ceiling(value: float) -> float:
    """The smallest 1, 1.5, 2, 3, 5 or 8 times a power of ten at or above `value`."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for step in (1, 1.5, 2, 3, 5, 8):
        if value <= step * power * (1 + 1e-9):
            return step * power
    return 10 * power


class Sparkline(Figure):
    """Tokens per second of a reply's recent stretches, oldest first.

    Speculative stretches are filled, ordinary ones are a bare line, suspended ones a dotted line.
    """

    def __init__(self, label: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(label, tooltip, parent)
        self._values: tuple[float, ...] = ()
        self._modes: tuple[str, ...] = ()
        self._average: float | None = None

    @property
    def values(self) -> tuple[float, ...]:
        return self._values

    def set_series(self, values: Sequence[float], modes: Sequence[str], average: float | None = None) -> None:
        """`modes[i]` is the mode of `values[i]` (tokens per second); `average` is drawn as a dashed line."""
        new = tuple(values), tuple(modes), average
        if new == (self._values, self._modes, self._average):
            return
        self._values, self._modes, self._average = new
        self.setAccessibleName(self.copy_text())
        self.update()

    @property
    def top(self) -> float:
        """The upper end of the scale, in tokens per second."""
        return nice_ceiling(max(self._values, default=0.0))

    def copy_text(self) -> str:
        return (
            f"{self._label} (tok/s): {' '.join(numbers.decimal(v, 1) for v in self._values) or numbers.DASH}"
        )

    def sizeHint(self) -> QSize:
        return QSize(200, round(52 * theme.Theme.current().scale))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def paint_figure(self, painter: QPainter) -> None:
        font = self.font_of(theme.LABEL)
        scale_text = f"{self.top:g}" if self._values else ""
        gutter = max(
            QFontMetrics(font).horizontalAdvance(scale_text), QFontMetrics(font).horizontalAdvance("00")
        )
        scale = theme.Theme.current().scale
        area = QRectF(self.rect()).adjusted(0.5, 5.5 * scale, -gutter - 8, -5.5 * scale)
        line = self.colour("line")
        painter.setPen(QPen(line, 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        if not self._values:
            return
        painter.setPen(QPen(line, 1, Qt.PenStyle.DotLine))
        painter.drawLine(area.topLeft(), area.topRight())
        painter.setFont(font)
        painter.setPen(self.colour("muted"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for y, text in ((area.top(), scale_text), (area.bottom(), "0")):
            painter.drawText(QRectF(area.right(), y - 8 * scale, gutter + 8, 16 * scale), right, text)
        for mode, points in self._runs(area):
            colour = self.colour("speculative" if mode == SPECULATIVE else "ordinary")
            self._draw_run(painter, area, points, colour, mode)
        if self._average is not None and self._average <= self.top:
            y = area.bottom() - area.height() * self._average / self.top
            painter.setPen(QPen(self.colour("muted"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))

    def _runs(self, area: QRectF) -> list[tuple[str, list[QPointF]]]:
        """Stretches of one mode as points of the drawing; neighbours share their border point."""
        step = area.width() / max(len(self._values) - 1, 1)
        scale = area.height() / self.top
        runs: list[tuple[str, list[QPointF]]] = []
        for i, (value, mode) in enumerate(zip(self._values, self._modes, strict=True)):
            where = QPointF(area.left() + i * step, area.bottom() - scale * value)
            if not runs or runs[-1][0] != mode:
                runs.append((mode, [runs[-1][1][-1]] if runs else []))
            runs[-1][1].append(where)
        return runs

    @staticmethod
    def _draw_run(painter: QPainter, area: QRectF, points: list[QPointF], colour: QColor, mode: str) -> None:
        if len(points) == 1:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(points[0], 2, 2)
            return
        path = QPainterPath(points[0])
        for point in points[1:]:
            path.lineTo(point)
        if mode == SPECULATIVE:
            ground = [QPointF(points[-1].x(), area.bottom()), QPointF(points[0].x(), area.bottom())]
            soft = QColor(colour)
            soft.setAlphaF(0.14)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(soft)
            # The line hides this edge; smoothing it would cost more than all the rest.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.drawPolygon(QPolygonF([*points, *ground]))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style = Qt.PenStyle.DotLine if mode == SUSPENDED else Qt.PenStyle.SolidLine
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 1.6, style, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.drawPath(path)
