"""Damaged files are kept, out of the way."""

from __future__ import annotations

import time
from pathlib import Path


def set_aside(path: Path) -> Path:
    """Rename a damaged file so that it is out of the way and not lost; returns its new path."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{count}")
    path.replace(aside)
    return aside
