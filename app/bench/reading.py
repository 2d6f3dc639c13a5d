"""A benchmark file read back: the result as it was when it was written, without the paths it never held."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from app.bench.plan import BenchPlan
from app.bench.prompts import BenchPrompt
from app.bench.record import FORMAT, VERSION
from app.bench.result import BenchResult, Device, Environment, FileFacts, Prefill
from app.core.bench_values import (
    Divergence,
    DraftChoice,
    DraftFigures,
    Figures,
    ModeFigures,
    Pair,
    PassFigures,
    Point,
    Recommendation,
    Run,
    Speedup,
)
from app.core.errors import EnvironmentProblem
from app.core.events import LoadedPair, Problem
from app.core.rounds import ORDINARY, SPECULATIVE, row_to_round
from app.core.speculation import SpeculativeType
from app.core.wording import say

Values = Mapping[str, Any]


def read_result(text: str) -> BenchResult:
    """The inverse of `record.to_document`. EnvironmentProblem when the text is no such document."""
    try:
        document = json.loads(text)
        known = isinstance(document, dict) and document.get("format") == FORMAT
        if known and document.get("version") == VERSION:
            return _result(document)
    except (ValueError, KeyError, TypeError, IndexError):
        known = False
    if known:
        raise EnvironmentProblem(
            say("This benchmark was written in format version {n}.", n=document.get("version")),
            say("This program does not know that format."),
            say("Use a newer Slipstream."),
            "benchmark-unreadable",
        )
    raise EnvironmentProblem(
        say("This benchmark cannot be read."), say("Its file is damaged."), code="benchmark-unreadable"
    )


def _result(document: Values) -> BenchResult:
    environment = dict(document["environment"])
    environment["devices"] = tuple(Device(**d) for d in environment["devices"])
    files = tuple(FileFacts(**f) for f in document["files"])
    names = {f.role: f.name for f in files}
    plan = _plan(document, names)
    found = document["recommendation"]
    created = datetime.strptime(document["created"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    return BenchResult(
        created=created.timestamp(),
        plan=plan,
        pair=LoadedPair(
            target_path=names.get("target", ""), draft_path=names.get("draft", ""), **document["pair"]
        ),
        environment=Environment(**environment),
        files=files,
        target_load_seconds=document["target_load_seconds"],
        load_seconds=document["load_seconds"],
        prefills=tuple(Prefill(**p) for p in document["prefills"]),
        points=tuple(_point(p) for p in document["points"]),
        shown=document["shown"],
        recommendation=Recommendation(**found) if found is not None else None,
        cancelled=document["cancelled"],
        warnings=tuple(document["warnings"]),
        errors=tuple(Problem(**e) for e in document["errors"]),
    )


def _plan(document: Values, names: Mapping[str, str]) -> BenchPlan:
    settings = dict(document["settings"])
    types = tuple(SpeculativeType.from_str(name) for name in settings.pop("algorithms"))
    for name in ("lengths", "p_mins"):
        settings[name] = tuple(settings[name])
    prompts = tuple(BenchPrompt(p["text"], p["category"]) for p in document["prompts"])
    return BenchPlan(
        model_path=names.get("target", ""),
        draft_path=names.get("draft", ""),
        spec_types=types,
        prompts=prompts,
        **settings,
    )


def _point(values: Values) -> Point:
    return Point(
        DraftChoice(**values["choice"]),
        tuple(
            Pair(p["prompt"], p["number"], _run(ORDINARY, p["ordinary"]), _run(SPECULATIVE, p["speculative"]))
            for p in values["pairs"]
        ),
        tuple(Divergence(**d) for d in values["divergences"]),
        _figures(values["figures"]),
        {name: _figures(f) for name, f in values["categories"].items()},
    )


def _run(mode: str, values: Values) -> Run:
    return Run(
        mode,
        values["finish_reason"],
        tuple(row_to_round(*row) for row in values["rounds"]),
        values["checkpoint_captures"],
        values["checkpoint_restores"],
        values["checkpoint_seconds"],
    )


def _figures(values: Values) -> Figures:
    out = dict(values)
    for mode in ("ordinary", "speculative"):
        passes = tuple(PassFigures(**p) for p in out[mode]["passes"])
        out[mode] = ModeFigures(**{**out[mode], "passes": passes})
    out["draft"] = DraftFigures(**{**out["draft"], "by_position": tuple(out["draft"]["by_position"])})
    if out["speedup"] is not None:
        out["speedup"] = Speedup(**out["speedup"])
    return Figures(**out)
