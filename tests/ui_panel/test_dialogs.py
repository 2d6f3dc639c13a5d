"""The dialogs: nothing typed is lost, errors stand beside their fields, a reload is asked for when needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt, qVersion
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from app import __version__
from app.core.pair_settings import PairSettings
from app.core.sampling import SamplingParams
from app.ui import language
from app.ui.commands import command_groups
from app.ui.dialogs.about_dialog import AboutDialog
from app.ui.dialogs.settings_dialog import APPEARANCE, PAIR, SAMPLING, SYSTEM_PROMPT, SettingsDialog
from app.ui.dialogs.shortcuts_dialog import ShortcutGroup, ShortcutsDialog, native_keys
from app.ui.dialogs.values import PairLimits, SettingsValues
from app.ui.fitting import fit
from app.ui.palette import DARK, LIGHT, Palette, contrast
from app.ui.switch import Switch
from app.ui.theme import Theme

VALUES = SettingsValues(
    pair=PairSettings(n_ctx=4096, n_threads=3, draft_n_max=5, draft_p_min=0.3, algorithm="dflash"),
    sampling=SamplingParams(temperature=0.55, seed=11),
    max_tokens=300,
    system_prompt="Answer briefly.\n",
    theme="light",
    panel_visible=False,
    language="de",
    zoom=1.2,
    notify=False,
)


@pytest.fixture
def language_restored(qapp) -> Iterator[None]:
    before = QLocale()
    yield
    language.install("en")
    QLocale.setDefault(before)


@pytest.fixture
def dialog(qtbot) -> SettingsDialog:
    dialog = SettingsDialog(VALUES, VALUES.pair, PairLimits(8192, 7, 2))
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_values_come_back_as_they_went_in(dialog: SettingsDialog, qtbot) -> None:
    assert dialog.values() == VALUES
    with qtbot.waitSignal(dialog.saved) as signal:
        dialog.save_button.click()
    assert signal.args == [VALUES]
    assert not dialog.isVisible()


def test_every_field_has_label_help_and_name(dialog: SettingsDialog) -> None:
    fields = {**dialog.pair_page.fields, **dialog.sampling_page.fields, **dialog.appearance_page.fields}
    assert len(fields) == 16 + 25 + 5
    for name, field in fields.items():
        assert field.label, name
        assert field.about.endswith("."), name
        assert field.control.accessibleName() == field.label
        assert field.about in field.control.accessibleDescription()


def test_fields_say_what_the_pair_allows(dialog: SettingsDialog, qtbot) -> None:
    fields = dialog.pair_page.fields
    assert "trained for 8192" in fields["n_ctx"].about
    assert "drafts 7 at most" in fields["draft_n_max"].about
    assert "2 cores" in fields["n_threads"].about
    empty = SettingsDialog(SettingsValues())
    qtbot.addWidget(empty)
    assert "64 or more" in empty.pair_page.fields["n_ctx"].about


def test_marks_what_needs_a_reload(dialog: SettingsDialog) -> None:
    marked = {name for name, field in dialog.pair_page.fields.items() if field.needs_reload}
    assert marked == set(dialog.pair_page.fields) - set(PairSettings.LIVE)
    for name in marked:
        assert "after a reload" in dialog.pair_page.fields[name].control.accessibleDescription()


def test_reload_is_offered_for_what_needs_it(dialog: SettingsDialog, qtbot) -> None:
    fields = dialog.pair_page.fields
    assert not dialog.reload_button.isVisible()
    qtbot.keyClick(fields["draft_n_max"].control, Qt.Key.Key_Up)
    assert fields["draft_n_max"].text() == "6"
    assert not dialog.reload_button.isVisible()
    qtbot.keyClick(fields["n_ctx"].control, Qt.Key.Key_Up)
    assert fields["n_ctx"].text() == "8192"
    assert dialog.reload_button.isVisible()
    order: list[str] = []
    dialog.saved.connect(lambda values: order.append(f"saved {values.pair.n_ctx}"))
    dialog.reload_requested.connect(lambda: order.append("reload"))
    dialog.reload_button.click()
    assert order == ["saved 8192", "reload"]


def test_without_a_pair_nothing_needs_a_reload(qtbot) -> None:
    dialog = SettingsDialog(VALUES)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.pair_page.fields["n_ctx"].control.setFocus()
    qtbot.keyClick(dialog.pair_page.fields["n_ctx"].control, Qt.Key.Key_Up)
    assert not dialog.reload_button.isVisible()


def test_errors_stand_beside_their_fields_and_nothing_is_lost(dialog: SettingsDialog, qtbot) -> None:
    sampling, pair = dialog.sampling_page.fields, dialog.pair_page.fields
    sampling["top_p"].set_text("7")
    pair["draft_n_min"].set_text("9")
    dialog.prompt_page.set_prompt("changed")
    dialog.show_page(APPEARANCE)
    with qtbot.assertNotEmitted(dialog.saved):
        dialog.save_button.click()
    assert dialog.isVisible()
    assert dialog.navigation.currentRow() == PAIR
    assert pair["draft_n_min"].error == "Must not be larger than the draft length, 5."
    assert pair["draft_n_min"].control.hasFocus()
    assert sampling["top_p"].error == "Enter a number above 0, up to 1."
    assert (pair["draft_n_min"].text(), sampling["top_p"].text()) == ("9", "7")
    pair["draft_n_min"].set_text("2")
    dialog.save_button.click()
    assert dialog.navigation.currentRow() == SAMPLING
    sampling["top_p"].set_text("0.7")
    with qtbot.waitSignal(dialog.saved) as signal:
        dialog.save_button.click()
    assert signal.args[0].sampling.top_p == 0.7
    assert signal.args[0].pair.draft_n_min == 2
    assert signal.args[0].system_prompt == "changed"


def test_an_error_shows_when_a_field_is_done_and_goes_while_it_is_mended(
    dialog: SettingsDialog, qtbot
) -> None:
    field = dialog.pair_page.fields["n_ctx"]
    edit = field.control
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "3")
    assert field.error == ""
    dialog.pair_page.fields["n_threads"].control.setFocus()
    assert field.error == "Enter a whole number from 64 to 16777216."
    assert any(field.error in label.text() for label in field.findChildren(QLabel))
    edit.setFocus()
    qtbot.keyClicks(edit, "00")
    assert field.error == ""


def test_presets_fill_in_and_follow(dialog: SettingsDialog, qtbot) -> None:
    page = dialog.sampling_page
    assert page.preset.text() == "custom"
    page.choose_preset("precise")
    assert page.preset.text() == "precise"
    assert page.fields["temperature"].text() == "0.3"
    assert page.fields["seed"].text() == "11"
    assert page.fields["max_tokens"].text() == "300"
    page.choose_preset("greedy")
    assert not page.fields["top_k"].control.isEnabled()
    assert page.value() is not None
    assert page.value()[0].greedy
    qtbot.keyClick(page.fields["temperature"].control, Qt.Key.Key_Up)
    assert page.preset.text() == "custom"
    assert page.fields["top_k"].control.isEnabled()


def test_the_advanced_group_is_folded_away_until_it_is_needed(qtbot) -> None:
    dialog = SettingsDialog(VALUES)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_page(SAMPLING)
    page = dialog.sampling_page
    assert not page.advanced.is_open
    assert not page.fields["typical_p"].isVisible()
    page.advanced.button.click()
    assert page.fields["typical_p"].isVisible()
    page.advanced.button.click()
    page.fields["typical_p"].set_text("7")
    dialog.save_button.click()
    assert page.advanced.is_open
    assert page.fields["typical_p"].error == "Enter a number above 0, up to 1."
    used = SettingsDialog(replace(VALUES, sampling=SamplingParams(mirostat_mode=2)))
    qtbot.addWidget(used)
    assert used.sampling_page.advanced.is_open
    assert not used.sampling_page.fields["top_k"].control.isEnabled()
    assert used.sampling_page.fields["mirostat_tau"].control.isEnabled()


def test_a_schema_is_typed_and_checked(dialog: SettingsDialog, qtbot) -> None:
    dialog.show_page(SAMPLING)
    form, text = (dialog.sampling_page.fields[name] for name in ("form", "form_text"))
    assert not text.isVisible()
    form.combo.setCurrentIndex(2)
    form.combo.activated.emit(2)
    assert text.isVisible()
    assert text.edit.placeholderText().startswith("{")
    assert text.error == "Write it here, or choose any text."
    text.edit.setFocus()
    qtbot.keyClicks(text.edit, '{"type": "strin"}')
    qtbot.waitUntil(lambda: text.error == "At #: type 'strin' is unknown.")
    assert dialog.values() is None
    text.edit.setPlainText('{"type": "string"}')
    assert text.error == ""
    assert dialog.values().sampling.json_schema == '{"type": "string"}'
    form.combo.setCurrentIndex(1)
    form.combo.activated.emit(1)
    assert not text.isVisible()
    assert dialog.values().sampling.json_schema == '{"type": "object"}'


def test_seed_random_or_fixed(dialog: SettingsDialog) -> None:
    seed = dialog.sampling_page.fields["seed"]
    assert seed.fixed
    seed.combo.setCurrentIndex(0)
    seed.combo.activated.emit(0)
    assert seed.text() == ""
    assert not seed.edit.isEnabled()
    assert dialog.values().sampling.seed is None
    seed.combo.setCurrentIndex(1)
    seed.combo.activated.emit(1)
    seed.edit.setText("")
    assert dialog.values() is None


@pytest.mark.parametrize("algorithm", ["auto", "ngram-map-k", "ngram-map-k,auto", "ngram-cache,dspark"])
def test_the_algorithm_is_chosen_and_unknown_ones_are_kept(dialog: SettingsDialog, algorithm: str) -> None:
    """A combination that only the command line offers is shown as it is."""
    dialog.show_page(PAIR)
    field = dialog.pair_page.fields["algorithm"]
    field.set_text(algorithm)
    assert dialog.values().pair.algorithm == algorithm
    assert field.combo.currentText()


def test_reset_fills_the_shown_page_only(dialog: SettingsDialog) -> None:
    dialog.show_page(SAMPLING)
    dialog.reset_button.click()
    values = dialog.values()
    assert values.sampling == SamplingParams()
    assert values.max_tokens == 1024
    assert values.pair == VALUES.pair
    dialog.show_page(PAIR)
    dialog.reset_button.click()
    assert dialog.values().pair == PairSettings()
    assert dialog.reload_button.isVisible()
    dialog.show_page(SYSTEM_PROMPT)
    dialog.reset_button.click()
    assert dialog.values().system_prompt == ""
    dialog.show_page(APPEARANCE)
    dialog.reset_button.click()
    assert (dialog.values().theme, dialog.values().panel_visible) == ("system", True)


def test_layers_take_words_and_numbers(dialog: SettingsDialog, qtbot) -> None:
    field = dialog.pair_page.fields["n_gpu_layers"]
    for text, value in (("all", "all"), ("auto", "auto"), ("12", 12)):
        field.set_text(text)
        assert dialog.values().pair.n_gpu_layers == value
    field.set_text("many")
    assert dialog.values() is None


def test_theme_shows_at_once_and_cancel_takes_it_back(dialog: SettingsDialog, theme: Theme) -> None:
    field = dialog.appearance_page.fields["theme"]
    field.set_text("dark")
    field.finished.emit()
    assert theme.mode == "dark"
    dialog.reject()
    assert theme.mode == "light"


def test_switches_and_pages_by_keyboard(dialog: SettingsDialog, qtbot) -> None:
    dialog.navigation.setFocus()
    for _ in range(APPEARANCE):
        qtbot.keyClick(dialog.navigation, Qt.Key.Key_Down)
    assert dialog.navigation.currentRow() == APPEARANCE
    qtbot.keyClick(dialog.appearance_page.fields["panel"].control, Qt.Key.Key_Space)
    assert dialog.values().panel_visible
    backend = dialog.pair_page.fields["draft_backend_sampling"].control
    qtbot.keyClick(backend, Qt.Key.Key_Return)
    assert dialog.values().pair.draft_backend_sampling


def test_return_in_a_field_does_not_reset(dialog: SettingsDialog, qtbot) -> None:
    """Return saves, as the default button says; it never presses one of the other buttons."""
    edit = dialog.pair_page.fields["n_ctx"].control
    edit.setFocus()
    with qtbot.waitSignal(dialog.saved) as signal:
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert signal.args[0].pair == VALUES.pair


def test_wheel_over_a_choice_changes_nothing(dialog: SettingsDialog) -> None:
    combo = dialog.pair_page.fields["type_k"].control
    before = combo.currentIndex()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentIndex() == before + 1
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QGuiApplication.sendEvent(combo, wheel)
    assert combo.currentIndex() == before + 1


def test_settings_lead_to_shortcuts_and_about(dialog: SettingsDialog, qtbot) -> None:
    with qtbot.waitSignal(dialog.shortcuts_requested):
        dialog.shortcuts_button.click()
    with qtbot.waitSignal(dialog.about_requested):
        dialog.about_button.click()
    assert dialog.isVisible()


def test_shortcuts_are_listed(qtbot) -> None:
    groups = [ShortcutGroup("Chat", (("Ctrl+N", "New chat"), ("Esc", "Stop the reply")))]
    dialog = ShortcutsDialog(groups)
    qtbot.addWidget(dialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    for expected in ("Chat", "New chat", native_keys("Ctrl+N"), "Stop the reply", native_keys("Esc")):
        assert expected in texts
    dialog.show()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_keys_are_called_as_below_the_message_field(language_restored) -> None:
    # On macOS keys are signs, which need no words.
    signs = sys.platform == "darwin"
    assert signs or native_keys("Shift+Return") == "Shift+Enter"
    language.install("de")
    assert "Return" not in native_keys("Return")
    assert signs or native_keys("Shift+Return") == "Umschalt+Eingabe"
    pins = next(c.text for _, commands in command_groups() for c in commands if c.name == "pins")
    assert signs or native_keys("Alt+Down") in pins


def test_about_tells_the_facts_and_copies_them(qtbot) -> None:
    dialog = AboutDialog("llama-cpp-python 0.3.36", "CPU")
    qtbot.addWidget(dialog)
    for fact in (
        "Native library: llama-cpp-python 0.3.36",
        "Backend: CPU",
        f"Version: {__version__}",
        "Licence: Apache-2.0",
    ):
        assert fact in dialog.text
    assert f"Python: {sys.version.split()[0]}" in dialog.text
    assert qVersion() in dialog.text
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == dialog.text
    unloaded = AboutDialog()
    qtbot.addWidget(unloaded)
    assert "Backend: known once a model is loaded" in unloaded.text


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_dialog_colours_can_be_read(palette: Palette) -> None:
    pairs = [
        (palette.muted, palette.surface),
        (palette.error, palette.surface),
        (palette.text, palette.surface),
        (palette.text, palette.window),
        (palette.text, palette.selection),
        (palette.text, palette.hover),
        (palette.text, palette.raised),
        (palette.muted, palette.window),
        (palette.on_accent, palette.accent),
    ]
    for colour, ground in pairs:
        assert contrast(colour, ground) >= 4.5, (colour, ground)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_hint_in_the_empty_prompt_can_be_read(dialog: SettingsDialog, theme: Theme, mode: str) -> None:
    """Qt draws such hints at half strength unless it is told the colour."""
    theme.set_mode(mode)
    dialog.prompt_page.set_prompt("")
    dialog.prompt_page.edit.setPlaceholderText("█████")
    dialog.show_page(SYSTEM_PROMPT)
    QTest.qWait(10)
    image = dialog.prompt_page.edit.grab().toImage()
    shades = {image.pixelColor(x, y).name() for x in range(10, 40) for y in range(8, 30)}
    assert max(contrast(shade, theme.palette.surface) for shade in shades) >= 4.5


def test_unsaved_copy_is_not_the_original(dialog: SettingsDialog) -> None:
    dialog.pair_page.fields["n_threads"].set_text("1")
    assert dialog.values() == replace(VALUES, pair=replace(VALUES.pair, n_threads=1))
    dialog.reject()
    assert VALUES.pair.n_threads == 3


@pytest.mark.parametrize(
    ("page", "name"),
    [
        (PAIR, "n_ctx"),
        (PAIR, "n_batch"),
        (PAIR, "n_ubatch"),
        (PAIR, "n_gpu_layers"),
        (PAIR, "n_threads"),
        (PAIR, "draft_n_max"),
        (PAIR, "draft_n_min"),
        (PAIR, "draft_p_min"),
        (SAMPLING, "temperature"),
        (SAMPLING, "top_k"),
        (SAMPLING, "mirostat_tau"),
        (SAMPLING, "dry_penalty_last_n"),
        (SAMPLING, "max_tokens"),
    ],
)
@pytest.mark.parametrize("typed", [str(10**23), "1e23"])
def test_numbers_that_nobody_can_mean_are_refused(
    dialog: SettingsDialog, page: int, name: str, typed: str
) -> None:
    fields = (dialog.pair_page if page == PAIR else dialog.sampling_page).fields
    fields[name].set_text(typed)
    fields[name].edited.emit()
    fields[name].finished.emit()
    assert dialog.values() is None
    dialog.save()
    assert dialog.isVisible()
    assert "up to" in fields[name].error or " to " in fields[name].error


def test_numbers_are_shown_and_typed_in_the_language(qtbot, language_restored) -> None:
    language.install("de")
    dialog = SettingsDialog(VALUES, VALUES.pair, PairLimits(8192, 7, 2))
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.values() == VALUES
    temperature, p_min = dialog.sampling_page.fields["temperature"], dialog.pair_page.fields["draft_p_min"]
    assert (temperature.edit.text(), p_min.edit.text()) == ("0,55", "0,3")
    for typed in ("0,8", "0.8"):
        temperature.edit.clear()
        qtbot.keyClicks(temperature.edit, typed)
        assert dialog.values().sampling.temperature == 0.8
    qtbot.keyClick(temperature.edit, Qt.Key.Key_Up)
    assert temperature.edit.text() == "0,9"
    assert dialog.values().sampling.temperature == 0.9
    temperature.edit.clear()
    qtbot.keyClicks(temperature.edit, "7,5")
    temperature.finished.emit()
    assert temperature.error == "Geben Sie eine Zahl von 0 bis 5 ein."


def test_keys_are_in_sight_beside_long_words(qtbot) -> None:
    dialog = ShortcutsDialog([ShortcutGroup("Conversations", [("Ctrl+Shift+PgDown", "What it does " * 5)])])
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.findChild(QScrollArea).horizontalScrollBar().maximum() == 0


def test_a_dialog_opens_within_its_window(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(780, 600)
    dialog = ShortcutsDialog([], window)
    assert dialog.height() <= 600
    fit(dialog, 2000, 2000)
    assert dialog.size() == window.size()
    window.resize(300, 200)
    fit(dialog, 600, 400)
    assert dialog.size().toTuple() == (600, 400), "a very small window does not make it too small to use"


def test_a_switch_ends_in_line_with_what_is_above_it(qtbot) -> None:
    switch = Switch("")
    qtbot.addWidget(switch)
    switch.setChecked(True)
    switch.resize(switch.sizeHint())
    picture = switch.grab().toImage()
    middle = picture.height() // 2
    accent = Theme.current().palette.colour("accent")
    for x in (1, picture.width() - 2):
        assert picture.pixelColor(x, middle) == accent
