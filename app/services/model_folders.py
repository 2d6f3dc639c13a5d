"""Walks folders for GGUF files: what is there, which files belong together, which parts are missing.

It looks at names, sizes and times only; what is inside a file is the reader's business. No Qt.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

MAX_DEPTH = 6
MAX_FILES = 5000
MAX_FOLDERS = 2000

_SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder to look in; `deep` includes its subfolders, hidden ones excepted."""

    folder: str
    deep: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A model file, or a sharded model as one: `path` is its first part.

    `stamp` changes when any part does. `missing` names the parts that are not there.
    """

    path: str
    bytes: int
    newest: float
    stamp: tuple[tuple[str, float, int], ...]
    missing: tuple[str, ...] = ()
    parts: int = 1


@dataclass(slots=True)
class Walk:
    """`folders` are those that could be read, for watching."""

    found: list[Found] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


def walk(places: Iterable[Place], cancelled: Callable[[], bool]) -> Walk:
    """All GGUF files of the places, each once. Folders that cannot be read are passed over."""
    result = Walk()
    seen_files: set[str] = set()
    looked_into: set[str] = set()
    entered: set[str] = set()
    for place in places:
        queue = deque([(os.path.abspath(place.folder), 0)])
        while queue and not cancelled():
            if len(result.found) >= MAX_FILES or len(looked_into) >= MAX_FOLDERS:
                break
            folder, depth = queue.popleft()
            real = os.path.realpath(folder)
            if real not in looked_into:
                looked_into.add(real)
                _look_into(folder, seen_files, result)
            # Each folder is entered once, so that links in a circle come to an end.
            if place.deep and depth < MAX_DEPTH and real not in entered:
                entered.add(real)
                queue += [(sub, depth + 1) for sub in _subfolders(folder)]
    return result


def first_part(path: str) -> str:
    """The first file of a sharded model, given any of them; other paths as they are."""
    folder, name = os.path.split(path)
    shard = _SHARD.fullmatch(name)
    if shard is None or int(shard["count"]) < 2:
        return path
    return os.path.join(folder, f"{shard['stem']}-00001-of-{shard['count']}{name[-5:]}")


def _look_into(folder: str, seen: set[str], result: Walk) -> None:
    parts: dict[tuple[str, int], dict[int, os.DirEntry[str]]] = {}
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda e: e.name)
    except OSError:
        return
    result.folders.append(folder)
    for entry in entries:
        if not entry.name.lower().endswith(".gguf") or not _is_file(entry):
            continue
        shard = _SHARD.fullmatch(entry.name)
        if shard is not None and int(shard["count"]) > 1:
            key = (shard["stem"], int(shard["count"]))
            parts.setdefault(key, {})[int(shard["number"])] = entry
        else:
            _add([entry], (), seen, result)
    for (stem, count), there in parts.items():
        missing = tuple(
            f"{stem}-{number:05d}-of-{count:05d}.gguf"
            for number in range(1, min(count, 999) + 1)
            if number not in there
        )
        _add([there[number] for number in sorted(there)], missing, seen, result)


def _add(entries: list[os.DirEntry[str]], missing: tuple[str, ...], seen: set[str], result: Walk) -> None:
    stamp = []
    for entry in entries:
        try:
            stat = entry.stat()
        except OSError:
            return
        stamp.append((entry.path, stat.st_mtime, stat.st_size))
    real = os.path.realpath(entries[0].path)
    if real in seen:
        return
    seen.add(real)
    size, newest = sum(s for _, _, s in stamp), max(t for _, t, _ in stamp)
    result.found.append(Found(entries[0].path, size, newest, tuple(stamp), missing, len(entries)))


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _subfolders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as scan:
            return sorted(e.path for e in scan if not e.name.startswith(".") and e.is_dir())
    except OSError:
        return []
