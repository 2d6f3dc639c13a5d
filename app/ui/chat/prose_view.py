"""Paragraphs, headings, lists and quotations of a reply in one document, so that a selection spans them.

Only the last block can change: `replace_last` keeps the beginning it has in common with what it was,
so text that is being selected stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from app.ui import theme
from app.ui.chat import math_copy, pieces
from app.ui.chat.blocks import Run, TextBlock
from app.ui.chat.direction import is_right_to_left, isolated
from app.ui.chat.math_copy import has_formula
from app.ui.chat.pieces import glued
from app.ui.chat.text_view import TextView, clean, units
from app.ui.theme import Theme

_INDENT = 24
_QUOTE = 16
_BAR = 3
_HEADING_SCALE = {1: 1.45, 2: 1.25, 3: 1.12}


class ProseView(TextView):
    """Blocks of text, appended or changed at the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._blocks: list[TextBlock] = []
        super().__init__(theme.READING, parent)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setAccessibleName(self.tr("Reply"))
        # Every line is broken at the edge, but Qt counts a hanging indent on the right twice.
        self.horizontalScrollBar().rangeChanged.connect(lambda: self.horizontalScrollBar().setRange(0, 0))

    @property
    def blocks(self) -> Sequence[TextBlock]:
        return self._blocks

    def add_block(self, block: TextBlock) -> None:
        with self.keeping_selection():
            self._append(block)

    def replace_last(self, block: TextBlock) -> None:
        """Change the last block into `block`; what both begin with is not touched."""
        old = self._blocks[-1]
        self._blocks[-1] = block
        before, after = _styled_runs(old), _styled_runs(block)
        same, common = _common(before, after)
        cursor = self._at_end()
        with self.keeping_selection():
            cursor.beginEditBlock()
            if _shape(old) != _shape(block):
                same, common = 0, 0
                cursor.setBlockFormat(self._block_format(block, self._previous(len(self._blocks) - 1)))
            start = cursor.block().position()
            cursor.setPosition(start + sum(units(run.text) for run in after[:same]) + common)
            cursor.movePosition(cursor.MoveOperation.EndOfBlock, cursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            rest = list(after[same:])
            if rest and common:
                rest[0] = rest[0].with_text(_from_unit(rest[0].text, common))
            self._insert(cursor, rest, block)
            cursor.endEditBlock()

    def remove_last(self) -> None:
        """Take the last block away; the view must keep at least one."""
        self._blocks.pop()
        cursor = self._at_end()
        with self.keeping_selection():
            cursor.movePosition(cursor.MoveOperation.StartOfBlock)
            cursor.movePosition(cursor.MoveOperation.PreviousCharacter)
            cursor.movePosition(cursor.MoveOperation.End, cursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()

    def rerender(self) -> None:
        self.limit_to_measure()
        blocks, self._blocks = self._blocks, []
        self.document().clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for block in blocks:
            self._append(block)
        cursor.endEditBlock()

    def has_own_copy(self) -> bool:
        return super().has_own_copy() or has_formula(self.textCursor())

    def selected_text(self) -> str:
        return pieces.selected(self.textCursor(), math_copy.text_of)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        quoted = [i for i, block in enumerate(self._blocks) if block.quote]
        if not quoted:
            return
        painter = QPainter(self.viewport())
        colour = Theme.current().palette.colour("line")
        layout = self.document().documentLayout()
        for i in quoted:
            rect = layout.blockBoundingRect(self.document().findBlockByNumber(i))
            mirrored = _mirrored(self._blocks[i])
            for level in range(self._blocks[i].quote):
                start = self.document().textWidth() - level * _QUOTE - _BAR if mirrored else level * _QUOTE
                bar = QRectF(start, rect.top(), _BAR, rect.height())
                if bar.intersects(QRectF(event.rect())):
                    painter.fillRect(bar, colour)
        painter.end()

    def _append(self, block: TextBlock) -> None:
        cursor = self._at_end()
        cursor.beginEditBlock()
        self._blocks.append(block)
        form = self._block_format(block, self._previous(len(self._blocks) - 1))
        if len(self._blocks) == 1:
            cursor.setBlockFormat(form)
        else:
            cursor.insertBlock(form, self._char_format(Run(""), block))
        self._insert(cursor, _styled_runs(block), block)
        cursor.endEditBlock()

    def _previous(self, index: int) -> TextBlock | None:
        return self._blocks[index - 1] if index else None

    def _at_end(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.movePosition(cursor.MoveOperation.End)
        return cursor

    def _insert(self, cursor: QTextCursor, runs: Sequence[Run], block: TextBlock) -> None:
        for run in runs:
            cursor.insertText(run.text, self._char_format(run, block))

    def _block_format(self, block: TextBlock, previous: TextBlock | None) -> QTextBlockFormat:
        form = QTextBlockFormat()
        size = self.document().defaultFont().pixelSize() * _HEADING_SCALE.get(block.heading, 1.0)
        height = size * (1.3 if block.heading else theme.READING_LINE_HEIGHT / 100)
        form.setLineHeight(round(height), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        form.setHeadingLevel(block.heading)
        indent = round(_INDENT * Theme.current().scale)
        margin = block.depth * indent + block.quote * _QUOTE
        mirrored = _mirrored(block)
        if mirrored:
            form.setRightMargin(margin)
        else:
            form.setLeftMargin(margin)
        if block.marker:
            form.setTextIndent(-indent)
            # Mirrored paragraphs have their tabs mirrored as well.
            tab = QTextOption.TabType.RightTab if mirrored else QTextOption.TabType.LeftTab
            # A long number pushes its first line only.
            number = QFontMetrics(self.document().defaultFont()).horizontalAdvance(f"{block.marker} ")
            form.setTabPositions([QTextOption.Tab(max(indent, number), tab)])
        if block.display:
            form.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        if block.glue is not None:
            return glued(form, block.glue)
        if previous is not None:
            form.setTopMargin(_space(previous, block))
        return form

    def _char_format(self, run: Run, block: TextBlock) -> QTextCharFormat:
        current = Theme.current()
        palette = current.palette
        form = QTextCharFormat()
        font = QFont(self.document().defaultFont())
        if run.code:
            font.setFamilies(current.font(theme.CODE).families())
            font.setStyleHint(QFont.StyleHint.Monospace)
            font.setPixelSize(round(font.pixelSize() * 0.9))
            form.setBackground(QColor(palette.raised))
        if block.heading:
            font.setPixelSize(round(font.pixelSize() * _HEADING_SCALE.get(block.heading, 1.0)))
        if run.bold or block.heading:
            font.setWeight(QFont.Weight.DemiBold)
        font.setItalic(run.italic)
        font.setStrikeOut(run.strike)
        form.setFont(font)
        form.setForeground(QColor(palette.muted if block.quote else palette.text))
        if run.math:
            math_copy.tag(form, run.math)
        if run.shift:
            alignment = QTextCharFormat.VerticalAlignment
            form.setVerticalAlignment(
                alignment.AlignSuperScript if run.shift > 0 else alignment.AlignSubScript
            )
        if run.href:
            form.setAnchor(True)
            form.setAnchorHref(run.href)
            form.setForeground(QColor(palette.accent))
            form.setFontUnderline(True)
        return form


def _space(previous: TextBlock, block: TextBlock) -> int:
    """Distance above `block` in px; it does not depend on what follows, so nothing moves later."""
    if block.heading:
        return 20
    if previous.heading:
        return 6
    if block.depth and previous.depth:
        return 4
    return 10


def _shape(block: TextBlock) -> tuple[object, ...]:
    mirrored = _mirrored(block)
    return block.heading, bool(block.marker), block.depth, block.quote, block.glue, block.display, mirrored


def _mirrored(block: TextBlock) -> bool:
    """Whether the margin of a list or quotation is on the right."""
    return bool(block.depth or block.quote) and is_right_to_left(run.text for run in block.runs)


def _styled_runs(block: TextBlock) -> list[Run]:
    runs = [run.with_text(clean(run.text)) for run in isolated(block.runs)]
    return [Run(f"{block.marker}\t"), *runs] if block.marker else runs


def _common(before: Sequence[Run], after: Sequence[Run]) -> tuple[int, int]:
    """Whole runs in common, then code units in common of the next one."""
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    if same == min(len(before), len(after)) or not before[same].same_style(after[same]):
        return same, 0
    one, other = before[same].text, after[same].text
    if other.startswith(one):
        return same, units(one)
    length = next(i for i, (a, b) in enumerate(zip(one + "\0", other + "\0", strict=False)) if a != b)
    return same, units(one[:length])


def _from_unit(text: str, start: int) -> str:
    """The text from UTF-16 code unit `start` on."""
    return text.encode("utf-16-le")[2 * start :].decode("utf-16-le")
