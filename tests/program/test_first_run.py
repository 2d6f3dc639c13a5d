"""From nothing to a first answer in three steps; and what of the program's own is remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app import compose
from app.core.settings import AppSettings
from app.services.app_state import AppState
from app.storage.settings import SettingsFile
from app.ui.dialogs.settings_dialog import APPEARANCE
from app.ui.first_run import PAIR, QUESTION, WELCOME
from app.ui.theme import Theme
from tests.fakes import MemoryStore
from tests.ui.window_rig import WindowRig, spin


@pytest.fixture
def empty_rig(tmp_path: Path, theme: Theme) -> Iterator[WindowRig]:
    rig = WindowRig(tmp_path, MemoryStore(AppSettings()))
    try:
        yield rig
    finally:
        assert rig.close()


def test_three_steps_by_keyboard_lead_to_an_answer(rig: WindowRig) -> None:
    rig.window.welcome()
    view = rig.window.first_run.view
    rig.settle()
    assert view.at == WELCOME
    assert not rig.window.chat.isVisible()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert view.at == PAIR
    assert "alpha" in view._pair.text()
    assert view.next_button.isEnabled()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert view.at == QUESTION
    question = view.questions[0].prompt
    view.questions[0].click()
    assert spin(lambda: rig.session.streaming is None and bool(rig.window.chat.messages.rows))
    assert rig.window.chat.isVisible()
    assert rig.window.first_run.view is None
    assert rig.session.current.path()[0].text == question
    assert rig.session.current.path()[1].text


def test_steps_go_back_and_can_end_with_an_own_question(rig: WindowRig) -> None:
    rig.window.welcome()
    view = rig.window.first_run.view
    view.show_step(QUESTION)
    view.back_button.click()
    assert view.at == PAIR
    view.next_button.click()
    view.next_button.click()
    rig.settle()
    assert rig.window.chat.isVisible()
    assert rig.window.chat.composer.field.hasFocus()
    assert not rig.window.chat.messages.rows


def test_without_a_model_one_has_to_be_chosen(empty_rig: WindowRig) -> None:
    rig = empty_rig
    rig.window.welcome()
    view = rig.window.first_run.view
    view.show_step(PAIR)
    assert not view.next_button.isEnabled()
    assert rig.window.focusWidget() is view.open_button
    asked: list[bool] = []
    view.open_requested.connect(lambda: asked.append(True))
    rig.window.pair_binder.choose_target(str(rig.model("beta", "target")))
    assert spin(lambda: view.next_button.isEnabled())
    assert "beta" in view._pair.text()
    assert spin(lambda: rig.controller.pair is not None)
    rig.settle()
    assert view._state.text() == "Ready to answer"


@pytest.mark.parametrize(
    ("settings", "first"),
    [(AppSettings(), True), (AppSettings(recent_files=["gone.gguf"]), False)],
)
def test_only_the_first_start_is_one(settings: AppSettings, first: bool, qapp) -> None:
    state = AppState(MemoryStore(settings))
    assert compose.first_choice(state) is first
    # Another start right after: the pair is remembered by now, if there is one.
    again = AppState(MemoryStore(state.settings))
    assert compose.first_choice(again) is (first and not state.pair.target_path)


def test_language_and_notices_are_kept_text_size_shows_at_once(rig: WindowRig) -> None:
    dialog = rig.window.open_settings()
    dialog.show_page(APPEARANCE)
    fields = dialog.appearance_page.fields
    fields["zoom"].set_text("1.5")
    fields["zoom"].finished.emit()
    assert Theme.current().zoom == 1.5
    dialog.reject()
    assert Theme.current().zoom == 1.0
    dialog = rig.window.open_settings()
    fields = dialog.appearance_page.fields
    fields["language"].set_text("de")
    fields["notify"].set_text("off")
    fields["zoom"].set_text("1.2")
    fields["zoom"].finished.emit()
    assert dialog.save()
    assert (rig.state.settings.language, rig.state.settings.notify) == ("de", False)
    rig.restart()
    assert (rig.state.settings.language, rig.state.settings.notify) == ("de", False)
    assert Theme.current().zoom == 1.2


def test_templates_and_language_are_in_the_settings_file(rig: WindowRig, tmp_path: Path) -> None:
    dialog = rig.window.open_settings()
    dialog.template_page.fields["template"].set_text("chatml")
    assert dialog.save()
    rig.state.update(language="de")
    file = SettingsFile(tmp_path / "settings.json")
    file.write(file.dump(rig.state.settings))
    read = file.load()
    assert read.language == "de"
    assert read.choice(rig.state.pair).settings.template.name == "chatml"
    broken = (tmp_path / "settings.json").read_text().replace('"chatml"', '"klingon"')
    (tmp_path / "settings.json").write_text(broken)
    assert file.load().choice(rig.state.pair).settings.template.name == "file"
