"""What the program remembers, in one place: the settings, saved a moment after they change."""

from __future__ import annotations

import copy
import logging
from dataclasses import fields
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.events import Problem
from app.core.ports import LoadRequest, Store
from app.core.settings import AppSettings, Pair, PairChoice
from app.services.background import Background

log = logging.getLogger(__name__)

SAVE_DELAY_MS = 400
RECENT_FILES = 20

# Kept for the next start alone; nobody has to redraw anything when they change.
_QUIET = frozenset({"unsent", "unsent_files", "window", "conversation_id", "recent_files"})
_NAMES = frozenset(f.name for f in fields(AppSettings))


class AppState(QObject):
    """`settings` is for reading; changes go through the methods, which save and tell.

    `pair_changed` speaks of another target or sidecar, `settings_changed` of everything else that shows.
    """

    pair_changed = Signal()
    settings_changed = Signal()
    problem = Signal(object)

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._settings = store.load_settings()
        self._background = Background(self)
        self._dirty = False
        self._failing = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_DELAY_MS)
        self._timer.timeout.connect(self.flush)

    @property
    def settings(self) -> AppSettings:
        return self._settings

    @property
    def pair(self) -> Pair:
        return self._settings.pair

    def set_pair(self, pair: Pair) -> None:
        """Choose a pair; its own settings and switch come with it. Its files become the most recent ones."""
        used = [path for path in (pair.target_path, pair.draft_path) if path]
        others = [path for path in self._settings.recent_files if path not in used]
        self._settings.recent_files = [*used, *others][:RECENT_FILES]
        changed = pair != self._settings.pair
        self._settings.pair = pair
        self._save_soon()
        if changed:
            self.pair_changed.emit()

    def choice(self) -> PairChoice:
        """Settings and switch of the current pair, as they were left."""
        return self._settings.choice(self._settings.pair)

    def set_choice(self, choice: PairChoice) -> None:
        """Remember settings and switch for the current pair."""
        if choice != self.choice():
            self._settings.pairs[self._settings.pair.key] = choice
            self._save_soon()
            self.settings_changed.emit()

    def load_request(self) -> LoadRequest:
        """What has to be loaded for the current pair."""
        pair, choice = self._settings.pair, self.choice()
        return LoadRequest(pair.target_path, pair.draft_path, choice.settings, choice.speculation_on)

    def update(self, **changes: Any) -> None:
        """Set fields of `AppSettings` other than the pair; TypeError names a field it does not have."""
        unknown = changes.keys() - _NAMES
        if unknown or "pair" in changes:
            raise TypeError(f"update() cannot set {', '.join(sorted(unknown or {'pair'}))}")
        changed = {name for name, value in changes.items() if getattr(self._settings, name) != value}
        for name in changed:
            setattr(self._settings, name, changes[name])
        if changed:
            self._save_soon()
        if changed - _QUIET:
            self.settings_changed.emit()

    def flush(self) -> None:
        """Hand unsaved changes to the store now."""
        self._timer.stop()
        if not self._dirty:
            return
        self._dirty = False
        # The store's writer reads what it is given later; it gets a copy that nobody changes.
        future = self._store.save_settings(copy.deepcopy(self._settings))
        self._background.watch(future, self._saved, self._not_saved)

    def _save_soon(self) -> None:
        self._dirty = True
        if not self._timer.isActive():
            self._timer.start()

    def _saved(self, _: None) -> None:
        self._failing = False

    def _not_saved(self, error: BaseException) -> None:
        # Still dirty: the next change or the end of the program tries again.
        self._dirty = True
        if not self._failing and not self._store.read_only_reason:
            self._failing = True
            log.warning("settings could not be saved: %s", error)
            self.problem.emit(Problem.of(error))
