"""The dialogs of the window. They lie over it without stopping it, one of a kind at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.core.pair_settings import PairSettings
from app.core.templates import TemplateChoice
from app.services.app_state import AppState
from app.services.engine_controller import EngineController
from app.ui.commands import shortcut_groups
from app.ui.dialogs.about_dialog import AboutDialog
from app.ui.dialogs.prompt_dialog import PromptDialog
from app.ui.dialogs.settings_dialog import SettingsDialog
from app.ui.dialogs.shortcuts_dialog import ShortcutsDialog
from app.ui.dialogs.values import PairLimits, SettingsValues
from app.ui.prompt_binder import PromptBinder
from app.ui.theme import Theme

_Dialog = TypeVar("_Dialog", bound=QDialog)


class WindowDialogs(QObject):
    """Settings go to `AppState`; what only the window knows travels by signal."""

    panel_wanted = Signal(bool)
    reload_requested = Signal()

    def __init__(
        self, window: QWidget, state: AppState, engine: EngineController, prompts: PromptBinder
    ) -> None:
        super().__init__(window)
        self._prompts = prompts
        self._window = window
        self._state = state
        self._engine = engine
        self._open: dict[type[QDialog], QDialog] = {}

    def settings(self, panel_visible: bool) -> SettingsDialog:
        """Settings of the pair, of sampling and of the window."""
        settings, pair, last = self._state.settings, self._engine.pair, self._engine.last_load
        values = SettingsValues(
            self._state.choice().settings,
            settings.sampling,
            settings.max_tokens,
            settings.system_prompt,
            settings.theme,
            panel_visible,
            settings.language,
            Theme.current().zoom,
            settings.notify,
        )
        loaded = last.settings if last is not None and pair is not None else None
        limits = PairLimits(pair.n_ctx_train, pair.draft_n_max_limit) if pair is not None else PairLimits()
        return self._show(SettingsDialog, lambda: self._make_settings(values, loaded, limits))

    def shortcuts(self) -> ShortcutsDialog:
        return self._show(ShortcutsDialog, lambda: ShortcutsDialog(shortcut_groups(), self._window))

    def about(self) -> AboutDialog:
        pair = self._engine.pair
        backend = pair.backend if pair is not None else ""
        return self._show(AboutDialog, lambda: AboutDialog(backend=backend, parent=self._window))

    def prompt(self, choice: TemplateChoice | None = None) -> PromptDialog:
        """The prompt under `choice`, or as it is set."""
        asked = choice if choice is not None else self._state.choice().settings.template
        old = self._open.pop(PromptDialog, None)
        if old is not None:
            old.close()
        dialog = self._show(PromptDialog, lambda: PromptDialog(self._window))
        self._prompts.ask(asked, dialog, dialog.set_result)
        return dialog

    def close_all(self) -> None:
        for dialog in list(self._open.values()):
            dialog.close()

    def _make_settings(
        self, values: SettingsValues, loaded: PairSettings | None, limits: PairLimits
    ) -> SettingsDialog:
        dialog = SettingsDialog(values, loaded, limits, self._window)
        dialog.saved.connect(self._on_saved)
        dialog.reload_requested.connect(self.reload_requested)
        dialog.shortcuts_requested.connect(self.shortcuts)
        dialog.about_requested.connect(self.about)
        page = dialog.template_page
        page.preview_requested.connect(self.prompt)

        def check(choice: TemplateChoice) -> None:
            self._prompts.ask(choice, page, lambda result: page.set_result(choice, result))

        page.check_requested.connect(check)
        return dialog

    def _show(self, kind: type[_Dialog], make: Callable[[], _Dialog]) -> _Dialog:
        dialog = self._open.get(kind)
        if not isinstance(dialog, kind):
            dialog = self._open[kind] = make()
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.finished.connect(lambda: self._open.pop(kind, None))
            dialog.open()
        dialog.raise_()
        return dialog

    def _on_saved(self, values: SettingsValues) -> None:
        self._state.set_choice(replace(self._state.choice(), settings=values.pair))
        self._state.update(
            sampling=values.sampling,
            max_tokens=values.max_tokens,
            system_prompt=values.system_prompt,
            theme=values.theme,
            language=values.language,
            notify=values.notify,
        )
        self.panel_wanted.emit(values.panel_visible)
