"""A table of a reply. Rows are added and changed in place while it is being written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QWidget

from app.ui import theme
from app.ui.chat.blocks import Run, TableBlock
from app.ui.chat.direction import is_right_to_left
from app.ui.chat.text_view import TextView, clean
from app.ui.theme import Theme

_ALIGN = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TableView(TextView):
    """One table as wide as its content needs, at most as wide as the column."""

    def __init__(self, block: TableBlock, parent: QWidget | None = None) -> None:
        self._block = block
        self._table: QTextTable | None = None
        super().__init__(theme.BODY, parent)
        self.setAccessibleName(self.tr("Table"))

    @property
    def block(self) -> TableBlock:
        return self._block

    @property
    def _mirrored(self) -> bool:
        return is_right_to_left(run.text for row in self._block.rows[:1] for cell in row for run in cell)

    def update_block(self, block: TableBlock) -> None:
        """Show `block`; rows that did not change are not touched."""
        old, self._block = self._block, block
        same = old.aligns == block.aligns and old.rows[:1] == block.rows[:1]
        if self._table is None or not same or len(block.rows) < len(old.rows):
            self.rerender()
            return
        with self.keeping_selection():
            if len(block.rows) > len(old.rows):
                self._table.appendRows(len(block.rows) - len(old.rows))
            for i, row in enumerate(block.rows):
                if i >= len(old.rows) or row != old.rows[i]:
                    self._fill(i, row)

    def rerender(self) -> None:
        document = self.document()
        document.clear()
        self._table = None
        if not self._block.rows:
            return
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        self._table = cursor.insertTable(len(self._block.rows), len(self._block.aligns), self._table_format())
        for i, row in enumerate(self._block.rows):
            self._fill(i, row)
        # Qt keeps an empty paragraph on either side of a table; make them invisible.
        thin = QTextBlockFormat()
        thin.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        tiny = QTextCharFormat()
        font = QFont(document.defaultFont())
        font.setPixelSize(1)
        tiny.setFont(font)
        for block in (document.firstBlock(), document.lastBlock()):
            edge = QTextCursor(block)
            if edge.currentTable() is None:
                edge.setBlockFormat(thin)
                edge.setBlockCharFormat(tiny)
        cursor.endEditBlock()

    def _table_format(self) -> QTextTableFormat:
        form = QTextTableFormat()
        if self._mirrored:
            # Its edge stands above that of the paragraphs.
            self.limit_to_measure()
            form.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            form.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QColor(Theme.current().palette.line))
        form.setBorderCollapse(True)
        form.setCellPadding(theme.GRID)
        form.setCellSpacing(0)
        form.setHeaderRowCount(1)
        form.setColumnWidthConstraints(
            [QTextLength(QTextLength.Type.VariableLength, 0)] * len(self._block.aligns)
        )
        return form

    def _fill(self, index: int, row: Sequence[Sequence[Run]]) -> None:
        if self._table is None:
            return
        palette, mirrored, last = Theme.current().palette, self._mirrored, len(self._block.aligns) - 1
        for column, align in enumerate(self._block.aligns):
            cell = self._table.cellAt(index, last - column if mirrored else column)
            form = cell.format()
            form.setBackground(QColor(palette.raised if index == 0 else palette.surface))
            cell.setFormat(form)
            cursor = cell.firstCursorPosition()
            cursor.setPosition(cell.lastCursorPosition().position(), cursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            paragraph = QTextBlockFormat()
            paragraph.setAlignment(_ALIGN.get(align, Qt.AlignmentFlag.AlignLeft))
            if mirrored:
                paragraph.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            cursor.setBlockFormat(paragraph)
            for run in row[column] if column < len(row) else ():
                cursor.insertText(clean(run.text), self._char_format(run, head=index == 0))

    def _char_format(self, run: Run, head: bool) -> QTextCharFormat:
        current = Theme.current()
        form = QTextCharFormat()
        font = current.font(theme.CODE) if run.code else QFont(self.document().defaultFont())
        font.setItalic(run.italic)
        font.setStrikeOut(run.strike)
        if run.bold or head:
            font.setWeight(QFont.Weight.DemiBold)
        theme.set_tabular(font)
        form.setFont(font)
        form.setForeground(QColor(current.palette.text))
        if run.href:
            form.setAnchor(True)
            form.setAnchorHref(run.href)
            form.setForeground(QColor(current.palette.accent))
            form.setFontUnderline(True)
        return form
