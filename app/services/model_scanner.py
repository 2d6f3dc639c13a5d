"""The models on this machine, as lists that follow the folders they came from.

Folders are walked and headers read in a thread of their own, one look after another; the lists here are
the result of the last look. The thread is a daemon: a network folder that has gone away can hold it for
minutes, and the program must be able to end without it.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal, Slot

from app.core import locations
from app.services.app_state import AppState
from app.services.gguf_reader import GgufReader
from app.services.model_files import (
    OTHER,
    SIDECAR,
    TARGET,
    Librarian,
    Library,
    ModelFile,
    ModelReader,
    SidecarChoice,
)
from app.services.model_folders import Place, first_part

log = logging.getLogger(__name__)

# A copied or downloaded file makes many changes; it is looked at when they pause.
SETTLE_MS = 400
# A file this young may still be growing, which no folder watch tells.
YOUNG_SECONDS = 5.0
LOOK_AGAIN_MS = 2000
STOP_SECONDS = 1.0
MAX_WATCHED = 500

_UNKNOWN = object()


def default_folders() -> list[Path]:
    """Where the pair is that came with the program."""
    folders = []
    target = locations.default_target()
    if target is not None:
        folders.append(target.parent)
    try:
        folders.append(locations.resources_dir() / "sidecars")
    except FileNotFoundError:
        log.warning("the resources folder is missing")
    return folders


class ModelScanner(QObject):
    """`models_changed` says that `targets`, `sidecars` or `left_out` have other answers than before.

    Looks, once `start` was called, into the model folders with their subfolders, and into the folders
    of the files used lately and of the pair that came with the program.
    """

    models_changed = Signal()

    _looked = Signal(object)

    def __init__(
        self,
        state: AppState,
        model_folders: Iterable[str | Path],
        reader: ModelReader | None = None,
        own_folders: Iterable[str | Path] | None = None,
        parent: QObject | None = None,
    ) -> None:
        """`own_folders`: what came with the program, by default found through `core.locations`."""
        super().__init__(parent)
        self._state = state
        self._model_folders = [str(folder) for folder in model_folders]
        self._own_folders = [str(f) for f in (default_folders() if own_folders is None else own_folders)]
        self._librarian = Librarian(reader if reader is not None else GgufReader())
        self._library = Library()
        self._fits: dict[tuple[str, str], object] = {}
        self._places: tuple[Place, ...] = ()
        self._wanted: set[tuple[str, str]] = set()
        self._thread: threading.Thread | None = None
        self._cancel = threading.Event()
        self._again = False
        self._scanned = False
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._on_folder_changed)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.rescan)
        self._looked.connect(self._on_looked, Qt.ConnectionType.QueuedConnection)

    # -- what is there ----------------------------------------------------------------------------------

    @property
    def scanned(self) -> bool:
        """Whether there has been a look at all; before it the lists are empty because nobody knows."""
        return self._scanned

    def targets(self) -> list[ModelFile]:
        """Models that can be chatted with, by name."""
        return [f for f in self._library.files if f.kind == TARGET]

    def sidecars(self, target_path: str = "") -> list[SidecarChoice]:
        """Sidecars by name; for a target the fitting ones first, then those not compared yet, then the rest.

        Comparing happens in the background; `models_changed` follows.
        """
        target = self._own_path(target_path)
        files = [f for f in self._library.files if f.kind == SIDECAR]
        if target:
            self._want((target, f.path) for f in files)
        choices = [self._choice(target, f) for f in files]
        rank = {True: 0, None: 1, False: 2}
        return sorted(choices, key=lambda c: rank[c.fits])

    def targets_for(self, sidecar_path: str) -> list[ModelFile]:
        """Targets on disk that the sidecar fits, as far as they have been compared; like `sidecars`."""
        sidecar = self._own_path(sidecar_path)
        targets = self.targets()
        self._want((f.path, sidecar) for f in targets if sidecar)
        return [f for f in targets if self._fits.get((f.path, sidecar), _UNKNOWN) is None]

    def left_out(self) -> list[ModelFile]:
        """Files that are no choice, each with its `reason`."""
        return [f for f in self._library.files if f.kind == OTHER]

    def find(self, path: str) -> ModelFile | None:
        """What is known of a file; a later part of a sharded model is found by its first."""
        own = self._own_path(path)
        return next((f for f in self._library.files if f.path == own), None)

    # -- where to look ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Look for the first time, and from now on again whenever something may have changed."""
        self._state.pair_changed.connect(self._on_pair_changed)
        self._on_pair_changed()

    @Slot()
    def _on_pair_changed(self) -> None:
        """A file from another folder was chosen, maybe: its neighbours are offered too."""
        places = [Place(folder, deep=True) for folder in self._model_folders]
        places += [Place(folder) for folder in self._own_folders]
        used = (*self._state.settings.recent_files, self._state.pair.target_path, self._state.pair.draft_path)
        places += [Place(os.path.dirname(os.path.abspath(path))) for path in used if path]
        unique = tuple(dict.fromkeys(places))
        if unique != self._places:
            self._places = unique
            self.rescan()

    @Slot()
    def rescan(self) -> None:
        """Look again, now or when the look that is going on is done."""
        if self._cancel.is_set():
            return
        self._timer.stop()
        if self._thread is not None:
            self._again = True
            return
        self._again = False
        places, pairs = self._places, tuple(self._wanted)
        self._thread = threading.Thread(
            target=self._look, args=(places, pairs), name="model-scanner", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """No more looks; a look that hangs in a dead folder is left behind."""
        self._cancel.set()
        self._timer.stop()
        if self._watcher.directories():
            self._watcher.removePaths(self._watcher.directories())
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
            if self._thread.is_alive():
                log.warning("a model folder does not answer")

    # -- looking ----------------------------------------------------------------------------------------

    def _look(self, places: tuple[Place, ...], pairs: tuple[tuple[str, str], ...]) -> None:
        library: Library | None = None
        try:
            library = self._librarian.look(places, pairs, self._cancel.is_set)
        except Exception:
            log.exception("looking for models failed")
        if not self._cancel.is_set():
            self._looked.emit(library)

    @Slot(object)
    def _on_looked(self, library: Library | None) -> None:
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
            self._thread = None
        if self._cancel.is_set():
            return
        if library is not None:
            self._take(library)
        if self._again:
            self.rescan()

    def _take(self, library: Library) -> None:
        known = (self._library.files, self._library.fits, self._scanned)
        changed = (library.files, library.fits, True) != known
        self._library, self._scanned = library, True
        self._fits = dict(library.fits)
        self._watch(library.folders)
        if abs(time.time() - library.newest) < YOUNG_SECONDS and not self._timer.isActive():
            self._timer.start(LOOK_AGAIN_MS)
        if changed:
            self.models_changed.emit()

    def _watch(self, folders: tuple[str, ...]) -> None:
        wanted, watched = set(folders[:MAX_WATCHED]), set(self._watcher.directories())
        if watched - wanted:
            self._watcher.removePaths(sorted(watched - wanted))
        if wanted - watched:
            self._watcher.addPaths(sorted(wanted - watched))

    @Slot()
    def _on_folder_changed(self) -> None:
        if not self._cancel.is_set():
            self._timer.start(SETTLE_MS)

    # -- fits -------------------------------------------------------------------------------------------

    def _choice(self, target: str, file: ModelFile) -> SidecarChoice:
        problem = self._fits.get((target, file.path), _UNKNOWN)
        if problem is _UNKNOWN:
            return SidecarChoice(file, None)
        return SidecarChoice(file, problem is None, problem)  # type: ignore[arg-type]

    def _want(self, pairs: Iterable[tuple[str, str]]) -> None:
        unknown = {pair for pair in pairs if pair not in self._fits} - self._wanted
        self._wanted |= unknown
        if unknown:
            self.rescan()

    def _own_path(self, path: str) -> str:
        """The path under which the library lists a file, however it was written."""
        if not path:
            return ""
        path = first_part(os.path.abspath(path))
        wanted = os.path.normcase(path)
        for file in self._library.files:
            if os.path.normcase(file.path) == wanted:
                return file.path
        return path
