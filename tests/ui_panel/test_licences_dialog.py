"""The licences of everything inside: listed, shown, and reached from About where a bundle has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core import licences
from app.ui.dialogs import about_dialog
from app.ui.dialogs.about_dialog import AboutDialog
from app.ui.dialogs.licences_dialog import LicencesDialog


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Qt").mkdir()
    (tmp_path / "Qt" / "LGPL.txt").write_text("Lesser licence", encoding="utf-8")
    (tmp_path / "Qt" / "GPL.txt").write_text("Greater licence", encoding="utf-8")
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "LICENSE.txt").write_text("Of numpy", encoding="utf-8")
    parts = [
        licences.Part("Qt", "6.11", "LGPL-3.0-only", ("Qt/LGPL.txt", "Qt/GPL.txt")),
        licences.Part("numpy", "2.4", "BSD-3-Clause", ("numpy/LICENSE.txt",)),
    ]
    licences.write(tmp_path, parts)
    return tmp_path


def test_every_part_is_listed_with_its_text(qtbot: QtBot, folder: Path) -> None:
    dialog = LicencesDialog(folder)
    qtbot.addWidget(dialog)
    assert [dialog.list.item(i).text() for i in range(dialog.list.count())] == ["numpy 2.4", "Qt 6.11"]
    assert dialog.summary.text() == "BSD-3-Clause"
    assert dialog.text.toPlainText() == "Of numpy"
    dialog.list.setCurrentRow(1)
    assert dialog.summary.text() == "LGPL-3.0-only"
    assert dialog.text.toPlainText() == "Lesser licence\n\n\nGreater licence"
    assert dialog.text.isReadOnly()
    assert dialog.list.accessibleName()
    assert dialog.text.accessibleName()


@pytest.mark.parametrize("damage", ["[", '[{"name": "x"}]', ""])
def test_a_damaged_list_is_said(qtbot: QtBot, folder: Path, damage: str) -> None:
    (folder / "index.json").write_text(damage, encoding="utf-8")
    dialog = LicencesDialog(folder)
    qtbot.addWidget(dialog)
    assert dialog.list.count() == 0
    assert dialog.summary.text().startswith("The list of licences cannot be read: ")


def test_about_leads_there(qtbot: QtBot, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(about_dialog.licences, "licences_dir", lambda: folder)
    about = AboutDialog()
    qtbot.addWidget(about)
    about.licences_button.click()
    (opened,) = about.findChildren(LicencesDialog)
    assert opened.isVisible()
    opened.close_button.click()
    assert not opened.isVisible()


def test_about_of_a_source_tree_has_none(qtbot: QtBot) -> None:
    about = AboutDialog()
    qtbot.addWidget(about)
    assert licences.licences_dir() is None
    assert not hasattr(about, "licences_button")
