"""SHA256SUMS of what is given to people, as sha256sum writes and checks it."""

from __future__ import annotations

import hashlib
from pathlib import Path

NAME = "SHA256SUMS"


def write(folder: Path) -> Path:
    """One line per file in `folder`, sorted by name."""
    lines = [
        f"{digest(path)}  {path.name}"
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name != NAME
    ]
    target = folder / NAME
    target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return target


def digest(path: Path) -> str:
    with path.open("rb") as file:
        found = hashlib.sha256()
        while chunk := file.read(1 << 20):
            found.update(chunk)
    return found.hexdigest()
