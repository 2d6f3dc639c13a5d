"""A block of source code: language, buttons, and code that scrolls sideways or wraps."""

from __future__ import annotations

import math
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import (
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QTextEdit, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.chat import highlight
from app.ui.chat.blocks import CodeBlock
from app.ui.chat.copy_button import CopyButton
from app.ui.chat.pieces import PIECE, glued
from app.ui.chat.save_button import SaveButton
from app.ui.chat.text_view import TextView, units
from app.ui.chat.turns import Turns
from app.ui.icons import IconButton
from app.ui.theme import Theme

_INDENT = 24
_QUOTE = 16
_TURN_SECONDS = 0.003
_PAINTED = 60  # stretches coloured in one step
_MUCH = 4000  # characters


class CodeText(TextView):
    """The code itself. `set_code` appends when the new code begins with the old one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._code = ""
        self._language = ""
        self._coloured = 0  # lines before have been coloured as far as can be told now
        self._restart = 0
        self._wide = False  # holds characters of two code units
        self._pass: Iterator[highlight.Stretch] | None = None
        self._passed = 0
        self._length = 0  # characters in the document
        self._column = 0  # of them after the last edge or line feed
        self._edges: list[int] = []  # where lines are cut: the document has one character more at each
        super().__init__(theme.CODE, parent)
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(self.tr("Code"))

    @property
    def code(self) -> str:
        return self._code

    def set_code(self, code: str, language: str) -> None:
        if language != self._language or not code.startswith(self._code):
            self._language = language
            self._code = code
            with self.keeping_selection():
                self.rerender()
            return
        delta, self._code = code[len(self._code) :], code
        if delta:
            self._pass = None
            with self.keeping_selection():
                self._insert(delta)
            self._colour_lines()

    def finish(self) -> None:
        """The code is complete: read it once from start to end, in turns, for the final colours."""
        self._pass = highlight.stretches(self._code, self._language)
        self._passed = 0
        if self._continue_pass():
            Turns.current().run(self, self._continue_pass)

    def rerender(self) -> None:
        self.document().clear()
        self._coloured = self._restart = 0
        self._wide = False
        self._length = self._column = 0
        self._edges = []
        self._insert(self._code)
        self.finish()

    def set_wrapped(self, on: bool) -> None:
        """Break long lines at the edge, or let them scroll sideways."""
        mode = QTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if on else mode.NoWrap)
        self.setWordWrapMode(
            QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere if on else QTextOption.WrapMode.NoWrap
        )
        self._on_size(self.document().size())

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = event.angleDelta().x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if sideways and self.horizontalScrollBar().maximum():
            QTextEdit.wheelEvent(self, event)
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_size(self.document().size())

    def _on_size(self, size: QSizeF) -> None:
        bar = self.horizontalScrollBar().sizeHint().height() if size.width() > self.width() else 0
        self._set_content_height(math.ceil(size.height()) + bar)

    def _insert(self, text: str) -> None:
        self._wide = self._wide or units(text) != len(text)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.movePosition(cursor.MoveOperation.End)
        form = QTextBlockFormat()
        # Code stands on the left, whatever its comments are written in.
        form.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        height = round(self.document().defaultFont().pixelSize() * 1.45)
        form.setLineHeight(height, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        plain = self._format("text")
        cut = glued(form)
        if not self._length:
            cursor.setBlockFormat(form)
        for i, line in enumerate(text.split("\n")):
            if i:
                cursor.insertBlock(form, plain)
                self._length += 1
                self._column = 0
            at = 0
            while at < len(line):
                if self._column >= PIECE:
                    cursor.insertBlock(cut, plain)
                    self._edges.append(self._length)
                    self._column = 0
                piece = line[at : at + PIECE - self._column]
                cursor.insertText(_one_line(piece), plain)
                at += len(piece)
                self._length += len(piece)
                self._column += len(piece)
        cursor.endEditBlock()

    def _colour_lines(self) -> None:
        """Colour the lines that were completed since the last time."""
        code = self._code
        stop = code.rfind("\n", self._coloured) + 1
        if stop <= self._coloured:
            return
        if stop - self._restart > _MUCH:
            # The pass at the end reads it in turns.
            self._coloured = self._restart = stop
            return
        fresh = [
            piece
            for piece in highlight.stretches(code, self._language, self._restart, stop)
            if piece.end > self._coloured
        ]
        if fresh:
            self._paint(fresh, fresh[0].start)
        self._coloured = stop
        self._restart = highlight.restart(code, self._restart, stop)

    def _continue_pass(self) -> bool:
        """Go on with the final pass for a few milliseconds; whether there is more to do."""
        if self._pass is None:
            return False
        until = time.perf_counter() + _TURN_SECONDS
        pieces = []
        for piece in self._pass:
            pieces.append(piece)
            if len(pieces) >= _PAINTED or time.perf_counter() > until:
                break
        else:
            self._pass = None
        if pieces:
            self._paint(pieces, self._passed)
            self._passed = pieces[-1].end
        return self._pass is not None

    def _paint(self, pieces: Sequence[highlight.Stretch], since: int) -> None:
        """Colour stretches, and what lies between them from `since` on plain."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        unit = units(self._code[:since]) if self._wide else since
        for piece in pieces:
            for start, end, role in ((since, piece.start, "text"), (piece.start, piece.end, piece.role)):
                if start < end:
                    cursor.setPosition(unit + bisect_right(self._edges, start))
                    unit += units(self._code[start:end]) if self._wide else end - start
                    cursor.setPosition(unit + bisect_left(self._edges, end), cursor.MoveMode.KeepAnchor)
                    cursor.setCharFormat(self._format(role))
            since = piece.end
        cursor.endEditBlock()

    def _format(self, role: str) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setForeground(Theme.current().palette.colour(role))
        return form


class CodeView(QWidget):
    """Header and code on a raised card, indented as deep as the list it belongs to."""

    def __init__(self, block: CodeBlock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._block = block
        outer = QVBoxLayout(self)
        indent = round(_INDENT * Theme.current().scale)
        outer.setContentsMargins(block.depth * indent + block.quote * _QUOTE, 0, 0, 0)
        card = QFrame()
        card.setProperty("role", "raised")
        outer.addWidget(card)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(theme.GAP, theme.HALF, theme.HALF, theme.GAP)
        layout.setSpacing(0)
        header = QHBoxLayout()
        self._language = QLabel()
        self._language.setProperty("role", "label")
        self._language.setTextFormat(Qt.TextFormat.PlainText)
        header.addWidget(self._language)
        header.addStretch()
        self._wrap = IconButton("wrap", self.tr("Wrap long lines"), role="muted")
        self._wrap.setCheckable(True)
        self._wrap.toggled.connect(self._on_wrap)
        header.addWidget(self._wrap)
        self._save = SaveButton(
            self.tr("Save code"),
            lambda: self._block.code,
            lambda: highlight.file_name(self._block.language),
        )
        header.addWidget(self._save)
        self._copy = CopyButton(self.tr("Copy code"), lambda: self._block.code)
        header.addWidget(self._copy)
        layout.addLayout(header)
        self._text = CodeText()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, theme.GRID, 0)
        row.addWidget(self._text)
        layout.addLayout(row)
        self.update_block(block)

    @property
    def block(self) -> CodeBlock:
        return self._block

    @property
    def language(self) -> str:
        """As it stands in the header."""
        return self._language.text()

    @property
    def copy_button(self) -> CopyButton:
        return self._copy

    @property
    def save_button(self) -> SaveButton:
        return self._save

    @property
    def wrap_button(self) -> IconButton:
        return self._wrap

    @property
    def text_view(self) -> CodeText:
        return self._text

    def update_block(self, block: CodeBlock) -> None:
        """Show more of the same code, or other code."""
        self._block = block
        # A language is one word; what a model may write there instead is cut.
        self._language.setText(block.language[:40] or self.tr("text"))
        self._text.set_code(block.code, block.language)

    def _on_wrap(self, on: bool) -> None:
        self._text.set_wrapped(on)
        self._wrap.set_label(self.tr("Do not wrap lines") if on else self.tr("Wrap long lines"))

    def finish(self) -> None:
        """The block is complete."""
        self._text.finish()


def _one_line(line: str) -> str:
    """One character stays one character, so that offsets into the code fit the document."""
    for odd in ("\u2028", "\u2029", "\x00", "\ufdd0", "\ufdd1", "\ufffc", "\r"):
        line = line.replace(odd, "\ufffd")
    return line
