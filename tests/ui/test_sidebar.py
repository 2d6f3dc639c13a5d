"""Conversations by keyboard: find, open, rename, delete, undo."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLineEdit

from app.core.conversation import ConversationSummary
from app.core.search import SearchHit
from app.ui.sidebar.conversation_delegate import pieces_of
from app.ui.sidebar.conversation_model import MIME, HeadingRole, SnippetRole
from app.ui.sidebar.sections import Calendar
from app.ui.sidebar.sidebar import Sidebar

DAY = 86400.0


def summaries() -> list[ConversationSummary]:
    now = time.time()
    noon_yesterday = (datetime.now() - timedelta(days=1)).replace(hour=12).timestamp()
    return [
        ConversationSummary("a", "Reading CSV", updated_at=now),
        ConversationSummary("b", "Heat pumps", updated_at=now - 1),
        ConversationSummary("c", "A lighthouse story", updated_at=noon_yesterday),
        ConversationSummary("d", "Regex for dates", updated_at=now - 5 * DAY),
    ]


@pytest.fixture
def sidebar(qtbot, settle):
    sidebar = Sidebar()
    qtbot.addWidget(sidebar)
    sidebar.set_conversations(summaries())
    sidebar.resize(240, 500)
    sidebar.show()
    sidebar.activateWindow()
    settle()
    return sidebar


def lines(sidebar: Sidebar) -> list[str]:
    model = sidebar.list.conversation_model
    return [str(model.index(i).data()) for i in range(model.rowCount())]


def at(*when: int) -> float:
    return datetime(*when).timestamp()


def test_groups_follow_the_calendar() -> None:
    calendar = Calendar(at(2026, 3, 29, 0, 30))
    sections = [
        calendar.section(at(*when))
        for when in (
            (2026, 3, 29, 0, 1),
            (2026, 3, 28, 23, 59),
            (2026, 3, 28, 0, 0),
            (2026, 3, 27, 23, 59),
            (2026, 3, 22, 0, 0),
            (2026, 3, 21, 23, 59),
            (2026, 2, 27, 0, 0),
            (2026, 2, 26, 23, 59),
            (2026, 1, 1, 0, 0),
            (2025, 12, 31, 23, 59),
        )
    ]
    assert sections == [
        *("Today", "Yesterday", "Yesterday", "Last 7 days", "Last 7 days"),
        *("Last 30 days", "Last 30 days", "February", "January", "December 2025"),
    ]
    assert calendar.section(at(2026, 4, 2)) == "Today", "a clock that was wrong"
    assert calendar.section(-1e18) == "Long ago"
    assert (calendar.short(at(2026, 3, 29)), calendar.short(at(2026, 3, 28))) == ("Today", "Yesterday")


def test_grouped_by_day_with_pins_first(sidebar: Sidebar) -> None:
    assert lines(sidebar) == [
        "Today",
        "Reading CSV",
        "Heat pumps",
        "Yesterday",
        "A lighthouse story",
        "Last 7 days",
        "Regex for dates",
    ]
    items = summaries()
    items[3].pin, items[1].pin = 1.0, 2.0
    sidebar.set_conversations(items)
    assert lines(sidebar)[:4] == ["Pinned", "Regex for dates", "Heat pumps", "Today"]
    assert "Last 7 days" not in lines(sidebar)
    index = sidebar.list.conversation_model.index_of("d")
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Regex for dates, pinned"


def test_search_filters_titles_at_once_and_messages_a_moment_later(sidebar: Sidebar, qtbot) -> None:
    with qtbot.waitSignal(sidebar.search_requested) as asked:
        QTest.keyClicks(sidebar.search, "HÉAT pum")
        assert lines(sidebar) == ["Heat pumps"]
    assert asked.args == ["HÉAT pum"]
    hit = SearchHit("d", "m7", "about heat pumps and more", ((6, 10), (11, 15)))
    sidebar.set_hits("something else", [hit])
    assert lines(sidebar) == ["Heat pumps"], "the answer to an earlier question"
    sidebar.set_hits("HÉAT pum", [hit])
    assert lines(sidebar) == ["Heat pumps", "Regex for dates"]
    index = sidebar.list.conversation_model.index_of("d")
    assert index.data(SnippetRole) == hit.snippet
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"Regex for dates: {hit.snippet}"
    with qtbot.waitSignal(sidebar.opened) as opened:
        sidebar.list.clicked.emit(index)
    assert opened.args == ["d", "m7"]


def test_nothing_found_is_said_when_it_is_known(sidebar: Sidebar, qtbot) -> None:
    QTest.keyClicks(sidebar.search, "zz")
    assert lines(sidebar) == []
    assert sidebar.empty_text == "", "not asked yet"
    sidebar.set_hits("zz", [])
    assert sidebar.empty_text.startswith("No title and no message holds “zz”.")
    QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert len(lines(sidebar)) == 7
    assert sidebar.empty_text == ""
    QTest.keyClicks(sidebar.search, "regex")
    with qtbot.waitSignal(sidebar.opened) as opened:
        QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    assert opened.args == ["d", ""]
    assert sidebar.list.hasFocus()


def test_a_list_that_changes_is_searched_again(sidebar: Sidebar, qtbot) -> None:
    with qtbot.waitSignal(sidebar.search_requested):
        QTest.keyClicks(sidebar.search, "new")
    with qtbot.waitSignal(sidebar.search_requested) as asked:
        sidebar.set_conversations([*summaries(), ConversationSummary("e", "News", updated_at=1.0)])
    assert asked.args == ["new"]


def test_the_match_is_in_view_however_late_it_comes() -> None:
    text = "…one two three four five needle six"
    at = text.index("needle")
    assert pieces_of(text, [(at, at + 6)]) == [("…five ", False), ("needle", True), (" six", False)]
    assert pieces_of("needle", [(0, 6)]) == [("needle", True)]
    assert pieces_of("plain", ()) == [("plain", False)]
    assert pieces_of("x" * 50 + "needle", [(50, 56)]) == [("…", False), ("needle", True)]


def tagged() -> list[ConversationSummary]:
    items = summaries()
    items[0].tags, items[2].tags = ("code", "R&D"), ("code",)
    return items


def test_only_conversations_with_a_tag(sidebar: Sidebar, qtbot) -> None:
    assert sidebar.tags.isHidden()
    sidebar.set_conversations(tagged())
    sidebar.set_tags({"code": 2, "R&D": 1})
    assert sidebar.tags.isVisible()
    menu = sidebar.tags.menu_now()
    assert [a.text() for a in menu.actions() if not a.isSeparator()] == ["All tags", "code (2)", "R&&D (1)"]
    menu.actions()[3].trigger()
    assert lines(sidebar) == ["Today", "Reading CSV"]
    assert sidebar.tags.text() == "R&&D"
    assert sidebar.tags.accessibleName() == "Tag: R&D"
    QTest.keyClicks(sidebar.search, "heat")
    sidebar.set_hits("heat", [])
    assert sidebar.empty_text == "No title and no message tagged “R&D” holds “heat”."
    sidebar.search.clear()
    menu = sidebar.tags.menu_now()
    with qtbot.waitSignal(sidebar.tags.removed) as removed:
        menu.actions()[-1].trigger()
    assert removed.args == ["R&D"]
    sidebar.set_tags({"code": 2})
    assert sidebar.tags.tag == "", "a tag that is gone hides nothing"
    assert len(lines(sidebar)) == 7


def test_a_tag_is_renamed(sidebar: Sidebar, qtbot) -> None:
    sidebar.set_conversations(tagged())
    sidebar.set_tags({"code": 2})
    sidebar.tags.choose("code")
    sidebar.tags.menu_now().actions()[-2].trigger()
    (dialog,) = sidebar.findChildren(QInputDialog)
    assert dialog.textValue() == "code"
    dialog.setTextValue("Code review")
    with qtbot.waitSignal(sidebar.tags.renamed) as renamed:
        dialog.accept()
    assert renamed.args == ["code", "Code review"]


def pins(sidebar: Sidebar) -> None:
    items = summaries()
    for place, item in enumerate(items[:3]):
        item.pin = float(place)
    sidebar.set_conversations(items)


def drop(sidebar: Sidebar, conversation_id: str, target: str, below: bool) -> bool:
    """Drop a conversation on the upper or lower half of another; whether it was taken."""
    view, model = sidebar.list, sidebar.list.conversation_model
    rect = view.visualRect(model.index_of(target))
    where = rect.center() + QPoint(0, 8 if below else -8)
    data = model.mimeData([model.index_of(conversation_id)])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(where, Qt.DropAction.MoveAction, data, buttons, keys)
    move = QDragMoveEvent(where, Qt.DropAction.MoveAction, data, buttons, keys)
    view.dragEnterEvent(enter)
    view.dragMoveEvent(move)
    view.dropEvent(QDropEvent(where.toPointF(), Qt.DropAction.MoveAction, data, buttons, keys))
    return move.isAccepted()


@pytest.mark.parametrize(
    ("moved", "target", "below", "place"),
    [
        ("a", "c", True, 2),
        ("a", "b", True, 1),
        ("a", "b", False, 0),
        ("c", "a", False, 0),
        ("c", "a", True, 1),
        ("b", "c", True, 2),
        ("d", "a", True, 1),
        ("d", "c", True, 3),
    ],
)
def test_pins_are_put_in_order_by_dragging(
    sidebar: Sidebar, qtbot, moved: str, target: str, below: bool, place: int
) -> None:
    pins(sidebar)
    with qtbot.waitSignal(sidebar.list.pin_requested) as asked:
        drop(sidebar, moved, target, below)
    assert asked.args == [moved, place]


def test_nothing_is_dropped_below_the_pins(sidebar: Sidebar) -> None:
    asked: list[tuple[object, ...]] = []
    sidebar.list.pin_requested.connect(lambda *args: asked.append(args))
    assert not drop(sidebar, "a", "b", True), "there are no pins"
    pins(sidebar)
    assert not drop(sidebar, "a", "d", False)
    assert asked == []
    assert sidebar.list.conversation_model.mimeTypes() == [MIME]
    assert sidebar.list.conversation_model.flags(sidebar.list.conversation_model.index_of("a")) & (
        Qt.ItemFlag.ItemIsDragEnabled
    )


def test_pins_are_put_in_order_by_key(sidebar: Sidebar, qtbot) -> None:
    pins(sidebar)
    sidebar.set_open("a")
    sidebar.list.setFocus()
    alt = Qt.KeyboardModifier.AltModifier
    with qtbot.waitSignal(sidebar.list.pin_requested) as asked:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Down, alt)
    assert asked.args == ["a", 1]
    asked_more: list[tuple[object, ...]] = []
    sidebar.list.pin_requested.connect(lambda *args: asked_more.append(args))
    QTest.keyClick(sidebar.list, Qt.Key.Key_Up, alt)
    sidebar.set_open("d")
    QTest.keyClick(sidebar.list, Qt.Key.Key_Up, alt)
    assert asked_more == [], "it is the first already; it is not pinned"


def test_arrows_skip_headings_and_return_opens(sidebar: Sidebar, qtbot) -> None:
    sidebar.search.setFocus()
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    visited = [sidebar.list.current_id]
    for _ in range(4):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Down)
        assert not sidebar.list.currentIndex().data(HeadingRole)
        visited.append(sidebar.list.current_id)
    assert visited == ["a", "b", "c", "d", "d"]
    QTest.keyClick(sidebar.list, Qt.Key.Key_Up)
    with qtbot.waitSignal(sidebar.opened) as opened:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert opened.args == ["c", ""]
    for _ in range(3):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Up)
    assert sidebar.search.hasFocus()


def editor(sidebar: Sidebar) -> QLineEdit:
    return sidebar.list.viewport().findChild(QLineEdit)


def test_rename_in_place(sidebar: Sidebar, qtbot, settle) -> None:
    sidebar.set_open("b")
    sidebar.list.setFocus()
    QTest.keyClick(sidebar.list, Qt.Key.Key_F2)
    field = editor(sidebar)
    assert field.text() == "Heat pumps"
    field.selectAll()
    QTest.keyClicks(field, "Cold pumps")
    # A change of the list in the meantime does not take the editor away.
    sidebar.set_conversations(summaries()[:3])
    assert editor(sidebar) is field
    assert field.text() == "Cold pumps"
    with qtbot.waitSignal(sidebar.renamed) as renamed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == ["b", "Cold pumps"]
    settle()
    assert "Regex for dates" not in lines(sidebar)
    assert sidebar.list.hasFocus()


def test_escape_keeps_the_title(sidebar: Sidebar, settle) -> None:
    renamed = []
    sidebar.renamed.connect(lambda *args: renamed.append(args))
    sidebar.set_open("b")
    sidebar.rename_current()
    QTest.keyClicks(editor(sidebar), "zzz")
    QTest.keyClick(editor(sidebar), Qt.Key.Key_Escape)
    settle()
    assert renamed == []


def test_delete_and_undo_by_key(sidebar: Sidebar, qtbot) -> None:
    sidebar.delete_requested.connect(
        lambda gone: sidebar.set_conversations([s for s in summaries() if s.id != gone])
    )
    sidebar.set_open("b")
    sidebar.list.setFocus()
    with qtbot.waitSignal(sidebar.delete_requested) as deleted:
        QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert deleted.args == ["b"]
    assert sidebar.list.current_id == "c"
    with qtbot.waitSignal(sidebar.undo_requested):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


def test_click_opens_and_menu_offers_all(sidebar: Sidebar, qtbot) -> None:
    index = sidebar.list.conversation_model.index_of("c")
    with qtbot.waitSignal(sidebar.opened) as opened:
        where = sidebar.list.visualRect(index).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert opened.args == ["c", ""]
    sidebar.set_conversations(tagged())
    menu = sidebar.list.menu_for("c")
    texts = [a.text() for a in menu.actions() if not a.isSeparator()]
    assert texts == ["Rename", "Pin", "Tags", "Duplicate", "Export", "Delete"]
    wishes = {
        "delete_requested": (menu.delete, ["c"]),
        "pin_requested": (menu.pin, ["c", -1]),
        "duplicate_requested": (menu.duplicate, ["c"]),
        "new_tag_requested": (menu.new_tag, ["c"]),
        "tag_requested": (menu.tags.actions()[1], ["c", "R&D", True]),
        "export_requested": (menu.exports.actions()[1], ["c", "html"]),
    }
    assert [a.isChecked() for a in menu.tags.actions()[:2]] == [True, False]
    for name, (action, args) in wishes.items():
        with qtbot.waitSignal(getattr(sidebar.list, name)) as asked:
            action.trigger()
        assert asked.args == args
    menu.deleteLater()
    pins(sidebar)
    menu = sidebar.list.menu_for("c")
    assert menu.pin.text() == "Unpin"
    with qtbot.waitSignal(sidebar.list.unpin_requested):
        menu.pin.trigger()
    menu.deleteLater()


def test_says_what_it_is_for_when_empty(sidebar: Sidebar) -> None:
    sidebar.set_conversations([])
    assert sidebar.empty_text == "Your conversations will be listed here."


def test_screen_readers_hear_who_is_answering(sidebar: Sidebar) -> None:
    sidebar.set_answering("b")
    index = sidebar.list.conversation_model.index_of("b")
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Heat pumps, answering"


@pytest.mark.benchmark
def test_ten_thousand_conversations_are_shown_and_filtered_within_a_tenth_of_a_second(
    sidebar: Sidebar, settle
) -> None:
    now = time.time()
    many = [
        ConversationSummary(f"n{i}", f"Gespräch Nummer {i} über Wärme", updated_at=now - 3600.0 * i)
        for i in range(10_000)
    ]
    hits = [SearchHit(f"n{i}", "m", "found here", ((0, 5),)) for i in range(0, 2000, 10)]

    def took(work) -> float:
        began = time.perf_counter()
        work()
        settle()
        sidebar.grab()
        return time.perf_counter() - began

    def show() -> None:
        many.reverse()
        sidebar.set_conversations(many)

    def find(text: str) -> None:
        sidebar.search.setText(text)
        sidebar.set_hits(text, hits)

    assert min(took(show) for _ in range(4)) < 0.1
    assert len(sidebar.list.conversation_model.ids()) == 10_000
    assert min(took(lambda text=text: find(text)) for text in ("nummer", "warme", "nummer 77")) < 0.1
    assert min(took(lambda text=text: find(text)) for text in ("nothing", "at all", "of it")) < 0.1
    assert min(took(lambda: sidebar.search.clear()) for _ in range(2)) < 0.1
