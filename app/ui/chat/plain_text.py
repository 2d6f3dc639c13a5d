"""Markdown as plain text, the way it looks on screen: no stars, no fences, tables by tabs. Knows no Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.ui.chat.blocks import Block, CodeBlock, Run, TableBlock, TextBlock
from app.ui.chat.markdown import parse


def of_markdown(source: str) -> str:
    """The whole text; paragraphs are set apart by empty lines, items of a list are not."""
    out: list[str] = []
    before: Block | None = None
    for block in parse(source):
        said = of_block(block)
        if before is not None:
            out.append("\n" if _in_list(before) and _in_list(block) else "\n\n")
        out.append(said)
        before = block
    return "".join(out)


def of_block(block: Block) -> str:
    """One block, indented as deep as its list."""
    if isinstance(block, TextBlock):
        marker = f"{block.marker} " if block.marker else ""
        indent = "  " * max(block.depth - 1, 0) + "> " * block.quote
        return indent + marker + block.text.replace("\n", "\n" + indent + " " * len(marker))
    if isinstance(block, CodeBlock):
        return block.code
    if isinstance(block, TableBlock):
        return "\n".join("\t".join(_text(cell) for cell in row) for row in block.rows)
    return "―" * 3


def _in_list(block: Block) -> bool:
    return isinstance(block, TextBlock) and block.depth > 0


def _text(runs: Sequence[Run]) -> str:
    return "".join(run.text for run in runs)
