"""A table of a reply. Rows are added and changed in place while it is being written.

Laying rows out takes longer with every row, so of a long table the beginning is shown, and all on demand.
The rest follows in later turns, in tables of their own below the first: a change of one lays all of it
out, and nothing of the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QResizeEvent,
    QTextBlock,
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
from app.ui.chat.pieces import glued
from app.ui.chat.plain_text import of_block
from app.ui.chat.text_view import TextView, clean
from app.ui.chat.turns import Turns
from app.ui.icons import TextButton
from app.ui.stats import numbers
from app.ui.theme import Theme

ROWS = 200
"""So many are shown of a table at first, with its head."""
SLICE = 25
"""Rows of one of the tables below it."""

_BORDER = 1
_EDGE = 4  # px between two tables that lie below each other, borders included

_ALIGN = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TableView(TextView):
    """One table as wide as its content needs, at most as wide as the column."""

    def __init__(self, block: TableBlock, parent: QWidget | None = None) -> None:
        self._block = block
        self._tables: list[QTextTable] = []
        self._present = 0  # rows that are there
        self._widths: list[float] = []  # of the columns of the tables below the first
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

    @property
    def pending(self) -> bool:
        """Rows that are to be shown are not there yet."""
        return self._present < self._wanted

    def unfold(self) -> None:
        """Show all rows, in the turns after."""
        if not self._unfolded:
            self._unfolded = True
            self._show_fold()
            Turns.current().run(self, self._step)

    def has_own_copy(self) -> bool:
        return super().has_own_copy() or (self._whole and bool(self._hidden_rows))

    def selected_text(self) -> str:
        """As it is copied, with the rows that are not shown if it is all of the table.

        Qt selects all of a table when the selection goes on outside it.
        """
        return of_block(self._block) if self._whole else super().selected_text().strip("\n")

    @property
    def _whole(self) -> bool:
        cursor, last = self.textCursor(), self.document().characterCount() - 1
        return (cursor.selectionStart(), cursor.selectionEnd()) == (0, last)

    @property
    def _wanted(self) -> int:
        """Rows that are to be shown."""
        return len(self._block.rows) if self._unfolded else min(len(self._block.rows), ROWS)

    @property
    def _hidden_rows(self) -> Sequence[Sequence[Sequence[Run]]]:
        return self._block.rows[self._present :]

    @property
    def _mirrored(self) -> bool:
        return is_right_to_left(run.text for row in self._block.rows[:1] for cell in row for run in cell)

    def update_block(self, block: TableBlock) -> None:
        """Show `block`; rows that did not change are not touched."""
        old, self._block = self._block, block
        same = old.aligns == block.aligns and old.rows[:1] == block.rows[:1]
        if not self._tables or not same or self._wanted < self._present:
            self.rerender()
        else:
            # One change of the document: after each the whole table is laid out.
            edit = QTextCursor(self.document())
            with self.keeping_selection():
                edit.beginEditBlock()
                for i in range(self._present):
                    if block.rows[i] != old.rows[i]:
                        self._fill(i, block.rows[i])
                if self._present < ROWS:
                    self._add_rows(min(self._wanted, ROWS) - self._present)
                edit.endEditBlock()
            if self.pending:
                Turns.current().run(self, self._step)
        self._show_fold()

    def rerender(self) -> None:
        self.document().clear()
        self._tables, self._present = [], 0
        if not self._block.rows:
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._add_rows(min(self._wanted, ROWS))
        self._hide_edge(self.document().firstBlock())
        cursor.endEditBlock()
        if self.pending:
            Turns.current().run(self, self._step)

    def _step(self) -> bool:
        """Show the next rows of an unfolded table; whether there are more."""
        room = (self._present - ROWS) % SLICE
        whole = self._whole
        with self.keeping_selection():
            edit = QTextCursor(self.document())
            edit.beginEditBlock()
            self._add_rows(min(SLICE - room, self._wanted - self._present))
            edit.endEditBlock()
        if whole:
            # Who selected all of the table means the rows to come as well.
            self.selectAll()
        self._show_fold()
        return self.pending

    def _add_rows(self, n: int) -> None:
        """The next `n` rows, all of which belong into one table."""
        if n < 1:
            return
        start = self._present
        if not self._tables or (start >= ROWS and (start - ROWS) % SLICE == 0):
            cursor = QTextCursor(self.document())
            cursor.movePosition(cursor.MoveOperation.End)
            if self._tables and not self._widths:
                self._widths = self._column_widths()
            columns = len(self._block.aligns)
            self._tables.append(cursor.insertTable(n, columns, self._table_format(below=bool(self._tables))))
            self._hide_edge(self.document().lastBlock())
        else:
            self._tables[-1].appendRows(n)
        self._present += n
        for i in range(start, self._present):
            self._fill(i, self._block.rows[i])

    def _hide_edge(self, block: QTextBlock) -> None:
        """Qt keeps an empty paragraph on either side of a table; make it invisible."""
        thin = glued(QTextBlockFormat())
        thin.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        tiny = QTextCharFormat()
        font = QFont(self.document().defaultFont())
        font.setPixelSize(1)
        tiny.setFont(font)
        edge = QTextCursor(block)
        if edge.currentTable() is None:
            edge.setBlockFormat(thin)
            edge.setBlockCharFormat(tiny)

    def _column_widths(self) -> list[float]:
        """Those of the first table as it is laid out, for the tables that go on with it."""
        layout = self.document().documentLayout()
        cells = (self._tables[0].cellAt(0, x) for x in range(self._tables[0].columns()))
        blocks = (cell.firstCursorPosition().block() for cell in cells)
        return [layout.blockBoundingRect(block).width() + 2 * theme.GRID + _BORDER for block in blocks]

    def _follow_widths(self) -> None:
        """The first table has other columns now: so have those below."""
        if len(self._tables) < 2:
            return
        widths = self._column_widths()
        if widths == self._widths:
            return
        self._widths = widths
        edit = QTextCursor(self.document())
        edit.beginEditBlock()
        for table in self._tables[1:]:
            table.setFormat(self._table_format(below=True))
        edit.endEditBlock()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_widths()
        self._place_fold()

    def _show_fold(self) -> None:
        if self._unfolded or not self._hidden_rows:
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
        self._fold.setText(said.format(n=numbers.grouped(len(self._block.rows) - 1)))
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

    def _table_format(self, below: bool) -> QTextTableFormat:
        """`below`: of a table that goes on with the one above it."""
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
        form.setHeaderRowCount(0 if below else 1)
        if below:
            # Over the edge between them, so that one line is left of the two.
            form.setTopMargin(-_EDGE)
            fixed = [QTextLength(QTextLength.Type.FixedLength, width) for width in self._widths]
            form.setColumnWidthConstraints(fixed)
        else:
            free = [QTextLength(QTextLength.Type.VariableLength, 0)] * len(self._block.aligns)
            form.setColumnWidthConstraints(free)
        return form

    def _fill(self, index: int, row: Sequence[Sequence[Run]]) -> None:
        below = 1 + (index - ROWS) // SLICE if index >= ROWS else 0
        table = self._tables[below]
        at = index if not below else (index - ROWS) % SLICE
        palette, mirrored, last = Theme.current().palette, self._mirrored, len(self._block.aligns) - 1
        for column, align in enumerate(self._block.aligns):
            cell = table.cellAt(at, last - column if mirrored else column)
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
