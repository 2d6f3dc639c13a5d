"""What was measured: raw runs with every recorded round, and what surrounds them. Picklable values.

Figures are derived from these (`figures`), never the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.bench.plan import BenchPlan
from app.core.bench_values import Point, Recommendation
from app.core.events import LoadedPair, Problem


@dataclass(frozen=True, slots=True)
class Environment:
    """The machine and the software, without names of people or places. Bytes; empty for unknown."""

    program: str
    engine: str
    engine_commit: str
    system: str
    python: str
    machine: str
    cpu: str
    cores: int
    memory: int
    backend: str
    devices: tuple[Device, ...] = ()


@dataclass(frozen=True, slots=True)
class Device:
    """A compute device that is not the CPU; `memory` in bytes."""

    name: str
    description: str
    memory: int


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file by name alone; `sha256` is empty when it was not asked for. `role`: target or draft."""

    role: str
    name: str
    size: int
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Prefill:
    """The prompt alone, once per mode, before its runs; seconds."""

    prompt: int
    tokens: int
    ordinary_seconds: float
    speculative_seconds: float


@dataclass(frozen=True, slots=True)
class BenchResult:
    """`created` is seconds since the epoch. `shown` is the index of the point whose details are shown."""

    created: float
    plan: BenchPlan
    pair: LoadedPair
    environment: Environment
    files: tuple[FileFacts, ...]
    target_load_seconds: float
    load_seconds: float
    prefills: tuple[Prefill, ...]
    points: tuple[Point, ...]
    shown: int
    recommendation: Recommendation | None = None
    cancelled: bool = False
    warnings: tuple[str, ...] = ()
    errors: tuple[Problem, ...] = ()

    @property
    def point(self) -> Point | None:
        """The point whose details are shown; None when nothing was measured."""
        return self.points[self.shown] if self.points else None
