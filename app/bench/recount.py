"""An independent recount: every figure of a benchmark file computed again from its recorded rounds.

It shares no code with `figures` and `core.stats`; only the interval is drawn by `measure`, from the
times found here. Standard library only.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.bench.measure import speedup
from app.bench.record import FORMAT, VERSION
from app.core.bench_values import PairTimes
from app.core.errors import EnvironmentProblem

RELATIVE_TOLERANCE = 1e-9

Document = dict[str, Any]


def read_document(path: Path) -> Document:
    """A benchmark file. EnvironmentProblem when it is none or newer than this program."""
    try:
        document = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise EnvironmentProblem(
            f"{path.name} cannot be read.", error.strerror or "", code="recount"
        ) from None
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise EnvironmentProblem(f"{path.name} is no benchmark file of Slipstream.", code="recount")
    if document.get("version") != VERSION:
        raise EnvironmentProblem(
            f"{path.name} has format version {document.get('version')}, which this program does not know.",
            remedy="Use a newer Slipstream.",
            code="recount",
        )
    return document


def differences(document: Document) -> tuple[int, list[str]]:
    """How many figures were compared, and those that differ from the recount, in words."""
    compared, wrong = 0, []
    for point in document["points"]:
        label = f"draft length {point['choice']['n_max']}"
        expected = [("", point["figures"], recount_pairs(document, point["pairs"]))]
        for name, stored in point["categories"].items():
            members = [p for p in point["pairs"] if document["prompts"][p["prompt"]]["category"] == name]
            expected.append((f" [{name}]", stored, recount_pairs(document, members)))
        for where, stored, counted in expected:
            for name, value in _leaves(stored):
                compared += 1
                found = counted.get(name, "nothing")
                if not _equal(value, found):
                    wrong.append(f"{label}{where}: {name} is {value!r}, recounted {found!r}")
    return compared, wrong


def recount_pairs(document: Document, pairs: Sequence[Document]) -> dict[str, Any]:
    """Figures of these pairs by the flat names of `_leaves`."""
    columns = {name: i for i, name in enumerate(document["round_columns"])}
    by_prompt: dict[int, list[Document]] = defaultdict(list)
    for pair in pairs:
        by_prompt[pair["prompt"]].append(pair)
    passes = max(len(group) for group in by_prompt.values())
    groups = [group for group in by_prompt.values() if len(group) == passes]
    counted = [pair for group in groups for pair in group]

    out: dict[str, Any] = {"pairs": len(counted)}
    out["matching_pairs"] = sum(
        _tokens(pair["ordinary"], columns) == _tokens(pair["speculative"], columns) for pair in counted
    )
    rates = {}
    for mode in ("ordinary", "speculative"):
        figures = _mode([[pair[mode] for pair in group] for group in groups], columns)
        rates[mode] = figures["aggregate"]
        out.update({f"{mode}.{name}": value for name, value in figures.items()})
    drafts = _drafts([pair["speculative"] for pair in counted], columns, document["timing_columns"])
    out.update({f"draft.{name}": value for name, value in drafts.items()})

    times = [[PairTimes(*_timed(p["ordinary"], columns), *_timed(p["speculative"], columns)) for p in g]
             for g in groups]  # fmt: skip
    usable = [g for g in times if all(min(asdict(t).values()) > 0 for t in g)]
    out["prompts"] = len(usable)
    again = speedup(usable) if usable else None
    if again is None:
        out["speedup"] = None
    else:
        ratios = []
        for i in range(passes):
            spec = sum(g[i].speculative_tokens for g in usable) / sum(
                g[i].speculative_seconds for g in usable
            )
            base = sum(g[i].ordinary_tokens for g in usable) / sum(g[i].ordinary_seconds for g in usable)
            ratios.append(spec / base)
        interval = {"low": again.low, "high": again.high, "over_prompts": again.over_prompts}
        for name, value in {
            "ratio": statistics.median(ratios),
            "pairs": passes * len(usable),
            **interval,
        }.items():
            out[f"speedup.{name}"] = value
    ordinary, speculative = rates["ordinary"], rates["speculative"]
    out["throughput_change"] = speculative / ordinary - 1 if ordinary and speculative else None
    return out


def _mode(groups: Sequence[Sequence[Document]], columns: dict[str, int]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    rates, all_tokens, all_seconds = [], 0, 0.0
    for i in range(len(groups[0])):
        timed = [_timed(group[i], columns) for group in groups]
        tokens, seconds = sum(t for t, _ in timed), math.fsum(s for _, s in timed)
        all_tokens, all_seconds = all_tokens + tokens, all_seconds + seconds
        rate = tokens / seconds if seconds else None
        if rate:
            rates.append(rate)
        generated = sum(len(_tokens(group[i], columns)) for group in groups)
        for name, value in (
            ("number", i), ("generated", generated), ("tokens", tokens), ("seconds", seconds),
            ("tokens_per_second", rate),
        ):  # fmt: skip
            out[f"passes.{i}.{name}"] = value
    median = statistics.median(rates) if rates else None
    out |= {
        "tokens": all_tokens,
        "seconds": all_seconds,
        "aggregate": all_tokens / all_seconds if all_seconds else None,
        "median": median,
        "lowest": min(rates) if rates else None,
        "highest": max(rates) if rates else None,
        "spread": (max(rates) - min(rates)) / median if median else None,
        "deterministic": None,
    }
    if len(groups[0]) > 1:
        out["deterministic"] = all(
            _tokens(run, columns) == _tokens(group[0], columns) for group in groups for run in group
        )
    return out


def _drafts(runs: Sequence[Document], columns: dict[str, int], phases: Sequence[str]) -> dict[str, Any]:
    rows = [row for run in runs for row in run["rounds"]]

    def column(name: str) -> list[Any]:
        return [row[columns[name]] for row in rows]

    accepted, verified, rejected = column("accepted"), column("verified"), column("rejected")
    drafting = [a for a, v in zip(accepted, verified, strict=True) if v]
    seconds = {name: sum(t[i] for t in column("timings")) / 1e6 for i, name in enumerate(phases)}
    total = sum(column("microseconds")) / 1e6
    kept_accepted: list[int] = []
    kept_tokens = 0
    for run in runs:
        for row in _rows_before_loop(run["rounds"], columns):
            kept_tokens += len(row[columns["tokens"]])
            if row[columns["verified"]]:
                kept_accepted.append(row[columns["accepted"]])
    deepest = max(
        (min(a + 1, v) for a, v in zip(accepted, verified, strict=True) if v),
        default=0,
    )
    rollbacks = [kind for kind, gone in zip(column("rollback"), rejected, strict=True) if gone]
    out: dict[str, Any] = {
        "drafted": sum(map(len, column("drafted"))),
        "verified": sum(verified),
        "steps": len(rows),
        "drafting_steps": len(drafting),
        "suspended_steps": column("mode").count("suspended"),
        "accepted": sum(accepted),
        "acceptance_rate": sum(accepted) / sum(verified) if sum(verified) else None,
        "mean_accepted_length": 1 + sum(drafting) / len(drafting) if drafting else None,
        "loop_free_length": 1 + sum(kept_accepted) / len(kept_accepted) if kept_accepted else None,
        "left_out": sum(map(len, column("tokens"))) - kept_tokens,
        "rollbacks": len(rollbacks),
        "native_rollbacks": rollbacks.count("native"),
        "checkpoint_rollbacks": rollbacks.count("checkpoint"),
        "decode_seconds": seconds["decode"] + seconds["sync"],
        "draft_seconds": seconds["draft"],
        "process_seconds": seconds["process"],
        "accept_seconds": seconds["accept"],
        "rollback_seconds": seconds["rollback"],
        "other_seconds": max(total - sum(seconds.values()), 0.0),
    }
    for i in range(deepest):
        out[f"by_position.{i}"] = sum(a > i for a in drafting) / len(drafting)
    if not deepest:
        out["by_position"] = []
    for name in ("checkpoint_captures", "checkpoint_restores", "checkpoint_seconds"):
        out[name] = sum(run[name] for run in runs)
    return out


def _rows_before_loop(rows: Sequence[Sequence[Any]], columns: dict[str, int]) -> Iterator[Sequence[Any]]:
    """Rows that begin before a block of at most 32 tokens has come three times (24 tokens at least)."""
    text = [t for row in rows for t in row[columns["tokens"]]]
    end = next((n for n in range(len(text) + 1) if _ends_in_loop(text[max(n - 96, 0) : n])), len(text))
    begun = 0
    for row in rows:
        if begun >= end and end < len(text):
            return
        yield row
        begun += len(row[columns["tokens"]])


def _ends_in_loop(text: Sequence[int]) -> bool:
    for period in range(1, 33):
        span = max(3 * period, 24)
        tail = text[-span:]
        if len(tail) == span and tail[period:] == tail[:-period]:
            return True
    return False


def _tokens(run: Document, columns: dict[str, int]) -> list[int]:
    return [t for row in run["rounds"] for t in row[columns["tokens"]]]


def _timed(run: Document, columns: dict[str, int]) -> tuple[int, float]:
    rows = [row for row in run["rounds"] if row[columns["timed"]]]
    return sum(len(row[columns["tokens"]]) for row in rows), sum(
        row[columns["microseconds"]] for row in rows
    ) / 1e6


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Figures by dotted name: `draft.by_position.0`."""
    items: Sequence[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, (list, tuple)):
        items = list(enumerate(value))
    if not items:
        yield name, value
    for key, inner in items:
        yield from _leaves(inner, f"{name}.{key}" if name else str(key))


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        return bool(a == b)
    return math.isclose(a, b, rel_tol=RELATIVE_TOLERANCE, abs_tol=RELATIVE_TOLERANCE)
