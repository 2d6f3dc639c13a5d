"""The prompt is what the reference of each model family makes, and what a family offers is found."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from app.core.conversation import ASSISTANT, SYSTEM, USER, ChatMessage
from app.core.templates import CHOICE, EDITED, NAMED, SWITCH, TemplateChoice
from app.engine.chat_template import ChatTemplate
from app.engine.named_templates import TEMPLATES
from app.engine.template_sandbox import _Generation
from tests.engine_text.families import FAMILIES, TALK, Family

by_name = pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name.replace(" ", "-"))


def template_of(family: Family, choice: TemplateChoice | None = None) -> ChatTemplate:
    return ChatTemplate(family.source, family.bos, family.eos, "", choice)


def reference(family: Family, messages: list[ChatMessage], **variables: Any) -> str:
    """The way the models' own library renders: plain Jinja, no limits, nothing reshaped."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols]
    )

    def raise_exception(message: str) -> None:
        raise ValueError(message)

    environment.globals["raise_exception"] = raise_exception
    return environment.from_string(family.source).render(
        messages=[{"role": m.role, "content": m.content} for m in messages],
        tools=None,
        documents=None,
        add_generation_prompt=True,
        bos_token=family.bos,
        eos_token=family.eos,
        **variables,
    )


def test_there_are_enough_of_them() -> None:
    assert len(FAMILIES) >= 25
    assert len({family.name for family in FAMILIES}) == len({f.source for f in FAMILIES}) == len(FAMILIES)


@by_name
def test_the_prompt_is_the_references(family: Family) -> None:
    template = template_of(family)
    assert template.render(TALK) == family.expected
    assert (template.name, template.stops) == ("file", ())
    merged = "no place for a system prompt" in template.note
    assert merged == family.merges_system
    talk = TALK
    if family.merges_system:
        with pytest.raises(ValueError, match=r".+"):
            reference(family, TALK)
        talk = [ChatMessage(USER, "Be brief.\n\nHi"), *TALK[2:]]
    assert reference(family, talk) == family.expected


@by_name
def test_variables_are_found_and_change_the_prompt(family: Family) -> None:
    found = {v.name: v.kind for v in template_of(family).variables}
    assert found == family.variables
    for values, expected in family.given:
        assert template_of(family, TemplateChoice(variables=values)).render(TALK) == expected
        assert reference(family, TALK, **values) == expected


@by_name
def test_a_first_question_alone_works_everywhere(family: Family) -> None:
    question = [ChatMessage(USER, "Hi")]
    assert template_of(family).render(question) == reference(family, question)


def test_a_choice_names_its_values() -> None:
    (family,) = [f for f in FAMILIES if "reasoning_effort" in f.variables]
    (variable,) = template_of(family).variables
    assert (variable.kind, variable.values) == (CHOICE, ("low", "medium", "high"))


def test_switches_are_told_from_texts() -> None:
    source = (
        "{% if thinking | default(true) %}on{% endif %}{% set t = style | default('plain') %}{{ t }}"
        "{{ messages[-1].content }}{% if level == 'a' or 'b' == level %}!{% endif %}{{ tools }}{{ today }}"
    )
    kinds = {v.name: (v.kind, v.values) for v in ChatTemplate(source, "", "", "").variables}
    assert kinds == {"thinking": (SWITCH, ()), "style": ("text", ()), "level": (CHOICE, ("a", "b"))}


@pytest.mark.parametrize("name", NAMED)
def test_a_template_chosen_by_name_replaces_the_files(name: str) -> None:
    template = ChatTemplate("{{ messages[-1].content }}", "<s>", "</s>", "", TemplateChoice(name))
    text = template.render(TALK)
    assert template.name == name
    assert template.stops == (TEMPLATES[name].stop,)
    for part in ("Be brief.", "Hi", "Hello.", "Bye"):
        assert text.count(part) == 1
    assert text.index("Be brief.") < text.index("Hi") < text.index("Hello.") < text.index("Bye")
    # A longer conversation begins with the prompt before it: nothing has to be read twice.
    longer = template.render([*TALK, ChatMessage(ASSISTANT, "Fine."), ChatMessage(USER, "More")])
    assert longer.startswith(text.rstrip())


def test_named_templates_are_the_ones_offered() -> None:
    assert list(TEMPLATES) == list(NAMED)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "llama2",
            "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi [/INST] Hello. </s><s>[INST] Bye [/INST]",
        ),
        ("mistral", "<s>[INST] Be brief.\n\nHi [/INST] Hello.</s>[INST] Bye [/INST]"),
        (
            "gemma",
            "<s><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n"
            "<start_of_turn>model\nHello.<end_of_turn>\n<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n",
        ),
        ("vicuna", "<s>Be brief.\n\nUSER: Hi\nASSISTANT: Hello.</s>\nUSER: Bye\nASSISTANT:"),
        (
            "alpaca",
            "Be brief.\n\n### Instruction:\nHi\n\n### Response:\nHello.</s>\n\n### Instruction:\nBye\n\n"
            "### Response:\n",
        ),
    ],
)
def test_what_named_templates_write(name: str, expected: str) -> None:
    assert ChatTemplate(None, "<s>", "</s>", "", TemplateChoice(name)).render(TALK) == expected


def test_an_edited_template_is_used_and_a_broken_one_is_refused_by_name() -> None:
    file = "{% for m in messages %}{{ m.content }};{% endfor %}"
    edited = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    template = ChatTemplate(file, "", "", "", TemplateChoice(EDITED, edited))
    assert template.render([ChatMessage(USER, "Hi")]) == "<user>Hi"
    assert (template.name, template.note, template.refused, template.source) == (EDITED, "", "", edited)
    broken = template.changed(TemplateChoice(EDITED, "{% for m in %}"))
    assert broken.render([ChatMessage(USER, "Hi")]) == "Hi;"
    assert broken.name == "file"
    assert broken.refused.startswith("The edited chat template cannot be used (")
    assert broken.note.endswith("The model's own is used instead.")
    assert broken.changed(TemplateChoice()).note == ""


def test_a_broken_edit_of_a_file_without_a_template_falls_back_too() -> None:
    template = ChatTemplate(None, "", "", "gemma3", TemplateChoice(EDITED, "nothing"))
    assert template.name == "gemma"
    assert "edited chat template" in template.note
    assert "Gemma's template is used instead" in template.note


def test_a_choice_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="klingon"):
        TemplateChoice("klingon")


def test_variables_cannot_replace_the_conversation() -> None:
    choice = TemplateChoice(variables={"messages": "x", "add_generation_prompt": False, "bos_token": "x"})
    assert template_of(FAMILIES[0], choice).render(TALK) == FAMILIES[0].expected
    assert ChatMessage(SYSTEM, "Be brief.") in TALK
