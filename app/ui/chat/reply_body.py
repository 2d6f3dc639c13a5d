"""The content of a reply: a column of prose, code, tables and rules that changes only at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.chat.blocks import Block, CodeBlock, TableBlock, TextBlock
from app.ui.chat.code_view import CodeView
from app.ui.chat.prose_view import ProseView
from app.ui.chat.stream import MarkdownStream, Update
from app.ui.chat.table_view import TableView
from app.ui.chat.text_view import TextView
from app.ui.chat.turns import Turns

_AT_ONCE = 4000
_PAGE = 16  # widgets laid out together: a change at the end must not ask all of those before it
_SLICE, _SLICE_LINES = 1000, 80  # characters and lines in one step of what comes at once


@dataclass(frozen=True, slots=True)
class _Shown:
    block: Block
    widget: QWidget


class _Page(QWidget):
    """Some of the widgets, laid out by themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(theme.GAP)


class ReplyBody(QWidget):
    """Feed it the text as it grows. A finished block is drawn once and never touched again.

    Much text at once (a stored reply) is drawn in turns. `text_made` carries each new `TextView`.
    """

    text_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.GAP)
        self._stream = MarkdownStream()
        self._segments: list[QWidget] = []
        self._pages: list[_Page] = []
        self._tail: list[_Shown] = []
        self._pending = ""
        self._ending = False
        self.renders = 0  # blocks drawn or changed so far; tests look at it

    @property
    def segments(self) -> Sequence[QWidget]:
        return self._segments

    @property
    def text_views(self) -> list[TextView]:
        views: list[TextView] = []
        for widget in self._segments:
            if isinstance(widget, CodeView):
                views.append(widget.text_view)
            elif isinstance(widget, TextView):
                views.append(widget)
        return views

    def feed(self, delta: str) -> None:
        """More text of the reply."""
        if self._pending or len(delta) > _AT_ONCE:
            waiting = bool(self._pending)
            self._pending += delta
            if waiting or self._step():
                Turns.current().run(self, self._step)
        elif delta:
            self._apply(self._stream.feed(delta))

    def finish(self) -> None:
        """No more text comes."""
        if self._pending:
            self._ending = True
        else:
            self._apply(self._stream.finish())

    def clear(self) -> None:
        self._stream = MarkdownStream()
        self._pending, self._ending = "", False
        self._tail = []
        for page in self._pages:
            self._drop(page)
        self._segments, self._pages = [], []

    @property
    def pending(self) -> bool:
        """Some of the text is not drawn yet."""
        return bool(self._pending)

    def _step(self) -> bool:
        """Draw the next slice; whether there is more."""
        piece = "".join(self._pending[:_SLICE].splitlines(keepends=True)[:_SLICE_LINES])
        self._pending = self._pending[len(piece) :]
        if piece:
            self._apply(self._stream.feed(piece))
        if self._ending and not self._pending:
            self._ending = False
            self._apply(self._stream.finish())
        return bool(self._pending)

    def _apply(self, update: Update) -> None:
        blocks = (*update.finished, *update.tail)
        same = 0
        while same < min(len(blocks), len(self._tail)) and blocks[same] == self._tail[same].block:
            same += 1
        while len(self._tail) > same + 1:
            self._remove_last()
        if len(self._tail) > same:
            if same < len(blocks) and type(blocks[same]) is type(self._tail[same].block):
                self._change_last(blocks[same])
                same += 1
            else:
                self._remove_last()
        for block in blocks[same:]:
            self._append(block)
        done, self._tail = self._tail[: len(update.finished)], self._tail[len(update.finished) :]
        for shown in done:
            if isinstance(shown.widget, CodeView):
                shown.widget.finish()

    def _append(self, block: Block) -> None:
        self.renders += 1
        last = self._segments[-1] if self._segments else None
        if isinstance(block, TextBlock) and isinstance(last, ProseView):
            last.add_block(block)
            self._tail.append(_Shown(block, last))
            return
        widget: QWidget
        if isinstance(block, TextBlock):
            prose = ProseView()
            prose.add_block(block)
            widget = prose
        elif isinstance(block, CodeBlock):
            widget = CodeView(block)
        elif isinstance(block, TableBlock):
            widget = TableView(block)
        else:
            widget = QFrame()
            widget.setProperty("role", "rule")
        self._segments.append(widget)
        view = widget.text_view if isinstance(widget, CodeView) else widget
        if isinstance(view, TextView):
            self.text_made.emit(view)
        if isinstance(widget, TextView) and self.width():
            widget.prepare(self.width())
        self._place(widget)
        self._tail.append(_Shown(block, widget))

    def _place(self, widget: QWidget) -> None:
        """Below what is there, on a new page if the last one is full."""
        if not self._pages or self._pages[-1].column.count() >= _PAGE:
            page = _Page()
            self._pages.append(page)
            self._layout.addWidget(page)
            if self.isVisible():
                page.show()
        self._pages[-1].column.addWidget(widget)
        if self.isVisible():
            # A layout shows what is added to it one turn of the event loop later.
            widget.show()

    def _drop(self, page: _Page) -> None:
        self._layout.removeWidget(page)
        # Hidden first: it would stay on screen until the event loop deletes it.
        page.hide()
        page.deleteLater()

    def _change_last(self, block: Block) -> None:
        self.renders += 1
        widget = self._tail[-1].widget
        match widget, block:
            case ProseView(), TextBlock():
                widget.replace_last(block)
            case CodeView(), CodeBlock():
                widget.update_block(block)
            case TableView(), TableBlock():
                widget.update_block(block)
        self._tail[-1] = _Shown(block, widget)

    def _remove_last(self) -> None:
        widget = self._tail.pop().widget
        if isinstance(widget, ProseView) and len(widget.blocks) > 1:
            widget.remove_last()
            return
        self._segments.pop()
        self._pages[-1].column.removeWidget(widget)
        if not self._pages[-1].column.count() and len(self._pages) > 1:
            self._drop(self._pages.pop())
        # Hidden first: it would stay on screen until the event loop deletes it.
        widget.hide()
        widget.deleteLater()
