"""Edit and send again, answer again, go on: no room in the context is asked about before, as with Enter."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.context import is_marked
from app.core.conversation import ASSISTANT, STOPPED, USER, Conversation, ConversationSummary, Message
from app.ui.chat.message_row import CONTINUE, REGENERATE
from app.ui.chat.user_row import UserRow
from tests.ui.window_rig import WindowRig, spin

TOTAL, REPLY = 640, 60


@pytest.fixture
def long(rig: WindowRig) -> WindowRig:
    """Six turns in a context of 640 words; the last question is long, and the last reply was stopped."""
    rig.script.context_total = TOTAL
    rig.state.update(max_tokens=REPLY)
    conversation = Conversation(ConversationSummary("long", "Long", 1.0, 1.0))
    parent = None
    for i in range(12):
        role = ASSISTANT if i % 2 else USER
        text = f"m{i} " + "word " * (119 if i == 10 else 49)
        message = Message("long", role, text.strip(), parent, f"m{i}", float(i))
        if i == 11:
            message.status = STOPPED
        conversation.add(message)
        parent = message.id
    rig.store.put(conversation)
    rig.restart()
    rig.ready()
    rig.session.open("long")
    assert spin(lambda: rig.session.current is not None and len(rig.session.current.messages) == 12)
    rig.settle()
    return rig


def message(rig: WindowRig, message_id: str) -> Message:
    assert rig.session.current is not None
    return rig.session.current.messages[message_id]


def ask(rig: WindowRig, action: str, message_id: str) -> None:
    rig.window.chat.messages.asked.emit(action, message(rig, message_id))


def edit(rig: WindowRig, message_id: str, text: str) -> UserRow:
    row = rig.window.chat.messages.row(message_id)
    assert isinstance(row, UserRow)
    row.edit()
    assert row.editor is not None
    row.editor.field.set_text(text)
    QTest.keyClick(row.editor.field, Qt.Key.Key_Return)
    return row


def choose_to_trim(rig: WindowRig) -> list[str]:
    """What the model then reads, by the first word of each message."""
    choice = rig.window.chat.context_choice
    assert spin(choice.isVisible)
    assert rig.engine.requests == []
    choice.trim_button.click()
    assert spin(lambda: bool(rig.engine.requests))
    assert spin(lambda: rig.session.streaming is None and not rig.controller.busy)
    rig.settle()
    assert not choice.isVisible()
    [request] = rig.engine.requests
    assert sum(len(m.content.split()) for m in request.messages) + REPLY <= TOTAL
    return [m.content.split()[0] for m in request.messages]


def test_answer_again(long: WindowRig) -> None:
    ask(long, REGENERATE, "m11")
    read = choose_to_trim(long)
    assert read[0] != "m0"
    assert read[-1] == "m10"
    assert len(long.session.siblings("m11")) == 2
    assert long.window.chat.messages.row("m11") is None


def test_go_on(long: WindowRig) -> None:
    ask(long, CONTINUE, "m11")
    read = choose_to_trim(long)
    assert read[0] != "m0"
    assert read[-1] == "m10"
    assert long.engine.requests[0].continue_text.startswith("m11 ")
    assert not is_marked(message(long, "m11"))


def test_edit_and_send_again_with_what_was_written_meanwhile(long: WindowRig) -> None:
    row = edit(long, "m10", "edited " + "word " * 120)
    assert spin(long.window.chat.context_choice.isVisible)
    assert row.editor is not None
    row.editor.field.set_text("changed " + "word " * 120)
    read = choose_to_trim(long)
    assert read[0] != "m0"
    assert read[-1] == "changed"


def test_an_edit_of_the_first_message_counts_nothing_that_followed_it(long: WindowRig) -> None:
    edit(long, "m0", "edited " + "word " * 400)
    assert spin(lambda: bool(long.engine.requests))
    assert [m.content.split()[0] for m in long.engine.requests[0].messages] == ["edited"]
    assert long.window.chat.context_choice.isHidden()


@pytest.mark.parametrize("action", [REGENERATE, CONTINUE])
def test_not_to_send_leaves_everything_as_it_was(long: WindowRig, action: str) -> None:
    ask(long, action, "m11")
    choice = long.window.chat.context_choice
    assert spin(choice.isVisible)
    QTest.keyClick(choice.trim_button, Qt.Key.Key_Escape)
    long.settle()
    assert choice.isHidden()
    assert long.engine.requests == []
    assert message(long, "m11").status == STOPPED
    assert not any(map(is_marked, long.session.current.path() if long.session.current else []))


def test_the_choice_goes_with_the_message_and_with_the_conversation(long: WindowRig) -> None:
    choice = long.window.chat.context_choice
    ask(long, REGENERATE, "m11")
    assert spin(choice.isVisible)
    long.session.delete_message("m11")
    assert choice.isHidden()
    long.session.undo_delete()
    ask(long, CONTINUE, "m11")
    long.session.new_conversation()
    # The answer to the count comes when another conversation is shown.
    assert not spin(choice.isVisible, 0.3)
    assert long.engine.requests == []


def test_what_does_not_fit_even_alone_is_refused(long: WindowRig) -> None:
    message(long, "m10").text = "much " * 700
    ask(long, REGENERATE, "m11")
    assert spin(lambda: "no room" in long.window.chat.composer.hint)
    row = edit(long, "m8", "much " * 700)
    assert spin(lambda: "Shorten it" in long.window.chat.composer.hint)
    assert row.editor is not None
    assert long.engine.requests == []
