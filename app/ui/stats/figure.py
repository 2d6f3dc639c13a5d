"""What every figure of the panel can do: explain itself, take the focus, be copied.

A figure paints itself and its focus ring; it knows neither where its number comes from nor how often it
changes. `FigureRow` is the plain kind: a label on the left, a value on the right.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from app.ui import theme
from app.ui.stats import numbers
from app.ui.theme import Theme

_GAP = 8


def explain(what: str, formula: str = "", worry: str = "") -> str:
    """A tooltip in three short paragraphs: what it is, how it is computed, when to worry."""
    parts = [f"<p style='margin:0'>{escape(what)}</p>"]
    if formula:
        parts.append(f"<p style='margin:6px 0 0 0'><i>{escape(formula)}</i></p>")
    if worry:
        parts.append(f"<p style='margin:6px 0 0 0'>{escape(worry)}</p>")
    return "<qt>" + "".join(parts) + "</qt>"


class Figure(QWidget):
    """Base of the panel's widgets. Subclasses paint in `paint_figure` and say what they copy."""

    copy_all_requested = Signal()

    def __init__(self, label: str, tooltip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = label
        self._fonts: dict[tuple[str, bool], QFont] = {}
        self.setToolTip(tooltip)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(label)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    @property
    def label(self) -> str:
        return self._label

    def copy_text(self) -> str:
        """What goes to the clipboard: label and value, without layout."""
        raise NotImplementedError

    def paint_figure(self, painter: QPainter) -> None:
        """Draw into `rect()`; the focus ring is drawn afterwards."""
        raise NotImplementedError

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.copy_text())

    def colour(self, role: str) -> QColor:
        return Theme.current().palette.colour(role)

    def font_of(self, role: str, *, bold: bool = False) -> QFont:
        key = (role, bold)
        if key not in self._fonts:
            self._fonts[key] = Theme.current().font(role, tabular=True, bold=bold)
        return self._fonts[key]

    def _restyle(self) -> None:
        self._fonts.clear()
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_figure(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.colour("accent"), theme.FOCUS))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), theme.RADIUS, theme.RADIUS)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.make_menu().popup(event.globalPos())

    def make_menu(self) -> QMenu:
        """Copy this figure, or all of them; the menu deletes itself."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy “{text}”").format(text=_short(self.copy_text())), self.copy)
        menu.addAction(self.tr("Copy all figures"), self.copy_all_requested.emit)
        return menu


class FigureRow(Figure):
    """`Acceptance    61 %`, with an optional quiet remark between label and value.

    Where the label has no room beside them, remark and value stand in a second line.
    """

    def __init__(self, label: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(label, tooltip, parent)
        self._value = numbers.DASH
        self._remark = ""
        self._widest = (numbers.DASH, "")  # so far, so that the line does not jump to and fro
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def value(self) -> str:
        return self._value

    @property
    def remark(self) -> str:
        return self._remark

    def set_value(self, value: str, remark: str = "") -> None:
        """Show `value`; nothing is repainted when it is what is shown already."""
        if (value, remark) == (self._value, self._remark):
            return
        self._value, self._remark = value, remark
        if self._taken(value, remark) > self._taken(*self._widest):
            self._widest = (value, remark)
            self.updateGeometry()
        self.setAccessibleName(f"{self._label}: {value}{f', {remark}' if remark else ''}")
        self.update()

    def copy_text(self) -> str:
        return f"{self._label}: {self._value}" + (f" ({self._remark})" if self._remark else "")

    def heightForWidth(self, width: int) -> int:
        metrics = QFontMetrics(self.font_of(theme.BODY))
        return (2 if self._breaks(width) else 1) * metrics.height() + 6

    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(max(self.width(), 160)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def _taken(self, value: str, remark: str) -> int:
        """Width of value and remark with the gaps before them."""
        taken = QFontMetrics(self.font_of(theme.BODY, bold=True)).horizontalAdvance(value) + _GAP
        if remark:
            taken += QFontMetrics(self.font_of(theme.LABEL)).horizontalAdvance(remark) + _GAP
        return taken

    def _breaks(self, width: int) -> bool:
        label = QFontMetrics(self.font_of(theme.BODY)).horizontalAdvance(self._label)
        return label + self._taken(*self._widest) > width

    def paint_figure(self, painter: QPainter) -> None:
        rect = self.rect()
        upper, lower = rect, rect
        if self._breaks(rect.width()):
            line = QFontMetrics(self.font_of(theme.BODY)).height()
            upper = rect.adjusted(0, 3, 0, -3 - line)
            lower = rect.adjusted(0, 3 + line, 0, -3)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        value_font, label_font = self.font_of(theme.BODY, bold=True), self.font_of(theme.BODY)
        value_width = QFontMetrics(value_font).horizontalAdvance(self._value)
        painter.setFont(label_font)
        painter.setPen(self.colour("muted"))
        room = rect.width() if upper != lower else rect.width() - self._taken(self._value, self._remark)
        label = QFontMetrics(label_font).elidedText(self._label, Qt.TextElideMode.ElideRight, max(room, 0))
        painter.drawText(upper, left, label)
        painter.setFont(value_font)
        painter.setPen(self.colour("muted" if self._value == numbers.DASH else "text"))
        painter.drawText(lower, right, self._value)
        if self._remark:
            painter.setFont(self.font_of(theme.LABEL))
            painter.setPen(self.colour("muted"))
            beside = lower.adjusted(0, 0, -value_width - _GAP, 0)
            metrics = QFontMetrics(self.font_of(theme.LABEL))
            remark = metrics.elidedText(self._remark, Qt.TextElideMode.ElideRight, beside.width())
            painter.drawText(beside, right, remark)


def _short(text: str, limit: int = 40) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
