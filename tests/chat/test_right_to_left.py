"""Arabic and Hebrew: margins, marks of lists, bars and tables stand on the right; code does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit

from app.ui.chat.code_view import CodeView
from app.ui.chat.direction import is_right_to_left
from app.ui.chat.prose_view import ProseView
from app.ui.chat.reply_body import ReplyBody
from app.ui.chat.table_view import TableView
from app.ui.theme import Theme

LONG = "العنصر الثاني وهو أطول قليلا " * 4
WIDTH = 700


@pytest.fixture
def shown(qtbot, settle: Callable[[], None]) -> Callable[[str], ReplyBody]:
    def show(text: str) -> ReplyBody:
        body = ReplyBody()
        qtbot.addWidget(body)
        body.resize(WIDTH, 500)
        body.show()
        body.feed(text)
        body.finish()
        settle()
        return body

    return show


def x_of(view: QTextEdit, position: int) -> int:
    cursor = QTextCursor(view.document())
    cursor.setPosition(position)
    return view.cursorRect(cursor).x()


@pytest.mark.parametrize(
    ("texts", "right"),
    [
        (["مرحبا"], True),
        (["שלום world"], True),
        (["12. ", "(", "שלום"], True),
        (["code שלום"], False),
        (["42", ""], False),
        ([], False),
    ],
)
def test_the_first_letter_decides(texts: list[str], right: bool) -> None:
    assert is_right_to_left(texts) is right


def test_marks_of_a_list_are_in_sight_on_either_side(shown) -> None:
    body = shown(f"- English\n- {LONG}\n- פריט\n")
    [prose] = body.segments
    assert isinstance(prose, ProseView)
    width = prose.viewport().width()
    latin, arabic, hebrew = (prose.document().findBlockByNumber(i).position() for i in range(3))
    assert x_of(prose, latin) == 0
    for start in (arabic, hebrew):
        mark, first = x_of(prose, start), x_of(prose, start + 2)
        assert width - 2 <= mark <= width
        assert 20 <= mark - first <= 28, "the text stands beside the mark, as far as on the other side"
    second = prose.document().findBlockByNumber(1).layout().lineAt(1)
    assert second.isValid(), "the item is too short for what is tested"
    assert 20 <= width - x_of(prose, arabic + second.textStart()) <= 28
    assert prose.horizontalScrollBar().maximum() == 0


def test_the_side_changes_with_the_first_letter_while_it_is_written(shown) -> None:
    body = ReplyBody()
    body.feed("- ")
    body.feed("1 שלום")
    [prose] = body.segments
    assert isinstance(prose, ProseView)
    form = prose.document().firstBlock().blockFormat()
    assert (form.leftMargin(), form.rightMargin() > 0) == (0, True)
    body.deleteLater()


def test_the_bar_of_a_quotation_is_on_the_right(shown) -> None:
    body = shown("> اقتباس من كتاب قديم\n")
    [prose] = body.segments
    assert isinstance(prose, ProseView)
    picture = prose.viewport().grab().toImage()
    line = Theme.current().palette.colour("line")
    edge = QPoint(prose.viewport().width() - 2, prose.height() // 2)
    assert picture.pixelColor(edge) == line
    assert picture.pixelColor(QPoint(1, edge.y())) != line


def test_a_table_begins_on_the_right(shown) -> None:
    body = shown("| العمود | القيمة |\n|---|---|\n| سرعة | 12 |\n")
    [table] = body.segments
    assert isinstance(table, TableView)
    text = table.toPlainText()
    first, second = (x_of(table, text.index(word)) for word in ("العمود", "القيمة"))
    assert second < first
    assert table.width() - 20 < first < table.width()


def test_code_stands_on_the_left_in_any_script(shown) -> None:
    body = shown("```\nتعليق\nx = 1\n```\n")
    [code] = body.segments
    assert isinstance(code, CodeView)
    view = code.text_view
    block = view.document().firstBlock()
    assert block.text() == "تعليق"
    assert x_of(view, block.length() - 1) == x_of(view, block.next().position())


def test_code_in_a_right_to_left_sentence_keeps_its_order(shown) -> None:
    body = shown("הפונקציה `f()` מחזירה מספר.")
    view = body.findChild(ProseView)
    start = view.toPlainText().index("f()")
    line = view.document().firstBlock().layout().lineAt(0)
    places = [line.glyphRuns(start + i, 1)[0].positions()[0].x() for i in range(3)]
    assert places == sorted(places), "written from left to right, brackets last"


def test_signs_that_keep_code_in_order_are_not_copied(shown) -> None:
    said = "הפונקציה f(x) מחזירה מספר."
    body = shown("הפונקציה `f(x)` מחזירה מספר.")
    view = body.findChild(ProseView)
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == said
    cursor = view.textCursor()
    start = view.toPlainText().index("f(x)")
    cursor.setPosition(start + 1)
    cursor.setPosition(start + 3, cursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    assert view.createMimeDataFromSelection().text() == "(x", "a part of the code is a part of it"


@pytest.mark.parametrize("text", ["The function `f(x)` returns.", "`f(x)` مرحبا"])
def test_code_elsewhere_needs_no_signs(shown, text: str) -> None:
    body = shown(text)
    assert body.findChild(ProseView).toPlainText() == text.replace("`", "")


def test_streamed_code_reads_as_if_it_had_come_at_once(qtbot, shown, settle) -> None:
    text = "הפונקציה `f(x)` מחזירה `g[0]` וגם עוד."
    body = ReplyBody()
    qtbot.addWidget(body)
    body.resize(WIDTH, 500)
    body.show()
    for letter in text:
        body.feed(letter)
        settle()
    body.finish()
    settle()
    whole = shown(text)
    assert body.findChild(ProseView).toPlainText() == whole.findChild(ProseView).toPlainText()
