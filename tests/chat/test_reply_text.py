"""What a reply offers besides its text: thoughts that fold, code to save and wrap, one selection over all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextEdit

from app.core.conversation import ASSISTANT, STREAMING, Message
from app.core.rounds import ORDINARY, Round, encode_rounds
from app.ui.chat.code_view import CodeView
from app.ui.chat.reply_body import ReplyBody
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.text_view import TextView

MIXED = "First words.\n\n```python\nx = 1\n```\n\nLast words."
THINKING = "<think>Let me see.</think>\n\nYes."
INSIDE = {"reasoning": {"opening": "<think>", "closing": "</think>", "inside": True}}


@pytest.fixture
def shown(qtbot, settle: Callable[[], None]) -> Callable[..., ReplyRow]:
    def show(text: str, **fields: object) -> ReplyRow:
        row = ReplyRow(Message("c", ASSISTANT, text, **fields))  # type: ignore[arg-type]
        qtbot.addWidget(row)
        row.resize(700, 500)
        row.show()
        settle()
        return row

    return show


def code_of(row: ReplyRow) -> CodeView:
    [body] = [s for s in row.body.sections if isinstance(s, ReplyBody)]
    [code] = [s for s in body.segments if isinstance(s, CodeView)]
    return code


def test_a_thought_is_live_then_folds_and_says_what_it_took(shown, settle) -> None:
    row = shown("", status=STREAMING)
    row.message.text = "<think>Let me "
    row.update_text()
    [thought] = row.body.thoughts
    assert thought.is_open
    row.add_round(Round(ORDINARY, 0, (1, 2, 3), 0, chars=(7, 4, 3), seconds=1.5))
    assert thought.header.text() == "Thinking for 1.5 s · 3 tokens"
    assert thought.text_views[0].toPlainText() == "Let me"
    row.message.text += "see.</think>\n\nYes."
    row.update_text()
    assert not thought.is_open
    assert [v.toPlainText() for v in row.text_views] == ["Yes."]
    row.message.status = "complete"
    row.message.rounds = encode_rounds(
        [
            Round(ORDINARY, 0, (1, 2), 0, chars=(7, 11), seconds=11.6),
            Round(ORDINARY, 2, (3, 4), 0, chars=(8, 6), seconds=1.0),
        ]
    )
    row.finish()
    assert thought.header.text() == "Thought for 12 s · 3 tokens"
    QTest.mouseClick(thought.header, Qt.MouseButton.LeftButton)
    settle()
    assert [v.toPlainText() for v in row.text_views] == ["Let me see.", "Yes."]


def test_a_thought_that_the_reader_closed_stays_closed(shown) -> None:
    row = shown("", status=STREAMING, meta=dict(INSIDE))
    row.message.text = "Hm"
    row.update_text()
    [thought] = row.body.thoughts
    thought.header.click()
    assert not thought.is_open
    row.message.text = "Hm, well.</think>Yes."
    row.update_text()
    assert not thought.is_open
    assert thought.text == "Hm, well."


def test_a_closing_tag_without_an_opening_one_makes_a_thought_of_what_was_shown(shown, settle) -> None:
    row = shown("", status=STREAMING)
    for text in ("Let me ", "Let me see.", "Let me see.</think>\n\nYes."):
        row.message.text = text
        row.update_text()
    settle()
    assert [t.text for t in row.body.thoughts] == ["Let me see."]
    assert [v.toPlainText() for v in row.text_views if v.isVisible()][-1] == "Yes."


def test_an_empty_thought_is_not_shown(shown) -> None:
    row = shown("<think>\n\n</think>\n\nYes.")
    assert row.body.thoughts[0].isHidden()


def test_code_can_be_wrapped(shown, settle) -> None:
    code = code_of(shown("```text\n" + "word " * 100 + "\n```"))
    before = code.text_view.height()
    code.wrap_button.click()
    settle()
    assert code.text_view.lineWrapMode() == QTextEdit.LineWrapMode.WidgetWidth
    assert code.text_view.horizontalScrollBar().maximum() == 0
    assert code.text_view.height() > before
    code.wrap_button.click()
    settle()
    assert code.text_view.height() == before


def test_code_can_be_saved(shown, tmp_path: Path) -> None:
    code = code_of(shown(MIXED))
    dialog = code.save_button.ask()
    assert [Path(name).name for name in dialog.selectedFiles()] == ["code.py"]
    dialog.reject()
    assert code.save_button.save(str(tmp_path / "a.py"))
    assert (tmp_path / "a.py").read_text() == "x = 1\n"
    assert not code.save_button.save(str(tmp_path / "missing" / "a.py"))
    assert code.save_button.toolTip().startswith("Not saved: ")


def drag(view: TextView, start: QPoint, end: QPoint) -> None:
    """Press in `view` and move to `end`, which is on screen; as the mouse grabber gets it."""
    for kind, where, buttons in (
        (QEvent.Type.MouseButtonPress, view.viewport().mapToGlobal(start), Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseMove, end, Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseButtonRelease, end, Qt.MouseButton.NoButton),
    ):
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
        local = QPointF(view.viewport().mapFromGlobal(where))
        event = QMouseEvent(kind, local, QPointF(where), button, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(view.viewport(), event)


@pytest.mark.parametrize("down", [True, False])
def test_a_selection_goes_over_all_blocks(shown, settle, down: bool) -> None:
    row = shown(MIXED)
    first, code, last = row.text_views
    upper = first.cursorRect(first.cursorForPosition(QPoint(0, 2))).center()
    end = last.viewport().mapToGlobal(QPoint(last.width() - 2, last.height() // 2))
    if down:
        drag(first, QPoint(0, upper.y()), end)
    else:
        drag(last, last.viewport().mapFromGlobal(end), first.viewport().mapToGlobal(QPoint(0, upper.y())))
    assert [v.textCursor().selectedText() for v in (first, code, last)] == [
        "First words.",
        "x = 1",
        "Last words.",
    ]
    first.copy()
    assert QGuiApplication.clipboard().text() == "First words.\n\nx = 1\n\nLast words."
    QTest.mouseClick(code.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert not first.textCursor().hasSelection()
    assert not last.textCursor().hasSelection()


def test_select_all_takes_the_whole_message(shown) -> None:
    row = shown(MIXED)
    QTest.keyClick(row.text_views[1], Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    row.text_views[1].copy()
    assert QGuiApplication.clipboard().text() == "First words.\n\nx = 1\n\nLast words."
