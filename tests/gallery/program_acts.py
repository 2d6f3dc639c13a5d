"""States of what belongs to the whole program: first start, palette, prompt, templates, menu bar."""

from __future__ import annotations

from app.core.templates import CHOICE, EDITED, SWITCH, TemplateVariable
from app.ui.dialogs.settings_dialog import TEMPLATE
from app.ui.first_run import PAIR, QUESTION, WELCOME
from tests.gallery.stage import Stage

SOURCE = """\
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and not enable_thinking %}
    {{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}
"""


def first_step(stage: Stage) -> None:
    _welcome(stage, WELCOME)


def second_step(stage: Stage) -> None:
    _welcome(stage, PAIR)


def third_step(stage: Stage) -> None:
    _welcome(stage, QUESTION)


def without_model(stage: Stage) -> None:
    stage.window.welcome()
    stage.open(wait=False)
    stage.window.first_run.view.show_step(PAIR)


def palette(stage: Stage) -> None:
    stage.window.open_palette()


def palette_typed(stage: Stage) -> None:
    stage.window.open_palette().field.setText("show")


def palette_nothing(stage: Stage) -> None:
    stage.window.open_palette().field.setText("xyzzy")


def prompt(stage: Stage) -> None:
    dialog = stage.window.dialogs.prompt()
    stage.wait(lambda: dialog.copy_button.isEnabled())


def template(stage: Stage) -> None:
    stage.script.variables = (
        TemplateVariable("enable_thinking", SWITCH),
        TemplateVariable("reasoning_effort", CHOICE, ("low", "medium", "high")),
    )
    dialog = stage.window.open_settings()
    dialog.show_page(TEMPLATE)
    stage.wait(lambda: "enable_thinking" in dialog.template_page.fields)


def template_wrong(stage: Stage) -> None:
    stage.script.variables = ()
    dialog = stage.window.open_settings()
    dialog.show_page(TEMPLATE)
    page = dialog.template_page
    page.fields["template"].set_text(EDITED)
    page.fields["template"].finished.emit()
    page.editor.setPlainText(SOURCE + "broken")
    stage.wait(lambda: "cannot be used" in page.state.text())
    dialog.save()


def menu_bar(stage: Stage) -> None:
    if not stage.window.menus.bar.isVisible():
        stage.window.menus.toggle()


def _welcome(stage: Stage, step: int) -> None:
    stage.window.welcome()
    stage.open()
    stage.wait(lambda: stage.controller.pair is not None)
    stage.window.first_run.view.show_step(step)
