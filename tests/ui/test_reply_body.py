"""A growing reply: finished blocks stay untouched, selection stays, the cost of a flush does not grow."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from itertools import pairwise
from statistics import median

import pytest
from PySide6.QtCore import QRectF, QUrl
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocument, QTextTable
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.ui.chat import text_view
from app.ui.chat.blocks import CodeBlock, Run
from app.ui.chat.code_view import CodeView
from app.ui.chat.prose_view import ProseView
from app.ui.chat.reply_body import ReplyBody
from app.ui.chat.table_view import ROWS, SLICE, TableView
from app.ui.chat.text_selection import TextSelection
from app.ui.chat.text_view import TextView
from app.ui.palette import DARK, LIGHT
from app.ui.theme import Theme

WORDS = (
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "`lazy`",
    "dogs",
    "and",
    "**bold**",
    "cats,",
    "then",
    "rest.",
)


@pytest.fixture
def body(qtbot):
    body = ReplyBody()
    qtbot.addWidget(body)
    body.resize(700, 500)
    return body


def shown_text(body: ReplyBody) -> str:
    return "\n".join(view.toPlainText() for view in body.text_views)


def test_html_is_shown_as_text(body: ReplyBody) -> None:
    body.feed('<b>bold</b> <img src="https://x.y/z.png"> &lt;i&gt;\n\n<script>alert(1)</script>\n\n')
    body.finish()
    text = shown_text(body)
    assert '<b>bold</b> <img src="https://x.y/z.png">' in text
    assert "<script>alert(1)</script>" in text
    [view] = body.text_views
    assert view.document().find("bold").charFormat().fontWeight() == 400


def test_nothing_is_ever_fetched(body: ReplyBody) -> None:
    body.feed("![a](https://x.y/z.png) ![b](file:///etc/hostname)\n\n")
    body.finish()
    [view] = body.text_views
    assert (
        view.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl("https://x.y/z.png")) is None
    )
    assert "\ufffc" not in view.toPlainText()


def test_links_open_only_on_a_click_and_only_to_the_web(body: ReplyBody, monkeypatch) -> None:
    opened = []
    monkeypatch.setattr(
        text_view.QDesktopServices, "openUrl", lambda url: opened.append(url.toString()) or True
    )
    body.feed("[a](https://x.y/z) [b](file:///etc/passwd)\n\n")
    body.finish()
    assert opened == []
    [view] = body.text_views
    view.anchorClicked.emit(QUrl("https://x.y/z"))
    view.anchorClicked.emit(QUrl("file:///etc/passwd"))
    view.anchorClicked.emit(QUrl("javascript:alert(1)"))
    assert opened == ["https://x.y/z"]
    assert view.source().isEmpty()


def test_finished_blocks_are_not_drawn_again(body: ReplyBody) -> None:
    body.feed("one\n\ntwo\n\n```py\nx = 1\n```\n\n")
    body.feed("| a |\n|---|\n| 1 |\n\nthree")
    widgets = list(body.segments)
    revisions = [view.document().revision() for view in body.text_views]
    texts = [view.toPlainText() for view in body.text_views]
    for word in [" and", " on", " it", "\n\n", "more"]:
        body.feed(word)
    assert list(body.segments) == widgets
    assert [type(w) for w in widgets] == [ProseView, CodeView, TableView, ProseView]
    assert [view.document().revision() for view in body.text_views][:3] == revisions[:3]
    assert [view.toPlainText() for view in body.text_views][:3] == texts[:3]
    assert body.text_views[3].toPlainText() == "three and on it\nmore"


def select(view: TextView, start: int, end: int) -> None:
    cursor = view.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        (
            "A sentence that is still being written",
            " and goes on, **with bold** words, until\n\nanother block",
        ),
        ("- item one\n- item two", " goes on\n- item three\n\nend"),
        ("# A heading\n\ntext **bo", "ld** text\n\nmore"),
    ],
)
def test_selection_survives_streaming(body: ReplyBody, first: str, rest: str) -> None:
    body.feed(first)
    view = body.text_views[0]
    select(view, 2, 10)
    selected = view.textCursor().selectedText()
    for i in range(0, len(rest), 3):
        body.feed(rest[i : i + 3])
        cursor = view.textCursor()
        assert (cursor.anchor(), cursor.position(), cursor.selectedText()) == (2, 10, selected)
    body.finish()
    assert view.textCursor().selectedText() == selected


def test_selection_up_to_the_end_does_not_grow(body: ReplyBody) -> None:
    body.feed("select all of this")
    [view] = body.text_views
    view.selectAll()
    body.feed(" but not of that")
    assert view.textCursor().selectedText() == "select all of this"


def test_selection_survives_in_growing_code(body: ReplyBody) -> None:
    body.feed("```python\ndef f(x):\n    return x")
    [view] = body.text_views
    select(view, 4, 5)
    body.feed(" + 1\n\nprint(f(2))\n```\n\nend")
    body.finish()
    assert view.textCursor().selectedText() == "f"


def test_whole_characters_in_documents(body: ReplyBody) -> None:
    text = "é 😀 👩‍👩‍👧 العربية 中文 **𝒳😀** end\u2028x\u2029y\x00z\ufdd0"
    for ch in text:
        body.feed(ch)
    body.feed(" 😀😀")
    body.finish()
    [view] = body.text_views
    assert view.toPlainText().startswith("é 😀 👩‍👩‍👧 العربية 中文 𝒳😀 end")
    assert view.toPlainText().endswith(" 😀😀")
    assert view.document().blockCount() == 1


def test_code_has_language_copy_and_colours(body: ReplyBody, theme: Theme, settle) -> None:
    theme.set_mode("light")
    code = "def f(x):\n    '''😀'''\n    return x  # note"
    body.feed(f"```python\n{code}\n```\n\n")
    body.finish()
    settle()
    [segment] = body.segments
    assert isinstance(segment, CodeView)
    view = segment.text_view

    def colour(word: str) -> str:
        return view.document().find(word).charFormat().foreground().color().name().upper()

    assert [colour(w) for w in ("def", "return", "note", "😀", "x)")] == [
        LIGHT.code_keyword,
        LIGHT.code_keyword,
        LIGHT.muted,
        LIGHT.code_string,
        LIGHT.text,
    ]
    theme.set_mode("dark")
    settle()
    assert colour("def") == DARK.code_keyword
    segment.copy_button.click()
    assert QGuiApplication.clipboard().text() == code
    assert segment.language == "python"


def test_code_while_it_is_written_keeps_every_character(body: ReplyBody) -> None:
    code = "\n".join(f"    x{i} = '{i}😀'  # {'y' * (i % 40)}" for i in range(120))
    source = f"```python\n{code}\n```\n"
    for i in range(0, len(source), 11):
        body.feed(source[i : i + 11])
    body.finish()
    [segment] = body.segments
    assert isinstance(segment, CodeView)
    assert segment.text_view.toPlainText() == code
    assert segment.block == CodeBlock(code, "python")


def test_unknown_language_is_plain_text(body: ReplyBody) -> None:
    body.feed("```no-such-language\nif x\n```\n\n")
    body.finish()
    assert shown_text(body) == "if x"


def test_a_table_grows_in_place(body: ReplyBody) -> None:
    body.feed("| a | b |\n|---|---|\n| 1 | 2 |\n")
    [table] = body.segments
    body.feed("| 3 | four")
    body.feed(" |\n| 5 | 6 |\n\nend")
    assert body.segments[0] is table
    assert isinstance(table, TableView)
    assert [w for w in table.toPlainText().split("\n") if w] == ["a", "b", "1", "2", "3", "four", "5", "6"]


def test_of_a_long_table_the_beginning_is_shown_and_all_on_demand(body: ReplyBody, qtbot) -> None:
    head = "| n | twice |\n|---|---|\n"
    body.feed(head + "".join(f"| {n} | {2 * n} |\n" for n in range(ROWS - 1)))
    body.finish()
    [table] = body.segments
    assert isinstance(table, TableView)
    assert table.fold is None
    body.clear()
    for first, last in ((0, 2), (2, 1480), (1480, 1490), (1490, 1500)):
        body.feed((head if not first else "") + "".join(f"| {n} | {2 * n} |\n" for n in range(first, last)))
    body.finish()
    qtbot.waitUntil(lambda: not body.pending)
    [table] = body.segments
    assert isinstance(table, TableView)
    assert table.toPlainText().split()[-1] == str(2 * (ROWS - 2))
    assert table.fold is not None
    assert table.fold.text() == "Show all 1,500 rows"
    folded = table.sizeHint().height()
    assert table.hides("2998")
    assert not table.hides("3000")
    table.fold.click()
    assert table.fold is None
    assert table.pending
    assert table.hides("2998")
    qtbot.waitUntil(lambda: not table.pending)
    assert table.toPlainText().split()[-1] == "2998"
    assert not table.hides("2998")
    assert table.sizeHint().height() > 5 * folded


LONG_TABLE = "| n | name |\n|--:|---|\n" + "".join(f"| {n} | row {n} |\n" for n in range(600))


def unfolded(body: ReplyBody, qtbot) -> TableView:
    body.resize(700, 400)
    body.show()
    body.feed(LONG_TABLE)
    body.finish()
    qtbot.waitUntil(lambda: not body.pending)
    [table] = body.segments
    assert isinstance(table, TableView)
    assert table.fold is not None
    table.fold.click()
    qtbot.waitUntil(lambda: not table.pending)
    return table


def cell_rects(table: TableView) -> list[tuple[QRectF, QRectF]]:
    """Where the cells of every row are."""
    layout, frames = table.document().documentLayout(), table.document().rootFrame().childFrames()
    tables = [frame for frame in frames if isinstance(frame, QTextTable)]
    return [
        (
            layout.blockBoundingRect(t.cellAt(y, 0).firstCursorPosition().block()),
            layout.blockBoundingRect(t.cellAt(y, 1).firstCursorPosition().block()),
        )
        for t in tables
        for y in range(t.rows())
    ]


def test_all_rows_of_a_table_come_in_slices_and_look_like_one_table(body: ReplyBody, qtbot) -> None:
    table = unfolded(body, qtbot)
    rects = cell_rects(table)
    assert len(rects) == 601
    assert {right.left() for _, right in rects} == {rects[0][1].left()}
    steps = {below[0].top() - above[0].top() for above, below in pairwise(rects)}
    assert len(steps) == 1
    body.resize(180, 400)
    qtbot.waitUntil(lambda: len({right.left() for _, right in cell_rects(table)}) == 1)
    # A row that changes, and one that comes.
    block = table.block
    last = (*block.rows[-1][:-1], (Run("changed"),))
    table.update_block(replace(block, rows=(*block.rows[:-1], last, block.rows[1])))
    qtbot.waitUntil(lambda: not table.pending)
    assert table.toPlainText().split()[-5:] == ["599", "changed", "0", "row", "0"]


def test_showing_a_long_table_holds_nothing_up(body: ReplyBody, qtbot, monkeypatch) -> None:
    added: list[int] = []
    native = TableView._add_rows
    monkeypatch.setattr(TableView, "_add_rows", lambda self, n: (added.append(n), native(self, n))[1])
    unfolded(body, qtbot)
    assert sum(added) == 601
    assert max(added[-16:]) == SLICE
    assert added[-1] == 1


def test_copying_all_of_a_reply_takes_rows_that_are_not_shown(body: ReplyBody, qtbot) -> None:
    selection = TextSelection(lambda: body.text_views, body)
    body.feed("Before.\n\n" + LONG_TABLE + "\nAfter.")
    body.finish()
    qtbot.waitUntil(lambda: not body.pending)
    selection.select_all()
    data = selection.mime_data()
    rows = "\n".join(f"{n}\trow {n}" for n in range(600))
    assert data is not None
    assert data.text() == f"Before.\n\nn\tname\n{rows}\n\nAfter."
    # From a row on over the end, which selects all of the table.
    prose, table, after = body.text_views
    assert isinstance(table, TableView)
    cursor = table.textCursor()
    cursor.setPosition(table.document().find("row 7").selectionStart())
    cursor.movePosition(cursor.MoveOperation.End, cursor.MoveMode.KeepAnchor)
    table.setTextCursor(cursor)
    prose.setTextCursor(QTextCursor(prose.document()))
    data = selection.mime_data()
    assert data is not None
    assert data.text() == f"n\tname\n{rows}\n\nAfter."
    # Some of its cells are what they are.
    after.setTextCursor(QTextCursor(after.document()))
    cursor.setPosition(table.document().find("row 7").selectionStart())
    cursor.setPosition(table.document().find("row 8").selectionEnd(), cursor.MoveMode.KeepAnchor)
    table.setTextCursor(cursor)
    assert table.createMimeDataFromSelection().text().split() == ["row", "7", "row", "8"]
    table.selectAll()
    assert table.createMimeDataFromSelection().text() == f"n\tname\n{rows}"


def test_all_of_a_table_stays_selected_while_its_rows_come(body: ReplyBody, qtbot) -> None:
    body.resize(700, 400)
    body.show()
    lines = [f"| {n} | row {n} |" for n in range(ROWS + 2 * SLICE)]
    body.feed("\n".join(("| n | name |", "|--:|---|", *lines)))
    body.finish()
    qtbot.waitUntil(lambda: not body.pending)
    [table] = body.segments
    assert isinstance(table, TableView)
    table.selectAll()
    table.unfold()
    qtbot.waitUntil(lambda: not table.pending, timeout=20_000)
    rows = "\n".join(f"{n}\trow {n}" for n in range(ROWS + 2 * SLICE))
    assert table.createMimeDataFromSelection().text() == f"n\tname\n{rows}"


def test_an_unfolded_table_is_copied_without_gaps(body: ReplyBody, qtbot) -> None:
    table = unfolded(body, qtbot)
    cursor = table.textCursor()
    cursor.setPosition(table.document().find("row 197").selectionStart())
    found = table.document().find("row 201")
    cursor.setPosition(found.selectionEnd(), cursor.MoveMode.KeepAnchor)
    table.setTextCursor(cursor)
    # Qt takes both of the tables that lie below each other.
    copied = table.createMimeDataFromSelection().text().split("\n")
    assert copied == ["n", "name", *(text for n in range(224) for text in (str(n), f"row {n}"))]


def reply(kind: str) -> str:
    rng = random.Random(7)
    if kind == "paragraphs":
        return "".join(rng.choice(WORDS) + ("\n\n" if rng.random() < 0.02 else " ") for _ in range(5000))
    if kind == "one paragraph":
        return "".join(rng.choice(WORDS) + " " for _ in range(5000))
    if kind == "list":
        return "".join(
            ("- " if i % 12 == 0 else "") + WORDS[i % 13] + " \n"[i % 12 == 11] for i in range(5000)
        )
    if kind == "table":
        return "| a | b |\n|---|---|\n" + "".join(
            ("| " if i % 4 == 0 else "")
            + WORDS[i % 13]
            + (" |\n" if i % 4 == 3 else " | " if i % 4 == 1 else " ")
            for i in range(5000)
        )
    lines = ("x = 1", "if x:", "    f('a')", "def g():", "    return x")
    return "```python\n" + "".join(lines[i % 5] + "\n" for i in range(1000)) + "```\n"


@pytest.mark.parametrize("kind", ["paragraphs", "one paragraph", "list", "code", "table"])
def test_cost_of_a_flush_does_not_grow(kind: str, qtbot, qapp) -> None:
    """5,000 tokens, four a flush, drawn in a window: the last fifth costs what the second cost."""
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    holder = QWidget()
    layout = QVBoxLayout(holder)
    body = ReplyBody()
    layout.addWidget(body)
    layout.addStretch()
    area.setWidget(holder)
    area.resize(760, 800)
    area.show()
    source = reply(kind)
    step = max(len(source) // 1250, 1)
    costs = []
    for i in range(0, len(source), step):
        started = time.process_time()
        body.feed(source[i : i + step])
        qapp.processEvents()
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
        qapp.processEvents()
        costs.append(time.process_time() - started)
    fifth = len(costs) // 5
    early, late = median(costs[fifth : 2 * fifth]), median(costs[-fifth:])
    assert late < 1.6 * early + 0.0005, f"{1000 * early:.2f} ms, later {1000 * late:.2f} ms"
    assert body.renders < 2.2 * len(costs)
