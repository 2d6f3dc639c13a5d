"""Thoughts and answers told apart, in one piece and as they grow, and what a thought cost."""

from __future__ import annotations

import random

import pytest

from app.core.conversation import ChatMessage
from app.core.reasoning import (
    ANSWER,
    DEFAULT,
    KNOWN,
    THOUGHT,
    Effort,
    ReasoningFormat,
    ReasoningStream,
    answer_of,
    effort,
    named_in,
    split,
)
from app.core.rounds import ORDINARY, Round
from app.engine.chat_template import ChatTemplate

INSIDE = ReasoningFormat(inside=True)


def told(text: str, form: ReasoningFormat = DEFAULT) -> list[tuple[str, str, bool]]:
    return [(p.kind, text[p.start : p.end], p.closed) for p in split(text, form)]


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("Just an answer.", DEFAULT, [(ANSWER, "Just an answer.", False)]),
        ("<think>\nHm.\n</think>\n\nYes.", DEFAULT, [(THOUGHT, "Hm.", True), (ANSWER, "Yes.", False)]),
        ("<think>Hm", DEFAULT, [(THOUGHT, "Hm", False)]),
        ("<think>\n\n</think>\n\nYes.", DEFAULT, [(THOUGHT, "", True), (ANSWER, "Yes.", False)]),
        ("Hm.\n</think>\nYes.", DEFAULT, [(THOUGHT, "Hm.", True), (ANSWER, "Yes.", False)]),
        ("Hm.\n</think>\nYes.", INSIDE, [(THOUGHT, "Hm.", True), (ANSWER, "Yes.", False)]),
        ("Hm.", INSIDE, [(THOUGHT, "Hm.", False)]),
        (
            "<think>a</think>b\n<think>c</think>d",
            DEFAULT,
            [(THOUGHT, "a", True), (ANSWER, "b", True), (THOUGHT, "c", True), (ANSWER, "d", False)],
        ),
        ("The tag `<think>` opens.", DEFAULT, [(ANSWER, "The tag `<think>` opens.", False)]),
        ("The tag `</think>` closes.", DEFAULT, [(ANSWER, "The tag `</think>` closes.", False)]),
        ("", DEFAULT, []),
    ],
)
def test_parts(text: str, form: ReasoningFormat, expected: list[tuple[str, str, bool]]) -> None:
    assert told(text, form) == expected


def test_other_tags() -> None:
    form = ReasoningFormat(*named_in("{{ '<|start|>assistant<|channel|>analysis<|message|>' }}") or ())
    text = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes."
    assert told(text, form) == [(THOUGHT, "Hm.", True), (ANSWER, "Yes.", False)]
    assert answer_of(text, form) == "Yes."


@pytest.mark.parametrize("seed", range(12))
def test_growing_gives_what_the_whole_gives(seed: int) -> None:
    chance = random.Random(seed)
    bits = ["<think>", "</think>", "\n", " ", "word", "<", "th", "ink>", "`</think>`", "\n\n", "é"]
    for _ in range(200):
        text = "".join(chance.choice(bits) for _ in range(chance.randrange(1, 14)))
        stream = ReasoningStream()
        grown: dict[int, tuple[str, str]] = {}
        at = 0
        while at < len(text):
            size = chance.randrange(1, 5)
            growth = stream.feed(text[at : at + size], final=at + size >= len(text))
            at += size
            if growth.again:
                grown.clear()
            for piece in growth.pieces:
                kind, before = grown.get(piece.part, (piece.kind, ""))
                assert kind == piece.kind
                grown[piece.part] = (kind, before + piece.text)
        assert [grown[i] for i in sorted(grown)] == [(k, t) for k, t, _ in told(text)], repr(text)
        assert list(stream.parts) == split(text), repr(text)


def test_what_goes_into_the_next_prompt() -> None:
    assert answer_of("<think>Hm.</think>\n\nYes.\n") == "Yes."
    assert answer_of("Yes.\n") == "Yes.\n"
    assert answer_of("Hm", INSIDE) == ""


def test_effort_is_counted_from_rounds() -> None:
    text = "<think>ab</think>cd"
    chars = [len("<think>"), 1, 1, len("</think>"), 1, 1]
    rounds = [
        Round(ORDINARY, 0, (1, 2), 0, chars=tuple(chars[:2]), seconds=0.2),
        Round(ORDINARY, 2, (3, 4, 5), 0, chars=tuple(chars[2:5]), seconds=0.3),
        Round(ORDINARY, 5, (6,), 0, chars=(1,), seconds=0.5),
    ]
    thought, answer = effort(split(text), rounds)
    assert (thought.tokens, answer.tokens) == (4, 2)
    assert thought.seconds == pytest.approx(0.4)
    assert answer.seconds == pytest.approx(0.6)
    assert effort(split(text), []) == [Effort(0, 0.0), Effort(0, 0.0)]


FORGETS = """{% for m in messages %}<{{ m.role }}>\
{{ m.content.split('</think>')[-1] if m.role == 'assistant' else m.content }}{% endfor %}\
{% if add_generation_prompt %}<assistant><think>
{% endif %}"""
KEEPS = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{# <think> stays #}<assistant>"
REFUSES = """{% for m in messages %}{% if '<|channel|>' in m.content %}{{ raise_exception('no channels') }}\
{% endif %}{{ m.content }}{% endfor %}<|start|>assistant{# <|channel|>analysis #}"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (FORGETS, ReasoningFormat(inside=True, forgotten=True)),
        (KEEPS, ReasoningFormat()),
        (REFUSES, ReasoningFormat(*KNOWN[-1], forgotten=True)),
        ("{% for m in messages %}{{ m.content }}{% endfor %}", ReasoningFormat()),
        (None, ReasoningFormat()),
    ],
)
def test_what_a_template_says(source: str | None, expected: ReasoningFormat) -> None:
    assert ChatTemplate(source, "<s>", "</s>", "llama").reasoning == expected


def test_a_template_that_refuses_thoughts_gets_past_replies_without() -> None:
    said = f"{KNOWN[-1][0]}Hm.{KNOWN[-1][1]}Yes."
    chat = [ChatMessage("user", "Well?"), ChatMessage("assistant", said), ChatMessage("user", "Sure?")]
    prompt = ChatTemplate(REFUSES, "<s>", "</s>", "llama").render(chat)
    assert prompt == "Well?Yes.Sure?<|start|>assistant"
