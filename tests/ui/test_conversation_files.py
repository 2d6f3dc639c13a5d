"""The sidebar in the window: search, tags, pins and copies carried out, files written and read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit

from app.core.conversation import USER, Conversation, ConversationSummary, Message
from app.core.settings import AppSettings, Pair
from app.ui.sidebar.conversation_files import file_name
from tests.fakes import MemoryStore
from tests.ui.window_rig import WindowRig, spin


@pytest.fixture
def rig(tmp_path: Path, qapp) -> Iterator[WindowRig]:
    (tmp_path / "alpha.gguf").write_text("target x x")
    store = MemoryStore(AppSettings(pair=Pair(str(tmp_path / "alpha.gguf"))))
    for number in (1, 2, 3):
        made = Conversation(ConversationSummary(f"c{number}", f"Chat {number}", number, number))
        made.add(Message(f"c{number}", USER, f"needle {number}", None, f"m{number}", number))
        store.put(made)
    rig = WindowRig(tmp_path, store)
    rig.ready()
    yield rig
    assert rig.close()


def shown(rig: WindowRig) -> list[str]:
    return rig.window.sidebar.list.conversation_model.ids()


def asked(rig: WindowRig) -> list[QFileDialog]:
    return [dialog for dialog in rig.window.findChildren(QFileDialog) if dialog.isVisible()]


def test_search_finds_messages_and_opens_the_one_found(rig: WindowRig) -> None:
    sidebar = rig.window.sidebar
    rig.window.actions_by_name["search"].trigger()
    assert sidebar.search.hasFocus()
    QTest.keyClicks(sidebar.search, "needle")
    assert spin(lambda: shown(rig) == ["c3", "c2", "c1"])
    QTest.keyClicks(sidebar.search, " 2")
    assert spin(lambda: shown(rig) == ["c2"])
    QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
    assert spin(lambda: rig.session.current is not None and rig.session.current.summary.id == "c2")
    QTest.keyClicks(sidebar.search, "zz")
    sidebar.search.setText("zzz")
    assert spin(lambda: "zzz" in sidebar.empty_text)


def test_wishes_of_the_list_are_carried_out(rig: WindowRig) -> None:
    view = rig.window.sidebar.list
    view.menu_for("c1").pin.trigger()
    assert shown(rig) == ["c1", "c3", "c2"]
    view.menu_for("c2").pin.trigger()
    view.pin_requested.emit("c2", 0)
    assert shown(rig) == ["c2", "c1", "c3"]
    view.menu_for("c2").pin.trigger()
    view.menu_for("c3").new_tag.trigger()
    (dialog,) = rig.window.findChildren(QInputDialog)
    dialog.setTextValue("Work")
    dialog.accept()
    assert rig.session.library.tags() == {"Work": 1}
    tags = rig.window.sidebar.tags
    assert tags.isVisible()
    tags.choose("Work")
    assert shown(rig) == ["c3"]
    tags.renamed.emit("Work", "Play")
    assert (tags.tag, shown(rig)) == ("Play", ["c3"])
    view.menu_for("c3").duplicate.trigger()
    assert spin(lambda: len(shown(rig)) == 2)
    assert sorted(s.title for s in rig.session.conversations if s.tags) == ["Chat 3", "Chat 3 (copy)"]


def test_export_and_import(rig: WindowRig, tmp_path: Path) -> None:
    files, strip = rig.window.sidebar_binder.files, rig.window.sidebar.notice
    dialog = files.export("c1", "md")
    assert isinstance(dialog, QFileDialog)
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    assert dialog.defaultSuffix() == "md"
    dialog.fileSelected.emit(str(tmp_path / "one.md"))
    dialog.reject()
    assert spin(lambda: strip.text == "Saved as one.md")
    assert "needle 1" in (tmp_path / "one.md").read_text("utf-8")
    dialog = files.export_all()
    dialog.fileSelected.emit(str(tmp_path / "all.json"))
    dialog.reject()
    assert spin(lambda: strip.text == "Saved as all.json")
    assert files.export("gone", "md") is None
    document = json.loads((tmp_path / "all.json").read_text("utf-8"))
    del document["conversations"][1]["title"]
    (tmp_path / "all.json").write_text(json.dumps(document))
    files.import_file(str(tmp_path / "all.json"))
    assert "Importing all.json" in strip.text
    assert spin(lambda: strip.text == "2 conversations were imported. 1 could not be read.")
    assert len(shown(rig)) == 5
    strip.button.click()
    assert "“title” is missing" in QGuiApplication.clipboard().text()
    (tmp_path / "bad.json").write_text("{}")
    files.import_file(str(tmp_path / "bad.json"))
    assert spin(lambda: strip.text.startswith("bad.json is not a file of conversations."))
    assert strip.isVisible()
    assert not strip.button.isVisible()


def test_commands_for_the_conversation_on_screen(rig: WindowRig, tmp_path: Path) -> None:
    rig.window.actions_by_name["pin"].trigger()
    rig.window.actions_by_name["export"].trigger()
    assert asked(rig) == [], "a new one is neither pinned nor exported"
    rig.session.open("c2")
    assert spin(lambda: rig.session.current is not None and rig.session.current.summary.id == "c2")
    rig.window.actions_by_name["pin"].trigger()
    assert shown(rig)[0] == "c2"
    rig.window.actions_by_name["pin"].trigger()
    assert shown(rig)[0] == "c3"
    rig.window.actions_by_name["export"].trigger()
    (dialog,) = asked(rig)
    everything = dialog.nameFilters()[-1]
    assert dialog.defaultSuffix() == "md"
    dialog.filterSelected.emit(everything)
    assert dialog.defaultSuffix() == "json"
    dialog.reject()
    rig.settle()
    rig.session.library.set_tag("c1", "Work", True)
    rig.window.sidebar.tags.choose("Work")
    rig.window.sidebar.search.setText("chat")
    rig.window.actions_by_name["rename"].trigger()
    assert len(shown(rig)) == 3, "what is renamed has to be in view"
    QTest.keyClick(rig.window.sidebar.list.viewport().findChild(QLineEdit), Qt.Key.Key_Escape)
    rig.window.actions_by_name["import"].trigger()
    (dialog,) = asked(rig)
    assert dialog.fileMode() == QFileDialog.FileMode.ExistingFile
    dialog.reject()
    rig.settle()


def test_titles_as_file_names() -> None:
    assert file_name('a/b\\c: "d" <e>|?*\n') == "a b c d e"
    assert file_name("...") == "Conversation"
    assert file_name("Über été 語.") == "Über été 語"
    assert len(file_name("x" * 500)) == 80
