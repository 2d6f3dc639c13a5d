"""What the pickers show of model files, and who fits whom. No Qt; the headers are read by a `ModelReader`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.wording import say
from app.services.model_folders import Found, Place, walk

log = logging.getLogger(__name__)

TARGET = "target"
SIDECAR = "sidecar"
OTHER = "other"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """`kind` is TARGET, SIDECAR, or OTHER with the `reason` why it is left out. `parts` > 1: sharded."""

    path: str
    kind: str
    name: str
    bytes: int = 0
    architecture: str = ""
    quantisation: str = ""
    n_ctx_train: int = 0
    algorithm: str = ""
    block_size: int = 0
    parts: int = 1
    reason: Problem | None = None


@dataclass(frozen=True, slots=True)
class SidecarChoice:
    """A sidecar beside a target. `fits` None: not compared yet; False: `problem` says why."""

    file: ModelFile
    fits: bool | None
    problem: Problem | None = None


class ModelReader(Protocol):
    """Reads headers; may take long and may fail. Called in the scanner's thread."""

    def read(self, path: str) -> ModelFile:
        """EnvironmentProblem when the file is damaged or not what its name says."""

    def fit(self, target_path: str, sidecar_path: str) -> Problem | None:
        """None when the sidecar fits the target."""


@dataclass(frozen=True, slots=True)
class Library:
    """One look at all places. `fits` holds what was compared so far, by (target path, sidecar path)."""

    files: tuple[ModelFile, ...] = ()
    fits: tuple[tuple[tuple[str, str], Problem | None], ...] = ()
    folders: tuple[str, ...] = ()
    newest: float = 0.0


class Librarian:
    """Remembers what it has read by path, time and size: a file is read again only after it changed.

    Used by one thread at a time.
    """

    def __init__(self, reader: ModelReader) -> None:
        self._reader = reader
        self._files: dict[str, tuple[Found, ModelFile]] = {}
        self._fits: dict[tuple[str, str], tuple[Found, Found, Problem | None]] = {}

    def look(
        self, places: Iterable[Place], pairs: Iterable[tuple[str, str]], cancelled: Callable[[], bool]
    ) -> Library:
        """Look into the places; compare the `pairs` of (target path, sidecar path) among what is there."""
        found = walk(places, cancelled)
        files: dict[str, tuple[Found, ModelFile]] = {}
        for item in found.found:
            if cancelled():
                break
            known = self._files.get(item.path)
            files[item.path] = known if known is not None and known[0] == item else (item, self._read(item))
        self._files = files
        for target, sidecar in pairs:
            if cancelled():
                break
            if target in files and sidecar in files:
                self._compare(files[target][0], files[sidecar][0])
        self._fits = {
            pair: fit
            for pair, fit in self._fits.items()
            if all(path in files and files[path][0] == stamp for path, stamp in zip(pair, fit, strict=False))
        }
        return Library(
            tuple(sorted((f for _, f in files.values()), key=lambda f: (f.name.casefold(), f.path))),
            tuple((pair, fit[2]) for pair, fit in self._fits.items()),
            tuple(found.folders),
            max((item.newest for item in found.found), default=0.0),
        )

    def _read(self, item: Found) -> ModelFile:
        if item.missing:
            names = ", ".join(item.missing[:3]) + (" …" if len(item.missing) > 3 else "")
            problem = Problem(
                say("A part of this model is missing."),
                say("Not in the folder: {names}.", names=names),
                code="shard-missing",
            )
            return ModelFile(item.path, OTHER, _stem(item.path), item.bytes, parts=item.parts, reason=problem)
        try:
            file = self._reader.read(item.path)
        except EnvironmentProblem as problem:
            return ModelFile(item.path, OTHER, _stem(item.path), item.bytes, reason=Problem.of(problem))
        except Exception as error:
            # One strange file must not hide all others.
            log.exception("the header of a model file could not be read")
            return ModelFile(item.path, OTHER, _stem(item.path), item.bytes, reason=Problem.of(error))
        return replace(file, path=item.path, bytes=item.bytes, parts=item.parts)

    def _compare(self, target: Found, sidecar: Found) -> None:
        pair = (target.path, sidecar.path)
        known = self._fits.get(pair)
        if known is not None and known[:2] == (target, sidecar):
            return
        try:
            problem = self._reader.fit(*pair)
        except Exception as error:
            problem = Problem.of(error)
        self._fits[pair] = (target, sidecar, problem)


def _stem(path: str) -> str:
    name = path.replace("\\", "/").rpartition("/")[2]
    return name[:-5] if name.lower().endswith(".gguf") else name
