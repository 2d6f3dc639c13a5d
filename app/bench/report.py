"""A benchmark as a Markdown report that can be handed to somebody else: all of it from the run itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.bench.recommendation import recommendation
from app.bench.record import scrubber, timestamp
from app.bench.result import BenchResult
from app.bench.sections import comparison, sections
from app.bench.spelling import NONE, change, gap, number, percent, seconds, speedup, verdict, yes
from app.core.bench import category_name, workload_name
from app.core.bench_values import Rows, Section, Table
from app.core.wording import decimal, listed, say, together

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
    yield Rows(say("System"), _system(result))
    yield _files(result)
    yield Rows(say("Summary"), _summary(result))
    yield from sections(result, len(result.plan.prompts) > 1)
    yield from _divergences(result)
    yield _workload(result)
    yield Rows(say("Errors and warnings"), _messages(result))


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
    gpus = listed(
        [say("{name} ({memory})", name=d.description or d.name, memory=_gib(d.memory)) for d in e.devices],
        "; ",
    )
    return (
        (say("library version"), e.engine),
        (say("library commit"), e.engine_commit or NONE),
        (say("operating system"), e.system),
        (say("Python"), f"{e.python} ({e.machine})"),
        (say("CPU"), say("{cpu}, {n} cores", cpu=e.cpu or NONE, n=e.cores)),
        (say("memory"), _gib(e.memory)),
        (say("backend"), e.backend or NONE),
        (say("GPU"), gpus or say("none")),
    )


def _files(result: BenchResult) -> Table:
    roles = {"target": say("target"), "draft": say("draft")}
    rows = tuple((roles.get(f.role, f.role), f.name, str(f.size), f.sha256 or NONE) for f in result.files)
    return Table(say("Files"), (say("role"), say("file"), say("bytes"), say("SHA-256")), rows)


def _summary(result: BenchResult) -> tuple[tuple[str, str], ...]:
    """The run in one table, under the names that bug reports and comparisons ask for."""
    plan, pair, point = result.plan, result.pair, result.point
    rows = [
        (say("target"), f"{pair.target_name} ({pair.target_architecture})"),
        (say("quantisation"), pair.target_quantisation),
        (say("draft"), pair.draft_name or NONE),
        (say("algorithm"), pair.algorithm or NONE),
        ("n_ctx", str(plan.n_ctx)),
        ("n_batch", str(plan.n_batch)),
        ("n_ubatch", str(plan.n_ubatch)),
        ("draft_n_max", point.choice.label if point else str(plan.draft_n_max)),
        ("draft_p_min", decimal(point.choice.p_min if point else plan.draft_p_min, "g")),
        (say("backend sampling"), say("requested {requested}, active {active}",
                                      requested=yes(pair.backend_sampling_requested),
                                      active=yes(pair.backend_sampling_active))),
        ("ignore_eos", yes(plan.ignore_eos)),
        (say("prompt or workload"), workload_name(plan.workload)),
    ]  # fmt: skip
    if point is None:
        return tuple(rows)
    figures, draft = point.figures, point.figures.draft
    generated = sum(p.generated for p in figures.speculative.passes)
    rows += [
        (say("generated tokens"), say("{ordinary} ordinary, {speculative} speculative",
                                      ordinary=sum(p.generated for p in figures.ordinary.passes),
                                      speculative=generated)),
        (say("ordinary throughput"), say("{n} tok/s (median)", n=number(figures.ordinary.median))),
        (say("speculative throughput"), say("{n} tok/s (median)", n=number(figures.speculative.median))),
        (say("speedup"), speedup(figures.speedup)),
        (say("throughput change"), change(figures.throughput_change)),
        (say("proposed"), str(draft.drafted)),
        (say("accepted"), str(draft.accepted)),
        (say("acceptance rate"), percent(draft.acceptance_rate)),
        (say("verification steps"), str(draft.steps)),
        (say("rollbacks"), str(draft.rollbacks)),
        (say("target decode/sync"), seconds(draft.decode_seconds)),
        (say("draft time"), seconds(draft.draft_seconds)),
        (say("process time"), seconds(draft.process_seconds)),
        (say("checkpoint time"), seconds(draft.checkpoint_seconds)),
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
    columns = (say("prompt"), say("run"), say("token"), say("logit gap"), say("verdict"))
    yield Table(say("Divergences"), columns, rows)


def _workload(result: BenchResult) -> Table:
    rows = []
    reads = {p.prompt: p for p in result.prefills}
    for i, prompt in enumerate(result.plan.prompts):
        read = reads.get(i)
        times = (NONE, NONE, NONE)
        if read is not None:
            times = (str(read.tokens), seconds(read.ordinary_seconds), seconds(read.speculative_seconds))
        category = category_name(prompt.category) if prompt.category else NONE
        rows.append((str(i + 1), category, *times, prompt.text))
    columns = (
        say("prompt"), say("category"), say("tokens"), say("read, ordinary"), say("read, speculative"),
        say("text"),
    )  # fmt: skip
    return Table(say("Prompts"), columns, tuple(rows))


def _messages(result: BenchResult) -> tuple[tuple[str, str], ...]:
    scrub = scrubber(result)
    rows = [(say("warning"), scrub(text)) for text in result.warnings]
    for error in result.errors:
        parts = (scrub(part) for part in (error.what, error.why, error.remedy) if part)
        rows.append((say("error"), together(*parts)))
    return tuple(rows) or ((say("none"), ""),)


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


def _gib(value: int) -> str:
    return say("{n:.1f} GiB", n=value / 2**30) if value else NONE
