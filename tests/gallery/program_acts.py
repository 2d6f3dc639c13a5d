"""States of what belongs to the whole program: first start, palette, prompt, templates, menu bar."""

from __future__ import annotations

from app.core import licences as parts
from app.core.templates import CHOICE, EDITED, SWITCH, TemplateVariable
from app.ui.dialogs.licences_dialog import LicencesDialog
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


PARTS = (
    ("Jinja2", "3.1.6", "BSD-3-Clause"),
    ("llama-cpp-python", "0.3.36", "MIT"),
    ("llama.cpp", "", "MIT"),
    ("markdown-it-py", "4.0.0", "MIT"),
    ("PySide6", "6.11.0", "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only OR LicenseRef-Qt-Commercial"),
    ("Python", "3.11.7", "PSF-2.0"),
)
LICENCE = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software, to use it.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND.
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


def licences(stage: Stage) -> None:
    folder = stage.models.parent / "licences"
    folder.mkdir(exist_ok=True)
    (folder / "text.txt").write_text(LICENCE, encoding="utf-8")
    rows = [parts.Part(*row, ("text.txt",)) for row in PARTS]
    parts.write(folder, rows)
    LicencesDialog(folder, stage.window).open()


def menu_bar(stage: Stage) -> None:
    if not stage.window.menus.bar.isVisible():
        stage.window.menus.toggle()


def _welcome(stage: Stage, step: int) -> None:
    stage.window.welcome()
    stage.open()
    stage.wait(lambda: stage.controller.pair is not None)
    stage.window.first_run.view.show_step(step)
