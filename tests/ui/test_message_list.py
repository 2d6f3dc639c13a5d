"""The conversation scrolls only with its reader, is built in short turns, and says what it waits for."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.core.conversation import ASSISTANT, FAILED, STOPPED, STREAMING, TRUNCATED, USER, Message
from app.core.events import Problem
from app.ui.chat.message_list import MessageList
from app.ui.chat.problem_card import NEW_CHAT, ProblemCard, action_of, action_of_load
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.user_row import UserRow


@pytest.fixture
def messages(qtbot):
    messages = MessageList()
    qtbot.addWidget(messages)
    messages.resize(700, 500)
    messages.show()
    return messages


def talk(turns: int) -> list[Message]:
    out = []
    for i in range(turns):
        out.append(Message("c", USER, f"Question {i}"))
        out.append(Message("c", ASSISTANT, f"Answer {i}.\n\n" + "Some words of it. " * 30))
    return out


def grow(messages: MessageList, reply: Message, text: str, settle) -> None:
    reply.text += text
    messages.update_message(reply)
    settle()


@pytest.fixture
def streaming(messages, settle):
    """A conversation longer than the view whose last reply is being written."""
    reply = Message("c", ASSISTANT, "", status=STREAMING)
    messages.set_messages([*talk(6), reply])
    settle()
    assert messages.verticalScrollBar().maximum() > 500
    return reply


def test_follows_the_tail_while_at_the_tail(messages, streaming, settle) -> None:
    bar = messages.verticalScrollBar()
    for _ in range(20):
        grow(messages, streaming, "more words that fill a line or two of the view. " * 3, settle)
        assert bar.value() == bar.maximum()
    assert not messages.jump_button.isVisible()


def test_no_jump_when_scrolled_up(messages, streaming, settle) -> None:
    grow(messages, streaming, "words " * 100, settle)
    bar = messages.verticalScrollBar()
    QTest.keyClick(messages, Qt.Key.Key_PageUp)
    here = bar.value()
    assert here < bar.maximum() - 100
    assert messages.jump_button.isVisible()
    for _ in range(10):
        grow(messages, streaming, "more words that fill a line or two of the view. " * 3, settle)
        assert bar.value() == here
    streaming.status = "complete"
    messages.finish_message(streaming)
    settle()
    assert bar.value() == here
    QTest.mouseClick(messages.jump_button, Qt.MouseButton.LeftButton)
    settle()
    assert bar.value() == bar.maximum()
    assert not messages.jump_button.isVisible()
    grow(messages, streaming, "and it follows again. " * 40, settle)
    assert bar.value() == bar.maximum()


def test_scrolling_back_to_the_end_follows_again(messages, streaming, settle) -> None:
    grow(messages, streaming, "words " * 100, settle)
    bar = messages.verticalScrollBar()
    bar.setValue(bar.maximum() - 300)
    bar.setValue(bar.maximum())
    grow(messages, streaming, "words " * 100, settle)
    assert bar.value() == bar.maximum()


def test_no_scrolling_while_text_is_being_selected(messages, streaming, settle) -> None:
    grow(messages, streaming, "words to select " * 20, settle)
    bar = messages.verticalScrollBar()
    here = bar.value()
    row = messages.row(streaming.id)
    viewport = row.text_views[0].viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=viewport.rect().center())
    grow(messages, streaming, "words " * 200, settle)
    assert bar.value() == here
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=viewport.rect().center())


def test_the_wheel_over_text_scrolls_the_conversation(messages, streaming, settle) -> None:
    row = messages.rows[-2]
    assert row.text_views[0].verticalScrollBar().maximum() == 0
    assert all(
        view.height() >= view.document().size().height() for r in messages.rows for view in r.text_views
    )


def test_long_conversations_are_built_in_short_turns(messages, qapp) -> None:
    started = time.process_time()
    messages.set_messages(talk(200))
    first = time.process_time() - started
    assert messages.rows[-1].message.text.startswith("Answer 199.")
    assert first < 0.15
    bar = messages.verticalScrollBar()
    for _ in range(200):
        qapp.processEvents()
    assert len(messages.rows) == 40
    assert bar.value() == bar.maximum()
    assert [row.message.text[:8] for row in messages.rows[:1]] == ["Question"]


def test_earlier_messages_come_without_a_jump(messages, settle, qapp) -> None:
    messages.set_messages(talk(60))
    for _ in range(100):
        qapp.processEvents()
    bar = messages.verticalScrollBar()
    top = messages.rows[0]
    bar.setValue(0)
    for _ in range(100):
        qapp.processEvents()
    assert len(messages.rows) == 80
    offset = top.mapTo(messages.viewport(), top.rect().topLeft()).y()
    assert 0 <= offset < 120
    assert not messages.following


def test_of_a_long_conversation_only_rows_near_the_reader_exist(messages, settle, qapp) -> None:
    all_of_it = talk(90)
    messages.set_messages(all_of_it)
    for _ in range(60):
        qapp.processEvents()
    bar = messages.verticalScrollBar()
    seen: set[str] = set()
    for _ in range(400):
        bar.setValue(bar.value() - bar.pageStep())
        for _ in range(4):
            qapp.processEvents()
        seen |= {row.message.id for row in messages.rows}
        assert len(messages.rows) <= 130
        if messages.rows[0].message is all_of_it[0] and bar.value() == 0:
            break
    assert seen == {m.id for m in all_of_it}
    for _ in range(400):
        bar.setValue(bar.value() + bar.pageStep())
        for _ in range(4):
            qapp.processEvents()
        if messages.following:
            break
    assert messages.rows[-1].message is all_of_it[-1]
    assert bar.value() == bar.maximum()
    shown = [row.message.id for row in messages.rows]
    at = [m.id for m in all_of_it].index(shown[0])
    assert shown == [m.id for m in all_of_it[at:]]


def test_any_message_can_be_brought_into_sight(messages, settle, qapp) -> None:
    all_of_it = talk(300)
    messages.set_messages(all_of_it)
    settle()
    row = messages.reveal(all_of_it[101].id)
    assert row is not None
    assert row.message is all_of_it[101]
    for _ in range(60):
        qapp.processEvents()
    messages.scroll_to(row, 0, 20)
    settle()
    assert 0 <= row.mapTo(messages.viewport(), row.rect().topLeft()).y() < 500
    assert not messages.following
    messages.jump_to_latest()
    for _ in range(60):
        qapp.processEvents()
    assert messages.rows[-1].message is all_of_it[-1]
    assert messages.verticalScrollBar().value() == messages.verticalScrollBar().maximum()


def test_another_branch_leaves_what_both_have_in_place(messages, settle, qapp) -> None:
    start = talk(6)
    one, other = talk(2), talk(1)
    messages.set_messages([*start, *one])
    for _ in range(60):
        qapp.processEvents()
    kept = messages.rows[3]
    messages.show_branch([*start, *other])
    settle()
    assert [row.message.id for row in messages.rows] == [m.id for m in [*start, *other]]
    assert messages.rows[3] is kept
    messages.show_branch(start[:2])
    settle()
    assert [row.message.id for row in messages.rows] == [m.id for m in start[:2]]


def test_waiting_says_what_for(messages, settle) -> None:
    reply = Message("c", ASSISTANT, "", status=STREAMING, meta={"waiting": "model"})
    messages.set_messages([Message("c", USER, "Hi"), reply])
    settle()
    row = messages.row(reply.id)
    assert row.status_text == "Waiting for the model to load"
    del reply.meta["waiting"]
    messages.update_message(reply)
    assert row.status_text == "Reading the prompt"
    messages.set_waiting(reply.id, 42, False)
    assert row.status_text == "Reading the prompt 42 %"
    grow(messages, reply, "Hello", settle)
    assert row.status_text == ""
    messages.set_waiting(reply.id, 10, False)
    assert row.status_text == ""
    messages.set_waiting(reply.id, 50, True)
    assert row.status_text == "The draft is catching up 50 %"
    grow(messages, reply, " there", settle)
    assert row.status_text == ""


@pytest.mark.parametrize(
    ("status", "text", "meta", "said"),
    [
        (STOPPED, "It was", {}, "Stopped"),
        (STOPPED, "", {}, "Stopped before the first word"),
        (TRUNCATED, "It was", {"max_tokens": 256}, "Cut off at the limit of 256 tokens"),
        (
            TRUNCATED,
            "It was",
            {"max_tokens": 9999, "n_ctx": 512, "context_used": 512},
            "Cut off: the context of 512 tokens is full",
        ),
        (FAILED, "It was", {}, "This reply failed"),
        ("complete", "", {}, "The model ended its reply without a word"),
        ("complete", "It was", {}, ""),
    ],
)
def test_how_a_reply_ended(qtbot, status: str, text: str, meta: dict, said: str) -> None:
    row = ReplyRow(Message("c", ASSISTANT, text, status=status, meta=meta))
    qtbot.addWidget(row)
    assert row.status_text == said


def test_a_failed_reply_offers_the_way_out(messages, settle, qtbot) -> None:
    problem = {"what": "The context is full.", "why": "It holds 512 tokens.", "code": "context-full"}
    message = Message("c", ASSISTANT, "It was", status=FAILED, meta={"problem": problem})
    messages.set_messages([message])
    settle()
    [card] = messages.row(message.id).findChildren(ProblemCard)
    assert card.problem.what == "The context is full."
    with qtbot.waitSignal(messages.action_requested) as asked:
        QTest.mouseClick(card.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert asked.args == [NEW_CHAT]


def test_a_bug_can_be_copied(messages, settle) -> None:
    card = messages.add_problem(Problem("It broke.", "KeyError", "Try again.", "bug", True, "Traceback: x"))
    assert messages.add_problem(card.problem) is card
    settle()
    [copy] = card.findChildren(QPushButton)
    copy.click()
    assert QGuiApplication.clipboard().text() == "It broke.\n\nKeyError\n\nTry again.\n\nTraceback: x"
    card.dismissed.emit()
    assert messages.is_empty()


@pytest.mark.parametrize(
    ("code", "action"),
    [
        ("vocabulary-differs", "without-sidecar"),
        ("retry-without-draft", "without-sidecar"),
        ("not-gguf", "open-target"),
        ("no-memory", "settings"),
        ("load-failed", "reload"),
        ("disk", ""),
    ],
)
def test_each_problem_has_the_button_that_fits(code: str, action: str) -> None:
    assert action_of(Problem("x", code=code)) == action
    assert action_of(Problem("x", code=code, is_bug=True)) == ""


def test_a_damaged_sidecar_is_not_a_damaged_target() -> None:
    problem = Problem("“draft.gguf” is cut short.", code="cut-short")
    assert action_of_load(problem, "draft.gguf") == "without-sidecar"
    assert action_of_load(problem, "other.gguf") == "open-target"
    assert action_of_load(problem, "") == "open-target"
    assert action_of_load(Problem("x", code="something-new"), "") == "reload"
    assert action_of_load(Problem("x", code="bug", is_bug=True), "") == ""


def test_tools_show_on_hover_and_focus_without_moving_anything(messages, settle) -> None:
    message = Message("c", ASSISTANT, "Some text", meta={"stats": {"acceptance_rate": 0.61}})
    messages.set_messages([message, Message("c", USER, "next")])
    settle()
    row = messages.row(message.id)
    before = [r.geometry() for r in messages.rows]
    assert not row.tools.revealed
    row.enterEvent(QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert row.tools.revealed
    assert row.tools.note == "61 % accepted"
    settle()
    assert [r.geometry() for r in messages.rows] == before
    row.leaveEvent(QEvent(QEvent.Type.Leave))
    assert not row.tools.revealed
    button = row.tools.findChildren(QPushButton) or row.tools.children()
    copy = next(b for b in button if getattr(b, "accessibleName", str)() == "Copy message")
    messages.window().activateWindow()
    copy.setFocus(Qt.FocusReason.TabFocusReason)
    settle()
    assert row.tools.revealed
    QTest.keyClick(copy, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == "Some text"


def test_your_text_is_shown_as_you_wrote_it(qtbot, settle) -> None:
    row = UserRow(Message("c", USER, "a **b** <i>c</i>\n# d"))
    qtbot.addWidget(row)
    row.resize(700, 200)
    row.show()
    settle()
    [view] = row.text_views
    assert view.toPlainText() == "a **b** <i>c</i>\n# d"
    bubble = view.parentWidget()
    assert bubble.geometry().right() >= row.width() - 2
    assert bubble.width() < 300


def test_rows_have_their_size_before_anything_is_painted(messages) -> None:
    messages.set_messages(talk(1))
    assert messages.rows
    for row in messages.rows:
        for view in row.text_views:
            assert view.height() == view.document().size().height() > 1


def test_a_narrower_view_breaks_lines_anew_in_place(messages, settle, qapp) -> None:
    messages.set_messages(talk(10))
    for _ in range(60):
        qapp.processEvents()
    bar = messages.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    settle()
    row = next(r for r in messages.rows if r.mapTo(messages.viewport(), r.rect().bottomLeft()).y() > 0)
    before = row.mapTo(messages.viewport(), row.rect().topLeft()).y()
    messages.resize(420, 500)
    for _ in range(30):
        qapp.processEvents()
    assert abs(row.mapTo(messages.viewport(), row.rect().topLeft()).y() - before) < 4
    assert all(v.height() == v.document().size().height() for r in messages.rows for v in r.text_views)
