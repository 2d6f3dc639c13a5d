"""A model file as the selectors show it: plain values, no header, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.ui.stats.numbers import file_size


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """`reason` says in a few words why this file cannot be chosen here; empty: it can.

    `kind` is the algorithm of a sidecar (`DFlash2`) and empty for a target.
    """

    path: str
    name: str
    quantisation: str = ""
    size_bytes: int = 0
    kind: str = ""
    reason: str = ""

    @property
    def fits(self) -> bool:
        return not self.reason

    @property
    def facts(self) -> str:
        """`DFlash2 · Q8_0 · 31 MB`."""
        size = file_size(self.size_bytes) if self.size_bytes else ""
        return " · ".join(part for part in (self.kind, self.quantisation, size) if part)

    @classmethod
    def of_path(cls, path: str) -> ModelChoice:
        """What can be said about a file that nobody has looked into yet."""
        return cls(path, Path(path).stem)


def in_order(choices: Sequence[ModelChoice]) -> list[ModelChoice]:
    """What fits first, then the rest; each by name."""
    return sorted(choices, key=lambda c: (not c.fits, c.name.casefold(), c.path))
