"""Markdown to blocks with markdown-it. HTML and images become text; only http and https links are links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.ui.chat import math_rules, math_text
from app.ui.chat.blocks import Block, CodeBlock, RuleBlock, Run, TableBlock, TextBlock

BULLETS = ("•", "◦", "–")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`()\[\]{}]+[^\s<>\"'`()\[\]{}.,;:!?]")
_ALIGN = re.compile(r"text-align:\s*(\w+)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A top-level block or one item of a top-level list, which starts at source line `line`."""

    line: int
    blocks: tuple[Block, ...]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return math_rules.add_to(MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]))


def parse(source: str) -> list[Block]:
    """All blocks of a whole text."""
    return [block for unit in parse_units(source) for block in unit.blocks]


def parse_units(source: str) -> list[Unit]:
    """The text cut where parsing may start afresh: a unit never changes once another one follows it."""
    units = []
    for tokens in _children(_parser().parse(source)):
        first = tokens[0]
        if first.type in ("bullet_list_open", "ordered_list_open"):
            units += [
                Unit(_line(item[0]), tuple(_item_blocks(item, depth=1, quote=0)))
                for item in _children(tokens[1:-1])
            ]
        else:
            units.append(Unit(_line(first), tuple(_blocks(tokens, depth=0, quote=0))))
    return units


def is_web_address(href: str) -> bool:
    """Whether a link may be opened: http or https with a host."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _children(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Runs of tokens that belong together: an opening token to its closing one, or a single token."""
    start, level = 0, 0
    for i, token in enumerate(tokens):
        level += token.nesting
        if level == 0:
            yield tokens[start : i + 1]
            start = i + 1


def _blocks(tokens: Sequence[Token], depth: int, quote: int) -> Iterator[Block]:
    for group in _children(tokens):
        first, inner = group[0], group[1:-1]
        kind = first.type
        if kind == "paragraph_open":
            yield TextBlock(_runs(inner[0]), depth=depth, quote=quote)
        elif kind == "heading_open":
            yield TextBlock(_runs(inner[0]), heading=int(first.tag[1]), depth=depth, quote=quote)
        elif kind in ("fence", "code_block"):
            words = first.info.split()
            yield CodeBlock(first.content.removesuffix("\n"), words[0] if words else "", depth, quote)
        elif kind in ("bullet_list_open", "ordered_list_open"):
            for item in _children(inner):
                yield from _item_blocks(item, depth + 1, quote)
        elif kind == "blockquote_open":
            yield from _blocks(inner, depth, quote + 1)
        elif kind == math_rules.BLOCK:
            yield TextBlock(_formula(first, Run("")), depth=depth, quote=quote, display=True)
        elif kind == "hr":
            yield RuleBlock()
        elif kind == "table_open":
            yield _table(inner)


def _item_blocks(item: Sequence[Token], depth: int, quote: int) -> Iterator[Block]:
    """The blocks of one list item; the first text block carries the marker."""
    first = item[0]
    marker = f"{first.info}{first.markup}" if first.info else BULLETS[(depth - 1) % len(BULLETS)]
    for block in _blocks(item[1:-1], depth, quote):
        if marker and isinstance(block, TextBlock) and not block.marker and block.depth == depth:
            yield replace(block, marker=marker)
        else:
            if marker:
                yield TextBlock((), marker=marker, depth=depth, quote=quote)
            yield block
        marker = ""
    if marker:
        yield TextBlock((), marker=marker, depth=depth, quote=quote)


def _table(tokens: Sequence[Token]) -> TableBlock:
    rows: list[tuple[tuple[Run, ...], ...]] = []
    aligns: list[str] = []
    cells: list[tuple[Run, ...]] = []
    for token in tokens:
        if token.type == "th_open":
            found = _ALIGN.search(str(token.attrGet("style") or ""))
            aligns.append(found.group(1) if found else "left")
        elif token.type == "inline":
            cells.append(_runs(token))
        elif token.type == "tr_close":
            rows.append(tuple(cells))
            cells = []
    return TableBlock(tuple(rows), tuple(aligns))


def _runs(inline: Token) -> tuple[Run, ...]:
    """The inline token's children as runs, neighbours of one style joined."""
    out: list[Run] = []
    style = Run("")
    saved: list[Run] = []
    for token in inline.children or ():
        kind = token.type
        if kind == "text":
            _add(out, style.with_text(token.content))
        elif kind in ("softbreak", "hardbreak"):
            _add(out, style.with_text("\n"))
        elif kind == "code_inline":
            _add(out, Run(token.content, style.bold, style.italic, True, style.strike, style.href))
        elif kind == math_rules.INLINE:
            out += _formula(token, style)
        elif kind == "image":
            _add(out, style.with_text(f"[{token.content or token.attrGet('src')}]"))
        elif token.nesting == 1:
            saved.append(style)
            style = _styled(style, token)
        elif token.nesting == -1 and saved:
            style = saved.pop()
        elif token.content:
            _add(out, style.with_text(token.content))
    return tuple(piece for run in out for piece in _with_addresses(run))


def _formula(token: Token, style: Run) -> tuple[Run, ...]:
    """A formula as runs that all know its source."""
    source = token.meta["source"]
    return tuple(
        Run(r.text, style.bold or r.bold, r.italic, False, style.strike, style.href, source, r.shift)
        for r in math_text.render(token.content)
    )


def _styled(style: Run, token: Token) -> Run:
    bold = style.bold or token.type == "strong_open"
    italic = style.italic or token.type == "em_open"
    strike = style.strike or token.type == "s_open"
    href = style.href
    if token.type == "link_open":
        target = str(token.attrGet("href") or "")
        href = target if is_web_address(target) else ""
    return Run("", bold, italic, style.code, strike, href)


def _add(out: list[Run], run: Run) -> None:
    if out and not run.math and out[-1].same_style(run):
        out[-1] = run.with_text(out[-1].text + run.text)
    elif run.text:
        out.append(run)


def _with_addresses(run: Run) -> Iterator[Run]:
    """Bare web addresses in running text become links."""
    if run.href or run.code or run.math or "://" not in run.text:
        yield run
        return
    end = 0
    for found in _ADDRESS.finditer(run.text):
        if not is_web_address(found.group()):
            continue
        if found.start() > end:
            yield run.with_text(run.text[end : found.start()])
        yield Run(found.group(), run.bold, run.italic, False, run.strike, found.group())
        end = found.end()
    if end < len(run.text):
        yield run.with_text(run.text[end:])
