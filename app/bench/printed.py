"""A benchmark as text for the terminal: `label: value` under `[section]`, tables in columns."""

from __future__ import annotations

from collections.abc import Iterator

from app.bench.recommendation import recommendation
from app.bench.result import BenchResult
from app.bench.sections import sections
from app.core.bench_values import Rows, Table


def printed(result: BenchResult, per_prompt: bool = False) -> str:
    """The whole result, without a line end at the end."""
    return "\n".join(_lines(result, per_prompt))


def _lines(result: BenchResult, per_prompt: bool) -> Iterator[str]:
    for section in sections(result, per_prompt):
        if section.title:
            yield ""
            yield f"[{section.title}]"
        if isinstance(section, Rows):
            yield from (f"{label}: {value}" for label, value in section.rows)
        else:
            yield from table_lines(section)
    if result.recommendation is not None:
        yield ""
        yield f"recommendation: {recommendation(result)}"
    if result.warnings or result.errors:
        yield ""
    yield from (f"warning: {text}" for text in result.warnings)
    for problem in result.errors:
        yield f"error: {' '.join(part for part in (problem.what, problem.why, problem.remedy) if part)}"
    if result.cancelled:
        yield ""
        yield "Stopped before the end; the figures are those of what was finished."


def table_lines(table: Table) -> Iterator[str]:
    """Columns two spaces apart; the first is left-aligned, the last one too when it is text."""
    cells = [table.columns, *table.rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.columns))]
    for row in cells:
        padded = [row[0].ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        if table.columns[-1] == "text":
            padded[-1] = row[-1]
        yield "  ".join(padded).rstrip()
