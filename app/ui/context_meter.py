"""How full the context is: `context 1.2k / 8k` over a bar of what is used, comes next and is reserved."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.services.context_watch import ContextFigures
from app.ui import theme
from app.ui.palette import mix
from app.ui.stats import numbers
from app.ui.theme import Theme

# From here on the next replies may not fit.
NEARLY_FULL = 0.85
_BAR = 3


class ContextMeter(QWidget):
    """Tokens in the target's cache against what it holds; a dash while nothing is loaded.

    Behind what is used, the bar shows what the next prompt adds, and in outline what its reply may take.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._used = 0
        self._size = 0
        self._next = ContextFigures()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._refresh()
        Theme.current().changed.connect(self._refresh)

    @property
    def text(self) -> str:
        return numbers.context(self._used, self._size)

    @property
    def shares(self) -> tuple[float, float, float]:
        """Of the bar: in use, up to the end of the next prompt, up to the end of its reply."""
        if not self._size:
            return 0.0, 0.0, 0.0
        prompt = max(self._next.prompt, 0)
        reply = prompt + self._next.reserved if prompt else self._used
        return tuple(min(n / self._size, 1.0) for n in (self._used, prompt, reply))  # type: ignore[return-value]

    def set_context(self, used: int, size: int) -> None:
        """In tokens; `size` 0: nothing is loaded."""
        if (used, size) != (self._used, self._size):
            self._used, self._size = used, size
            self._refresh()

    def set_next(self, figures: ContextFigures) -> None:
        """What would be sent now."""
        if figures != self._next:
            self._next = figures
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
        self.setToolTip("\n".join(self._explained()))
        self.setAccessibleName(f"{self._label()} {self.text}")
        self.setAccessibleDescription(self.toolTip())
        self.updateGeometry()
        self.update()

    def _explained(self) -> list[str]:
        lines = [self.tr("Tokens of this conversation in the model's context, and how many it holds.")]
        if not self._size:
            return lines
        lines.append(self.tr("{used} of {size} tokens are in use.").format(used=self._used, size=self._size))
        coming = self._next
        if coming.prompt:
            said = self.tr("The next prompt has {n} tokens; {reused} of them need not be read again.")
            lines.append(said.format(n=coming.prompt, reused=coming.reusable))
        if coming.reserved:
            lines.append(self.tr("{n} tokens are reserved for its reply.").format(n=coming.reserved))
        if self._full:
            lines.append(self.tr("Nearly full. Before it overflows you are asked what to leave out."))
        return lines

    @property
    def _full(self) -> bool:
        return bool(self._size) and max(self._used, self._next.prompt) >= NEARLY_FULL * self._size

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = Theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = Theme.current().font(theme.BODY, tabular=True)
        metrics = QFontMetrics(font)
        top = (self.height() - metrics.height() - _BAR - 2) / 2
        line = QRectF(0, top, self.width(), metrics.height())
        role = "warning" if self._full else "text" if self._size else "muted"
        painter.setFont(font)
        painter.setPen(QColor(palette.muted))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._label())
        painter.setPen(palette.colour(role))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.text)
        bar = QRectF(0, line.bottom() + 2, self.width(), _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        used, prompt, reply = self.shares
        strong = "warning" if self._full else "muted"
        for share, colour in (
            (1.0, QColor(mix(palette.line, palette.window, 0.8))),
            (reply, QColor(mix(palette.muted, palette.window, 0.35))),
            (prompt, QColor(mix(palette.muted, palette.window, 0.65))),
            (used, palette.colour(strong)),
        ):
            if share:
                part = QRectF(bar)
                part.setWidth(max(bar.width() * share, _BAR))
                painter.setBrush(colour)
                painter.drawRoundedRect(part, _BAR / 2, _BAR / 2)
