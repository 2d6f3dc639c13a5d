"""Find in the conversation: counted, marked, gone through, in folded and in far parts as well."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.conversation import ASSISTANT, USER, Conversation, ConversationSummary, Message
from app.ui.chat.find_bar import FindBar
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.user_row import UserRow
from tests.ui.window_rig import WindowRig, spin

CODE = "Look:\n\n```python\nneedle = 1\n```\n\nand a **nee**dle in two styles"
THOUGHT = "<think>The needle is hidden.</think>\n\nNothing here."
LONG = "hay " * 4000 + "needle " + "hay " * 10


def show(rig: WindowRig, *texts: str) -> None:
    conversation = Conversation(ConversationSummary(title="Hay", created_at=1.0, updated_at=1.0))
    parent = None
    for i, text in enumerate(texts):
        role = ASSISTANT if i % 2 else USER
        message = Message(conversation.summary.id, role, text, parent, created_at=float(i))
        conversation.add(message)
        parent = message.id
    rig.store.put(conversation)
    rig.restart()
    rig.session.open(conversation.summary.id)
    assert spin(lambda: len(rig.window.chat.messages.messages) == len(texts))
    rig.settle()


def look_for(rig: WindowRig, text: str) -> FindBar:
    rig.window.chat.messages.verticalScrollBar().setValue(0)
    rig.window.actions_by_name["find"].trigger()
    bar = rig.window.chat.find_bar
    assert bar.isVisible()
    assert rig.window.focusWidget() is bar.field
    bar.field.setText(text)
    assert spin(lambda: not bar._timer.isActive() and not rig.window.chat.finder.searching)
    return bar


def marked(rig: WindowRig) -> list[str]:
    out = []
    for row in rig.window.chat.messages.rows:
        for view in row.find_views:
            out += [s.cursor.selectedText() for s in view.extraSelections()]
    return out


def test_counts_marks_and_goes_on(rig: WindowRig) -> None:
    show(rig, "A Needle?", CODE, "needle needle", "None.")
    bar = look_for(rig, "needle")
    assert bar.text == "1 of 5"
    assert marked(rig) == ["Needle", "needle", "needle", "needle", "needle"]
    for said in ("2 of 5", "3 of 5"):
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
        assert bar.text == said
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.text == "2 of 5"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert marked(rig) == []
    assert rig.window.focusWidget() is rig.window.chat.composer.field


def test_looks_through_the_signs_around_code_in_right_to_left_text(rig: WindowRig) -> None:
    show(rig, "?", "הפונקציה `f(x)` מחזירה `g`.")
    for text in ("הפונקציה f", "f(x) מחזירה", "g."):
        bar = look_for(rig, text)
        assert bar.text == "1 of 1"
        assert [re.sub("[\u2066\u2069]", "", found) for found in marked(rig)] == [text]


def test_nothing_found_is_said(rig: WindowRig) -> None:
    show(rig, "hay", "hay")
    assert look_for(rig, "needle").text == "Not found"


def test_what_is_folded_is_opened(rig: WindowRig) -> None:
    show(rig, "Well?", THOUGHT, LONG, "Yes.")
    bar = look_for(rig, "needle")
    assert bar.text == "1 of 2"
    rows = rig.window.chat.messages.rows
    thought, long = rows[1], rows[2]
    assert isinstance(thought, ReplyRow)
    assert isinstance(long, UserRow)
    assert thought.body.thoughts[0].is_open
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert long.all_text is not None
    assert spin(lambda: marks_of(long) == ["needle"])
    # In sight, although the box is filled in the turns after.
    assert spin(lambda: needle_in_sight(long))


def marks_of(row: UserRow) -> list[str]:
    return [s.cursor.selectedText() for s in row.all_text.extraSelections()] if row.all_text else []


def needle_in_sight(row: UserRow) -> bool:
    box = row.all_text
    assert box is not None
    rect = box.cursorRect(box.document().find("needle"))
    return not box.pending and rect.top() >= 0 and rect.bottom() <= box.viewport().height()


def test_far_away_messages_are_found_and_shown(rig: WindowRig) -> None:
    texts = [f"message {i} " + "word " * 40 for i in range(200)]
    texts[7] += " needle"
    show(rig, *texts)
    bar = look_for(rig, "needle")
    assert bar.text == "1 of 1"
    rig.settle()
    shown = rig.window.chat.messages
    row = next(r for r in shown.rows if "needle" in r.message.text)
    top = row.mapTo(shown.viewport(), row.rect().topLeft()).y()
    assert -row.height() < top < shown.viewport().height()
    assert marked(rig) == ["needle"]


def test_finds_what_a_folded_table_does_not_show(rig: WindowRig) -> None:
    rows = "".join(f"| {n} | hay |\n" for n in range(400))
    show(rig, "Hay?", f"| n | what |\n|---|---|\n{rows}| 400 | needle |\n\nThe needle again.")
    bar = look_for(rig, "needle")
    assert bar.text == "1 of 2"
    assert spin(lambda: marked(rig) == ["needle", "needle"])
