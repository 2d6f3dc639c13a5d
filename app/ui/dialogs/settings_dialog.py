"""The settings dialog: pages on the left, fields on the right, one row of buttons.

It edits a copy. `saved` carries all of it once everything is valid; until then nothing typed is lost.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.pair_settings import PairSettings
from app.ui import theme
from app.ui.dialogs.other_pages import Appearance, AppearancePage, SystemPromptPage
from app.ui.dialogs.page import Page
from app.ui.dialogs.pair_page import PairPage
from app.ui.dialogs.sampling_page import SamplingPage
from app.ui.dialogs.template_page import TemplatePage
from app.ui.dialogs.values import PairLimits, SettingsValues
from app.ui.fitting import fit
from app.ui.icons import TextButton
from app.ui.theme import Theme

PAIR, SAMPLING, SYSTEM_PROMPT, TEMPLATE, APPEARANCE = range(5)

_SIZE = QSize(840, 640)
_NAVIGATION = 168
_ENTRY = 32


class SettingsDialog(QDialog):
    """`saved(SettingsValues)` comes before `reload_requested()` when the user wants both."""

    saved = Signal(object)
    reload_requested = Signal()
    shortcuts_requested = Signal()
    about_requested = Signal()

    def __init__(
        self,
        values: SettingsValues,
        loaded: PairSettings | None = None,
        limits: PairLimits | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`loaded`: the settings the pair was loaded with, or None when no pair is loaded."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._before = values
        self._loaded = loaded
        self.pair_page = PairPage()
        self.sampling_page = SamplingPage()
        self.prompt_page = SystemPromptPage()
        self.template_page = TemplatePage()
        self.appearance_page = AppearancePage()
        self._pages: tuple[Page, ...] = (
            self.pair_page,
            self.sampling_page,
            self.prompt_page,
            self.template_page,
            self.appearance_page,
        )
        self.pair_page.set_settings(values.pair, limits or PairLimits(), has_pair=loaded is not None)
        self.sampling_page.set_settings(values.sampling, values.max_tokens)
        self.prompt_page.set_prompt(values.system_prompt)
        self.template_page.set_choice(values.pair.template)
        self.appearance_page.set_settings(
            Appearance(values.theme, values.panel_visible, values.language, values.zoom, values.notify)
        )
        self._build()
        for page in self._pages:
            page.edited.connect(self._on_edited)
        self._on_edited()
        scale = min(Theme.current().scale, 1.6)
        fit(self, _SIZE.width() * scale, _SIZE.height() * scale)

    def show_page(self, index: int) -> None:
        """One of `PAIR`, `SAMPLING`, `SYSTEM_PROMPT`, `TEMPLATE`, `APPEARANCE`."""
        self.navigation.setCurrentRow(index)

    def values(self) -> SettingsValues | None:
        """Everything as it is typed now, or None while a field is wrong."""
        pair, sampling = self.pair_page.value(), self.sampling_page.value()
        if pair is None or sampling is None:
            return None
        pair = replace(pair, template=self.template_page.value())
        return SettingsValues(
            pair, *sampling, self.prompt_page.value(), **asdict(self.appearance_page.value())
        )

    @property
    def needs_reload(self) -> bool:
        """Whether what is typed now differs from what is loaded in a way that only a reload brings about."""
        pair = self.pair_page.value()
        return pair is not None and self._loaded is not None and self._loaded.needs_reload(pair)

    def save(self) -> bool:
        """Save and close; False, with errors shown beside their fields, when something is wrong."""
        wrong = [page for page in self._pages if page.show_errors()]
        if wrong:
            self.show_page(self._pages.index(wrong[0]))
            wrong[0].show_errors()
            self._note.setText(self.tr("Nothing was saved yet: mend the fields in red."))
            return False
        self.saved.emit(self.values())
        self.accept()
        return True

    def save_and_reload(self) -> None:
        if self.save():
            self.reload_requested.emit()

    def reset_page(self) -> None:
        """Fill the page that is shown with defaults; nothing is saved by that."""
        self._pages[self._stack.currentIndex()].reset()

    def reject(self) -> None:
        Theme.current().set_mode(self._before.theme)
        Theme.current().set_zoom(self._before.zoom)
        super().reject()

    def _build(self) -> None:
        self.navigation = QListWidget()
        self.navigation.setAccessibleName(self.tr("Pages"))
        self.navigation.setObjectName("navigation")
        self.navigation.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget()
        for page in self._pages:
            self.navigation.addItem(page.title)
            self._stack.addWidget(page)
        self.navigation.currentRowChanged.connect(self._stack.setCurrentIndex)
        self.navigation.setCurrentRow(PAIR)
        sheet = QFrame()
        sheet.setProperty("role", "page")
        sheet_layout = QVBoxLayout(sheet)
        sheet_layout.setContentsMargins(0, 0, 0, 0)
        sheet_layout.addWidget(self._stack)
        self._divider = QFrame()
        self._divider.setFixedWidth(1)
        centre = QHBoxLayout()
        centre.setSpacing(0)
        centre.addLayout(self._make_left())
        centre.addWidget(self._divider)
        centre.addWidget(sheet, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(centre, 1)
        rule = QFrame()
        rule.setProperty("role", "rule")
        layout.addWidget(rule)
        layout.addLayout(self._make_buttons())
        QShortcut(QKeySequence.StandardKey.Save, self, self.save)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    def _make_left(self) -> QVBoxLayout:
        """The pages, and beneath them what else there is to know."""
        self.shortcuts_button = TextButton(self.tr("Keyboard shortcuts"), role="quiet")
        self.shortcuts_button.clicked.connect(self.shortcuts_requested)
        self.about_button = TextButton(self.tr("About Slipstream"), role="quiet")
        self.about_button.clicked.connect(self.about_requested)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self.navigation, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.GRID, 0, theme.GRID, theme.GRID)
        foot.setSpacing(0)
        for button in (self.shortcuts_button, self.about_button):
            button.setAutoDefault(False)
            button.setProperty("align", "left")
            foot.addWidget(button)
        left.addLayout(foot)
        return left

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        row.setSpacing(theme.GRID)
        self.reset_button = TextButton(self.tr("Reset to defaults"), role="quiet")
        self.reset_button.setToolTip(
            self.tr("Fill this page with defaults. Nothing is saved until you save.")
        )
        self.reset_button.clicked.connect(self.reset_page)
        self._note = QLabel()
        self._note.setProperty("role", "muted")
        self._note.setWordWrap(True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cancel_button = TextButton(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        self.save_button = TextButton(self.tr("Save"), role="primary")
        self.save_button.setDefault(True)
        self.save_button.clicked.connect(self.save)
        self.reload_button = TextButton(self.tr("Reload now"), icon_name="retry")
        self.reload_button.setToolTip(self.tr("Save the settings and load the pair again with them."))
        self.reload_button.clicked.connect(self.save_and_reload)
        for button in (self.reset_button, self.cancel_button, self.reload_button):
            button.setAutoDefault(False)
        row.addWidget(self.reset_button)
        row.addWidget(self._note, 1)
        row.addWidget(self.reload_button)
        row.addWidget(self.cancel_button)
        row.addWidget(self.save_button)
        return row

    def _restyle(self) -> None:
        palette = Theme.current().palette
        scale = Theme.current().scale
        self.navigation.setFixedWidth(round(_NAVIGATION * scale))
        for row in range(self.navigation.count()):
            self.navigation.item(row).setSizeHint(QSize(0, round(_ENTRY * scale)))
        self._divider.setStyleSheet(f"background: {palette.line};")
        self.navigation.setStyleSheet(
            f"QListWidget {{ background: {palette.window}; padding: 12px 8px; border-radius: 0; }}"
            "QListWidget, QListWidget:focus { border: none; }"
            f"QListWidget::item {{ padding: 0 6px; border-radius: 6px; color: {palette.text}; }}"
            f"QListWidget::item:hover {{ background: {palette.hover}; }}"
            f"QListWidget::item:selected {{ background: {palette.selection}; color: {palette.text}; }}"
            f"QListWidget::item:selected:focus {{ border: 2px solid {palette.accent}; padding: 0 4px; }}"
        )

    def _on_edited(self) -> None:
        reload = self.needs_reload
        self.reload_button.setVisible(reload)
        self._note.setText(self.tr("Some changes need a reload.") if reload else "")
