"""A benchmark as one JSON document: settings, files, every recorded round and every figure.

Written so that somebody else can recompute all of it (`recount` does) and learn nothing about whose
machine it was. Version 1. Times in rounds are whole microseconds; everything else is in seconds.
"""

from __future__ import annotations

import dataclasses
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from app.bench.private import Scrubber
from app.bench.result import BenchResult
from app.core.bench_values import Pair, Point, Run
from app.core.rounds import round_to_row

FORMAT = "slipstream-bench"
VERSION = 1

ROUND_COLUMNS = (
    "mode", "position", "tokens", "accepted", "drafted", "verified", "rejected", "rollback", "chars",
    "microseconds", "timings", "timed", "algorithm",
)  # fmt: skip
TIMING_COLUMNS = ("draft", "decode", "sync", "process", "accept", "rollback")

# Of the loaded pair, what is neither a path nor said elsewhere in the document.
_PAIR_FIELDS = (
    "target_name", "target_architecture", "target_quantisation", "target_bytes", "n_ctx", "n_ctx_train",
    "n_vocab", "n_threads", "draft_name", "draft_bytes", "algorithm", "block_size", "draft_n_max_limit",
    "rollback", "chat_template", "backend_sampling_requested", "backend_sampling_active", "metadata",
)  # fmt: skip
_NOT_IN_PLAN = ("model_path", "draft_path", "spec_types", "prompts", "hash_files", "verbose")


def scrubber(result: BenchResult) -> Scrubber:
    """For every text of this result that may hold a path."""
    plan, pair = result.plan, result.pair
    return Scrubber((plan.model_path, plan.draft_path, pair.target_path, pair.draft_path))


def timestamp(result: BenchResult) -> str:
    return datetime.fromtimestamp(result.created, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_document(result: BenchResult) -> dict[str, Any]:
    """The JSON-able document."""
    scrub, plan = scrubber(result), result.plan
    settings = {k: v for k, v in dataclasses.asdict(plan).items() if k not in _NOT_IN_PLAN}
    tokens = {prefill.prompt: prefill.tokens for prefill in result.prefills}
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "created": timestamp(result),
        "environment": dataclasses.asdict(result.environment),
        "files": [dataclasses.asdict(f) for f in result.files],
        "pair": {name: getattr(result.pair, name) for name in _PAIR_FIELDS},
        "settings": {"algorithms": [t.to_str() for t in plan.spec_types], **settings},
        "prompts": [
            {"text": scrub.paths(p.text), "category": p.category, "tokens": tokens.get(i)}
            for i, p in enumerate(plan.prompts)
        ],
        "target_load_seconds": result.target_load_seconds,
        "load_seconds": result.load_seconds,
        "prefills": [dataclasses.asdict(p) for p in result.prefills],
        "round_columns": ROUND_COLUMNS,
        "timing_columns": TIMING_COLUMNS,
        "points": [_point(p) for p in result.points],
        "shown": result.shown,
        "recommendation": dataclasses.asdict(result.recommendation) if result.recommendation else None,
        "cancelled": result.cancelled,
        "warnings": [scrub(w) for w in result.warnings],
        "errors": [
            {"what": scrub(e.what), "why": scrub(e.why), "remedy": scrub(e.remedy), "code": e.code}
            for e in result.errors
        ],
    }
    return document


def write_json(result: BenchResult, path: Path) -> None:
    """OSError when it cannot be written."""
    path.write_text(
        json.dumps(to_document(result), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8"
    )


def _point(point: Point) -> dict[str, Any]:
    return {
        "choice": dataclasses.asdict(point.choice),
        "pairs": [_pair(p) for p in point.pairs],
        "divergences": [dataclasses.asdict(d) for d in point.divergences],
        "figures": dataclasses.asdict(point.figures),
        "categories": {name: dataclasses.asdict(f) for name, f in point.categories.items()},
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "prompt": pair.prompt,
        "number": pair.number,
        "ordinary": _run(pair.ordinary),
        "speculative": _run(pair.speculative),
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "finish_reason": run.finish_reason,
        "checkpoint_captures": run.checkpoint_captures,
        "checkpoint_restores": run.checkpoint_restores,
        "checkpoint_seconds": run.checkpoint_seconds,
        "rounds": [round_to_row(r) for r in run.rounds],
    }
