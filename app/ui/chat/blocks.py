"""A reply as values: what Markdown says, before anything is drawn. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass

UNCOPIED = "\0"


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one style. `href` is an http or https address, or empty.

    `math` is the source of the formula that the run is a part of, with its delimiters; then `shift` is 1
    for raised and -1 for lowered text. `UNCOPIED` there marks signs that are no part of the text.
    """

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    href: str = ""
    math: str = ""
    shift: int = 0

    def with_text(self, text: str) -> Run:
        return Run(text, self.bold, self.italic, self.code, self.strike, self.href, self.math, self.shift)

    def same_style(self, other: Run) -> bool:
        return self.with_text("") == other.with_text("")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, heading (`heading` 1..6) or list item (`marker` such as `•` or `3.`).

    `depth` is the number of lists around it, `quote` the number of quotations. A line feed in a run
    is a line break inside the paragraph. `glue` is set when the block goes on with the paragraph before
    it, which was too long for one: it stands between the two in a copy. `display`: a formula by itself.
    """

    runs: tuple[Run, ...]
    heading: int = 0
    marker: str = ""
    depth: int = 0
    quote: int = 0
    glue: str | None = None
    display: bool = False

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Source code without its fences; `language` as the author named it."""

    code: str
    language: str = ""
    depth: int = 0
    quote: int = 0


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Rows of cells of runs; the first row is the head. `aligns` is `left`, `center` or `right` by column."""

    rows: tuple[tuple[tuple[Run, ...], ...], ...]
    aligns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """A horizontal line."""


Block = TextBlock | CodeBlock | TableBlock | RuleBlock
