"""Draws the lines of the conversation list, and edits a title in place."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui import theme
from app.ui.sidebar.conversation_model import AnsweringRole, HeadingRole, OpenRole
from app.ui.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_LINE = 32
_HEADING = 30


class ConversationDelegate(QStyledItemDelegate):
    """Headings in small letters; the open conversation raised with a bar; a ring around the keyboard's."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:
        scale = Theme.current().scale
        return QSize(0, round((_HEADING if index.data(HeadingRole) else _LINE) * scale))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.data(HeadingRole):
            self._paint_heading(painter, option, index)
        else:
            self._paint_line(painter, option, index)
        painter.restore()

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: _Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setProperty("role", "rename")
        editor.setAccessibleName(self.tr("Title"))
        return editor

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _Index) -> None:
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: _Index) -> None:
        editor.setGeometry(self._box(option.rect))

    def _box(self, rect: QRect) -> QRect:
        return rect.adjusted(theme.GRID, 1, -theme.GRID, -1)

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        current = Theme.current()
        painter.setFont(current.font(theme.LABEL, bold=True))
        painter.setPen(QColor(current.palette.muted))
        rect = option.rect.adjusted(theme.MARGIN, 0, -theme.GRID, -theme.HALF)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.drawText(rect, flags, str(index.data()))

    def _paint_line(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        current = Theme.current()
        palette = current.palette
        rect = QRectF(self._box(option.rect))
        state = option.state
        is_open = bool(index.data(OpenRole))
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if is_open or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.pressed if is_open else palette.hover))
            painter.drawRoundedRect(rect, theme.RADIUS, theme.RADIUS)
        if is_open:
            painter.setBrush(QColor(palette.accent))
            bar = QRectF(rect.left(), rect.top() + 7, 3, rect.height() - 14)
            painter.drawRoundedRect(bar, 1.5, 1.5)
        right = rect.right() - theme.GRID
        if index.data(AnsweringRole):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.accent))
            painter.drawEllipse(QRectF(right - 6, rect.center().y() - 3, 6, 6))
            right -= 6 + theme.GRID
        font = current.font(theme.BODY, bold=is_open)
        painter.setFont(font)
        painter.setPen(QColor(palette.text))
        left = rect.left() + theme.GRID
        text = QFontMetrics(font).elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, int(right - left)
        )
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(left, rect.top(), right - left, rect.height()), flags, text)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(palette.accent), theme.FOCUS))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), theme.RADIUS, theme.RADIUS)
