"""Prompts as the templates' families write them, fallbacks, and templates that mean harm."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from app.core.conversation import ChatMessage
from app.core.errors import EnvironmentProblem
from app.engine.chat_template import ChatTemplate
from tests.engine_text import templates


def chat(*turns: str) -> list[ChatMessage]:
    """`chat("s:Be brief", "u:Hi", "a:Hello")`."""
    roles = {"s": "system", "u": "user", "a": "assistant"}
    return [ChatMessage(roles[t[0]], t[2:]) for t in turns]


def template(source: str | None, architecture: str = "llama", seconds: float = 3.0) -> ChatTemplate:
    return ChatTemplate(source, "<s>", "</s>", architecture, seconds=seconds)


TALK = chat("s:Be brief", "u:Hi <b>&'", "a:Hello", "u:Bye")
TODAY = datetime.now().strftime("%d %b %Y")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            templates.CHATML_DEFAULT_SYSTEM,
            "<|im_start|>system\nBe brief<|im_end|>\n<|im_start|>user\nHi <b>&'<|im_end|>\n"
            "<|im_start|>assistant\nHello<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
        ),
        (
            templates.HEADERS,
            f"<s><|start_header_id|>system<|end_header_id|>\n\nToday: {TODAY}\nBe brief<|eot_id|>"
            "<|start_header_id|>user<|end_header_id|>\n\nHi <b>&'<|eot_id|>"
            "<|start_header_id|>assistant<|end_header_id|>\n\nHello<|eot_id|>"
            "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|>"
            "<|start_header_id|>assistant<|end_header_id|>\n\n",
        ),
        (templates.BRACKETS, "<s>[INST] Be brief\n\nHi <b>&' [/INST]Hello</s>[INST] Bye [/INST]"),
        (
            templates.TURNS,
            "<s><start_of_turn>user\nBe brief\n\nHi <b>&'<end_of_turn>\n"
            "<start_of_turn>model\nHello<end_of_turn>\n<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n",
        ),
        (
            templates.ROLE_TAGS,
            "<|system|>\nBe brief</s>\n<|user|>\nHi <b>&'</s>\n<|assistant|>\nHello</s>\n"
            "<|user|>\nBye</s>\n<|assistant|>\n",
        ),
        (
            templates.REASONING,
            "<|im_start|>system\nBe brief<|im_end|>\n<|im_start|>user\nHi <b>&'<|im_end|>\n"
            "<|im_start|>assistant\nHello<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
        ),
        (
            templates.TYPED,
            "System: Be brief<end>\nUser: Hi <b>&'<end>\nAssistant: Hello<end>\nUser: Bye<end>\nAssistant:",
        ),
        (
            templates.MACROS,
            "<|system|>Be brief<|end|><|user|>Hi <b>&'<|end|><|assistant|>Hello<|end|><|user|>Bye<|end|>"
            "<|assistant|>",
        ),
        (
            templates.DEAF,
            "### Instruction:\nBe brief\n\nHi <b>&'\n\n### Response:\nHello\n\n### Instruction:\nBye\n\n"
            "### Response:\n",
        ),
        (
            templates.JSON,
            '<s>{"role": "system", "text": "Be brief"}\n{"role": "user", "text": "Hi <b>&\'"}\n'
            '{"role": "assistant", "text": "Hello"}\n{"role": "user", "text": "Bye"}\n>',
        ),
    ],
)
def test_template_styles(source: str, expected: str) -> None:
    t = template(source)
    assert t.render(TALK) == expected
    assert t.name == "file"
    assert t.stops == ()
    assert t.adds_bos == expected.startswith("<s>")


ALL_STYLES = [v for k, v in vars(templates).items() if k.isupper()]


@pytest.mark.parametrize("source", ALL_STYLES)
def test_a_longer_conversation_begins_with_the_prompt_before_it(source: str) -> None:
    """Prefix reuse lives from this: reshaping must not change what was said before."""
    t = template(source)
    before = t.render(TALK[:2], add_generation_prompt=False)
    assert t.render(TALK, add_generation_prompt=False).startswith(before.rstrip("\n"))


@pytest.mark.parametrize("source", ALL_STYLES)
def test_two_messages_of_one_side_in_a_row_never_lock_the_input(source: str) -> None:
    """A failed reply leaves two user messages in a row."""
    text = template(source).render(chat("s:Be brief", "u:One", "u:Two"))
    assert text.index("Be brief") < text.index("One") < text.index("Two")


def test_joined_turns_are_mentioned_and_only_then() -> None:
    t = template(templates.BRACKETS)
    assert t.render(chat("u:One", "u:Two")) == "<s>[INST] One\n\nTwo [/INST]"
    assert "joined" in t.note
    t.render(chat("u:One"))
    assert t.note == ""


@pytest.mark.parametrize("source", [templates.BRACKETS, templates.TURNS, templates.DEAF])
def test_a_system_prompt_without_a_place_is_merged_and_mentioned(source: str) -> None:
    t = template(source)
    assert t.note == ""
    assert "Be brief\n\nHi" in t.render(chat("s:Be brief", "u:Hi"))
    assert "system prompt" in t.note
    assert t.render(chat("u:Hi")).count("Be brief") == 0
    assert t.note == ""


def test_a_system_prompt_that_has_a_place_stays_there() -> None:
    t = template(templates.ROLE_TAGS)
    t.render(TALK)
    assert t.note == ""


def test_no_template_falls_back_by_name() -> None:
    for source in (None, "", "  \n"):
        t = template(source)
        assert t.name == "chatml"
        assert "no chat template" in t.note
        assert "ChatML" in t.note
        assert t.stops == ("<|im_end|>",)
        assert t.render(TALK[:2]) == (
            "<|im_start|>system\nBe brief<|im_end|>\n<|im_start|>user\nHi <b>&'<|im_end|>\n"
            "<|im_start|>assistant\n"
        )
        assert not t.adds_bos


def test_the_fallback_follows_the_architecture() -> None:
    t = template(None, "gemma3")
    assert t.name == "gemma"
    assert t.render(TALK[:2]) == (
        "<s><start_of_turn>user\nBe brief\n\nHi <b>&'<end_of_turn>\n<start_of_turn>model\n"
    )
    assert t.adds_bos
    assert t.stops == ("<end_of_turn>",)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{% for m in messages %}", "Unexpected end of template"),
        ("{{ unknown_function(messages) }}", "'unknown_function' is undefined"),
        ("{{ messages | unknown_filter }}", "unknown_filter"),
        ("{{ raise_exception('never works.') }}", "never works"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("always the same", "leaves out what the user says"),
        ("{{ messages.__class__.__mro__ }}", "unsafe"),
        ("(" * 5000, ""),
        ("{{ " + "(" * 20000 + "1" + ")" * 20000 + " }}", ""),
        ("{% for a in b %}" * 60 + "{% endfor %}" * 60, ""),
    ],
)
def test_a_template_that_never_works_is_replaced_and_named(source: str, reason: str) -> None:
    t = template(source)
    assert t.name == "chatml"
    assert "cannot be used" in t.note
    assert reason in t.note
    assert "Hi" in t.render(TALK)


def test_a_conversation_the_template_refuses_is_a_problem_with_a_way_out() -> None:
    t = template(
        "{% for m in messages %}{% if 'x' in m.content %}{{ raise_exception('no x.') }}{% endif %}"
        "{{ m.content }}{% endfor %}"
    )
    with pytest.raises(EnvironmentProblem) as caught:
        t.render(chat("s:Be brief", "u:x"))
    assert caught.value.code == "chat-template"
    assert "no x." in caught.value.why
    assert caught.value.remedy
    assert t.render(chat("u:y")) == "y"


def test_variables_reach_the_template() -> None:
    t = template(templates.REASONING)
    assert t.render(TALK, enable_thinking=False).endswith("<think>\n\n</think>\n\n")
    assert '"name": "f"' in template(templates.HEADERS).render(TALK, tools=[{"name": "f"}])


def test_generation_prompt_can_be_left_out() -> None:
    assert template(templates.DEAF).render(TALK[:2], add_generation_prompt=False).endswith("&'\n\n")


def test_earlier_reasoning_is_stripped_where_the_template_does_so() -> None:
    text = template(templates.REASONING).render(chat("u:Hi", "a:<think>hm</think>\nYes", "u:Bye"))
    assert "hm" not in text
    assert "assistant\nYes" in text


def test_json_is_not_escaped_and_keeps_other_scripts() -> None:
    assert '"text": "<é語>"' in template(templates.JSON).render(chat("u:<é語>"))


def test_text_that_looks_like_a_template_is_only_text() -> None:
    assert "{{ 7 * 7 }}{% x %}" in template(templates.ROLE_TAGS).render(chat("u:{{ 7 * 7 }}{% x %}"))


def test_bos_is_only_found_at_the_beginning() -> None:
    t = ChatTemplate("{{ messages[0].content }}{{ bos_token }}", "<s>", "", "llama")
    t.render(chat("u:Hi"))
    assert not t.adds_bos
    no_bos = ChatTemplate("{{ bos_token }}{{ messages[0].content }}", "", "", "llama")
    assert no_bos.render(chat("u:Hi")) == "Hi"
    assert not no_bos.adds_bos


NEST = "{% for a in range(90000) %}" * 8 + "{% endfor %}" * 8
HOSTILE = {
    "nested loops": NEST,
    "loops that print": "{% for a in range(90000) %}{% for a in range(90000) %}xxxx{% endfor %}{% endfor %}",
    "a wide range": "{{ range(10 ** 9) | list }}",
    "recursive macros": "{% macro f(n) %}{% if n %}{{ f(n-1) ~ f(n-1) }}{% endif %}{% endmacro %}{{ f(99) }}",
    "endless recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "repetition": "{{ 'x' * 10 ** 9 }}",
    "repeated lists": "{{ [0] * 10 ** 9 }}",
    "doubling": "{% set s = 'xxxxxxxxxx' %}" + "{% set s = s + s %}" * 60 + "{{ s }}",
    "doubling by tilde": "{% set s = 'xxxxxxxxxx' %}" + "{% set s = s ~ s %}" * 60 + "{{ s }}",
    "doubling by blocks": "{% set s = 'xxxxxxxxxx' %}"
    + "{% set s %}{{ s }}{{ s }}{% endset %}" * 60
    + "{{ s }}",
    "doubling by replacing": "{% set s = 'xx' %}" + "{% set s = s.replace('x', s) %}" * 20 + "{{ s }}",
    "doubling by joining": "{% set s = 'xx' %}" + "{% set s = [s, s, s] | join(s) %}" * 60 + "{{ s }}",
    "nested lists": "{% set s = ['x'] %}" + "{% set s = [s, s] %}" * 60 + "{{ s }}",
    "nested lists as json": "{% set s = ['x'] %}" + "{% set s = [s, s] %}" * 60 + "{{ s | tojson }}",
    "nested lists joined": "{% set s = ['x'] %}" + "{% set s = [s, s] %}" * 60 + "{{ 'a' ~ s }}",
    "nested items": "{% set s = {'x': 1} %}" + "{% set s = {'a': s, 'b': s} %}" * 60 + "{{ s.items() }}",
    "padding": "{{ 'x'.ljust(10 ** 9) }}",
    "formatted padding": "{{ '{:>999999999}'.format(1) }}",
    "nested format": "{{ '{:{}}'.format(1, 10 ** 9) }}",
    "percent padding": "{{ '%999999999d' % 1 }}",
    "percent filter": "{{ '%*d' | format(10 ** 9, 1) }}",
    "indent": "{{ ('\n' * 100000) | indent(10 ** 9) }}",
    "powers": "{{ 10 ** (10 ** 10) }}",
    "products": "{% set n = 3 %}" + "{% set n = n * n %}" * 60 + "{{ n }}",
    "lorem ipsum": "{{ lipsum(n=10 ** 9) }}",
    "hoarding": "{% set ns = namespace(l=[]) %}{% for i in range(90000) %}"
    "{% set ns.l = ns.l + ['x' * 1000000] %}{% endfor %}",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_templates_are_given_up_soon(source: str) -> None:
    begin = time.monotonic()
    t = template("{{ messages[0].content }}" + source, seconds=0.3)
    assert time.monotonic() - begin < 5
    assert t.name == "chatml"
    assert "Hi" in t.render(chat("u:Hi"))


def test_a_template_that_turns_hostile_later_is_a_problem() -> None:
    t = template(
        "{{ messages[0].content }}{% if messages | length > 2 %}" + NEST + "{% endif %}", seconds=0.3
    )
    assert t.name == "file"
    begin = time.monotonic()
    with pytest.raises(EnvironmentProblem, match="ran for more than"):
        t.render(chat("u:1", "a:2", "u:3", "a:4"))
    assert time.monotonic() - begin < 5


def test_what_templates_do_honestly_is_within_the_limits() -> None:
    long = chat("s:Be brief", *(f"{'ua'[i % 2]}:{'word ' * 2000}" for i in range(400)))
    for source in ALL_STYLES:
        assert template(source, seconds=30).render(long).count("word") == 800_000


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("{{ ['a', 1, 'b'] | join(', ') }}", "a, 1, b"),
        ("{{ [{'n': 'a'}, {'n': 'b'}] | join('-', attribute='n') }}", "a-b"),
        ("{{ 'a\nb\n\nc' | indent(2) }}", "a\n  b\n\n  c"),
        ("{{ 'a\nb' | indent(2, true) }}", "  a\n  b"),
        ("{{ 'a\n\nb' | indent('> ', blank=true) }}", "a\n> \n> b"),
        ("{{ 'aaa' | replace('a', 'b', 2) }}{{ 'xyx'.replace('x', '') }}", "bbay"),
        ("{{ '%s-%02d' | format('a', 7) }}{{ '%s' % 'b' }}{{ '%s%s' % ('c', 'd') }}", "a-07bcd"),
        ("{{ '{}:{:>3}'.format('a', 1) }}", "a:  1"),
        ("{{ 2 ** 10 + 3 * 4 % 5 }}{{ 'ab' * 2 }}{{ [1] + [2] }}", "1026abab[1, 2]"),
        ("{{ 'a' ~ 1 ~ none ~ [1] }}", "a1None[1]"),
        ("{{ {'a': 1} | tojson }}{{ [1, 2] | tojson(separators=(',', ':')) }}", '{"a": 1}[1,2]'),
        ("{{ {'b': 1, 'a': '<'} | tojson(indent=1, sort_keys=true) }}", '{\n "a": "<",\n "b": 1\n}'),
        ("{{ ', '.join(['a', 'b']) }}{{ 5 | string }}{{ nothing }}", "a, b5"),
        ("{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "01"),
    ],
)
def test_bounded_operations_give_what_jinja_gives(expression: str, expected: str) -> None:
    t = template("{{ messages[0].content }}|" + expression)
    assert t.note == ""
    assert t.render(chat("u:Hi")) == "Hi|" + expected
