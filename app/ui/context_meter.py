"""How full the context is: `context 1.2k / 8k` over a thin bar."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui import theme
from app.ui.palette import mix
from app.ui.stats import numbers
from app.ui.theme import Theme

# From here on the next replies may not fit.
NEARLY_FULL = 0.85
_BAR = 3


class ContextMeter(QWidget):
    """Tokens in the target's cache against what it holds; a dash while nothing is loaded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._used = 0
        self._size = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._refresh()
        Theme.current().changed.connect(self._refresh)

    @property
    def text(self) -> str:
        return numbers.context(self._used, self._size)

    def set_context(self, used: int, size: int) -> None:
        """In tokens; `size` 0: nothing is loaded."""
        if (used, size) != (self._used, self._size):
            self._used, self._size = used, size
            self._refresh()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(Theme.current().font(theme.BODY, tabular=True))
        # Wide enough for the longest usual text, so that nothing beside it moves.
        width = metrics.horizontalAdvance(self._label()) + 8 + metrics.horizontalAdvance("00.0k / 000k")
        return QSize(width, max(theme.HIT, metrics.height() + _BAR + 5))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _label(self) -> str:
        return self.tr("context")

    def _refresh(self) -> None:
        full = self._size and self._used >= NEARLY_FULL * self._size
        tip = self.tr("Tokens of this conversation in the model's context, and how many it holds.")
        if self._size:
            tip += "\n" + self.tr("{used} of {size} tokens.").format(used=self._used, size=self._size)
        if full:
            tip += "\n" + self.tr("Nearly full: start a new chat, or raise the context in the settings.")
        self.setToolTip(tip)
        self.setAccessibleName(f"{self._label()} {self.text}")
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = Theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = Theme.current().font(theme.BODY, tabular=True)
        metrics = QFontMetrics(font)
        top = (self.height() - metrics.height() - _BAR - 2) / 2
        line = QRectF(0, top, self.width(), metrics.height())
        share = min(self._used / self._size, 1.0) if self._size else 0.0
        role = "warning" if share >= NEARLY_FULL else "text" if self._size else "muted"
        painter.setFont(font)
        painter.setPen(QColor(palette.muted))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._label())
        painter.setPen(palette.colour(role))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.text)
        bar = QRectF(0, line.bottom() + 2, self.width(), _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mix(palette.line, palette.window, 0.8)))
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
        if share:
            bar.setWidth(max(bar.width() * share, _BAR))
            painter.setBrush(palette.colour("warning" if share >= NEARLY_FULL else "muted"))
            painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
