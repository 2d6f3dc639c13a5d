"""What a verification and a draft cost on this machine, measured once per pair and settings.

A handful of decodes on an empty cache, within a time budget; what was not measured is interpolated.
The results only begin the cost model of the automatic draft length: real rounds correct them.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from app.engine.draft_length import CostModel
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.target import Target

log = logging.getLogger("slipstream.engine")

BUDGET_SECONDS = 1.5
REPEATS = 3
# Positions in front of the measured rows, so that attention has something to read.
CONTEXT = 16


def measure(
    target: Target, drafter: Drafter, look: Callable[[], None], budget: float = BUDGET_SECONDS
) -> CostModel:
    """Leaves both caches empty and the drafter detached. `look` is called between two decodes; it may
    raise to give up, and then nothing may be done with the pair but closing it."""
    began = perf_counter()
    widths = _widths(target.rows_max)
    times: dict[int, list[float]] = {}
    drafts: list[float] = []
    target.cut(0)
    drafter.truncate(0)
    drafter.attach(True)
    tokens = [(target.model.n_vocab // 2 + i) % target.model.n_vocab for i in range(CONTEXT)]
    target.decode_quiet(tokens)
    drafter.process(tokens, 0)
    drafter.begin(target.cached)
    limits = DraftLimits(min(drafter.n_max_limit, target.rows_max - 1))
    for repeat in range(REPEATS + 1):
        for width in widths:
            look()
            if times and perf_counter() - began > budget and 1 in times:
                break
            seconds = _verify(target, [tokens[i % CONTEXT] for i in range(width)])
            if repeat or perf_counter() - began > budget / 2:
                times.setdefault(width, []).append(seconds)  # the first pass warms up
        start = perf_counter()
        drafter.draft(tokens[0], CONTEXT, limits)
        drafts.append(perf_counter() - start)
    drafter.attach(False)
    target.cut(0)
    drafter.truncate(0)
    known = {width: statistics.median(seconds) for width, seconds in times.items()}
    return CostModel(interpolate(known, target.rows_max), max(statistics.median(drafts), 1e-6))


def _verify(target: Target, tokens: Sequence[int]) -> float:
    target.save()
    start = perf_counter()
    target.decode_rows(tokens)
    target.context.synchronize()
    seconds = perf_counter() - start
    target.roll_back(CONTEXT)
    return seconds


def _widths(rows_max: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 12, 16, ... and the widest; narrow ones decide most."""
    steps = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48]
    return [w for w in steps if w < rows_max] + [rows_max]


def interpolate(known: dict[int, float], rows_max: int) -> list[float]:
    """Seconds for widths 1..rows_max from the measured ones; never falling with width."""
    widths = sorted(known)
    values = np.maximum.accumulate([known[w] for w in widths])
    wanted = np.arange(1, rows_max + 1)
    out = np.interp(wanted, widths, values)
    if len(widths) > 1 and widths[-1] < rows_max:
        slope = (values[-1] - values[-2]) / (widths[-1] - widths[-2])
        beyond = wanted > widths[-1]
        out[beyond] = values[-1] + slope * (wanted[beyond] - widths[-1])
    return [float(v) for v in out]


class ProfileCache:
    """Profiles in one JSON file, keyed by a digest of what they depend on. A bad file counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @staticmethod
    def key(*parts: object) -> str:
        """Pair, settings and machine in one digest."""
        machine = (platform.machine(), platform.processor(), os.cpu_count())
        return hashlib.sha256(repr((parts, machine)).encode()).hexdigest()[:24]

    def get(self, key: str) -> CostModel | None:
        try:
            entry = json.loads(self._path.read_text("utf-8"))[key]
            verify = [float(v) for v in entry["verify"]]
            if not verify or min(verify) <= 0:
                return None
            return CostModel(verify, float(entry["draft"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, costs: CostModel) -> None:
        try:
            try:
                entries = json.loads(self._path.read_text("utf-8"))
            except (OSError, ValueError):
                entries = {}
            entries = {**entries, key: {"verify": costs.verify, "draft": costs.draft}}
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary = self._path.with_suffix(".tmp")
            temporary.write_text(json.dumps(entries), "utf-8")
            os.replace(temporary, self._path)
        except OSError as error:
            log.info("the profile could not be kept: %s", error)
