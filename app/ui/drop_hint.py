"""Covers the window while files are dragged over it, and says what dropping them does."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.ui import theme
from app.ui.palette import mix
from app.ui.theme import Theme


def model_paths(data: QMimeData) -> list[str]:
    """The local GGUF files in what is dragged."""
    paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.lower().endswith(".gguf")]


class DropHint(QWidget):
    """A sheet over its parent with a dashed frame."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._text = ""
        self.hide()

    @property
    def text(self) -> str:
        return self._text

    def show_for(self, paths: Sequence[str]) -> None:
        names = [path.replace("\\", "/").rpartition("/")[2] for path in paths]
        self._text = self.tr("Drop to use %1").replace("%1", ", ".join(names))
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.show()
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        current = Theme.current()
        palette = current.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cover = QColor(mix(palette.accent, palette.surface, 0.08))
        cover.setAlphaF(0.94)
        painter.fillRect(self.rect(), cover)
        pen = QPen(QColor(palette.accent), 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        frame = QRectF(self.rect()).adjusted(24, 24, -24, -24)
        painter.drawRoundedRect(frame, theme.CARD_RADIUS, theme.CARD_RADIUS)
        card = QRectF(0, 0, min(520, frame.width() - 48), 112)
        card.moveCenter(frame.center())
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.setBrush(QColor(palette.surface))
        painter.drawRoundedRect(card, theme.CARD_RADIUS, theme.CARD_RADIUS)
        inside = card.adjusted(theme.MARGIN, theme.MARGIN, -theme.MARGIN, -theme.MARGIN)
        painter.setPen(QColor(palette.text))
        font = current.font(theme.READING, bold=True)
        painter.setFont(font)
        centred = Qt.AlignmentFlag.AlignHCenter
        text = QFontMetrics(font).elidedText(self._text, Qt.TextElideMode.ElideMiddle, int(inside.width()))
        painter.drawText(inside.adjusted(0, 12, 0, 0), centred | Qt.AlignmentFlag.AlignTop, text)
        painter.setPen(QColor(palette.muted))
        painter.setFont(current.font(theme.BODY))
        note = self.tr("Whether it is a target or a sidecar is read from the file.")
        painter.drawText(inside.adjusted(0, 0, 0, -12), centred | Qt.AlignmentFlag.AlignBottom, note)
        painter.end()
