"""A table of a reply. Rows are added and changed in place while it is being written.

Laying rows out takes longer with every row, so of a long table the beginning is shown, and all on demand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QResizeEvent,
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
from app.ui.icons import TextButton
from app.ui.theme import Theme

ROWS = 200
"""So many are shown of a table at first, with its head."""

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
        self._unfolded = False
        self._fold: TextButton | None = None
        super().__init__(theme.BODY, parent)
        self.setAccessibleName(self.tr("Table"))
        self._show_fold()

    @property
    def block(self) -> TableBlock:
        return self._block

    @property
    def fold(self) -> TextButton | None:
        """Shows all rows; None while all are shown."""
        return self._fold

    def hides(self, query: str) -> bool:
        """Whether a row that is not shown contains `query`, in any case."""
        wanted = query.lower()
        cells = (cell for row in self._hidden_rows for cell in row)
        return any(wanted in "".join(run.text for run in cell).lower() for cell in cells)

    def unfold(self) -> None:
        """Show all rows."""
        if not self._unfolded:
            self._unfolded = True
            with self.keeping_selection():
                self.rerender()
            self._show_fold()

    @property
    def _hidden_rows(self) -> Sequence[Sequence[Sequence[Run]]]:
        return self._block.rows[len(self._shown(self._block)) :]

    @property
    def _mirrored(self) -> bool:
        return is_right_to_left(run.text for row in self._block.rows[:1] for cell in row for run in cell)

    def update_block(self, block: TableBlock) -> None:
        """Show `block`; rows that did not change are not touched."""
        old, self._block = self._block, block
        before, after = self._shown(old), self._shown(block)
        same = old.aligns == block.aligns and old.rows[:1] == block.rows[:1]
        if self._table is None or not same or len(after) < len(before):
            self.rerender()
        elif after != before:
            # One change of the document: after each the whole table is laid out.
            edit = QTextCursor(self.document())
            with self.keeping_selection():
                edit.beginEditBlock()
                if len(after) > len(before):
                    self._table.appendRows(len(after) - len(before))
                for i, row in enumerate(after):
                    if i >= len(before) or row != before[i]:
                        self._fill(i, row)
                edit.endEditBlock()
        self._show_fold()

    def rerender(self) -> None:
        document = self.document()
        document.clear()
        self._table = None
        if not self._block.rows:
            return
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        rows = self._shown(self._block)
        self._table = cursor.insertTable(len(rows), len(self._block.aligns), self._table_format())
        for i, row in enumerate(rows):
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_fold()

    def _shown(self, block: TableBlock) -> Sequence[Sequence[Sequence[Run]]]:
        return block.rows if self._unfolded else block.rows[:ROWS]

    def _show_fold(self) -> None:
        if not self._hidden_rows:
            if self._fold is not None:
                self._fold.hide()
                self._fold.deleteLater()
                self._fold = None
                self._on_size(self.document().size())
            return
        if self._fold is None:
            self._fold = TextButton("", self, role="quiet")
            self._fold.setProperty("align", "flush")
            self._fold.clicked.connect(self.unfold)
            self._fold.show()
        said = self.tr("Show all {n} rows")
        self._fold.setText(said.format(n=f"{len(self._block.rows) - 1:,}"))
        self._on_size(self.document().size())
        self._place_fold()

    def _place_fold(self) -> None:
        if self._fold is not None:
            self._fold.adjustSize()
            self._fold.move(0, self.height() - self._fold.height())

    def _on_size(self, size: QSizeF) -> None:
        below = theme.HALF + self._fold.sizeHint().height() if self._fold is not None else 0
        self.setViewportMargins(0, 0, 0, below)
        self._set_content_height(math.ceil(size.height()) + below)

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
