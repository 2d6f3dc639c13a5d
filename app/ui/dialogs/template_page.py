"""Which chat template the pair uses, the template's own settings, and an editor for one's own."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from app.core.events import Problem
from app.core.templates import (
    CHOICE,
    EDITED,
    FROM_FILE,
    NAMED,
    SWITCH,
    PromptPreview,
    TemplateChoice,
    TemplateVariable,
)
from app.ui import theme
from app.ui.dialogs.field import ChoiceField, Field
from app.ui.dialogs.page import Page
from app.ui.icons import TextButton
from app.ui.language import translated
from app.ui.theme import Theme, set_look

_CHECK_MS = 400
_DEFAULT = ""
_ON, _OFF = "on", "off"


class TemplatePage(Page):
    """`check_requested(TemplateChoice)` asks what a choice makes; the answer comes by `set_result`.

    `preview_requested` asks to show the whole prompt.
    """

    check_requested = Signal(object)
    preview_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.set_title(self.tr("Template"))
        self.add_text(
            self.tr(
                "How a conversation becomes the prompt. A model answers well to the form it was trained on, "
                "which its file usually holds. Changes take effect with the next message."
            )
        )
        self.add_space()
        names = [(FROM_FILE, self.tr("the model's own")), *NAMED.items(), (EDITED, self.tr("edited"))]
        self._choice = ChoiceField(
            self.tr("Template"), self.tr("Another one, for a file with none or a wrong one."), names
        )
        self.add_field("template", self._choice)
        self._variables = QWidget()
        self._fields = QVBoxLayout(self._variables)
        self._fields.setContentsMargins(0, 0, 0, 0)
        self._fields.setSpacing(0)
        self.add_widget(self._variables)
        self.add_space()
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.add_widget(self.state)
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName(self.tr("Source of the template"))
        self.editor.setTabChangesFocus(True)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setMinimumHeight(140)
        self.editor.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.add_space()
        self.add_widget(self.editor, 1)
        self.add_space()
        self.preview_button = TextButton(self.tr("Show the prompt…"))
        self.preview_button.setAutoDefault(False)
        self.preview_button.clicked.connect(lambda: self.preview_requested.emit(self.value()))
        row = QWidget()
        buttons = QHBoxLayout(row)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.addWidget(self.preview_button)
        buttons.addStretch()
        self.add_widget(row)
        self._kept = TemplateChoice()
        self._known: tuple[TemplateVariable, ...] = ()
        self._edited_source = ""
        self._filling = False
        self._refused: TemplateChoice | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_CHECK_MS)
        self._timer.timeout.connect(self._check)
        self._choice.finished.connect(self._on_chosen)
        self.editor.textChanged.connect(self._on_typed)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    def set_choice(self, choice: TemplateChoice) -> None:
        self._kept = choice
        self._edited_source = choice.source
        self._choice.set_text(choice.name)
        self._show_source(choice.source)
        self._timer.start(0)

    def value(self) -> TemplateChoice:
        """As it stands now; variables that the template does not ask for are kept."""
        name = self._choice.text()
        variables = dict(self._kept.variables)
        for variable in self._known:
            variables.pop(variable.name, None)
            text = self.fields[variable.name].text().strip()
            if text != _DEFAULT:
                variables[variable.name] = text == _ON if variable.kind == SWITCH else text
        return TemplateChoice(name, self._edited_source, variables)

    def set_result(self, choice: TemplateChoice, result: PromptPreview | Problem) -> None:
        """What the engine made of `choice`; forgotten when something else was chosen since."""
        if replace(choice, variables={}) != replace(self.value(), variables={}):
            return
        if isinstance(result, Problem):
            known = result.code != "no-model"
            self._refused = choice if known and choice.name == EDITED else None
            words = " ".join(translated(part) for part in (result.what, result.why, result.remedy) if part)
            self._say(words, "error" if known else "muted")
            return
        self._refused = None
        self._say(translated(result.note), "muted")
        self._show_source(result.source)
        self._show_variables(result.variables)

    def check(self) -> dict[str, str]:
        """A template that the engine has refused is not saved."""
        refused = self._refused is not None and self._refused == self.value()
        return {"template": self.tr("This template cannot be used.")} if refused else {}

    def reset(self) -> None:
        self._show_variables(())
        self._kept = TemplateChoice()
        self._edited_source = ""
        self._choice.set_text(FROM_FILE)
        self._on_chosen()
        self.edited.emit()

    def _on_chosen(self) -> None:
        editable = self._choice.text() == EDITED
        if editable and not self._edited_source:
            self._edited_source = self.editor.toPlainText()
        self._refused = None
        self._show_source(self._edited_source if editable else "")
        self._timer.start(0)

    def _on_typed(self) -> None:
        if not self._filling:
            self._edited_source = self.editor.toPlainText()
            self._refused = None
            self.edited.emit()
            self._timer.start(_CHECK_MS)

    def _check(self) -> None:
        self.check_requested.emit(self.value())

    def _say(self, words: str, role: str) -> None:
        self.state.setText(words)
        self.state.setVisible(bool(words))
        set_look(self.state, "role", role)

    def _show_source(self, source: str) -> None:
        editable = self._choice.text() == EDITED
        self.editor.setReadOnly(not editable)
        self.editor.setPlaceholderText(
            self.tr("A Jinja template.") if editable else self.tr("Shown as soon as a model is loaded.")
        )
        if self.editor.toPlainText() != source and not (editable and source != self._edited_source):
            self._filling = True
            self.editor.setPlainText(source)
            self._filling = False

    def _show_variables(self, variables: tuple[TemplateVariable, ...]) -> None:
        if variables == self._known:
            return
        self._kept = self.value()
        for variable in self._known:
            field = self.fields.pop(variable.name)
            self._fields.removeWidget(field)
            field.deleteLater()
        self._known = variables
        for variable in variables:
            field = self._field_for(variable)
            value = self._kept.variables.get(variable.name, _DEFAULT)
            field.set_text((_ON if value else _OFF) if isinstance(value, bool) else value)
            self.fields[variable.name] = field
            field.edited.connect(self.edited)
            field.finished.connect(self._timer.start)
            self._fields.addWidget(field)

    def _field_for(self, variable: TemplateVariable) -> Field:
        """A variable's own name is what people look for; what it does, the template alone knows."""
        default = (_DEFAULT, self.tr("default"))
        about = self.tr("A setting of this template, which has a default of its own.")
        if variable.kind == SWITCH:
            return ChoiceField(variable.name, about, [default, (_ON, self.tr("on")), (_OFF, self.tr("off"))])
        if variable.kind == CHOICE:
            return ChoiceField(variable.name, about, [default, *((v, v) for v in variable.values)])
        return ChoiceField(variable.name, about, [default], editable=True)

    def _restyle(self) -> None:
        self.editor.setFont(Theme.current().font(theme.CODE))
