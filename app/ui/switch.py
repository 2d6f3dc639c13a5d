"""A switch: a track with a knob and a label, operated by mouse, space and return."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui import theme
from app.ui.theme import Theme

_TRACK = QSizeF(32, 18)
_KNOB_INSET = 3.0


class Switch(QAbstractButton):
    """Checkable: `toggled` fires for every change, `clicked` for the user's own. On: the knob is right."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._position = 0.0
        self._motion = QVariantAnimation(self)
        self._motion.valueChanged.connect(self._move_knob)
        self.toggled.connect(self._start_motion)
        Theme.current().changed.connect(self._restyle)

    @property
    def knob_position(self) -> float:
        """0 at off, 1 at on, between them while it moves."""
        return self._position

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(Theme.current().font(theme.BODY))
        text = metrics.horizontalAdvance(self.text()) + theme.GRID if self.text() else 0
        scale = Theme.current().scale
        high = max(round(theme.HIT * scale), metrics.height() + theme.GRID)
        return QSize(round(_TRACK.width() * scale) + text, high)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if self.isEnabled() else Qt.CursorShape.ArrowCursor
            )

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _start_motion(self, on: bool) -> None:
        self._motion.stop()
        duration = Theme.current().motion_ms
        if not duration or not self.isVisible():
            self._move_knob(float(on))
            return
        self._motion.setDuration(duration)
        self._motion.setStartValue(self._position)
        self._motion.setEndValue(float(on))
        self._motion.start()

    def _move_knob(self, position: float) -> None:
        self._position = float(position)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = Theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = Theme.current().scale
        size = _TRACK * scale
        # From edge to edge, so that it stands in line with what is above and beneath.
        track = QRectF(
            0, round((self.height() - size.height()) / 2), round(size.width()), round(size.height())
        )
        on = self.isChecked()
        if not self.isEnabled():
            fill, edge, knob = palette.raised, palette.line, palette.muted
        elif on:
            fill, edge, knob = palette.accent, palette.accent, palette.on_accent
        else:
            fill, edge, knob = palette.surface, palette.strong_line, palette.strong_line
        width = 1
        if self.hasFocus():
            edge, width = (palette.text if on else palette.accent), theme.FOCUS
        painter.setPen(QPen(QColor(edge), width))
        painter.setBrush(QColor(fill))
        radius = track.height() / 2
        half = width / 2
        painter.drawRoundedRect(track.adjusted(half, half, -half, -half), radius - half, radius - half)
        travel = track.width() - track.height()
        centre = QPointF(track.left() + radius + travel * self._position, track.center().y())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(knob))
        knob_radius = radius - _KNOB_INSET * scale
        painter.drawEllipse(centre, knob_radius, knob_radius)
        if self.text():
            painter.setFont(Theme.current().font(theme.BODY))
            painter.setPen(QColor(palette.text if self.isEnabled() else palette.muted))
            left = round(track.right()) + theme.GRID
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect().adjusted(left, 0, 0, 0), flags, self.text())
