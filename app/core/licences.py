"""What is inside the program besides its own code, and under which licences; bundles carry the texts.

`index.json` lists the parts, the files beside it hold the texts. Written when a bundle is made; a program
that runs from its source has none, since pip installed the parts with their own licences.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.core.locations import resources_dir

INDEX = "index.json"


@dataclass(frozen=True, slots=True)
class Part:
    """A library, with its licence as an SPDX expression and the names of the files that hold its text."""

    name: str
    version: str
    licence: str
    files: tuple[str, ...] = ()


def licences_dir() -> Path | None:
    """The folder with the texts, or None where there is none."""
    try:
        folder = resources_dir() / "licences"
    except FileNotFoundError:
        return None
    return folder if (folder / INDEX).is_file() else None


def write(folder: Path, parts: Iterable[Part]) -> None:
    """Write the list of parts, by name; the texts lie in `folder` already."""
    rows = [
        {"name": part.name, "version": part.version, "licence": part.licence, "files": list(part.files)}
        for part in sorted(parts, key=lambda part: part.name.lower())
    ]
    (folder / INDEX).write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(folder: Path) -> Sequence[Part]:
    """The parts listed in `folder`; ValueError when the list is damaged, OSError when it is not there."""
    rows = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    try:
        return [Part(r["name"], r["version"], r["licence"], tuple(r["files"])) for r in rows]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{INDEX} is damaged: {error}") from error


def text_of(folder: Path, part: Part) -> str:
    """The texts of a part's licences, one after the other; what cannot be read is named."""
    texts = []
    for name in part.files:
        try:
            texts.append((folder / name).read_text(encoding="utf-8", errors="replace").strip())
        except OSError as error:
            texts.append(f"{name}: {error.strerror or error}")
    return "\n\n\n".join(texts)
