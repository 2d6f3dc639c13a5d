"""Every text of the program has a translation that says the same, and the compiled file is current."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import translations
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QLabel

from app.core.wording import say
from app.ui import language
from app.ui.chat import reply_words
from app.ui.dialogs.settings_dialog import SettingsDialog
from app.ui.dialogs.values import SettingsValues
from app.ui.stats import numbers

FILES = sorted(translations.FOLDER.glob("*.ts"))


@pytest.fixture(scope="module")
def texts() -> set[translations.Text]:
    return translations.texts_of_program()


def test_there_is_a_file_for_every_language_that_can_be_chosen() -> None:
    assert {path.stem.removeprefix("slipstream_") for path in FILES} == set(language.NAMES) - {"en"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_text_is_translated(path: Path, texts: set[translations.Text]) -> None:
    """`python packaging/translations.py` says what to do."""
    catalogue = translations.Catalogue.read(path)
    assert sorted(texts - catalogue.texts.keys()) == [], "run packaging/translations.py"
    assert sorted(catalogue.texts.keys() - texts) == [], "run packaging/translations.py"
    assert catalogue.missing() == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_translation_has_the_places_of_its_text(path: Path) -> None:
    assert translations.Catalogue.read(path).wrong() == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_compiled_file_says_what_the_source_says(path: Path) -> None:
    translator = QTranslator()
    assert translator.load(str(path.with_suffix(".qm")))
    for text, translation in translations.Catalogue.read(path).texts.items():
        found = translator.translate(text.context, text.source)
        assert (found or text.source) == translation, "run packaging/translations.py"


def test_a_program_and_its_catalogue(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "one.py").write_text(
        textwrap.dedent("""
        def tr(text):
            return QCoreApplication.translate("Words", text)

        class Window(QWidget):
            def build(self):
                self.setWindowTitle(self.tr("Title {n}").format(n=tr("inside")))
        """)
    )
    (folder / "two.py").write_text(
        "from app.core.wording import say\nfrom app.one import tr as _\n_('outside')\nsay('At {x}', x=1)\n"
    )
    texts = translations.texts_of_program(folder)
    assert {(t.context, t.source) for t in texts} == {
        ("Window", "Title {n}"),
        ("Words", "inside"),
        ("Words", "outside"),
        ("Said", "At {x}"),
    }
    path = tmp_path / "slipstream_xx.ts"
    catalogue = translations.Catalogue("xx", {translations.Text("Words", "gone"): "weg"})
    catalogue.update(texts)
    catalogue.texts[translations.Text("Window", "Title {n}")] = "Titel {m}"
    catalogue.write(path)
    again = translations.Catalogue.read(path)
    assert again == catalogue
    assert [t.source for t in again.wrong()] == ["Title {n}"]
    assert len(again.missing()) == 3


@pytest.mark.parametrize("line", ["self.tr(f'{n} tokens')", "self.tr(name)", "other.tr('x')"])
def test_what_cannot_be_extracted_is_refused(tmp_path: Path, line: str) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "one.py").write_text(f"class A(QObject):\n    def f(self):\n        {line}\n")
    with pytest.raises(ValueError, match=r"one\.py: line 3"):
        translations.texts_of_program(folder)


def test_a_chosen_language_is_spoken_and_taken_back() -> None:
    assert language.install("de") == "de"
    dialog = SettingsDialog(SettingsValues())
    assert dialog.windowTitle() == "Einstellungen"
    assert QLocale().decimalPoint() == ","
    assert reply_words.spent(0.8) == "0,8 s"
    assert numbers.grouped(1500) == "1.500"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"  # Qt's own dialogs
    dialog.deleteLater()
    assert language.install("en") == "en"
    assert QLabel().tr("Settings") == "Settings"
    assert QCoreApplication.translate("SettingsDialog", "Settings") == "Settings"


def test_the_systems_language_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    class System:
        @staticmethod
        def uiLanguages() -> list[str]:
            return ["fr-FR", "de-AT", "en-US"]

    monkeypatch.setattr(language.QLocale, "system", staticmethod(System))
    assert language.resolve("system") == "de"
    assert language.resolve("en") == "en"
    assert language.resolve("klingon") == "de"


def test_a_sentence_of_the_engine_is_translated_with_its_values() -> None:
    inner = say("Close other programs.")
    sentence = say("{what} is missing. {then}", what="a.gguf", then=inner)
    assert sentence == "a.gguf is missing. Close other programs."
    assert language.translated(sentence) == sentence
    assert language.translated("plain {text}") == "plain {text}"


def test_words_shown_in_another_language_are_stored_as_before(qtbot) -> None:
    language.install("de")
    dialog = SettingsDialog(SettingsValues())
    qtbot.addWidget(dialog)
    layers = dialog.pair_page.fields["n_gpu_layers"]
    assert layers.control.currentText() == "alle"
    assert layers.text() == "all"
    layers.control.setEditText("12")
    assert dialog.values().pair.n_gpu_layers == 12
