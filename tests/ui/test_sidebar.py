"""Conversations by keyboard: find, open, rename, delete, undo."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.core.conversation import ConversationSummary
from app.ui.sidebar.conversation_model import EARLIER, TODAY, YESTERDAY, HeadingRole, group_of
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


def test_groups_follow_the_calendar() -> None:
    now = datetime(2026, 3, 29, 0, 30).timestamp()
    assert group_of(datetime(2026, 3, 29, 0, 1).timestamp(), now) == TODAY
    assert group_of(datetime(2026, 3, 28, 23, 59).timestamp(), now) == YESTERDAY
    assert group_of(datetime(2026, 3, 28, 0, 0).timestamp(), now) == YESTERDAY
    assert group_of(datetime(2026, 3, 27, 23, 59).timestamp(), now) == EARLIER


def test_grouped_by_day(sidebar: Sidebar) -> None:
    assert lines(sidebar) == [
        "Today",
        "Reading CSV",
        "Heat pumps",
        "Yesterday",
        "A lighthouse story",
        "Earlier",
        "Regex for dates",
    ]


def test_search_filters_titles(sidebar: Sidebar, qtbot) -> None:
    QTest.keyClicks(sidebar.search, "HEAT")
    assert lines(sidebar) == ["Today", "Heat pumps"]
    QTest.keyClicks(sidebar.search, "zz")
    assert lines(sidebar) == []
    assert sidebar.empty_text == "No title contains “HEATzz”."
    QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert len(lines(sidebar)) == 7
    assert sidebar.empty_text == ""
    QTest.keyClicks(sidebar.search, "regex")
    with qtbot.waitSignal(sidebar.opened) as opened:
        QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    assert opened.args == ["d"]
    assert sidebar.list.hasFocus()


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
    assert opened.args == ["c"]
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
    assert opened.args == ["c"]
    menu = sidebar.list.menu_for("c")
    assert [a.text() for a in menu.actions()] == ["Rename", "Delete"]
    with qtbot.waitSignal(sidebar.delete_requested) as deleted:
        menu.actions()[1].trigger()
    assert deleted.args == ["c"]
    menu.deleteLater()


def test_says_what_it_is_for_when_empty(sidebar: Sidebar) -> None:
    sidebar.set_conversations([])
    assert sidebar.empty_text == "Your conversations will be listed here."


def test_screen_readers_hear_who_is_answering(sidebar: Sidebar) -> None:
    sidebar.set_answering("b")
    index = sidebar.list.conversation_model.index_of("b")
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Heat pumps, answering"
