"""The two short pages: the system prompt, and how the window looks."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QPlainTextEdit

from app.ui import language
from app.ui.dialogs.field import ChoiceField, SwitchField
from app.ui.dialogs.page import Page
from app.ui.theme import Theme


class SystemPromptPage(Page):
    """One text for all conversations."""

    def __init__(self) -> None:
        super().__init__()
        self.set_title(self.tr("System prompt"))
        self.add_text(
            self.tr("What the model is told before every conversation. Leave it empty to tell it nothing.")
        )
        self.edit = QPlainTextEdit()
        self.edit.setAccessibleName(self.title)
        self.edit.setTabChangesFocus(True)
        self.edit.setPlaceholderText(self.tr("For example: Answer briefly and show your sources."))
        self.edit.setMinimumHeight(160)
        self.add_space()
        self.add_widget(self.edit, 1)
        self.edit.textChanged.connect(self.edited)

    def set_prompt(self, text: str) -> None:
        self.edit.setPlainText(text)

    def value(self) -> str:
        return self.edit.toPlainText()

    def reset(self) -> None:
        self.edit.setPlainText("")


ZOOMS = tuple(percent / 100 for percent in range(80, 201, 10))


@dataclass(frozen=True, slots=True)
class Appearance:
    """What the page holds; the names are those of `SettingsValues`."""

    theme: str = "system"
    panel_visible: bool = True
    language: str = "system"
    zoom: float = 1.0
    notify: bool = True


class AppearancePage(Page):
    """Theme and text size show at once; the dialog takes them back when it is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.set_title(self.tr("Appearance"))
        self.add_text(self.tr("How the window looks."))
        self.add_space()
        self.add_field(
            "theme",
            ChoiceField(
                self.tr("Theme"),
                self.tr("Light, dark, or what the system uses."),
                [("system", self.tr("system")), ("light", self.tr("light")), ("dark", self.tr("dark"))],
            ),
        )
        self.add_field(
            "zoom",
            ChoiceField(
                self.tr("Text size"),
                self.tr("On top of the system's own size. Ctrl and plus or minus change it anywhere."),
                [(f"{zoom:.1f}", f"{zoom:.0%}".replace("%", " %")) for zoom in ZOOMS],
            ),
        )
        self.add_field(
            "language",
            ChoiceField(
                self.tr("Language"),
                self.tr("Takes effect when Slipstream is started again."),
                [(language.SYSTEM, self.tr("system")), *language.NAMES.items()],
            ),
        )
        self.add_field(
            "panel",
            SwitchField(
                self.tr("Show the live panel"), self.tr("Figures beside the conversation while it goes on.")
            ),
        )
        self.add_field(
            "notify",
            SwitchField(
                self.tr("Notify when a long reply ends"),
                self.tr("Only while the window is in the background, and after ten seconds or more."),
            ),
        )
        self.add_end()
        for name in ("theme", "zoom"):
            self.fields[name].finished.connect(self._preview)

    def set_settings(self, appearance: Appearance) -> None:
        nearest = min(ZOOMS, key=lambda zoom: abs(zoom - appearance.zoom))
        self.set_texts(
            {
                "theme": appearance.theme,
                "zoom": f"{nearest:.1f}",
                "language": appearance.language,
                "panel": "on" if appearance.panel_visible else "off",
                "notify": "on" if appearance.notify else "off",
            }
        )

    def value(self) -> Appearance:
        texts = self.texts()
        return Appearance(
            texts["theme"],
            texts["panel"] == "on",
            texts["language"],
            float(texts["zoom"]),
            texts["notify"] == "on",
        )

    def reset(self) -> None:
        self.set_settings(Appearance())
        self._preview()
        self.edited.emit()

    def _preview(self) -> None:
        shown = self.value()
        Theme.current().set_mode(shown.theme)
        Theme.current().set_zoom(shown.zoom)
