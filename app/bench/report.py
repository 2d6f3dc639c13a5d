"""A benchmark as a Markdown report that can be handed to somebody else: all of it from the run itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.bench.record import scrubber, timestamp
from app.bench.result import BenchResult
from app.bench.sections import comparison, recommendation, sections
from app.bench.spelling import NONE, change, gap, number, percent, seconds, speedup, verdict
from app.core.bench_values import Rows, Section, Table

_HOW_TO_CHECK = "`slipstream bench --recount FILE` recomputes every figure from the rounds in the JSON file."


# Underscores inside words are no markup.
_MARKUP = re.compile(r"[\\|<*`\[]|(?<!\w)_|_(?!\w)")


def write_report(result: BenchResult, path: Path) -> None:
    """OSError when it cannot be written."""
    path.write_text(markdown(result), "utf-8")


def markdown(result: BenchResult) -> str:
    """The whole report, without private paths and names."""
    return scrubber(result).paths("\n".join(_lines(result)) + "\n")


def everything(result: BenchResult) -> Iterator[Section]:
    """All that is known about a run, in the order in which the report tells it."""
    yield Rows("System", _system(result))
    yield _files(result)
    yield Rows("Summary", _summary(result))
    yield from sections(result, len(result.plan.prompts) > 1)
    yield from _divergences(result)
    yield _workload(result)
    yield Rows("Errors and warnings", _messages(result))


def _lines(result: BenchResult) -> Iterator[str]:
    yield "# Speculative decoding benchmark"
    yield ""
    yield f"{result.environment.program}, {timestamp(result)}"
    yield ""
    point = result.point
    if point is None:
        yield "Nothing was measured."
    else:
        yield f"**{speedup(point.figures.speedup)}**"
    if result.recommendation is not None:
        yield ""
        yield f"Recommended: {recommendation(result)}"
    if result.cancelled:
        yield ""
        yield "The benchmark was stopped before the end; the figures are those of what was finished."
    for section in everything(result):
        yield from _section(section)
    yield ""
    yield _HOW_TO_CHECK


def _system(result: BenchResult) -> tuple[tuple[str, str], ...]:
    e = result.environment
    gpus = "; ".join(f"{d.description or d.name} ({_gib(d.memory)})" for d in e.devices)
    return (
        ("library version", e.engine),
        ("library commit", e.engine_commit or NONE),
        ("operating system", e.system),
        ("Python", f"{e.python} ({e.machine})"),
        ("CPU", f"{e.cpu or NONE}, {e.cores} cores"),
        ("memory", _gib(e.memory)),
        ("backend", e.backend or NONE),
        ("GPU", gpus or "none"),
    )


def _files(result: BenchResult) -> Table:
    rows = tuple((f.role, f.name, str(f.size), f.sha256 or NONE) for f in result.files)
    return Table("Files", ("role", "file", "bytes", "SHA-256"), rows)


def _summary(result: BenchResult) -> tuple[tuple[str, str], ...]:
    """The run in one table, under the names that bug reports and comparisons ask for."""
    plan, pair, point = result.plan, result.pair, result.point
    rows = [
        ("target", f"{pair.target_name} ({pair.target_architecture})"),
        ("quantisation", pair.target_quantisation),
        ("draft", pair.draft_name or NONE),
        ("algorithm", pair.algorithm or NONE),
        ("n_ctx", str(plan.n_ctx)),
        ("n_batch", str(plan.n_batch)),
        ("n_ubatch", str(plan.n_ubatch)),
        ("draft_n_max", point.choice.label if point else str(plan.draft_n_max)),
        ("draft_p_min", f"{point.choice.p_min if point else plan.draft_p_min:g}"),
        ("backend sampling", f"requested {_on(pair.backend_sampling_requested)}, "
                             f"active {_on(pair.backend_sampling_active)}"),
        ("ignore_eos", _on(plan.ignore_eos)),
        ("prompt or workload", plan.workload),
    ]  # fmt: skip
    if point is None:
        return tuple(rows)
    figures, draft = point.figures, point.figures.draft
    generated = sum(p.generated for p in figures.speculative.passes)
    rows += [
        ("generated tokens", f"{sum(p.generated for p in figures.ordinary.passes)} ordinary, "
                             f"{generated} speculative"),
        ("ordinary throughput", f"{number(figures.ordinary.median)} tok/s (median)"),
        ("speculative throughput", f"{number(figures.speculative.median)} tok/s (median)"),
        ("speedup", speedup(figures.speedup)),
        ("throughput change", change(figures.throughput_change)),
        ("proposed", str(draft.drafted)),
        ("accepted", str(draft.accepted)),
        ("acceptance rate", percent(draft.acceptance_rate)),
        ("verification steps", str(draft.steps)),
        ("rollbacks", str(draft.rollbacks)),
        ("target decode/sync", seconds(draft.decode_seconds)),
        ("draft time", seconds(draft.draft_seconds)),
        ("process time", seconds(draft.process_seconds)),
        ("checkpoint time", seconds(draft.checkpoint_seconds)),
        *comparison(result, point)[1:3],
    ]  # fmt: skip
    return tuple(rows)


def _divergences(result: BenchResult) -> Iterator[Section]:
    if result.point is None or len(result.point.divergences) < 2:
        return
    rows = tuple(
        (str(d.prompt + 1), str(d.number + 1), str(d.index + 1), gap(d), verdict(d))
        for d in result.point.divergences
    )
    yield Table("Divergences", ("prompt", "run", "token", "logit gap", "verdict"), rows)


def _workload(result: BenchResult) -> Table:
    rows = []
    reads = {p.prompt: p for p in result.prefills}
    for i, prompt in enumerate(result.plan.prompts):
        read = reads.get(i)
        times = (NONE, NONE, NONE)
        if read is not None:
            times = (str(read.tokens), seconds(read.ordinary_seconds), seconds(read.speculative_seconds))
        rows.append((str(i + 1), prompt.category or NONE, *times, prompt.text))
    columns = ("prompt", "category", "tokens", "read, ordinary", "read, speculative", "text")
    return Table("Prompts", columns, tuple(rows))


def _messages(result: BenchResult) -> tuple[tuple[str, str], ...]:
    scrub = scrubber(result)
    rows = [("warning", scrub(text)) for text in result.warnings]
    rows += [("error", scrub(" ".join(p for p in (e.what, e.why, e.remedy) if p))) for e in result.errors]
    return tuple(rows) or (("none", ""),)


def _section(section: Section) -> Iterator[str]:
    yield ""
    if isinstance(section, Rows):
        yield f"## {_heading(section.title)}"
        yield ""
        yield from _table(("", ""), section.rows)
    else:
        yield f"## {_heading(section.title)}"
        yield ""
        yield from _table(section.columns, section.rows)


def _table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(_cell(cell) for cell in row)} |"


def _cell(text: str) -> str:
    """One line that a table can hold; anything that would be markup stays text."""
    text = _MARKUP.sub(r"\\\g<0>", text)
    return "<br>".join(text.splitlines())


def _heading(title: str) -> str:
    return title[:1].upper() + title[1:] if title else "Benchmark"


def _on(value: bool) -> str:
    return "yes" if value else "no"


def _gib(value: int) -> str:
    return f"{value / 2**30:.1f} GiB" if value else NONE
