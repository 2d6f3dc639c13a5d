"""The list that opens beneath a model selector: files with their facts, and what else can be done."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.ui import icons, theme
from app.ui.model_choice import ModelChoice, in_order
from app.ui.theme import Theme

_CHOICE = Qt.ItemDataRole.UserRole
_ACTION = Qt.ItemDataRole.UserRole + 1
_CURRENT = Qt.ItemDataRole.UserRole + 2
_RULE = Qt.ItemDataRole.UserRole + 3
_Index = QModelIndex | QPersistentModelIndex

OPEN_FILE = "open"
NO_FILE = "none"

_WIDTH = 420
_MARK = 24
_ROWS_SHOWN = 8


class ModelMenu(QFrame):
    """A popup. Arrow keys, Return, Esc and typing the first letters work; it deletes itself."""

    chosen = Signal(str)
    none_chosen = Signal()
    open_file_requested = Signal()

    def __init__(
        self,
        choices: Sequence[ModelChoice],
        current_path: str,
        parent: QWidget,
        *,
        none_text: str = "",
        empty_text: str = "",
    ) -> None:
        """`none_text`: offers to choose nothing; `empty_text` is shown where no file was found."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "card")
        self.setStyleSheet("ModelMenu { border-radius: 0; } QListWidget { border: none; }")
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Found models"))
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemEntered.connect(self._follow_mouse)
        self.list.itemClicked.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.HALF, theme.HALF, theme.HALF, theme.HALF)
        layout.addWidget(self.list)
        for choice in in_order(choices):
            self._add_choice(choice, choice.path == current_path)
        if not choices and empty_text:
            self._add_note(empty_text)
        if none_text:
            self._add_action(NO_FILE, none_text, current=not current_path, rule=True)
        self._add_action(OPEN_FILE, self.tr("Open file…"), rule=not none_text)

    def open_below(self, anchor: QWidget) -> None:
        """Show it under `anchor`, left edges aligned, inside the screen; the current file is selected."""
        scale = Theme.current().scale
        heights = [self.list.sizeHintForRow(i) for i in range(self.list.count())]
        shown = sum(heights[:_ROWS_SHOWN]) if len(heights) > _ROWS_SHOWN else sum(heights)
        height = shown + 2 * theme.HALF + 4
        self.setFixedSize(max(anchor.width(), round(_WIDTH * scale)), height)
        corner = anchor.mapToGlobal(QPoint(0, anchor.height() + theme.HALF))
        area = anchor.screen().availableGeometry()
        x = max(min(corner.x(), area.right() - self.width()), area.left())
        self.move(x, max(min(corner.y(), area.bottom() - height), area.top()))
        self._select_first()
        self.show()
        self.list.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The list lets Return through to here; Esc closes."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            item = self.list.currentItem()
            if item is not None:
                self._choose(item)
            return
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)

    def texts(self) -> list[str]:
        """The entries from top to bottom, as a screen reader says them."""
        return [self.list.item(i).text() for i in range(self.list.count())]

    def _add_choice(self, choice: ModelChoice, current: bool) -> None:
        spoken = ", ".join(part for part in (choice.name, choice.facts, choice.reason) if part)
        item = QListWidgetItem(spoken)
        item.setData(_CHOICE, choice)
        item.setData(_CURRENT, current)
        item.setToolTip(choice.path)
        if not choice.fits:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(item)

    def _add_note(self, text: str) -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(item)

    def _add_action(self, action: str, text: str, *, current: bool = False, rule: bool = False) -> None:
        item = QListWidgetItem(text)
        item.setData(_ACTION, action)
        item.setData(_CURRENT, current)
        item.setData(_RULE, rule)
        self.list.addItem(item)

    def _select_first(self) -> None:
        items = [self.list.item(i) for i in range(self.list.count())]
        usable = [item for item in items if item.flags() & Qt.ItemFlag.ItemIsEnabled]
        current = [item for item in usable if item.data(_CURRENT)]
        if usable:
            self.list.setCurrentItem((current or usable)[0])

    def _follow_mouse(self, item: QListWidgetItem) -> None:
        if item.flags() & Qt.ItemFlag.ItemIsEnabled:
            self.list.setCurrentItem(item)

    def _choose(self, item: QListWidgetItem) -> None:
        if not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return
        choice, action = item.data(_CHOICE), item.data(_ACTION)
        self.close()
        if choice is not None:
            self.chosen.emit(choice.path)
        elif action == NO_FILE:
            self.none_chosen.emit()
        else:
            self.open_file_requested.emit()


class _Delegate(QStyledItemDelegate):
    """Two lines a file: name and facts, then the folder or the reason why it cannot be chosen."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:
        body = QFontMetrics(Theme.current().font(theme.BODY)).height()
        label = QFontMetrics(Theme.current().font(theme.LABEL)).height()
        lines = body + label + 2 if index.data(_CHOICE) is not None else body
        return QSize(200, lines + 2 * theme.GRID + (1 if index.data(_RULE) else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        palette = Theme.current().palette
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        if index.data(_RULE):
            painter.fillRect(rect.left() + 8, rect.top(), rect.width() - 16, 1, QColor(palette.line))
            rect = rect.adjusted(0, 1, 0, 0)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.raised))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 4, 4)
        if index.data(_CURRENT):
            side = round(14 * Theme.current().scale)
            mark = icons.pixmap("check", "accent", side, painter.device().devicePixelRatioF())
            painter.drawPixmap(rect.left() + 6, rect.top() + theme.GRID + 2, mark)
        inner = rect.adjusted(round(_MARK * Theme.current().scale), theme.GRID, -theme.GRID, -theme.GRID)
        choice = index.data(_CHOICE)
        if choice is None:
            self._draw_line(painter, inner, index.data(), enabled=bool(index.data(_ACTION)))
        else:
            self._draw_choice(painter, inner, choice)
        painter.restore()

    @staticmethod
    def _draw_line(painter: QPainter, inner: QRect, text: str, *, enabled: bool) -> None:
        palette = Theme.current().palette
        painter.setFont(Theme.current().font(theme.BODY))
        painter.setPen(QColor(palette.text if enabled else palette.muted))
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    @staticmethod
    def _draw_choice(painter: QPainter, inner: QRect, choice: ModelChoice) -> None:
        current = Theme.current()
        palette = current.palette
        body, label = current.font(theme.BODY), current.font(theme.LABEL, tabular=True)
        body_metrics, label_metrics = QFontMetrics(body), QFontMetrics(label)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        first = QRect(inner.left(), inner.top(), inner.width(), body_metrics.height())
        second = QRect(inner.left(), first.bottom() + 3, inner.width(), label_metrics.height())
        painter.setFont(label)
        painter.setPen(QColor(palette.muted))
        painter.drawText(first, right, choice.facts)
        taken = label_metrics.horizontalAdvance(choice.facts) + theme.GAP
        painter.setFont(body)
        painter.setPen(QColor(palette.text if choice.fits else palette.muted))
        name = body_metrics.elidedText(choice.name, Qt.TextElideMode.ElideRight, first.width() - taken)
        painter.drawText(first, left, name)
        painter.setFont(label)
        painter.setPen(QColor(palette.muted if choice.fits else palette.warning))
        text = os.path.dirname(choice.path) if choice.fits else choice.reason
        mode = Qt.TextElideMode.ElideMiddle if choice.fits else Qt.TextElideMode.ElideRight
        painter.drawText(second, left, label_metrics.elidedText(text, mode, second.width()))
