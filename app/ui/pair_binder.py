"""Connects pair bar and live panel to services: choosing, loading, switching, and what the chip says."""

from __future__ import annotations

import os
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer

from app.core.events import LoadedPair, LoadFailed, LoadProgress, SpeculationStatus
from app.core.settings import Pair
from app.core.templates import TemplateChoice
from app.services.app_state import AppState
from app.services.engine_controller import EngineController
from app.services.live_stats import LiveStats
from app.services.model_files import ModelFile, SidecarChoice
from app.services.model_scanner import ModelScanner
from app.ui.model_choice import ModelChoice
from app.ui.pair_bar import PairBar
from app.ui.sampling_place import sampling_place
from app.ui.state_chip import short_reason
from app.ui.stats.live_panel import LivePanel

# So long a new target waits for its sidecars to be compared, before it is loaded without one.
COMPARE_MS = 1500


class PairBinder(QObject):
    """The pair in `AppState` is the one that is shown and loaded; the engine says what came of it."""

    def __init__(
        self,
        bar: PairBar,
        panel: LivePanel,
        engine: EngineController,
        state: AppState,
        stats: LiveStats,
        scanner: ModelScanner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bar = bar
        self._panel = panel
        self._engine = engine
        self._state = state
        self._stats = stats
        self._scanner = scanner
        self._limits: tuple[int, int, float, bool] | None = None
        self._template = TemplateChoice()
        self._undecided = ""  # a target whose sidecar is not chosen yet
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(COMPARE_MS)
        self._patience.timeout.connect(self._decide)

        bar.target_chosen.connect(self.choose_target)
        bar.sidecar_chosen.connect(self.choose_sidecar)
        bar.speculation_toggled.connect(self.switch_speculation)
        bar.cancel_load_requested.connect(engine.cancel_load)
        bar.reload_requested.connect(self.load)
        panel.turn_off_requested.connect(lambda: self.switch_speculation(False))

        engine.load_progress.connect(self._on_progress)
        engine.loaded.connect(self._on_loaded)
        engine.load_failed.connect(self._on_load_failed)
        engine.unloaded.connect(self._show_context)
        engine.status_changed.connect(self._on_status)
        state.pair_changed.connect(self._on_pair)
        state.settings_changed.connect(self._on_settings)
        stats.changed.connect(self.show_figures)
        scanner.models_changed.connect(self._on_models)

        self._show_pair()
        self._on_models()
        self._on_status(engine.status)
        self.show_figures()

    # -- what the user asks for -------------------------------------------------------------------------

    def load(self) -> None:
        """Load the pair as its settings stand now."""
        request = self._state.load_request()
        if request.target_path:
            settings = request.settings
            self._limits = (
                settings.draft_n_max,
                settings.draft_n_min,
                settings.draft_p_min,
                settings.automatic_length,
            )
            self._template = settings.template
            self._bar.set_load_progress(LoadProgress(self.tr("Loading the model"), 0.0))
            self._bar.set_reload_needed(False)
            self._engine.load(request)

    def choose_target(self, path: str) -> None:
        """Use `path` as target, with the sidecar it was used with last, or else one that fits."""
        if os.path.abspath(path) == os.path.abspath(self._state.pair.target_path or os.curdir):
            self.load()
            return
        self._undecided = path
        self._bar.set_pair(path, "")
        self._show_sidecars(path)
        if self._remembered_sidecar(path) or all(c.fits is not None for c in self._scanner.sidecars(path)):
            self._decide()
        else:
            self._patience.start()

    def choose_sidecar(self, path: str) -> None:
        """Use `path` beside the current target; empty: without a sidecar."""
        self.choose_pair(Pair(self._state.pair.target_path, path))

    def choose_pair(self, pair: Pair) -> None:
        self._undecided = ""
        self._patience.stop()
        if pair == self._state.pair:
            self.load()
        else:
            self._state.set_pair(pair)

    def switch_speculation(self, on: bool) -> None:
        """Off or on for this pair, from the next round on; remembered."""
        self._state.set_choice(replace(self._state.choice(), speculation_on=on))
        self._engine.set_speculation(on)
        self._bar.set_speculation_on(on)

    def name_of(self, path: str) -> str:
        """The name under which the bar lists a file."""
        file = self._scanner.find(path)
        return file.name if file is not None else ModelChoice.of_path(path).name

    def show_figures(self) -> None:
        """Panel and context follow what was measured."""
        self._panel.set_figures(self._stats.figures())
        self._show_context()

    # -- what happens -----------------------------------------------------------------------------------

    def _decide(self) -> None:
        """Choose the sidecar for a new target, as far as is known by now."""
        target, self._undecided = self._undecided, ""
        self._patience.stop()
        if target:
            sidecar = self._remembered_sidecar(target)
            fitting = (c.file.path for c in self._scanner.sidecars(target) if c.fits)
            self.choose_pair(Pair(target, sidecar or next(fitting, "")))

    def _remembered_sidecar(self, target: str) -> str:
        """The sidecar `target` was used with last, if it is still there."""
        wanted = Pair(target).key.partition("\n")[0]
        for key in reversed(self._state.settings.pairs):
            target_key, _, draft_key = key.partition("\n")
            if target_key == wanted and draft_key and os.path.isfile(draft_key):
                return draft_key
        return ""

    def _on_pair(self) -> None:
        self._show_pair()
        self.load()

    def _show_pair(self) -> None:
        pair = self._state.pair
        self._show_sidecars(pair.target_path)
        self._bar.set_pair(pair.target_path, pair.draft_path)
        self._bar.set_speculation_on(self._state.choice().speculation_on)

    def _on_models(self) -> None:
        self._bar.set_targets([_choice_of(file) for file in self._scanner.targets()])
        target = self._undecided or self._state.pair.target_path
        self._show_sidecars(target)
        if self._undecided and all(c.fits is not None for c in self._scanner.sidecars(target)):
            self._decide()

    def _show_sidecars(self, target: str) -> None:
        self._bar.set_sidecars([_choice_of_sidecar(c) for c in self._scanner.sidecars(target)])

    def _on_progress(self, progress: LoadProgress) -> None:
        self._bar.set_load_progress(progress)

    def _on_loaded(self, _pair: LoadedPair) -> None:
        self._bar.set_load_progress(None)
        self._on_settings()
        self._show_context()

    def _on_load_failed(self, _failed: LoadFailed) -> None:
        self._bar.set_load_progress(None)
        self._show_context()

    def _on_status(self, status: SpeculationStatus) -> None:
        self._bar.set_status(status)
        self._panel.set_status(status)

    def _on_settings(self) -> None:
        choice, last = self._state.choice(), self._engine.last_load
        self._bar.set_speculation_on(choice.speculation_on)
        if last is None or self._engine.pair is None:
            return
        settings = choice.settings
        limits = (
            settings.draft_n_max,
            settings.draft_n_min,
            settings.draft_p_min,
            settings.automatic_length,
        )
        if limits != self._limits:
            self._limits = limits
            self._engine.set_draft_limits(*limits)
        if settings.template != self._template:
            self._template = settings.template
            self._engine.set_template(settings.template)
        self._bar.set_reload_needed(last.settings.needs_reload(settings))

    def _show_context(self) -> None:
        pair, figures = self._engine.pair, self._stats.figures()
        size = pair.n_ctx if pair is not None else figures.context_total or 0
        self._bar.set_context(figures.context_used or 0, size)
        self._bar.set_sampling_place(sampling_place(pair, self._stats.stats()))


def _choice_of(file: ModelFile) -> ModelChoice:
    return ModelChoice(file.path, file.name, file.quantisation, file.bytes, file.algorithm)


def _choice_of_sidecar(choice: SidecarChoice) -> ModelChoice:
    known = _choice_of(choice.file)
    return replace(known, reason=short_reason(choice.problem)) if choice.fits is False else known
