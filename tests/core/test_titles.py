"""Titles are what a reader would call the conversation, as far as its first words tell."""

from __future__ import annotations

import pytest

from app.core.titles import propose_title, title_of_exchange


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Why is the sky blue?", "Why is the sky blue?"),
        ("  \n\n  Why\tis it so?\nMore text that is not needed.", "Why is it so?"),
        ("# Heading\n\nbody", "Heading body"),
        ("- **Fix** `parse_date` in [utils](http://x.example/y)\n- and more", "Fix parse_date in utils"),
        ("1. snake_case and 2*3*4 stay as they are", "snake_case and 2*3*4 stay as they are"),
        ("Explain this code:\n```python\nprint(1)\n```\n", "Explain this code"),
        ("```python\nprint(1)\n```", "```python print(1) ```"),
        ("Hello,\n\nplease translate the letter below.", "Hello, please translate the letter below"),
        (
            "Translate this contract into English. It is a lease of a flat in Berlin and has many clauses.",
            "Translate this contract into English",
        ),
        ("word " * 40, "word word word word word word word word word…"),
        ("x" * 100, "x" * 48 + "…"),
        ("这是一个很长的问题。" + "后面" * 30, "这是一个很长的问题。" + "后面" * 19 + "…"),
        ("", ""),
        ("...", "..."),
    ],
)  # fmt: skip
def test_titles(text: str, title: str) -> None:
    assert propose_title(text) == title
    assert len(title) <= 49


def test_a_greeting_takes_the_answer_with_it() -> None:
    assert title_of_exchange("Hi", "**Hello!** How can I help you today with your work?") == (
        "Hi – Hello! How can I help you today with your…"
    )
    assert title_of_exchange("Hi", "  ") == "Hi"
    assert title_of_exchange("What is a lighthouse for?", "Light.") == "What is a lighthouse for?"
    assert title_of_exchange("", "# About the file\n\nIt is …") == "About the file"
