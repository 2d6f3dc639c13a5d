"""Connects the three steps of the first start to pair and chat, and takes them away when they are done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.core.events import LoadFailed
from app.services.app_state import AppState
from app.services.engine_controller import EngineController
from app.ui.first_run import FirstRun


class FirstRunBinder(QObject):
    """`open_requested` asks for a model file; `asked` carries the first question."""

    open_requested = Signal()
    asked = Signal(str)

    def __init__(
        self,
        pages: QStackedWidget,
        state: AppState,
        engine: EngineController,
        name_of: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._pages = pages
        self._state = state
        self._engine = engine
        self._name_of = name_of
        self.view: FirstRun | None = None

    def show(self) -> FirstRun:
        """Instead of the chat, until the steps are done."""
        view = self.view = FirstRun()
        view.finished.connect(self._on_finished)
        view.open_requested.connect(self.open_requested)
        self._pages.addWidget(view)
        self._pages.setCurrentWidget(view)
        self._state.pair_changed.connect(self.refresh)
        self._engine.load_progress.connect(view.set_progress)
        self._engine.loaded.connect(self._on_loaded)
        self._engine.load_failed.connect(self._on_failed)
        self.refresh()
        return view

    def refresh(self) -> None:
        """The names of what is chosen."""
        if self.view is not None:
            pair = self._state.pair
            names = [self._name_of(path) if path else "" for path in (pair.target_path, pair.draft_path)]
            self.view.set_pair(names[0], names[1] or Path(pair.draft_path).stem)

    def _on_loaded(self) -> None:
        if self.view is not None:
            self.view.set_progress(None)

    def _on_failed(self, failed: LoadFailed) -> None:
        if self.view is not None:
            self.view.set_problem(failed.problem)

    def _on_finished(self, question: str) -> None:
        view, self.view = self.view, None
        if view is not None:
            self._pages.removeWidget(view)
            view.deleteLater()
            self._pages.setCurrentIndex(0)
            self.asked.emit(question)
