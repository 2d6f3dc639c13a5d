"""The two short pages: the system prompt, and how the window looks."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit

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


class AppearancePage(Page):
    """The theme shows at once; the dialog takes it back when it is cancelled."""

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
            "panel",
            SwitchField(
                self.tr("Show the live panel"), self.tr("Figures beside the conversation while it goes on.")
            ),
        )
        self.add_end()
        self.fields["theme"].finished.connect(self._preview)

    def set_settings(self, mode: str, panel_visible: bool) -> None:
        self.set_texts({"theme": mode, "panel": "on" if panel_visible else "off"})

    def value(self) -> tuple[str, bool]:
        """(theme, panel visible)."""
        return self.fields["theme"].text(), self.fields["panel"].text() == "on"

    def reset(self) -> None:
        self.set_settings("system", True)
        self._preview()
        self.edited.emit()

    def _preview(self) -> None:
        Theme.current().set_mode(self.fields["theme"].text())
