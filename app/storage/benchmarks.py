"""Earlier benchmarks: the documents as they are handed on, and beside each a line for the list.

`<time>-<pair>.json` is the document, `.line.json` its line, so that listing reads no recorded rounds. A
deleted one is renamed and goes for good at the next start.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timezone
from itertools import count
from pathlib import Path

from app.core.bench import BenchEntry, BenchRecord, entry_of
from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.storage.problems import problem_of

log = logging.getLogger(__name__)

_DOCUMENT = ".json"
_LINE = ".line.json"
_DELETED = ".deleted"
_LINE_VERSION = 1


class BenchmarkFiles:
    """See `app.core.ports.BenchArchive`. The folder is made with the first benchmark."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._drop_deleted()

    def entries(self, tag: str) -> list[BenchEntry]:
        found = []
        for line in self._folder.glob(f"*-{tag}{_LINE}"):
            try:
                values = json.loads(line.read_text("utf-8"))
                if values.pop("version") == _LINE_VERSION:
                    found.append(BenchEntry(**values))
            except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
                log.warning("the benchmark %s cannot be listed: %s", line.name, error)
        return sorted(found, key=lambda entry: entry.created, reverse=True)

    def save(self, tag: str, record: BenchRecord) -> BenchEntry:
        with _told(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        entry = entry_of(record, self._new_id(tag, record.created))
        # The line comes last: what is listed can be opened.
        self._write(self._path(entry.id, _DOCUMENT), record.document + "\n")
        line = {"version": _LINE_VERSION, **asdict(entry)}
        self._write(self._path(entry.id, _LINE), json.dumps(line, ensure_ascii=False) + "\n")
        return entry

    def read(self, entry_id: str) -> str:
        path = self._path(entry_id, _DOCUMENT)
        try:
            return path.read_text("utf-8")
        except UnicodeDecodeError:
            raise EnvironmentProblem(
                say("This benchmark cannot be read."),
                say("Its file is damaged."),
                code="benchmark-unreadable",
            ) from None
        except FileNotFoundError:
            raise EnvironmentProblem(
                say("This benchmark is gone."), say("Its file was removed."), code="benchmark-unreadable"
            ) from None
        except OSError as error:
            raise problem_of(error, path) from None

    def delete(self, entry_id: str) -> None:
        # The line goes first and comes back last, for the same reason.
        for end in (_LINE, _DOCUMENT):
            path = self._path(entry_id, end)
            with _told(path):
                path.replace(path.with_name(path.name + _DELETED))

    def restore(self, entry_id: str) -> None:
        for end in (_DOCUMENT, _LINE):
            path = self._path(entry_id, end)
            with _told(path):
                path.with_name(path.name + _DELETED).replace(path)

    def _path(self, entry_id: str, end: str) -> Path:
        return self._folder / f"{entry_id}{end}"

    def _new_id(self, tag: str, created: float) -> str:
        stamp = datetime.fromtimestamp(created, timezone.utc).strftime("%Y%m%d-%H%M%S")
        for number in count(1):
            made = f"{stamp}-{number}-{tag}"
            if not self._path(made, _DOCUMENT).exists():
                return made
        raise AssertionError  # count() does not end

    @staticmethod
    def _write(path: Path, text: str) -> None:
        part = path.with_name(path.name + ".part")
        with _told(path):
            try:
                with part.open("w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(path)
            except OSError:
                part.unlink(missing_ok=True)
                raise

    def _drop_deleted(self) -> None:
        for end in (_DELETED, ".part"):
            for path in self._folder.glob(f"*{end}"):
                try:
                    path.unlink()
                except OSError as error:
                    log.warning("a deleted benchmark stays on disk: %s", error)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What the disk refuses, in the user's words."""
    try:
        yield
    except OSError as error:
        raise problem_of(error, path) from None
