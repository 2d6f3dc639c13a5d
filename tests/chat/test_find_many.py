"""Find with very many hits: all are counted, those around the reader are marked, in short pieces of work."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.core.conversation import ASSISTANT, Message
from app.ui.chat.blocks import TextBlock
from app.ui.chat.find_marks import MOST, MOST_IN_PARAGRAPH
from app.ui.chat.finder import _SLICE, Finder, shown_texts
from app.ui.chat.markdown import parse
from tests.chat.test_find import look_for, marked, show
from tests.ui.window_rig import WindowRig, spin

PARAGRAPH = "There were seven **even** reels here, `else` nothing. 🎉 " * 6
REPLY = "\n\n".join([PARAGRAPH, "- one eel\n- one bee", f"```python\n{PARAGRAPH}\n```"] * 60)
ASKED = "Eleven sleepy sheep. " * 300
SHOWN = "".join(shown_texts(Message("", ASSISTANT, REPLY)))
HITS = sum(text.lower().count("e") for text in (ASKED, SHOWN))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many marks each text was given, in the order in which it happened."""
    calls: list[int] = []
    for kind in (QTextEdit, QPlainTextEdit):
        native = kind.setExtraSelections

        def counted(view: Any, marks: Any, native: Any = native) -> None:
            calls.append(len(marks))
            native(view, marks)

        monkeypatch.setattr(kind, "setExtraSelections", counted)
    return calls


def bright(rig: WindowRig) -> list[str]:
    """What stands out as the current match."""
    views = [view for row in rig.window.chat.messages.rows for view in row.find_views]
    found = [s for view in views for s in view.extraSelections()]
    return [
        f"{s.cursor.selectedText()}{s.cursor.position()}"
        for s in found
        if s.format.foreground().style() != Qt.BrushStyle.NoBrush
    ]


def test_only_what_is_near_is_marked(rig: WindowRig, made: list[int]) -> None:
    show(rig, ASKED, REPLY)
    made.clear()
    bar = look_for(rig, "e")
    rig.settle()
    assert HITS > 10000
    assert bar.text == f"1 of {HITS}"
    assert 50 < len(marked(rig)) < MOST
    assert len(bright(rig)) == 1
    for key in (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ShiftModifier):
        made.clear()
        before = bright(rig)
        QTest.keyClick(bar.field, Qt.Key.Key_Return, key)
        assert sum(made) < MOST, "marks made by one press of a key"
        rig.settle()
        assert len(bright(rig)) == 1
        assert bright(rig) != before
    assert bar.text == f"{HITS - 1} of {HITS}"
    made.clear()
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert sum(made) == 0
    assert marked(rig) == []


def test_marks_follow_the_reader(rig: WindowRig) -> None:
    show(rig, "hay", "hay needle\n\n" * 400)
    look_for(rig, "needle")
    shown = rig.window.chat.messages
    view = shown.rows[1].find_views[0]

    def seen() -> int:
        top = view.mapTo(shown.viewport(), view.rect().topLeft()).y()
        heights = [view.cursorRect(s.cursor).top() + top for s in view.extraSelections()]
        assert len(heights) < 200
        return sum(0 <= y < shown.viewport().height() for y in heights)

    for value in (3000, 9000, 0):
        shown.verticalScrollBar().setValue(value)
        assert spin(lambda: seen() >= shown.viewport().height() // 60)
    assert len(bright(rig)) == 1


def test_a_paragraph_full_of_matches_gets_few_marks(rig: WindowRig) -> None:
    show(rig, ASKED, "hay")
    bar = look_for(rig, "e")
    assert bar.text == f"1 of {ASKED.lower().count('e')}"
    rig.settle()
    assert 50 < len(marked(rig)) <= MOST_IN_PARAGRAPH + 1
    assert len(bright(rig)) == 1


def test_a_match_in_what_is_unfolded_for_it_is_in_sight(rig: WindowRig) -> None:
    rows = "".join(f"| {n} | {'needle' if n == 300 else 'hay'} |\n" for n in range(400))
    show(rig, "Hay?", f"| n | what |\n|---|---|\n{rows}\nThe end.")
    look_for(rig, "needle")
    shown = rig.window.chat.messages
    view = shown.rows[1].find_views[0]

    def in_sight() -> bool:
        marks = view.extraSelections()
        if len(marks) != 1:
            return False
        (mark,) = marks
        y = view.mapTo(shown.viewport(), view.cursorRect(mark.cursor).topLeft()).y()
        return 0 <= y < shown.viewport().height()

    assert spin(in_sight)
    rig.settle()
    assert in_sight()


def test_a_long_message_of_mine_is_marked_where_it_is_scrolled_to(rig: WindowRig) -> None:
    show(rig, "hay needle\n" * 3000, "hay")
    bar = look_for(rig, "needle")
    assert bar.text == "1 of 3000"
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.text == "3000 of 3000"
    box = rig.window.chat.messages.rows[0].all_text
    # The rest of the text comes in turns.
    assert spin(lambda: 2999 in [s.cursor.blockNumber() for s in box.extraSelections()])
    rig.settle()
    numbers = sorted(s.cursor.blockNumber() for s in box.extraSelections())
    assert numbers[-1] == 2999
    assert 5 < len(numbers) < 100
    box.verticalScrollBar().setValue(1500)
    assert spin(lambda: 1510 in [s.cursor.blockNumber() for s in box.extraSelections()])


def test_a_message_is_looked_through_in_short_steps(rig: WindowRig, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    step = Finder._look_on

    def watched(finder: Finder) -> bool:
        before = finder._found if finder._texts is not None else 0
        more = step(finder)
        sizes.append(finder._found - before)
        return more

    monkeypatch.setattr(Finder, "_look_on", watched)
    show(rig, "hay", REPLY)
    look_for(rig, "e")
    assert len(sizes) > len(REPLY) // (4 * _SLICE)
    assert max(sizes) < 2 * _SLICE


def test_a_paragraph_that_is_read_in_parts_counts_as_a_whole() -> None:
    long = "one eel and " * 800 + "end"
    for text in (long, f"- {long}\n- {long}", f"> {long}\n\n{long}"):
        whole = [block.text for block in parse(text) if isinstance(block, TextBlock)]
        pieces = list(shown_texts(Message("", ASSISTANT, text)))
        for query in ("e", "eel and one"):
            assert sum(p.count(query) for p in pieces) == sum(t.count(query) for t in whole) > 700
