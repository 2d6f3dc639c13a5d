"""The language of the window: English in the source, other languages from `resources/translations`.

How to write a text that the user sees:

- In a QObject or widget: `self.tr("Save")`. Elsewhere: `QCoreApplication.translate("Context", "Save")`, or a
  function `tr(text)` of the module that does just that. In layers without Qt: `app.core.wording.say`.
- One literal, with named places that are filled *after* translating: `self.tr("{n} tokens").format(n=n)`.
  Never an f-string, never a sentence put together from pieces; a text for one and a text for many
  (`tr("1 message") if n == 1 else tr("{n} messages").format(n=n)`).
- Not at import time and not in a default argument: the language is chosen when the window is built. A
  running window keeps its language until the next start.

Then run `python packaging/translations.py`: it takes new texts over into `resources/translations/*.ts` and
lists what has no translation yet. Write those into the .ts file and run it again, which compiles the .qm
file. A test fails while a text is untranslated, lacks one of its places, or the .qm file is old.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.core.locations import resources_dir
from app.core.wording import Said, filled

SYSTEM = "system"
SOURCE = "en"
# What each language calls itself.
NAMES = {"en": "English", "de": "Deutsch"}
SAID_CONTEXT = "Said"

_installed: list[QTranslator] = []
_code = SOURCE


def resolve(choice: str) -> str:
    """The code of a language that exists: the one chosen, or the first one that the user's system names."""
    if choice in NAMES:
        return choice
    for name in QLocale.system().uiLanguages():
        code = name.partition("-")[0]
        if code in NAMES:
            return code
    return SOURCE


def install(choice: str) -> str:
    """Speak this language (`system`, or a code of `NAMES`) from now on; returns the code.

    Numbers and dates follow. Windows that exist already keep their texts. A missing file leaves English.
    """
    global _code
    app = QCoreApplication.instance()
    if app is None:
        raise RuntimeError("A language needs a QApplication")
    while _installed:
        app.removeTranslator(_installed.pop())
    _code = resolve(choice)
    if choice in NAMES:
        # A region of the same language keeps its own ways with dates and numbers.
        system = QLocale.system()
        same = system.name().partition("_")[0] == _code
        QLocale.setDefault(system if same else QLocale(_code))
    else:
        QLocale.setDefault(QLocale.system())
    if _code != SOURCE:
        own = str(resources_dir() / "translations")
        qts = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for name, folder in ((f"qtbase_{_code}", qts), (f"slipstream_{_code}", own)):
            translator = QTranslator()
            if translator.load(name, folder):
                app.installTranslator(translator)
                _installed.append(translator)
    return _code


def code() -> str:
    """The language in use."""
    return _code


def translated(text: str) -> str:
    """A sentence of `core.wording.say` in the language of the window; any other text as it is."""
    if not isinstance(text, Said):
        return text
    values: dict[str, Any] = {
        name: translated(value) if isinstance(value, str) else value for name, value in text.values.items()
    }
    locale = QLocale()
    pattern = QCoreApplication.translate(SAID_CONTEXT, text.pattern)
    return filled(pattern, values, locale.decimalPoint(), locale.groupSeparator())
