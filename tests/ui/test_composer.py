"""The composer by keyboard: send, break, stop, grow, refuse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest

from app.ui.chat.composer import Composer


@pytest.fixture
def composer(qtbot):
    composer = Composer()
    qtbot.addWidget(composer)
    composer.resize(600, 120)
    composer.show()
    return composer


def sent(composer: Composer) -> list[str]:
    out: list[str] = []
    composer.sent.connect(out.append)
    return out


def test_enter_sends_and_shift_enter_breaks(composer: Composer) -> None:
    texts = sent(composer)
    QTest.keyClicks(composer.field, "one")
    QTest.keyClick(composer.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.field, "two")
    assert texts == []
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    QTest.keyClick(composer.field, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert texts == ["one\ntwo", "one\ntwo"]
    assert composer.text() == "one\ntwo"


def test_nothing_is_sent_without_text(composer: Composer) -> None:
    texts = sent(composer)
    assert not composer.button.isEnabled()
    QTest.keyClicks(composer.field, "  ")
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    assert texts == []
    assert not composer.button.isEnabled()


def test_send_turns_into_stop(composer: Composer, qtbot) -> None:
    texts = sent(composer)
    composer.set_text("next")
    composer.set_streaming(True)
    assert composer.button.text() == "Stop"
    assert composer.hint == "Esc stops"
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    assert texts == []
    assert "still answering" in composer.hint
    for act in (lambda: QTest.keyClick(composer.field, Qt.Key.Key_Escape), composer.button.click):
        with qtbot.waitSignal(composer.stopped):
            act()
    composer.set_streaming(True, elsewhere=True)
    composer.set_text("next one")
    assert composer.hint == "Answering in another chat; Esc stops it"
    composer.set_streaming(False)
    assert composer.button.text() == "Send"
    assert composer.button.isEnabled()


def test_says_why_it_cannot_send_and_keeps_the_text(composer: Composer) -> None:
    texts = sent(composer)
    composer.set_reason("Choose a target model first.")
    QTest.keyClicks(composer.field, "hello")
    assert composer.hint == "Choose a target model first."
    assert not composer.button.isEnabled()
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    assert texts == []
    assert composer.text() == "hello"
    composer.set_reason("")
    composer.refuse("No.")
    assert composer.hint == "No."
    QTest.keyClicks(composer.field, "!")
    assert composer.hint.startswith("Enter sends")
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    assert texts == ["hello!"]


def test_grows_up_to_eight_lines(composer: Composer, settle) -> None:
    heights = []
    for n in range(1, 12):
        composer.set_text("\n".join("x" * n))
        settle()
        heights.append(composer.field.height())
    assert heights[:8] == sorted(set(heights[:8]))
    assert len(set(heights[7:])) == 1
    assert composer.field.verticalScrollBar().maximum() > 0
    composer.set_text("word " * 60)
    settle()
    assert composer.field.height() > heights[0]
    composer.clear()
    settle()
    assert composer.field.height() == heights[0]


def test_files_are_left_to_the_window(composer: Composer) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/x.gguf")])
    assert not composer.field.canInsertFromMimeData(data)
    data = QMimeData()
    data.setText("text")
    assert composer.field.canInsertFromMimeData(data)


def test_tab_leaves_the_field(composer: Composer, settle) -> None:
    composer.activateWindow()
    composer.setFocus()
    composer.set_text("x")
    settle()
    QTest.keyClick(composer.field, Qt.Key.Key_Tab)
    assert composer.button.hasFocus()
    assert composer.text() == "x"
