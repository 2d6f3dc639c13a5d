"""The composer by keyboard: send, break, stop, grow, refuse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QFontMetrics, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from app.core.conversation import Attachment
from app.ui import theme
from app.ui.chat.attachment_chips import ScrolledChips
from app.ui.chat.composer import Composer, broken
from app.ui.theme import Theme


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


def test_a_folded_text_is_unfolded_by_a_double_click_and_folded_by_undo(composer: Composer, settle) -> None:
    field, long = composer.field, "a line of it\n" * 3000 + "end"
    composer.set_text("Look: ")
    field.insert_text(long)
    field.insertPlainText(" That.")
    settle()
    whole = composer.text()
    assert field.blockCount() == 1
    cursor = QTextCursor(field.document())
    cursor.setPosition(6)
    mark = field.cursorRect(cursor)
    for x, blocks in ((mark.x() - 6, 1), (mark.x() + 60, 3001)):
        QTest.mouseDClick(
            field.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, mark.center().y() + mark.height() // 4)
        )
        assert field.blockCount() == blocks
        assert composer.text() == whole
    field.undo()
    assert field.blockCount() == 1
    assert composer.text() == whole


def test_the_menu_of_a_folded_text_offers_to_show_it(composer: Composer) -> None:
    field = composer.field
    field.insert_text("word " * 20_000 + "\n" + "x\n" * 3000)
    assert field.menu_at(0).actions()[0].text() == "Too long to be edited here"
    assert not field.menu_at(0).actions()[0].isEnabled()
    field.unfold(0)
    assert field.blockCount() == 1
    assert field.menu_at(1).actions()[0].text() != "Too long to be edited here"
    composer.set_text("x\n" * 3000)
    menu = field.menu_at(0)
    assert menu.actions()[0].text() == "Show and edit the long text"
    menu.actions()[0].trigger()
    assert (field.blockCount(), composer.text()) == (3001, "x\n" * 3000)


def test_a_hint_without_room_ends_with_dots(composer: Composer, settle) -> None:
    hint = composer.findChild(QLabel, "hint")
    assert isinstance(hint, QLabel)
    composer.refuse("W" * 300)
    settle()
    image = hint.grab().toImage()
    scale = round(image.devicePixelRatio())
    dots = [
        image.pixelColor(x * scale, y * scale).rgb()
        for x in range(hint.contentsRect().right() - 9, hint.contentsRect().right())
        for y in range(hint.height() // 2 - 4, hint.height() // 2 + 1)
    ]
    assert len(set(dots)) == 1, "there is a letter cut off at the edge, and no dots"
    assert hint.toolTip() == "W" * 300


def test_many_files_leave_room_for_the_text(composer: Composer, settle) -> None:
    area = composer.findChild(ScrolledChips)
    assert area is not None
    assert area.isHidden()
    settle()
    empty = composer.sizeHint().height()
    for i in range(2):
        composer.attach(Attachment(f"chapter {i} of the manuscript.txt", "words"))
        settle()
    row = area.height()
    assert area.verticalScrollBar().maximum() == 0, "a few are all in sight"
    for i in range(2, 30):
        composer.attach(Attachment(f"chapter {i} of the manuscript.txt", "words"))
    settle()
    assert row < area.height() < 6 * row
    assert area.verticalScrollBar().maximum() > 0
    composer.clear()
    settle()
    assert area.isHidden()
    assert composer.sizeHint().height() == empty


def test_a_file_with_marks_of_html_in_its_name_is_named_as_it_is(composer: Composer) -> None:
    name = "<img src='x.png'><b>a</b> & b.txt"
    composer.chips.set_attachments([Attachment(name, "text")])
    for widget in composer.chips.findChildren(QWidget):
        if widget.toolTip():
            shown = QTextDocument()
            shown.setHtml(widget.toolTip())
            assert shown.toPlainText() in (name, f"Remove {name}")


def test_a_hint_goes_on_in_a_second_line() -> None:
    metrics = QFontMetrics(Theme.current().font(theme.LABEL))
    text = "Enter sends, Shift+Enter breaks the line"
    width = metrics.horizontalAdvance(text)
    assert broken(text, metrics, width, 2) == [text]
    assert " ".join(broken(text, metrics, width - 1, 2)) == text
    assert len(broken(text, metrics, width - 1, 2)) == 2
    assert broken(text, metrics, width // 3, 2)[-1].endswith("…")
    assert broken("", metrics, width, 2) == [""]
