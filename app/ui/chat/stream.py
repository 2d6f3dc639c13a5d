"""Markdown that is still being written: finished blocks come out once, only the last one is parsed again.

The text after the last finished block is the tail. Its cost per call is bounded: an open code fence
is followed line by line without parsing, a table row by row, and a paragraph that never ends is cut at
`MAX_TAIL`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.ui.chat.blocks import Block, CodeBlock, Run, TableBlock, TextBlock
from app.ui.chat.markdown import Unit, parse_units

MAX_TAIL = 2000

# A last line that may still turn into something else: a rule, a list marker, a heading, a fence.
_UNDECIDED = re.compile(r" {0,3}(?:[-=*+_#|>~`]+[ \t]*|\d{1,9}[.)]?[ \t]*|(?:`{3,}|~{3,}).*)")
_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})([^\n]*)\n")
_TABLE = re.compile(r" {0,3}\|[^\n]*\n[^\n]*\n")
_OPEN_LINK = re.compile(r"!?\[([^\[\]\n]*)(?:\]\([^()\s]*)?$")

Row = tuple[tuple[Run, ...], ...]


@dataclass(frozen=True, slots=True)
class Update:
    """`finished` blocks never change again; `tail` replaces the tail of the update before."""

    finished: tuple[Block, ...]
    tail: tuple[Block, ...]


class MarkdownStream:
    """Feed it text as it comes; `finish()` after the last piece."""

    def __init__(self) -> None:
        self._tail = ""
        self._open: _OpenFence | _OpenTable | None = None
        self._glue: str | None = None  # of the first block to come, if it goes on with the one before
        self._cut_glue: str | None = None

    def feed(self, delta: str) -> Update:
        self._tail += delta.replace("\r", "")
        return self._glued(self._advance(final=False))

    def finish(self) -> Update:
        """Everything that was held back; the stream starts over."""
        update = self._glued(self._advance(final=True))
        self.__init__()  # type: ignore[misc]
        return Update(update.finished + update.tail, ())

    def _glued(self, update: Update) -> Update:
        """The update with the glue between the parts of a paragraph that was cut."""
        finished, tail = list(update.finished), list(update.tail)
        _set_glue(finished or tail, self._glue)
        if finished:
            self._glue = None
        if self._cut_glue is not None:
            self._glue, self._cut_glue = self._cut_glue, None
            _set_glue(tail, self._glue)
        return Update(tuple(finished), tuple(tail))

    def _advance(self, final: bool) -> Update:
        finished: list[Block] = []
        while True:
            if self._open is not None:
                rest = self._open.feed(self._tail, final)
                self._tail = ""
                if rest is None:
                    return Update(tuple(finished), (self._open.block(),))
                finished.append(self._open.block())
                self._open, self._tail = None, rest
            settled = self._tail if final else _without_undecided(self._tail)
            units = parse_units(settled)
            finished += [block for unit in units[:-1] for block in unit.blocks]
            if units:
                start = sum(len(line) + 1 for line in settled.split("\n")[: units[-1].line])
                self._tail, settled = self._tail[start:], settled[start:]
            if not (self._opens_fence(units) or self._opens_table(units)):
                break
        if not final and len(self._tail) > MAX_TAIL:
            cut = self._cut_paragraph()
            if cut:
                return Update((*finished, *cut), self._shown(_without_undecided(self._tail)))
        shown = settled if final else _completed(settled)
        if shown == settled:
            return Update(tuple(finished), units[-1].blocks if units else ())
        return Update(tuple(finished), self._shown(shown))

    def _opens_fence(self, units: list[Unit]) -> bool:
        """Whether the tail is a code fence; then it is followed line by line from here on."""
        opened = _FENCE.match(self._tail)
        if not (opened and units and len(units[-1].blocks) == 1):
            return False
        if not isinstance(units[-1].blocks[0], CodeBlock):
            return False
        self._open = _OpenFence(opened.group(1), opened.group(2), opened.group(3))
        self._tail = self._tail[opened.end() :]
        return True

    def _opens_table(self, units: list[Unit]) -> bool:
        """Whether the tail is a table; then its rows are read one by one from here on."""
        opened = _TABLE.match(self._tail)
        if not (opened and units and len(units[-1].blocks) == 1):
            return False
        if not isinstance(units[-1].blocks[0], TableBlock):
            return False
        self._open = _OpenTable(opened.group())
        self._tail = self._tail[opened.end() :]
        return True

    def _shown(self, source: str) -> tuple[Block, ...]:
        return tuple(block for unit in parse_units(source) for block in unit.blocks)

    def _cut_paragraph(self) -> list[Block]:
        """Finish the first part of a paragraph that is too long to be laid out again and again."""
        units = parse_units(self._tail)
        if len(units) != 1 or len(units[0].blocks) != 1 or not isinstance(units[0].blocks[0], TextBlock):
            return []
        cut = max(self._tail.rfind(end, MAX_TAIL // 2) for end in (". ", "\n", " "))
        spaced = cut >= 0
        cut = cut + 1 if spaced else len(self._tail)
        glue = self._tail[cut - 1] if spaced else ""
        head, self._tail = self._tail[:cut].rstrip(" \n"), self._tail[cut:].lstrip(" ")
        self._cut_glue = glue
        return [block for unit in parse_units(head) for block in unit.blocks]


class _OpenFence:
    """A top-level code fence that has not been closed."""

    def __init__(self, indent: str, fence: str, info: str) -> None:
        words = info.split()
        self._language = words[0] if words else ""
        self._indent = len(indent)
        self._closing = re.compile(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*")
        self._maybe_closing = re.compile(rf" {{0,3}}{re.escape(fence[0])}*[ \t]*")
        self._code = ""
        self._partial = ""

    def feed(self, text: str, final: bool) -> str | None:
        """Take text in; what follows the closing fence, or None while it is open."""
        self._partial += text
        if "\n" not in self._partial and not final:
            return None
        lines = self._partial.split("\n")
        for i, line in enumerate(lines[:-1]):
            if self._closing.fullmatch(line):
                self._partial = ""
                return "\n".join(lines[i + 1 :])
            self._code += self._unindented(line) + "\n"
        self._partial = lines[-1]
        if final:
            if not self._closing.fullmatch(self._partial):
                self._code += self._unindented(self._partial)
            self._partial = ""
            return ""
        return None

    def block(self) -> CodeBlock:
        # A line that may become the closing fence is not shown yet.
        partial = "" if self._maybe_closing.fullmatch(self._partial) else self._unindented(self._partial)
        return CodeBlock((self._code + partial).removesuffix("\n"), self._language)

    def _unindented(self, line: str) -> str:
        spaces = len(line) - len(line.lstrip(" "))
        return line[min(spaces, self._indent) :]


class _OpenTable:
    """A top-level table that more rows may follow; `head` is its first two lines. Read rows are kept."""

    def __init__(self, head: str) -> None:
        self._head = head
        (self._title, *_), self._aligns = _rows(parse_units(head))
        self._rows: list[Row] = []
        self._partial = ""

    def feed(self, text: str, final: bool) -> str | None:
        """Take text in; what follows the table, or None while it may go on."""
        self._partial += text
        if final and self._partial:
            self._partial += "\n"
        lines = self._partial.split("\n")
        whole = lines[:-1]
        if whole:
            self._partial = lines[-1]
            blank = next((i for i, line in enumerate(whole) if not line.strip()), len(whole))
            units = parse_units(self._head + "".join(f"{line}\n" for line in whole[:blank]))
            self._rows += _rows(units)[0][1:]
            end = units[1].line - 2 if len(units) > 1 else blank
            if end < len(whole):
                self._partial = ""
                return "\n".join(lines[end:])
        return "" if final else None

    def block(self) -> TableBlock:
        return TableBlock((self._title, *self._rows, *self._last()), self._aligns)

    def _last(self) -> Sequence[Row]:
        """The row that is being written."""
        if not self._partial.strip() or _UNDECIDED.fullmatch(self._partial):
            return ()
        units = parse_units(self._head + _completed(self._partial))
        return _rows(units)[0][1:] if len(units) == 1 else ()


def _rows(units: Sequence[Unit]) -> tuple[Sequence[Row], tuple[str, ...]]:
    """Rows and alignments of the table that `units` begins with."""
    table = units[0].blocks[0]
    assert isinstance(table, TableBlock)
    return table.rows, table.aligns


def _set_glue(blocks: list[Block], glue: str | None) -> None:
    if blocks and glue is not None and isinstance(blocks[0], TextBlock):
        blocks[0] = replace(blocks[0], glue=glue)


def _without_undecided(text: str) -> str:
    start = text.rfind("\n") + 1
    return text[:start] if _UNDECIDED.fullmatch(text, start) else text


def _completed(text: str) -> str:
    """The text with emphasis, code and links closed that are still being written, so nothing flickers."""
    start = max(text.rfind("\n\n") + 2, 0) if "\n\n" in text else 0
    head, last = text[:start], text[start:]
    ticks = last.count("`")
    if ticks % 2:
        if last.endswith("`"):
            return head + last[:-1]
        return head + last + "`"
    link = _OPEN_LINK.search(last)
    if link:
        last = last[: link.start()] + link.group(1)
    if last.endswith("**"):
        if last.count("**") % 2:
            return head + last[:-2]
    elif last.count("**") % 2:
        if last.endswith("*"):
            return head + last + "*"
        return head + last.rstrip() + "**"
    elif last.endswith("*"):
        return head + last[:-1]
    return head + last
