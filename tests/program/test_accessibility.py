"""Every control of every view and dialog has a name in the accessibility tree, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.core.templates import CHOICE, SWITCH, TemplateVariable
from app.ui import language
from app.ui.dialogs.settings_dialog import APPEARANCE, PAIR, SAMPLING, SYSTEM_PROMPT, TEMPLATE
from app.ui.first_run import PAIR as STEP_PAIR
from app.ui.first_run import QUESTION, WELCOME
from tests.program.accessible import controls_of
from tests.ui.window_rig import WindowRig, spin

Open = Callable[[WindowRig], QWidget]


def settings(page: int) -> Open:
    def open_page(rig: WindowRig) -> QWidget:
        rig.script.variables = (
            TemplateVariable("enable_thinking", SWITCH),
            TemplateVariable("reasoning_effort", CHOICE, ("low", "high")),
        )
        dialog = rig.window.open_settings()
        dialog.show_page(page)
        if page == TEMPLATE:
            assert spin(lambda: "enable_thinking" in dialog.template_page.fields)
        return dialog

    return open_page


def welcome(step: int) -> Open:
    def show(rig: WindowRig) -> QWidget:
        rig.window.welcome()
        view = rig.window.first_run.view
        assert view is not None
        view.show_step(step)
        return rig.window

    return show


def conversation(rig: WindowRig) -> QWidget:
    rig.session.send("A question")
    assert spin(lambda: rig.session.streaming is None)
    return rig.window


def benchmark(rig: WindowRig) -> QWidget:
    rig.window.actions_by_name["bench"].trigger()
    return rig.window


def palette(rig: WindowRig) -> QWidget:
    return rig.window.open_palette()


def menu_bar(rig: WindowRig) -> QWidget:
    rig.window.menus.bar.show()
    return rig.window


VIEWS: dict[str, Open] = {
    "empty chat": lambda rig: rig.window,
    "conversation": conversation,
    "benchmark": benchmark,
    "first step": welcome(WELCOME),
    "second step": welcome(STEP_PAIR),
    "third step": welcome(QUESTION),
    "palette": palette,
    "menu bar": menu_bar,
    "pair": settings(PAIR),
    "sampling": settings(SAMPLING),
    "system prompt": settings(SYSTEM_PROMPT),
    "template": settings(TEMPLATE),
    "appearance": settings(APPEARANCE),
    "shortcuts": lambda rig: rig.window.dialogs.shortcuts(),
    "about": lambda rig: rig.window.dialogs.about(),
    "prompt": lambda rig: rig.window.dialogs.prompt(),
}


@pytest.mark.parametrize("name", VIEWS)
def test_every_control_has_a_name_for_screen_readers(rig: WindowRig, name: str) -> None:
    window = VIEWS[name](rig)
    rig.settle()
    found = controls_of(window)
    assert len(found) > (1 if window is not rig.window else 10)
    assert [f"{node.kind} at {node.path}" for node in found if not node.name] == []
    if window is not rig.window:
        window.close()


def test_the_walk_finds_a_control_without_a_name(rig: WindowRig) -> None:
    nameless = QPushButton(rig.window)
    nameless.show()
    rig.settle()
    assert any(not node.name for node in controls_of(rig.window))
    nameless.deleteLater()


def test_names_are_in_the_language_of_the_window(rig: WindowRig) -> None:
    language.install("de")
    dialog = rig.window.open_settings()
    dialog.show_page(APPEARANCE)
    QApplication.processEvents()
    names = {node.name for node in controls_of(dialog)}
    assert {"Design", "Schriftgröße", "Sprache", "Speichern", "Abbrechen"} <= names
    dialog.close()
