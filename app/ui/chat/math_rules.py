"""Formulas in Markdown: `$…$` and `\\(…\\)` in running text, `$$…$$` and `\\[…\\]` also by themselves."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

INLINE = "math_inline"
BLOCK = "math_block"

_MOST = 4000  # characters of one formula
_CLOSING = {"$$": "$$", "\\[": "\\]", "\\(": "\\)"}
_BLOCK_START = re.compile(r"\$\$|\\\[")


def add_to(parser: MarkdownIt) -> MarkdownIt:
    """The parser, which now knows formulas."""
    parser.inline.ruler.before("escape", INLINE, _inline)
    interrupts = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", BLOCK, _block, {"alt": interrupts})
    return parser


def _inline(state: StateInline, silent: bool) -> bool:
    source, start = state.src, state.pos
    opening = source[start : start + 2]
    if opening in _CLOSING:
        closing = _CLOSING[opening]
        end = source.find(closing, start + 2, start + _MOST)
        inner = source[start + 2 : end] if end >= 0 else ""
        after = end + 2
    elif source[start] == "$":
        end = _closing_dollar(source, start + 1, min(state.posMax, start + _MOST))
        inner = source[start + 1 : end] if end >= 0 else ""
        after = end + 1
    else:
        return False
    if not inner.strip():
        return False
    if not silent:
        token = state.push(INLINE, "", 0)
        token.content = inner
        token.meta = {"source": source[start:after]}
    state.pos = after
    return True


def _closing_dollar(source: str, start: int, stop: int) -> int:
    """Where `$…$` ends, or -1: sums of money are no formulas."""
    if start >= stop or source[start].isspace() or source[start] == "$":
        return -1
    at = start
    while True:
        at = source.find("$", at + 1, stop)
        if at < 0 or "\n\n" in source[start:at]:
            return -1
        if source[at - 1] == "\\":
            continue
        if source[at - 1].isspace() or source[at + 1 : at + 2].isdigit():
            return -1
        return at


def _block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    start = state.bMarks[first] + state.tShift[first]
    found = _BLOCK_START.match(state.src, start)
    if found is None or state.is_code_block(first):
        return False
    opening, closing = found.group(), _CLOSING[found.group()]
    lines: list[str] = []
    line = first
    begin = found.end()
    closed = False
    while line < last:
        text = state.src[begin : state.eMarks[line]]
        at = text.find(closing)
        if at >= 0:
            if text[at + len(closing) :].strip():
                # More text after it: a formula in a paragraph.
                return False
            lines.append(text[:at])
            closed = True
            break
        lines.append(text)
        line += 1
        if line < last:
            begin = state.bMarks[line] + state.tShift[line]
            if not state.src[begin : state.eMarks[line]].strip() and len(lines) > 1:
                # Formulas hold no empty lines; what was opened was none.
                return False
    if not closed and line >= last and not "".join(lines).strip():
        return False
    if silent:
        return True
    inner = "\n".join(lines)
    token = state.push(BLOCK, "", 0)
    token.block = True
    token.content = inner
    token.map = [first, min(line + 1, last)]
    token.meta = {"source": f"{opening}{inner}{closing}"}
    state.line = min(line + 1, last)
    return True
