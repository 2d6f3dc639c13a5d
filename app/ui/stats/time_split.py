"""Where the time of a reply went: one bar in five parts, each with its own colour, pattern and words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPainterPath
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui import theme
from app.ui.palette import mix
from app.ui.stats import numbers
from app.ui.stats.figure import Figure
from app.ui.theme import Theme

_BAR = 10
_SWATCH = 8


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
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

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

    def _columns(self, width: int) -> int:
        """Two, or one where a name and its share have no room side by side in a half."""
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        widest = max((metrics.horizontalAdvance(part.label) for part in self._parts), default=0)
        needed = self._indent() + widest + 8 + metrics.horizontalAdvance(numbers.percent(0.99))
        return 2 if needed <= width / 2 - 8 else 1

    def _swatch(self) -> int:
        return round(_SWATCH * Theme.current().scale)

    def _indent(self) -> int:
        """From the left of a colour to its name."""
        return self._swatch() + 6

    def heightForWidth(self, width: int) -> int:
        rows = math.ceil(len(self._parts) / self._columns(width))
        return 4 + _BAR + 6 + rows * self._row_height() + 2

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

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
        """Columns, read left to right."""
        height = self._row_height()
        columns = self._columns(self.width())
        column, side = self.width() / columns, self._swatch()
        gap = 8 if columns > 1 else 0
        font = self.font_of(theme.LABEL)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font)
        for i, (part, share) in enumerate(zip(self._parts, shares, strict=True)):
            x = (i % columns) * (column + gap)
            cell = QRectF(x, top + (i // columns) * height, column - gap, height)
            painter.setPen(Qt.PenStyle.NoPen)
            swatch = QRectF(cell.left(), round(cell.center().y() - side / 2), side, side)
            self._fill(painter, swatch, part)
            painter.setPen(self.colour("muted"))
            painter.drawText(cell.adjusted(self._indent(), 0, 0, 0), left, part.label)
            painter.setPen(self.colour("muted" if share is None else "text"))
            painter.drawText(cell, right, numbers.percent(share))
