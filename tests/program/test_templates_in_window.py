"""Choosing, editing and looking at chat templates in the window, down to what the engine is told."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from app.core.pair_settings import PairSettings
from app.core.templates import CHOICE, EDITED, SWITCH, TEXT, TemplateChoice, TemplateVariable
from app.ui.dialogs.prompt_dialog import PromptDialog
from app.ui.dialogs.settings_dialog import TEMPLATE, SettingsDialog
from tests.ui.window_rig import WindowRig, spin

VARIABLES = (
    TemplateVariable("enable_thinking", SWITCH),
    TemplateVariable("reasoning_effort", CHOICE, ("low", "high")),
    TemplateVariable("thinking_budget", TEXT),
)


def settings(rig: WindowRig) -> SettingsDialog:
    rig.script.variables = VARIABLES
    dialog = rig.window.open_settings()
    dialog.show_page(TEMPLATE)
    assert spin(lambda: "enable_thinking" in dialog.template_page.fields)
    return dialog


def test_variables_of_the_template_are_settings_and_reach_the_engine(rig: WindowRig) -> None:
    dialog = settings(rig)
    fields = dialog.template_page.fields
    assert fields["enable_thinking"].text() == ""
    fields["enable_thinking"].set_text("off")
    fields["reasoning_effort"].set_text("high")
    fields["thinking_budget"].set_text("512")
    assert not dialog.needs_reload
    assert dialog.save()
    wanted = TemplateChoice(
        variables={"enable_thinking": False, "reasoning_effort": "high", "thinking_budget": "512"}
    )
    assert rig.state.choice().settings.template == wanted
    assert rig.engine.template == wanted
    # They come back, and can be left to the template again.
    rig.settle()
    dialog = settings(rig)
    fields = dialog.template_page.fields
    assert [fields[v.name].text() for v in VARIABLES] == ["off", "high", "512"]
    fields["enable_thinking"].set_text("")
    assert dialog.save()
    assert "enable_thinking" not in rig.state.choice().settings.template.variables


def test_a_named_template_belongs_to_the_pair_and_lasts(rig: WindowRig) -> None:
    dialog = settings(rig)
    dialog.template_page.fields["template"].set_text("mistral")
    assert dialog.save()
    assert rig.engine.template.name == "mistral"
    rig.restart()
    rig.ready()
    assert rig.state.choice().settings.template.name == "mistral"
    assert rig.engine.template.name == "mistral"


def test_a_template_can_be_edited_and_a_broken_one_is_not_saved(rig: WindowRig) -> None:
    dialog = settings(rig)
    page = dialog.template_page
    assert page.editor.isReadOnly()
    assert "messages" in page.editor.toPlainText()
    page.fields["template"].set_text(EDITED)
    page.fields["template"].finished.emit()
    assert not page.editor.isReadOnly()
    assert "messages" in page.editor.toPlainText()
    page.editor.setPlainText("this is broken")
    assert spin(lambda: "cannot be used" in page.state.text())
    assert not dialog.save()
    assert page.fields["template"].error
    page.editor.setPlainText("{{ messages[-1].content }}")
    assert spin(lambda: page.check() == {} and "cannot" not in page.state.text())
    assert dialog.save()
    assert rig.engine.template == TemplateChoice(EDITED, "{{ messages[-1].content }}")


def test_defaults_bring_the_models_own_template_back(rig: WindowRig) -> None:
    dialog = settings(rig)
    page = dialog.template_page
    page.fields["enable_thinking"].set_text("off")
    page.fields["template"].set_text("alpaca")
    dialog.reset_page()
    assert dialog.save()
    assert rig.state.choice().settings == PairSettings()


def test_the_prompt_shows_conversation_and_draft_with_its_tokens(rig: WindowRig) -> None:
    rig.session.send("First question")
    assert spin(lambda: rig.session.streaming is None)
    rig.window.chat.composer.field.setPlainText("What I am writing")
    rig.settle()
    rig.window.actions_by_name["prompt"].trigger()
    dialog = rig.window.findChild(PromptDialog)
    assert spin(lambda: dialog.copy_button.isEnabled())
    text = dialog.text.toPlainText()
    assert text.index("First question") < text.index("Speculation proposes") < text.index("What I am writing")
    assert text.endswith("<|im_start|>assistant\n")
    assert "tokens" in dialog.heading.text()
    assert dialog.legend.isVisible()
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == text
    dialog.close()


def test_without_a_conversation_an_example_stands_for_the_message(rig: WindowRig) -> None:
    dialog = rig.window.dialogs.prompt()
    assert spin(lambda: dialog.copy_button.isEnabled())
    assert "(your message)" in dialog.text.toPlainText()
    dialog.close()


def test_a_prompt_that_cannot_be_made_says_why(rig: WindowRig) -> None:
    dialog = rig.window.dialogs.prompt(TemplateChoice(EDITED, "broken"))
    assert spin(lambda: "cannot be used" in dialog.heading.text())
    assert not dialog.copy_button.isEnabled()
    dialog.close()
