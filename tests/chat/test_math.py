"""Formulas: read in text and on lines of their own, shown in characters, copied as they were written."""

from __future__ import annotations

import random

import pytest
from PySide6.QtGui import QGuiApplication

from app.ui.chat.blocks import TextBlock
from app.ui.chat.markdown import parse
from app.ui.chat.math_text import plain, render
from app.ui.chat.reply_body import ReplyBody


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"E = mc^2", "E = mc2"),
        (r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}", "(−b ± √(b2 − 4ac))/(2a)"),
        (r"\frac12", "1/2"),
        (r"\alpha \le \beta_1", "α ≤ β1"),
        (r"x \in \mathbb{R}", "x ∈ ℝ"),
        (r"\text{if } x > 0", "if x > 0"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "(1 2 ; 3 4)"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a = b\nc = d"),
        (r"a^{b^c}", "a^(b^c)"),
        (r"90^\circ", "90°"),
        (r"\hat{y}", "ŷ"),
        (r"-x+y", "−x + y"),
        (r"\unknown", r"\unknown"),
        (r"\left( x \right)", "(x)"),
    ],
)
def test_what_is_shown(source: str, shown: str) -> None:
    assert plain(source) == shown


def test_raised_and_lowered() -> None:
    assert [(r.text, r.shift) for r in render(r"x_i^2")] == [("x", 0), ("i", -1), ("2", 1)]
    assert plain(r"\sum_{i=1}^{n} i") == "∑i=1n\u2009i"


def test_nothing_makes_it_fail() -> None:
    chance = random.Random(3)
    bits = [
        r"\frac",
        "{",
        "}",
        "^",
        "_",
        r"\begin{cases}",
        r"\end{cases}",
        r"\\",
        "&",
        "x",
        r"\sqrt",
        "[",
        "]",
    ]
    bits += [r"\left", r"\text", "\\", " ", r"\hat", "é", "\n"]
    for _ in range(3000):
        render("".join(chance.choice(bits) for _ in range(chance.randrange(12))))
    for deep in ("{" * 5000, r"\sqrt" * 5000, "^" * 5000, r"\frac{" * 3000, r"\begin{cases}" * 3000):
        render(deep)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It costs $5 and $10.", "It costs $5 and $10."),
        ("from $5-$10", "from $5-$10"),
        ("the $x$ axis", "the x axis"),
        (r"the \(x^2\) axis", "the x2 axis"),
        (r"not \$x$", "not $x$"),
        ("`$x$` in code", "$x$ in code"),
        ("$a_1$ and $b_1$", "a1 and b1"),
        ("so $$x = 1$$ holds", "so x = 1 holds"),
    ],
)
def test_formulas_in_text(text: str, shown: str) -> None:
    [block] = parse(text)
    assert isinstance(block, TextBlock)
    assert block.text == shown
    assert not block.display


@pytest.mark.parametrize("text", ["$$\nx_1 = a*b*c\n$$", "\\[\nx_1 = a*b*c\n\\]", "$$x_1 = a*b*c$$"])
def test_formulas_by_themselves(text: str) -> None:
    first, formula, last = parse(f"Before:\n\n{text}\n\nAfter")
    assert isinstance(formula, TextBlock)
    assert formula.display
    assert formula.text == "x1 = a ∗ b ∗ c"
    assert isinstance(first, TextBlock)
    assert isinstance(last, TextBlock)
    assert (first.text, last.text) == ("Before:", "After")


def test_two_dollars_that_never_close_do_not_swallow_the_rest() -> None:
    blocks = parse("$$ is a shell variable\n\nand this is text\n\nmore")
    assert [b.text for b in blocks if isinstance(b, TextBlock)][-1] == "more"


def test_a_copy_holds_the_source(qtbot) -> None:
    body = ReplyBody()
    qtbot.addWidget(body)
    body.resize(700, 300)
    text = "The $x^2$ and $x^2$ of *it*.\n\n$$\n\\frac{a}{b}\n$$\n\nEnd"
    for i in range(0, len(text), 3):
        body.feed(text[i : i + 3])
    body.finish()
    [view] = body.text_views
    assert view.toPlainText() == "The x2 and x2 of it.\na/b\nEnd"
    view.selectAll()
    view.copy()
    assert QGuiApplication.clipboard().text() == ("The $x^2$ and $x^2$ of it.\n$$\n\\frac{a}{b}\n$$\nEnd")
