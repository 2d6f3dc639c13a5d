"""What both charts can do: arrow keys and pointer pick a value, which is then written out and read aloud."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from app.ui import theme
from app.ui.stats.figure import Figure
from app.ui.theme import Theme

_KEYS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}
PADDING = 8


class Chart(Figure):
    """Subclasses paint into `area()` and say where an item is; `readings` hold one sentence per item."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label, "", parent)
        self._readings: tuple[str, ...] = ()
        self._current = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    @property
    def readings(self) -> tuple[str, ...]:
        return self._readings

    @property
    def current(self) -> int:
        """The item that is written out, or -1."""
        return self._current

    @property
    def reading(self) -> str:
        """The sentence beneath the chart."""
        if 0 <= self._current < len(self._readings):
            return self._readings[self._current]
        return self.tr("Arrow keys read the values.") if self.hasFocus() and self._readings else ""

    def set_readings(self, readings: Sequence[str]) -> None:
        """Subclasses call it with every change of their values."""
        self._readings = tuple(readings)
        self._current = min(self._current, len(self._readings) - 1)
        self.setAccessibleDescription(" ".join(self._readings))
        self._tell()
        self.updateGeometry()
        self.update()

    def set_current(self, index: int) -> None:
        """Write out item `index`; -1 for none."""
        index = index if 0 <= index < len(self._readings) else -1
        if index != self._current:
            self._current = index
            self._tell()
            self.update()

    def item_at(self, _x: float, _y: float) -> int:
        """The item at a point of the widget, or -1."""
        raise NotImplementedError

    def area(self) -> QRect:
        """Where the chart is, without the line beneath it."""
        return self.rect().adjusted(PADDING, PADDING, -PADDING, -PADDING - self.line_height())

    def line_height(self) -> int:
        return QFontMetrics(self.font_of(theme.LABEL)).height() + 6

    def copy_text(self) -> str:
        return "\n".join((f"{self.label}:", *self._readings))

    def px(self, size: float) -> int:
        """A length that grows with the text."""
        return round(size * Theme.current().scale)

    def paint_reading(self, painter: QPainter) -> None:
        painter.setFont(self.font_of(theme.LABEL))
        painter.setPen(self.colour("text" if self._current >= 0 else "muted"))
        line = QRect(PADDING, self.height() - self.line_height() - 2, self.width(), self.line_height())
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        metrics = QFontMetrics(self.font_of(theme.LABEL))
        room = self.width() - 2 * PADDING
        painter.drawText(line, flags, metrics.elidedText(self.reading, Qt.TextElideMode.ElideRight, room))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._readings) - 1
        key = Qt.Key(event.key())
        if last < 0:
            super().keyPressEvent(event)
        elif key in _KEYS:
            start = self._current if self._current >= 0 else (-1 if _KEYS[key] > 0 else last + 1)
            self.set_current(min(max(start + _KEYS[key], 0), last))
        elif key == Qt.Key.Key_Home:
            self.set_current(0)
        elif key == Qt.Key.Key_End:
            self.set_current(last)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.set_current(self.item_at(event.position().x(), event.position().y()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if not self.hasFocus():
            self.set_current(-1)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.set_current(-1)
        super().focusOutEvent(event)

    def _tell(self) -> None:
        """Qt tells screen readers of a changed name."""
        text = self._readings[self._current] if self._current >= 0 else ""
        self.setAccessibleName(f"{self.label}: {text}" if text else self.label)
