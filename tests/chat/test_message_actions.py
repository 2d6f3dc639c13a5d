"""What can be done with a message, in the window: edit, answer again, versions, go on, delete, details."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest

from app.core.conversation import ASSISTANT, STOPPED, STREAMING, Message
from app.ui.chat.message_row import MessageRow
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.user_row import UserRow
from tests.ui.window_rig import WindowRig, spin


def say(rig: WindowRig, text: str) -> None:
    assert rig.session.send(text)
    wait(rig)


def wait(rig: WindowRig) -> None:
    assert spin(lambda: rig.session.streaming is None and not rig.controller.busy)
    rig.settle()


def rows(rig: WindowRig) -> list[MessageRow]:
    return list(rig.window.chat.messages.rows)


def action(row: MessageRow, text: str) -> QAction:
    menu = row.make_menu()
    return next(a for a in menu.actions() if a.text() == text)


def test_edit_in_place_makes_another_version_and_the_switch_leads_back(rig: WindowRig) -> None:
    say(rig, "First question")
    say(rig, "Second question")
    question = rows(rig)[2]
    assert isinstance(question, UserRow)
    assert question.switch.isHidden()
    question.edit_button.click()
    assert question.editor is not None
    assert question.editor.field.text() == "Second question"
    question.editor.field.set_text("Another question")
    QTest.keyClick(question.editor.field, Qt.Key.Key_Return)
    wait(rig)
    shown = rows(rig)
    assert [r.message.text for r in shown[::2]] == ["First question", "Another question"]
    switch = shown[2].switch
    assert switch.text == "2 / 2"
    assert switch.isVisible()
    assert not switch.next.isEnabled()
    QTest.keyClick(switch.previous, Qt.Key.Key_Space)
    rig.settle()
    assert rows(rig)[2].message.text == "Second question"
    assert rows(rig)[2].switch.text == "1 / 2"
    assert rig.session.current is not None
    assert len(rig.session.current.messages) == 6


def test_leaving_the_editor_changes_nothing(rig: WindowRig) -> None:
    say(rig, "First question")
    question = rows(rig)[0]
    assert isinstance(question, UserRow)
    question.edit()
    assert question.editor is not None
    question.editor.field.set_text("Something else")
    QTest.keyClick(question.editor.field, Qt.Key.Key_Escape)
    assert question.editor is None
    assert question.text_views[0].isVisible()
    assert len(rig.engine.requests) == 1


def test_answer_again_is_a_version_beside_the_first(rig: WindowRig) -> None:
    say(rig, "First question")
    action(rows(rig)[1], "Answer again").trigger()
    wait(rig)
    assert len(rows(rig)) == 2
    assert rows(rig)[1].switch.text == "2 / 2"
    assert [m.content for m in rig.engine.requests[1].messages] == ["First question"]


def test_a_stopped_reply_goes_on_in_the_same_place(rig: WindowRig) -> None:
    rig.script.rounds, rig.script.round_seconds = 400, 0.005
    assert rig.session.send("Tell me a lot")
    assert spin(lambda: len(rig.session.streaming.text if rig.session.streaming else "") > 40)
    rig.session.stop()
    wait(rig)
    reply = rows(rig)[1]
    assert isinstance(reply, ReplyRow)
    assert reply.message.status == STOPPED
    before = reply.message.text
    rig.script.rounds, rig.script.round_seconds = 4, 0.0
    button = next(b for b in reply.tools.buttons if b.accessibleName() == "Go on with this reply")
    assert button.isVisible()
    button.click()
    wait(rig)
    assert rig.engine.requests[-1].continue_text == before
    after = rows(rig)[1]
    assert after.message.text.startswith(before)
    assert len(after.message.text) > len(before)
    assert after.text_views[0].toPlainText().split() == after.message.text.split()
    assert not button.isVisible()


def test_delete_and_undo(rig: WindowRig) -> None:
    say(rig, "First question")
    say(rig, "Second question")
    action(rows(rig)[2], "Delete").trigger()
    rig.settle()
    assert len(rows(rig)) == 2
    toast = rig.window.chat.toast
    assert toast.isVisible()
    assert toast.text == "Your message was deleted"
    toast.undo_button.click()
    rig.settle()
    assert [r.message.text for r in rows(rig)[::2]] == ["First question", "Second question"]


def test_copy_as_markdown_and_as_text_leave_thoughts_out(qtbot) -> None:
    answer = "# Head\n\n- **one**\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1\n```"
    source = f"<think>Hm.</think>\n\n{answer}"
    row = ReplyRow(Message("c", ASSISTANT, source))
    qtbot.addWidget(row)
    action(row, "Copy as Markdown").trigger()
    assert QGuiApplication.clipboard().text() == answer
    action(row, "Copy as text").trigger()
    assert QGuiApplication.clipboard().text() == "Head\n\n• one\n• two\n\na\tb\n1\t2\n\nx = 1"


def test_details_say_what_was_recorded(rig: WindowRig) -> None:
    say(rig, "First question")
    details = rig.window.chat_binder.show_details(rows(rig)[1].message)
    text = details.text
    assert "Target: Fake target" in text
    assert "Seed: 7" in text
    assert "Algorithm: DFlash2" in text
    assert "drafts" in text
    assert "n_ctx: 8192" in text
    details.accept()


def test_every_tool_can_be_reached_with_tab(rig: WindowRig) -> None:
    say(rig, "First question")
    action(rows(rig)[1], "Answer again").trigger()
    wait(rig)
    reply = rows(rig)[1]
    wanted = {b.accessibleName() for b in reply.tools.buttons if b.isVisible() and b.isEnabled()}
    wanted |= {reply.switch.previous.accessibleName()}
    reply.switch.previous.setFocus(Qt.FocusReason.TabFocusReason)
    met = set()
    for _ in range(12):
        focus = rig.window.focusWidget()
        assert focus is not None
        met.add(focus.accessibleName())
        rig.window.focusNextChild()
    assert wanted <= met
    assert reply.tools.revealed or met


def test_tools_of_a_reply_that_is_being_written(qtbot) -> None:
    row = ReplyRow(Message("c", ASSISTANT, "It", status=STREAMING))
    qtbot.addWidget(row)
    assert not action(row, "Answer again").isEnabled()
    assert not action(row, "Go on with this reply").isEnabled()
