"""A button that shows the chosen model file and opens the list of found ones; takes a dropped file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui import icons, theme
from app.ui.model_choice import ModelChoice
from app.ui.model_menu import ModelMenu
from app.ui.theme import Theme

_CHEVRON = 12


class ModelSelector(QAbstractButton):
    """`chosen` carries a path: from the list or dropped. With `none_text` an empty path is a choice too."""

    chosen = Signal(str)
    open_file_requested = Signal()

    def __init__(
        self,
        label: str,
        placeholder: str,
        parent: QWidget | None = None,
        *,
        none_text: str = "",
        empty_text: str = "",
    ) -> None:
        super().__init__(parent)
        self._label, self._placeholder = label, placeholder
        self._none_text, self._empty_text = none_text, empty_text
        self._choices: tuple[ModelChoice, ...] = ()
        self._current: ModelChoice | None = None
        self._dragging = False
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open_menu)
        self._refresh()
        Theme.current().changed.connect(self._restyle)

    @property
    def path(self) -> str:
        """The chosen file, or empty."""
        return self._current.path if self._current is not None else ""

    def set_choices(self, choices: Sequence[ModelChoice]) -> None:
        """The files that were found; the one shown takes its facts from them."""
        self._choices = tuple(choices)
        if self._current is not None:
            self.set_path(self._current.path)

    def set_path(self, path: str) -> None:
        """Show `path`, whether or not it was found."""
        found = next((c for c in self._choices if c.path == path), None)
        self._current = (found or ModelChoice.of_path(path)) if path else None
        self._refresh()

    def open_menu(self) -> ModelMenu:
        """Open the list beneath the button."""
        menu = ModelMenu(
            self._choices, self.path, self, none_text=self._none_text, empty_text=self._empty_text
        )
        menu.chosen.connect(self.chosen)
        menu.none_chosen.connect(lambda: self.chosen.emit(""))
        menu.open_file_requested.connect(self.open_file_requested)
        menu.open_below(self)
        return menu

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(Theme.current().font(theme.BODY))
        detail = QFontMetrics(Theme.current().font(theme.LABEL))
        width = metrics.horizontalAdvance(self._name()) + detail.horizontalAdvance(self._detail()) + 8
        return QSize(width + _CHEVRON + 3 * theme.GRID + 4, max(theme.HIT + 2, metrics.height() + 12))

    def minimumSizeHint(self) -> QSize:
        return QSize(96, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_path(event):
            self._dragging = True
            self.update()
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._dragging = False
        self.update()
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        self._dragging = False
        self.update()
        path = _dropped_path(event)
        if path:
            event.acceptProposedAction()
            self.chosen.emit(path)

    def _name(self) -> str:
        return self._current.name if self._current is not None else self._placeholder

    def _detail(self) -> str:
        if self._current is None:
            return ""
        return " · ".join(part for part in (self._current.kind, self._current.quantisation) if part)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _refresh(self) -> None:
        self.setText(self._name())
        self.setAccessibleName(f"{self._label}: {self._name()}")
        current = self._current
        hint = self.tr("Click to choose, or drop a .gguf file here.")
        lines = [self._label, current.path, current.facts, hint] if current else [self._label, hint]
        self.setToolTip("\n".join(line for line in lines if line))
        self._restyle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = Theme.current().palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = palette.surface
        if not self.isEnabled():
            ground = palette.window
        elif self.isDown():
            ground = palette.pressed
        elif self.underMouse():
            ground = palette.hover
        ring = self.hasFocus() or self._dragging
        inset = 1.0 if ring else 0.5
        pen = QPen(QColor(palette.accent if ring else palette.strong_line), theme.FOCUS if ring else 1)
        if self._dragging:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), theme.RADIUS, theme.RADIUS
        )
        self._paint_text(painter)

    def _paint_text(self, painter: QPainter) -> None:
        palette = Theme.current().palette
        side = round(_CHEVRON * Theme.current().scale)
        chevron = icons.pixmap("chevron-down", "muted", side, self.devicePixelRatioF())
        right_edge = self.width() - theme.GRID - side
        painter.drawPixmap(right_edge, (self.height() - side) // 2, chevron)
        body, label = Theme.current().font(theme.BODY), Theme.current().font(theme.LABEL)
        body_metrics, label_metrics = QFontMetrics(body), QFontMetrics(label)
        detail = self._detail()
        room = right_edge - 2 * theme.GRID
        # The quantisation goes before the name does.
        needed = label_metrics.horizontalAdvance(detail) + 8
        if room - needed < body_metrics.horizontalAdvance(self._name()):
            detail, needed = "", 0
        name = body_metrics.elidedText(self._name(), Qt.TextElideMode.ElideRight, room - needed)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        area = self.rect().adjusted(theme.GRID + 2, 0, 0, 0)
        painter.setFont(body)
        painter.setPen(
            QColor(palette.text if self._current is not None and self.isEnabled() else palette.muted)
        )
        painter.drawText(area, left, name)
        if detail:
            painter.setFont(label)
            painter.setPen(QColor(palette.muted))
            area.adjust(body_metrics.horizontalAdvance(name) + 8, 1, 0, 0)
            painter.drawText(area, left, detail)


def _dropped_path(event: QDropEvent) -> str:
    """The first dropped local .gguf file, or empty."""
    for url in event.mimeData().urls():
        if url.isLocalFile() and url.toLocalFile().lower().endswith(".gguf"):
            return url.toLocalFile()
    return ""
