"""The whole window by keyboard on a scripted engine, and that it comes back as it was."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QWidget

from app.core.conversation import STOPPED
from app.core.errors import EnvironmentProblem
from app.core.events import OFF, SPECULATING, Problem
from app.ui.chat.reply_row import ReplyRow
from app.ui.commands import command_groups, shortcut_groups
from app.ui.dialogs.settings_dialog import SettingsDialog
from app.ui.dialogs.shortcuts_dialog import ShortcutsDialog
from app.ui.theme import Theme
from tests.ui.window_rig import WindowRig, spin

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def rig(tmp_path: Path, theme: Theme) -> Iterator[WindowRig]:
    rig = WindowRig(tmp_path)
    try:
        rig.ready()
        yield rig
    finally:
        assert rig.close()


def press(
    rig: WindowRig, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """As a person does: to whatever has the focus."""
    target = QApplication.focusWidget() or rig.window
    QTest.keyClick(target, key, modifiers)
    rig.settle()


def write(rig: WindowRig, text: str) -> None:
    QTest.keyClicks(QApplication.focusWidget(), text)


def answered(rig: WindowRig) -> ReplyRow:
    assert spin(lambda: rig.session.streaming is None)
    rig.settle()
    row = rig.window.chat.messages.rows[-1]
    assert isinstance(row, ReplyRow)
    return row


def test_by_keyboard_alone(rig: WindowRig) -> None:
    window, script = rig.window, rig.script
    # A first message, with a line break in it.
    assert QApplication.focusWidget() is window.chat.composer.field
    write(rig, "Hello")
    press(rig, Qt.Key.Key_Return, SHIFT)
    write(rig, "there")
    press(rig, Qt.Key.Key_Return)
    first = answered(rig)
    assert rig.engine.requests[-1].messages[-1].content == "Hello\nthere"
    assert first.message.text.strip() == first.text_views[0].toPlainText() != ""
    assert window.chat.composer.text() == ""

    # Speculation off for the same conversation, in the middle of a reply.
    script.rounds, script.round_seconds = 400, 0.005
    write(rig, "Again")
    press(rig, Qt.Key.Key_Return)
    assert spin(lambda: bool(rig.session.streaming and rig.session.streaming.text))
    assert rig.controller.status.state == SPECULATING
    press(rig, Qt.Key.Key_S, CTRL | SHIFT)
    assert rig.controller.status.state == OFF
    assert not window.pair_bar.switch.isChecked()
    assert not rig.state.choice().speculation_on
    # A message sent now is refused and stays.
    write(rig, "too early")
    press(rig, Qt.Key.Key_Return)
    assert window.chat.composer.text() == "too early"
    assert "still answering" in window.chat.composer.hint
    # Stop; the next message goes out at once.
    press(rig, Qt.Key.Key_Escape)
    script.rounds, script.round_seconds = 4, 0.0
    press(rig, Qt.Key.Key_Return)
    answered(rig)
    stopped = window.chat.messages.rows[-3]
    assert isinstance(stopped, ReplyRow)
    assert stopped.message.status == STOPPED
    assert stopped.status_text == "Stopped"

    # Another conversation, renamed; then found by its title.
    press(rig, Qt.Key.Key_N, CTRL)
    assert window.chat.messages.is_empty()
    write(rig, "Second talk")
    press(rig, Qt.Key.Key_Return)
    answered(rig)
    press(rig, Qt.Key.Key_F2)
    editor = window.sidebar.list.viewport().findChild(QLineEdit)
    assert editor is QApplication.focusWidget()
    editor.selectAll()
    write(rig, "Heat pumps")
    press(rig, Qt.Key.Key_Return)
    assert rig.session.conversations[0].title == "Heat pumps"
    assert window.windowTitle() == "Heat pumps – Slipstream"
    press(rig, Qt.Key.Key_F, CTRL | SHIFT)
    write(rig, "hello")
    press(rig, Qt.Key.Key_Return)
    assert spin(lambda: len(window.chat.messages.rows) == 6)
    assert rig.session.current.path()[0].text == "Hello\nthere"
    press(rig, Qt.Key.Key_F, CTRL | SHIFT)
    press(rig, Qt.Key.Key_Escape)
    assert window.sidebar.search.text() == ""

    # Deleted and brought back.
    press(rig, Qt.Key.Key_Down)
    gone = window.sidebar.list.current_id
    press(rig, Qt.Key.Key_Delete)
    assert gone not in [c.id for c in rig.session.conversations]
    assert window.chat.toast.isVisible()
    press(rig, Qt.Key.Key_Z, CTRL)
    assert gone in [c.id for c in rig.session.conversations]

    # Columns fold and come back; typing goes on.
    for key, column in ((Qt.Key.Key_B, window.sidebar), (Qt.Key.Key_J, window.panel)):
        press(rig, key, CTRL)
        assert column.isHidden()
        press(rig, key, CTRL)
        assert not column.isHidden()
    press(rig, Qt.Key.Key_L, CTRL)
    assert QApplication.focusWidget() is window.chat.composer.field

    # Dialogs.
    press(rig, Qt.Key.Key_F1)
    dialog = window.findChild(ShortcutsDialog)
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    window.activateWindow()  # as a window manager does
    rig.settle()
    press(rig, Qt.Key.Key_Comma, CTRL)
    settings = window.findChild(SettingsDialog)
    assert settings.isVisible()
    QTest.keyClick(settings, Qt.Key.Key_Escape)
    rig.settle()
    assert window.findChild(SettingsDialog) is None


def snapshot(rig: WindowRig) -> dict[str, object]:
    """Everything a person would miss."""
    window = rig.window
    current = rig.session.current
    return {
        "size": window.size(),
        "sidebar": (window.frame.sidebar_shown, window.frame.sidebar_width),
        "panel": (window.frame.panel_shown, window.frame.panel_width),
        "conversation": current.summary.id,
        "title": window.windowTitle(),
        "messages": [(r.message.id, r.message.text, r.message.status) for r in window.chat.messages.rows],
        "drafts": window.chat.messages.drafts_shown,
        "unsent": window.chat.composer.text(),
        "conversations": [c.title for c in rig.session.conversations],
        "pair": (rig.state.pair, rig.controller.pair.draft_path),
        "speculation": (rig.state.choice().speculation_on, rig.controller.status.state),
        "zoom": Theme.current().zoom,
        "theme": Theme.current().mode,
    }


def test_comes_back_as_it_was(rig: WindowRig) -> None:
    window = rig.window
    for text in ("First", "Second"):
        press(rig, Qt.Key.Key_N, CTRL)
        write(rig, text)
        press(rig, Qt.Key.Key_Return)
        answered(rig)
    press(rig, Qt.Key.Key_PageDown, CTRL)
    write(rig, "not sent yet")
    press(rig, Qt.Key.Key_S, CTRL | SHIFT)
    press(rig, Qt.Key.Key_J, CTRL)
    press(rig, Qt.Key.Key_D, CTRL)
    press(rig, Qt.Key.Key_Plus, CTRL)
    rig.state.update(theme="dark")
    window.resize(1100, 700)
    window.frame.setSizes([300, 700, 0])
    window.frame.splitterMoved.emit(300, 1)
    rig.settle()
    before = snapshot(rig)
    assert before["unsent"] == "not sent yet"
    assert before["panel"][0] is False
    assert before["zoom"] == 1.1
    assert before["sidebar"][1] == 300
    assert rig.close()
    Theme.current().set_zoom(1.0)
    Theme.current().set_mode("light")
    rig.open()
    rig.ready()
    assert spin(lambda: len(rig.window.chat.messages.rows) == 2)
    assert snapshot(rig) == before


def test_a_reply_that_was_cut_by_closing_is_kept(rig: WindowRig) -> None:
    rig.script.rounds, rig.script.round_seconds = 1000, 0.005
    write(rig, "Go on for long")
    press(rig, Qt.Key.Key_Return)
    assert spin(lambda: bool(rig.session.streaming and len(rig.session.streaming.text) > 20))
    started = time.monotonic()
    rig.window.close()
    assert not rig.window.isVisible()
    assert time.monotonic() - started < 2.0
    rig.restart()
    rig.ready()
    assert spin(lambda: len(rig.window.chat.messages.rows) == 2)
    row = rig.window.chat.messages.rows[-1]
    assert isinstance(row, ReplyRow)
    assert len(row.message.text) > 20
    assert row.status_text == "Stopped"


def test_damaged_window_settings_do_not_matter(rig: WindowRig) -> None:
    rig.state.update(window={"geometry": "!!", "sidebar": "wide", "zoom": "x"})
    rig.window._save = lambda: None  # type: ignore[method-assign]
    rig.restart()
    assert rig.window.size().toTuple() == (1280, 800)


def test_columns_fold_in_a_narrow_window(rig: WindowRig) -> None:
    window = rig.window
    window.resize(960, 640)
    rig.settle()
    assert window.frame.sidebar_shown
    assert window.frame.panel_shown
    assert window.chat.width() >= 390
    assert window.size().toTuple() == (960, 640)
    window.resize(900, 640)
    rig.settle()
    assert not window.frame.sidebar_shown
    assert not window.frame.panel_shown
    assert window.sidebar_button.isVisible()
    assert window.panel_button.isVisible()
    QTest.mouseClick(window.sidebar_button, Qt.MouseButton.LeftButton)
    rig.settle()
    assert window.frame.sidebar_shown
    assert window.frame.panel_wanted
    window.resize(1280, 800)
    rig.settle()
    assert window.frame.panel_shown
    assert window.frame.sidebar_shown
    assert not window.sidebar_button.isVisible()


def test_columns_fold_earlier_where_text_is_large(rig: WindowRig) -> None:
    window = rig.window
    window.resize(960, 640)
    rig.settle()
    assert window.frame.panel_shown
    Theme.current().set_zoom(2.0)
    rig.settle()
    assert not window.frame.panel_shown
    window.resize(1280, 800)
    rig.settle()
    assert window.frame.panel_shown
    assert window.frame.sidebar_shown


def test_every_shortcut_is_listed_and_unique(rig: WindowRig) -> None:
    listed = [keys for group in shortcut_groups() for keys, _ in group.entries]
    assert len(listed) == len(set(listed))
    live = set(rig.window.actions_by_name)
    assert live == {c.name for _, commands in command_groups() for c in commands if not c.fixed}


def test_every_control_has_a_name(rig: WindowRig) -> None:
    nameless = [
        widget
        for widget in rig.window.findChildren(QWidget)
        if isinstance(widget, QAbstractButton | QLineEdit | QPlainTextEdit)
        and not widget.objectName().startswith("qt_")
        and not (widget.accessibleName() or getattr(widget, "text", str)())
        and not isinstance(widget.parent(), QLineEdit)
    ]
    assert nameless == []


def test_tab_goes_round_the_window(rig: WindowRig) -> None:
    window = rig.window
    window.chat.composer.setFocus()
    write(rig, "x")
    seen: list[QWidget] = []
    for _ in range(40):
        press(rig, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        if widget in seen:
            break
        seen.append(widget)
    for part in (window.sidebar, window.pair_bar, window.chat, window.panel):
        assert any(part.isAncestorOf(w) for w in seen), part
    order = [window.sidebar.new_button, window.sidebar.search, window.sidebar.list, window.pair_bar.switch]
    places = [seen.index(w) for w in order]
    assert places == sorted(places)


def test_next_pane(rig: WindowRig) -> None:
    window = rig.window
    visited = []
    for _ in range(3):
        press(rig, Qt.Key.Key_F6)
        visited.append(
            next(
                p
                for p in (window.sidebar, window.chat, window.panel)
                if p.isAncestorOf(QApplication.focusWidget())
            )
        )
    assert visited == [window.panel, window.sidebar, window.chat]


def test_typing_anywhere_goes_into_the_message(rig: WindowRig) -> None:
    write(rig, "Hi")
    press(rig, Qt.Key.Key_Return)
    row = answered(rig)
    view = row.text_views[0]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    QTest.keyClick(view, Qt.Key.Key_A)
    write(rig, "bc")
    assert rig.window.chat.composer.text() == "abc"


# -- models -----------------------------------------------------------------------------------------------


def drag(rig: WindowRig, *paths: Path) -> bool:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
    point, copy, left = QPoint(400, 300), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(point, copy, data, left, Qt.KeyboardModifier.NoModifier)
    enter.ignore()
    QApplication.sendEvent(rig.window, enter)
    if not enter.isAccepted():
        return False
    assert rig.window.drop_hint.isVisible()
    drop = QDropEvent(QPointF(point), copy, data, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(rig.window, drop)
    assert not rig.window.drop_hint.isVisible()
    return True


@pytest.fixture
def words(monkeypatch) -> None:
    from app.ui import file_opener
    from tests.ui.window_rig import WordReader

    monkeypatch.setattr(file_opener, "GgufReader", WordReader)


def test_dropped_target_comes_with_its_sidecar(rig: WindowRig, words: None) -> None:
    target, sidecar = rig.model("beta", "target"), rig.model("beta-draft", "sidecar beta")
    rig.scanner.rescan()
    assert spin(lambda: len(rig.scanner.targets()) == 2)
    assert drag(rig, target)
    assert spin(lambda: rig.state.pair.target_path == str(target))
    assert rig.state.pair.draft_path == str(sidecar)
    rig.ready()
    assert rig.controller.pair.target_path == str(target)


def test_dropped_sidecar_joins_the_target_it_fits(rig: WindowRig, words: None) -> None:
    other = rig.model("alpha-other", "sidecar alpha")
    assert drag(rig, other)
    assert spin(lambda: rig.state.pair.draft_path == str(other))
    rig.ready()
    assert rig.controller.pair.draft_path == str(other)


def test_dropped_sidecar_of_nobody_says_so_and_changes_nothing(rig: WindowRig, words: None) -> None:
    before, loads = rig.state.pair, len(rig.engine.loads)
    assert drag(rig, rig.model("gamma-draft", "sidecar gamma"))
    assert spin(lambda: bool(rig.window.chat.messages.cards))
    assert rig.window.chat.messages.cards[0].problem.what == "The sidecar does not fit."
    assert rig.state.pair == before
    assert len(rig.engine.loads) == loads


def test_dropped_pair_and_dropped_rubbish(rig: WindowRig, words: None) -> None:
    target, sidecar = rig.model("beta", "target"), rig.model("any", "sidecar beta")
    assert drag(rig, sidecar, target)
    assert spin(lambda: rig.state.pair.draft_path == str(sidecar))
    assert rig.state.pair.target_path == str(target)
    assert drag(rig, rig.model("mmproj", "other x"))
    assert spin(lambda: bool(rig.window.chat.messages.cards))
    assert rig.window.chat.messages.cards[0].problem.what == "This is a projector."
    assert not drag(rig, Path("/tmp/text.txt"))
    leave = QDragLeaveEvent()
    QApplication.sendEvent(rig.window, leave)


def test_a_failed_load_offers_to_go_on_without_the_sidecar(rig: WindowRig) -> None:
    rig.script.draft_load_error = EnvironmentProblem(
        "The sidecar does not fit.", "Other vocabulary.", "Choose another one.", "vocabulary-differs"
    )
    press(rig, Qt.Key.Key_R, CTRL)
    assert spin(lambda: bool(rig.window.chat.messages.cards))
    assert rig.window.chat.composer.hint == "No model is loaded."
    [card] = rig.window.chat.messages.cards
    [button] = [b for b in card.findChildren(QAbstractButton) if b.text() == "Load without the sidecar"]
    write(rig, "kept")
    button.click()
    rig.ready()
    assert rig.controller.pair.draft_path == ""
    assert rig.window.chat.messages.cards == []
    assert rig.window.chat.composer.text() == "kept"
    assert rig.window.chat.composer.button.isEnabled()


def test_a_message_sent_while_loading_is_answered_afterwards(rig: WindowRig) -> None:
    rig.script.load_steps, rig.script.load_step_seconds = 500, 0.05
    press(rig, Qt.Key.Key_R, CTRL)
    write(rig, "Hi")
    press(rig, Qt.Key.Key_Return)
    row = rig.window.chat.messages.rows[-1]
    assert isinstance(row, ReplyRow)
    assert row.status_text == "Waiting for the model to load"
    rig.script.load_step_seconds = 0.0
    assert answered(rig).message.text


def test_prompt_progress_is_shown(rig: WindowRig) -> None:
    rig.script.prefill_slices, rig.script.prefill_slice_seconds = 4, 0.1
    said = set()
    write(rig, "Hi")
    press(rig, Qt.Key.Key_Return)

    def listen() -> bool:
        said.add(rig.window.chat.messages.rows[-1].status_text)
        return rig.session.streaming is None

    assert spin(listen)
    assert {"Reading the prompt 50 %", "Reading the prompt 75 %"} & said


def test_an_example_is_sent_with_one_click(rig: WindowRig) -> None:
    prompt = rig.window.chat.empty.prompts[0]
    assert prompt.isVisible()
    QTest.mouseClick(prompt, Qt.MouseButton.LeftButton)
    answered(rig)
    assert rig.engine.requests[-1].messages[-1].content == prompt.prompt


def test_a_failure_of_a_reply_is_told_once(rig: WindowRig) -> None:
    rig.script.round_error = EnvironmentProblem("The context is full.", "It holds 512.", "", "context-full")
    write(rig, "Hi")
    press(rig, Qt.Key.Key_Return)
    row = answered(rig)
    assert row.status_text == "Broken off"
    assert list(rig.window.chat.messages.cards) == []


def test_reports_from_outside_are_cards(rig: WindowRig) -> None:
    rig.window.report_problem(Problem("It crashed before.", is_bug=True, code="bug"))
    assert rig.window.chat.messages.cards[0].problem.what == "It crashed before."
    assert not rig.window.chat.messages.is_empty()


def test_no_stall_while_a_long_conversation_streams(rig: WindowRig) -> None:
    """The window's own share of each turn of the event loop, in CPU time of this thread."""
    rig.script.rounds, rig.script.round_seconds = 150, 0.004
    rig.script.words = ("word ", "`code` ", "**bold** ", "and\n\n", "- item ", "more ")
    write(rig, "Go")
    press(rig, Qt.Key.Key_Return)
    worst = 0.0
    while rig.session.streaming is not None:
        started = time.thread_time()
        QApplication.processEvents()
        worst = max(worst, time.thread_time() - started)
        time.sleep(0.001)
    assert worst < 0.05


def test_a_dismissed_card_stays_away(rig: WindowRig) -> None:
    rig.script.load_error = EnvironmentProblem("It does not load.", code="something")
    press(rig, Qt.Key.Key_R, CTRL)
    messages = rig.window.chat.messages
    assert spin(lambda: bool(messages.cards))
    rig.session.new_conversation()
    rig.settle()
    [card] = messages.cards
    assert card.action == "reload"
    card.dismissed.emit()
    rig.session.new_conversation()
    rig.settle()
    assert list(messages.cards) == []
