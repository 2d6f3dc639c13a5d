"""What the pair bar says in passing: a load in progress, or settings that wait for a reload."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.core.events import LoadProgress
from app.ui import theme
from app.ui.icons import TextButton
from app.ui.language import translated
from app.ui.theme import Theme

_BAR = 4


class ProgressLine(QWidget):
    """A sentence that elides, a percentage that does not, and a thin bar beneath."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._fraction: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self._restyle)

    @property
    def text(self) -> str:
        return self._text

    def set_line(self, text: str, fraction: float | None = None) -> None:
        """`fraction` None draws no bar."""
        if (text, fraction) != (self._text, self._fraction):
            self._text, self._fraction = text, fraction
            self.setToolTip(text)
            self.setAccessibleName(text if fraction is None else f"{text} {self._percent()}")
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(Theme.current().font(theme.BODY))
        return QSize(160, max(theme.HIT, metrics.height() + _BAR + 4))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def _percent(self) -> str:
        return f"{int(100 * min(max(self._fraction or 0.0, 0.0), 1.0))} %"

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = Theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = Theme.current().font(theme.BODY, tabular=True)
        metrics = QFontMetrics(font)
        with_bar = self._fraction is not None
        bar_room = _BAR + 2 if with_bar else 0
        top = (self.height() - metrics.height() - bar_room) / 2
        line = QRectF(0, top, self.width(), metrics.height())
        percent = self._percent() if with_bar else ""
        room = self.width() - (metrics.horizontalAdvance("100 %") + 8 if with_bar else 0)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(font)
        painter.setPen(QColor(palette.muted if with_bar else palette.text))
        painter.drawText(line, left, metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, room))
        if not with_bar:
            return
        painter.setPen(QColor(palette.text))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, percent)
        bar = QRectF(0, line.bottom() + 2, self.width(), _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.line))
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
        bar.setWidth(max(bar.width() * min(self._fraction or 0.0, 1.0), _BAR))
        painter.setBrush(QColor(palette.accent))
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)


class _BarMessage(QWidget):
    """A line and a button; hidden until it has something to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = ProgressLine()
        self.button = TextButton("")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GAP)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.button)
        self.hide()


class LoadMessage(_BarMessage):
    """Stage, share and bar of a load, with a button to cancel it."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button.setText(self.tr("Cancel"))
        self.button.setAccessibleName(self.tr("Cancel loading"))
        self.button.clicked.connect(self.cancel_requested)

    def set_progress(self, progress: LoadProgress | None) -> None:
        if progress is not None:
            self.line.set_line(translated(progress.stage), progress.fraction)
        self.setVisible(progress is not None)


class ReloadMessage(_BarMessage):
    """Says that changed settings need a reload, with a button that does it."""

    reload_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line.set_line(self.tr("Settings changed; they take effect after a reload."))
        self.button.setText(self.tr("Reload"))
        self.button.clicked.connect(self.reload_requested)
