"""Where the time of a reply went: one bar in five parts, each with its own colour, pattern and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPainterPath
from PySide6.QtWidgets import QWidget

from app.ui import theme
from app.ui.palette import mix
from app.ui.stats import numbers
from app.ui.stats.figure import Figure
from app.ui.theme import Theme

_BAR = 10


@dataclass(frozen=True, slots=True)
class TimePart:
    """`role` is a colour of the palette; `hatched` tells two parts of one colour apart."""

    label: str
    seconds: float
    role: str
    hatched: bool = False


class TimeSplit(Figure):
    """A stacked bar with its legend beneath, always in the same order and place."""

    def __init__(self, label: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(label, tooltip, parent)
        self._parts: tuple[TimePart, ...] = ()

    @property
    def parts(self) -> tuple[TimePart, ...]:
        return self._parts

    def set_parts(self, parts: Sequence[TimePart]) -> None:
        """Show `parts`; zero seconds in all of them shows dashes."""
        new = tuple(parts)
        if new == self._parts:
            return
        grown = len(new) != len(self._parts)
        self._parts = new
        self.setAccessibleName(self.copy_text())
        if grown:
            self.updateGeometry()
        self.update()

    def shares(self) -> list[float | None]:
        """Each part's share of the whole, or None while nothing was measured."""
        whole = sum(p.seconds for p in self._parts)
        return [p.seconds / whole if whole > 0 else None for p in self._parts]

    def copy_text(self) -> str:
        texts = (
            f"{part.label} {numbers.percent(share)}"
            for part, share in zip(self._parts, self.shares(), strict=True)
        )
        return f"{self._label}: {', '.join(texts)}"

    def _row_height(self) -> int:
        return QFontMetrics(self.font_of(theme.LABEL)).height() + 4

    def sizeHint(self) -> QSize:
        rows = (len(self._parts) + 1) // 2
        return QSize(200, 4 + _BAR + 6 + rows * self._row_height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def paint_figure(self, painter: QPainter) -> None:
        shares = self.shares()
        bar = QRectF(0, 4, self.width(), _BAR)
        clip = QPainterPath()
        clip.addRoundedRect(bar, 3, 3)
        painter.save()
        painter.setClipPath(clip)
        palette = Theme.current().palette
        painter.fillRect(bar, QColor(mix(palette.line, palette.window, 0.55)))
        x = bar.left()
        for part, share in zip(self._parts, shares, strict=True):
            width = bar.width() * (share or 0.0)
            self._fill(painter, QRectF(x, bar.top(), max(width - 1, 0), bar.height()), part)
            x += width
        painter.restore()
        self._legend(painter, shares, bar.bottom() + 6)

    def _fill(self, painter: QPainter, rect: QRectF, part: TimePart) -> None:
        colour = self.colour(part.role)
        painter.fillRect(rect, colour)
        if part.hatched:
            stripes = QColor(Theme.current().palette.surface)
            painter.fillRect(rect, QBrush(stripes, Qt.BrushStyle.BDiagPattern))

    def _legend(self, painter: QPainter, shares: list[float | None], top: float) -> None:
        """Two columns, read left to right."""
        height = self._row_height()
        column = self.width() / 2
        font = self.font_of(theme.LABEL)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font)
        for i, (part, share) in enumerate(zip(self._parts, shares, strict=True)):
            x = (i % 2) * (column + 8)
            cell = QRectF(x, top + (i // 2) * height, column - 8, height)
            painter.setPen(Qt.PenStyle.NoPen)
            swatch = QRectF(cell.left(), cell.center().y() - 4, 8, 8)
            self._fill(painter, swatch, part)
            painter.setPen(self.colour("muted"))
            painter.drawText(cell.adjusted(14, 0, 0, 0), left, part.label)
            painter.setPen(self.colour("muted" if share is None else "text"))
            painter.drawText(cell, right, numbers.percent(share))
