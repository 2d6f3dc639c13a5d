"""Draws the lines of the conversation list, and edits a title in place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui import theme
from app.ui.sidebar.conversation_model import (
    AnsweringRole,
    ConversationModel,
    DateRole,
    HeadingRole,
    MarksRole,
    OpenRole,
    SnippetRole,
)
from app.ui.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_LINE = 32
_FOUND = 52
# What stands before the first match, so that the match is in view however narrow the list is.
_BEFORE = 10


class ConversationDelegate(QStyledItemDelegate):
    """Headings in small letters; the open conversation raised with a bar; a ring around the keyboard's.

    What a search found has a second line, with the words it was found by in bold. All lines are of one
    height, so that the view need not ask for each.
    """

    def sizeHint(self, _option: QStyleOptionViewItem, index: _Index) -> QSize:
        model = index.model()
        searching = isinstance(model, ConversationModel) and model.searching
        return QSize(0, round((_FOUND if searching else _LINE) * Theme.current().scale))

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
        box = self._box(option.rect)
        height = min(box.height(), round((_LINE - 2) * Theme.current().scale))
        editor.setGeometry(box.left(), box.center().y() - height // 2, box.width(), height)

    def _box(self, rect: QRect) -> QRect:
        return rect.adjusted(theme.GRID, 1, -theme.GRID, -1)

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        current = Theme.current()
        font = current.font(theme.LABEL, bold=True)
        painter.setFont(font)
        painter.setPen(QColor(current.palette.muted))
        rect = option.rect.adjusted(theme.MARGIN, 0, -theme.GRID, -theme.HALF)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        text = QFontMetrics(font).elidedText(str(index.data()), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, flags, text)

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
        inner = rect.adjusted(theme.GRID, 0, -theme.GRID, 0)
        snippet, day = str(index.data(SnippetRole) or ""), str(index.data(DateRole) or "")
        first = QRectF(inner)
        if day:
            half = (inner.height() - 2 * theme.HALF) / 2
            first = QRectF(inner.left(), inner.top() + theme.HALF, inner.width(), half)
            second = first.translated(0, half)
            if not snippet:
                first.moveCenter(inner.center())
            else:
                self._paint_snippet(painter, second, snippet, index.data(MarksRole) or ())
            first.setRight(first.right() - self._paint_date(painter, first, day))
        if index.data(AnsweringRole):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.accent))
            painter.drawEllipse(QRectF(first.right() - 6, first.center().y() - 3, 6, 6))
            first.setRight(first.right() - 6 - theme.GRID)
        font = current.font(theme.BODY, bold=is_open)
        painter.setFont(font)
        painter.setPen(QColor(palette.text))
        text = QFontMetrics(font).elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, int(first.width())
        )
        painter.drawText(first, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(palette.accent), theme.FOCUS))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), theme.RADIUS, theme.RADIUS)

    def _paint_date(self, painter: QPainter, rect: QRectF, day: str) -> float:
        """At the right of the line; returns the room it takes."""
        font = Theme.current().font(theme.LABEL)
        painter.setFont(font)
        painter.setPen(QColor(Theme.current().palette.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, day)
        return QFontMetrics(font).horizontalAdvance(day) + theme.GRID

    def _paint_snippet(
        self, painter: QPainter, rect: QRectF, snippet: str, marks: Sequence[tuple[int, int]]
    ) -> None:
        current = Theme.current()
        plain, bold = current.font(theme.LABEL), current.font(theme.LABEL, bold=True)
        left = rect.left()
        for text, marked in pieces_of(snippet, marks):
            font: QFont = bold if marked else plain
            metrics = QFontMetrics(font)
            room = int(rect.right() - left)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.setFont(font)
            painter.setPen(QColor(current.palette.text if marked else current.palette.muted))
            painter.drawText(
                QRectF(left, rect.top(), room, rect.height()),
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine,
                shown,
            )
            left += metrics.horizontalAdvance(shown)
            if shown != text:
                break


def pieces_of(snippet: str, marks: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """(text, whether it is a match), beginning a few letters before the first match."""
    first = marks[0][0] if marks else 0
    if first > _BEFORE:
        space = snippet.find(" ", first - _BEFORE, first)
        cut = space + 1 if space >= 0 else first
        snippet = "…" + snippet[cut:]
        marks = [(start - cut + 1, end - cut + 1) for start, end in marks]
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in marks:
        pieces += [(snippet[at:start], False), (snippet[start:end], True)]
        at = end
    pieces.append((snippet[at:], False))
    return [piece for piece in pieces if piece[0]]
