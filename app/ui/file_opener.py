"""Files the user chose or dropped: what they are is read from their headers, then they become the pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.events import Problem
from app.core.settings import Pair
from app.services.app_state import AppState
from app.services.background import Background
from app.services.gguf_reader import GgufReader
from app.services.model_files import SIDECAR, TARGET, ModelFile
from app.services.model_folders import first_part
from app.services.model_scanner import ModelScanner

WRONG_KIND = "wrong-kind"


class FileOpener(QObject):
    """`target_found` and `pair_found` say what to load; `problem` says why a file cannot be used."""

    target_found = Signal(str)
    pair_found = Signal(object)
    problem = Signal(object)

    def __init__(self, state: AppState, scanner: ModelScanner, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._state = state
        self._scanner = scanner
        self._background = Background(self)
        self._dialog: QFileDialog | None = None

    def ask(self, title: str) -> QFileDialog:
        """Let the user choose a file; the window goes on meanwhile."""
        if self._dialog is None:
            self._dialog = QFileDialog(self._window)
            self._dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            self._dialog.setNameFilters([self.tr("GGUF models (*.gguf)"), self.tr("All files (*)")])
            self._dialog.fileSelected.connect(lambda path: self.open([path]))
        self._dialog.setWindowTitle(title)
        self._dialog.open()
        return self._dialog

    def open(self, paths: Sequence[str]) -> None:
        """Look into the files in the background, then use them: a target, a sidecar, or one of each."""
        # Any part of a sharded model stands for the whole.
        wanted = list(dict.fromkeys(first_part(path) for path in paths))
        self._background.run(_reading(wanted), self._on_read, lambda e: self.problem.emit(Problem.of(e)))

    def finish(self) -> None:
        """Nothing is looked into any more."""
        self._background.finish()

    def _on_read(self, results: list[ModelFile | Problem]) -> None:
        problems = [r for r in results if isinstance(r, Problem)]
        files = [r for r in results if isinstance(r, ModelFile)]
        problems += [f.reason for f in files if f.reason is not None]
        for problem in problems:
            self.problem.emit(problem)
        targets = [f for f in files if f.kind == TARGET]
        sidecars = [f for f in files if f.kind == SIDECAR]
        if targets and sidecars:
            self.pair_found.emit(Pair(targets[0].path, sidecars[0].path))
        elif targets:
            self.target_found.emit(targets[0].path)
        elif sidecars:
            self._use_sidecar(sidecars[0])

    def _use_sidecar(self, sidecar: ModelFile) -> None:
        """Beside the current target if it fits that, else beside one it fits."""
        target = self._state.pair.target_path
        others = [f.path for f in self._scanner.targets_for(sidecar.path) if f.path != target]

        def look() -> Problem | None:
            return GgufReader().fit(target, sidecar.path)

        def decide(problem: Problem | None) -> None:
            if problem is None:
                self.pair_found.emit(Pair(target, sidecar.path))
            elif others:
                self.pair_found.emit(Pair(others[0], sidecar.path))
            else:
                self.problem.emit(problem)

        if target:
            self._background.run(look, decide, lambda e: self.problem.emit(Problem.of(e)))
        elif others:
            self.pair_found.emit(Pair(others[0], sidecar.path))
        else:
            self.problem.emit(
                Problem(
                    self.tr("“%1” is a sidecar.").replace("%1", sidecar.name),
                    self.tr(
                        "A sidecar drafts for the target it was trained for; it cannot answer by itself."
                    ),
                    self.tr("Choose the target it was trained for."),
                    code="is-sidecar",
                )
            )


def _reading(paths: Sequence[str]) -> Callable[[], list[ModelFile | Problem]]:
    def read() -> list[ModelFile | Problem]:
        reader = GgufReader()
        results: list[ModelFile | Problem] = []
        for path in paths:
            try:
                results.append(reader.read(path))
            except Exception as error:
                results.append(Problem.of(error))
        return results

    return read
