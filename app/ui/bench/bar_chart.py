"""Ordinary against speculative: two bars for each row, ordinary always the upper one, with their figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from app.ui import theme
from app.ui.bench.chart import PADDING, Chart
from app.ui.bench.words import tr
from app.ui.palette import mix
from app.ui.stats import numbers
from app.ui.theme import Theme

_BAR = 11
_BETWEEN = 2
_ROW_GAP = 12
_LEGEND = 20
_LABEL_SHARE = 0.36


@dataclass(frozen=True, slots=True)
class BarRow:
    """Tokens per second; None while unknown. `ratio` None: the quotient of the two."""

    label: str
    ordinary: float | None
    speculative: float | None
    ratio: float | None = None

    @property
    def speedup(self) -> float | None:
        if self.ratio is not None:
            return self.ratio
        return self.speculative / self.ordinary if self.ordinary and self.speculative else None

    @property
    def reading(self) -> str:
        rate = numbers.tokens_per_second
        return tr("{label}: ordinary {ordinary}, speculative {speculative}, {ratio}.").format(
            label=self.label,
            ordinary=rate(self.ordinary),
            speculative=rate(self.speculative),
            ratio=numbers.ratio(self.speedup),
        )


class BarChart(Chart):
    """Grows with its rows."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label, parent)
        self._rows: tuple[BarRow, ...] = ()

    @property
    def rows(self) -> tuple[BarRow, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[BarRow]) -> None:
        if tuple(rows) != self._rows:
            self._rows = tuple(rows)
            self.set_readings([row.reading for row in self._rows])

    def sizeHint(self) -> QSize:
        rows = max(len(self._rows), 1)
        height = self.px(_LEGEND) + rows * self._row_height()
        return QSize(320, height + 2 * PADDING + self.line_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def item_at(self, _x: float, y: float) -> int:
        index = int((y - self.area().top() - self.px(_LEGEND)) // self._row_height())
        return index if 0 <= index < len(self._rows) else -1

    def paint_figure(self, painter: QPainter) -> None:
        area = self.area()
        self._paint_legend(painter, area)
        metrics = QFontMetrics(self.font_of(theme.BODY))
        wide = max((metrics.horizontalAdvance(row.label) for row in self._rows), default=0)
        label_width = min(wide + 4, round(_LABEL_SHARE * area.width()))
        ratio_width = QFontMetrics(self.font_of(theme.BODY, bold=True)).horizontalAdvance("00.00x")
        value_width = QFontMetrics(self.font_of(theme.LABEL)).horizontalAdvance("000.0 ")
        left = area.left() + label_width + self.px(12)
        room = area.right() - ratio_width - value_width - self.px(12) - left
        highest = max((v for row in self._rows for v in (row.ordinary, row.speculative) if v), default=0.0)
        for i, row in enumerate(self._rows):
            top = area.top() + self.px(_LEGEND) + i * self._row_height()
            if i == self.current:
                wash = QRect(area.left() - 4, top, area.width() + 8, self._row_height())
                palette = Theme.current().palette
                painter.fillRect(wash, QColor(mix(palette.text, palette.surface, 0.06)))
            self._paint_row(
                painter, row, QRect(area.left(), top, area.width(), 0), left, label_width, room, highest
            )
        self.paint_reading(painter)

    def _paint_row(
        self,
        painter: QPainter,
        row: BarRow,
        line: QRect,
        left: int,
        label_width: int,
        room: int,
        highest: float,
    ) -> None:
        bar, between = self.px(_BAR), self.px(_BETWEEN)
        top = line.top() + self.px(_ROW_GAP) // 2
        height = 2 * bar + between
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self.font_of(theme.BODY))
        painter.setPen(self.colour("text"))
        metrics = QFontMetrics(self.font_of(theme.BODY))
        name = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, label_width)
        painter.drawText(
            QRect(line.left(), top, label_width, height), Qt.AlignmentFlag.AlignLeft | centre, name
        )
        for i, (value, role) in enumerate(((row.ordinary, "ordinary"), (row.speculative, "speculative"))):
            y = top + i * (bar + between)
            width = round(room * value / highest) if value and highest else 0
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.colour(role))
            painter.drawRoundedRect(QRectF(left, y, max(width, 1), bar), 2, 2)
            painter.setFont(self.font_of(theme.LABEL))
            painter.setPen(self.colour("text" if value else "muted"))
            text = numbers.tokens_per_second(value).partition(" ")[0]
            box = QRect(left + max(width, 1) + self.px(4), y - 3, self.px(60), bar + 6)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | centre, text)
        speedup = row.speedup
        painter.setFont(self.font_of(theme.BODY, bold=True))
        painter.setPen(self.colour("text" if speedup is not None else "muted"))
        box = QRect(line.left(), top, line.width(), height)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | centre, numbers.ratio(speedup))

    def _paint_legend(self, painter: QPainter, area: QRect) -> None:
        painter.setFont(self.font_of(theme.LABEL))
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        x, side = area.left(), self.px(9)
        middle = area.top() + metrics.height() // 2
        for role, text in (("ordinary", self.tr("ordinary")), ("speculative", self.tr("speculative"))):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.colour(role))
            painter.drawRoundedRect(QRectF(x, middle - side / 2, side, side), 2, 2)
            x += side + self.px(5)
            painter.setPen(self.colour("muted"))
            painter.drawText(x, area.top() + metrics.ascent(), text)
            x += metrics.horizontalAdvance(text) + self.px(14)
        painter.drawText(x, area.top() + metrics.ascent(), self.tr("tok/s"))

    def _row_height(self) -> int:
        return 2 * self.px(_BAR) + self.px(_BETWEEN) + self.px(_ROW_GAP)
