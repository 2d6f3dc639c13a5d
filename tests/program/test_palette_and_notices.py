"""The command palette, the menu bar, and what is said while the window is in the background."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.ui.commands import command_groups
from app.ui.dialogs.shortcuts_dialog import ShortcutsDialog
from app.ui.fuzzy import fit
from tests.ui.window_rig import WindowRig, spin


def best(query: str, texts: list[str]) -> list[str]:
    found = [(fit(query, text), text) for text in texts]
    return [text for score, text in sorted(((s[0], t) for s, t in found if s), key=lambda p: -p[0])]


def test_letters_fit_in_order_best_at_words() -> None:
    texts = ["Show or hide the live panel", "Smaller text", "Settings", "Send", "Jump to the latest message"]
    assert best("set", texts)[0] == "Settings"
    assert best("slp", texts) == ["Show or hide the live panel"]
    assert best("latest jump", texts) == ["Jump to the latest message"]
    assert best("xyz", texts) == []
    assert best("show", ["A title that has to be cut because the sidebar is only so wide"]) == []
    assert sorted(best("", texts)) == sorted(texts)


def test_places_are_those_of_the_letters() -> None:
    found = fit("lp", "Show the live panel")
    assert found is not None
    assert ["Show the live panel"[i] for i in found[1]] == ["l", "p"]
    assert fit("straße", "STRASSE") is None or fit("strasse", "Straße") is None
    assert fit("ß", "Straße") is not None


def test_the_palette_finds_and_carries_out_commands(rig: WindowRig) -> None:
    palette = rig.window.open_palette()
    assert {c.text for _, cs in command_groups() for c in cs if not c.fixed} - set(palette.shown) == {
        "All commands"
    }
    QTest.keyClicks(palette.field, "keysh")
    assert palette.shown[0] == "Keyboard shortcuts"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    rig.settle()
    shown = rig.window.findChild(ShortcutsDialog)
    assert shown is not None
    assert shown.isVisible()
    shown.close()


def test_the_palette_opens_conversations_by_title(rig: WindowRig) -> None:
    rig.session.send("Lighthouses of the north")
    assert spin(lambda: rig.session.streaming is None)
    wanted = rig.session.current.summary.id
    rig.session.new_conversation()
    palette = rig.window.open_palette()
    QTest.keyClicks(palette.field, "lighthouse")
    assert palette.shown[0].startswith("Lighthouses")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert spin(lambda: rig.session.current is not None and rig.session.current.summary.id == wanted)


def test_the_palette_is_moved_in_by_keys_and_says_when_nothing_fits(rig: WindowRig) -> None:
    palette = rig.window.open_palette()
    assert palette.list.currentRow() == 0
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentRow() == palette.list.count() - 1
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentRow() == 0
    assert palette.field.accessibleDescription() == palette.shown[0]
    QTest.keyClicks(palette.field, "zzzz")
    assert palette.nothing.isVisible()
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_the_menu_bar_holds_every_command_and_comes_on_demand(rig: WindowRig) -> None:
    bar = rig.window.menus.bar
    listed = [action for menu in bar.actions() for action in menu.menu().actions()]
    assert set(listed) == set(rig.window.actions_by_name.values())
    assert not bar.isVisible()
    rig.window.actions_by_name["menu"].trigger()
    assert bar.isVisible()
    rig.window.actions_by_name["menu"].trigger()
    assert not bar.isVisible()


@pytest.mark.parametrize(
    ("notify", "background", "seconds", "told"),
    [
        (True, True, 0.0, True),
        (False, True, 0.0, False),
        (True, False, 0.0, False),
        (True, True, 60.0, False),
    ],
)
def test_a_long_reply_is_announced_in_the_background_only(
    rig: WindowRig, qtbot, notify: bool, background: bool, seconds: float, told: bool
) -> None:
    rig.state.update(notify=notify)
    notifier = rig.window.notifier
    notifier.long_seconds = seconds
    heard: list[tuple[str, str]] = []
    notifier.notified.connect(lambda title, text: heard.append((title, text)))
    other = QWidget()
    qtbot.addWidget(other)
    if background:
        other.show()
        other.activateWindow()
        assert spin(lambda: not rig.window.isActiveWindow())
    rig.session.send("How long is a piece of string?")
    assert spin(lambda: rig.session.streaming is None)
    rig.settle()
    assert bool(heard) is told
    if told:
        title, text = heard[0]
        assert title.startswith("How long")
        assert text.startswith("Speculation proposes")
