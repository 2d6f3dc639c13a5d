"""Markdown to blocks, whole and while it is being written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.ui.chat.blocks import CodeBlock, RuleBlock, Run, TableBlock, TextBlock
from app.ui.chat.markdown import is_web_address, parse
from app.ui.chat.stream import MAX_TAIL, MarkdownStream, Update


def test_blocks_of_every_kind() -> None:
    blocks = parse(
        "# Title *x*\n\ntext **b** `c` ~~s~~\nnext\n\n3. three\n   - in\n\n> said\n\n```py\na\n  b\n```\n\n"
        "| a | b |\n|:-:|--:|\n| 1 | `2` |\n\n---\n"
    )
    assert blocks == [
        TextBlock((Run("Title "), Run("x", italic=True)), heading=1),
        TextBlock(
            (
                Run("text "),
                Run("b", bold=True),
                Run(" "),
                Run("c", code=True),
                Run(" "),
                Run("s", strike=True),
                Run("\nnext"),
            )
        ),
        TextBlock((Run("three"),), marker="3.", depth=1),
        TextBlock((Run("in"),), marker="◦", depth=2),
        TextBlock((Run("said"),), quote=1),
        CodeBlock("a\n  b", "py"),
        TableBlock((((Run("a"),), (Run("b"),)), ((Run("1"),), (Run("2", code=True),))), ("center", "right")),
        RuleBlock(),
    ]


def test_html_and_images_are_text() -> None:
    source = (
        '<script>alert(1)</script> <img src="https://x.y/z.png"> ![photo](https://x.y/z.png)\n\n<b>bold</b>'
    )
    first, second = parse(source)
    assert isinstance(first, TextBlock)
    assert isinstance(second, TextBlock)
    assert first.text.startswith('<script>alert(1)</script> <img src="')
    assert first.text.endswith("[photo]")
    assert second.text == "<b>bold</b>"


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ftp://x.y", "//x.y", "x.html"],
)
def test_only_web_links_are_links(target: str) -> None:
    assert not is_web_address(target)
    [block] = parse(f"[click]({target}) and <{target}>")
    assert isinstance(block, TextBlock)
    assert all(not run.href for run in block.runs)
    assert "click" in block.text


def test_bare_addresses_become_links() -> None:
    [block] = parse("See https://example.org/a?b=1, or (http://x.y).")
    assert isinstance(block, TextBlock)
    assert [run.href for run in block.runs if run.href] == ["https://example.org/a?b=1", "http://x.y"]
    assert block.text == "See https://example.org/a?b=1, or (http://x.y)."


def feed(source: str, step: int) -> tuple[list[object], list[Update]]:
    stream = MarkdownStream()
    updates = [stream.feed(source[i : i + step]) for i in range(0, len(source), step)]
    updates.append(stream.finish())
    return [block for update in updates for block in update.finished], updates


_PIECES = """# h
- a
  - b
1. x
2) y
> q
```py
```
~~~
code
    ind
a * b
---
***
text **b** `c`

  cont
* z
[l](http://a.b)
=
<div>
\t tab
10. t
   three
𝒳😀é
| a | b |
|---|---|
| 1 | 2 |""".splitlines()
_LINES = st.lists(st.sampled_from(_PIECES), max_size=12)


@given(_LINES, st.integers(1, 7))
@settings(max_examples=300, deadline=None)
def test_pieces_give_the_same_blocks_as_the_whole(lines: list[str], step: int) -> None:
    source = "\n".join(lines)
    assert feed(source, step)[0] == parse(source)


def test_finished_blocks_come_out_early() -> None:
    source = "one\n\ntwo\n\n- a\n- b\n\n```\ncode\n```\n\nend"
    _, updates = feed(source, 1)
    early = [block for update in updates[:-1] for block in update.finished]
    assert len(early) == len(parse(source)) - 1


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a **bo", "a bo"),
        ("a **bold*", "a bold"),
        ("run `x = ", "run x = "),
        ("see [the docs](https://ex", "see the docs"),
        ("text\n-", "text"),
        ("text\n\n1", "text"),
        ("text\n\n```py", "text"),
        ("text\n\n#", "text"),
    ],
)
def test_half_written_marks_do_not_flicker(written: str, shown: str) -> None:
    update = MarkdownStream().feed(written)
    blocks = (*update.finished, *update.tail)
    assert "\n".join(b.text for b in blocks if isinstance(b, TextBlock)) == shown


def test_a_fence_is_not_closed_by_less() -> None:
    blocks, _ = feed("````\n```\n``\n````\nafter", 3)
    assert blocks == [CodeBlock("```\n``"), TextBlock((Run("after"),))]


def test_closing_fence_is_never_shown_as_code() -> None:
    stream = MarkdownStream()
    for piece in ("```py\n", "x = 1\n", "``"):
        update = stream.feed(piece)
    assert update.tail == (CodeBlock("x = 1", "py"),)


def test_a_paragraph_without_end_is_cut() -> None:
    stream = MarkdownStream()
    words = "word " * 2000
    tails = []
    for i in range(0, len(words), 20):
        update = stream.feed(words[i : i + 20])
        tails.append(sum(len(b.text) for b in update.tail if isinstance(b, TextBlock)))
    assert max(tails) <= MAX_TAIL + 20


@pytest.mark.parametrize(
    "end",
    [
        "",
        "\n",
        "\nafter",
        "\n\nafter",
        "\n# head",
        "\n> said",
        "\n- item",
        "\n```\nx\n```\n",
        "\n---\n",
        "\n    x",
    ],
)
def test_a_table_read_row_by_row_ends_where_it_does_as_a_whole(end: str) -> None:
    source = "| a | b |\n|:-:|--:|\n| 1 | `2` |\n| **3** |\nfour | 5" + end
    for step in range(1, 9):
        stream = MarkdownStream()
        blocks = []
        for i in range(0, len(source), step):
            blocks += stream.feed(source[i : i + step]).finished
        assert tuple(blocks) + stream.finish().finished == tuple(parse(source))


def test_line_ends_of_other_systems() -> None:
    assert feed("a\r\n\r\n```\r\nx\r\n```\r\n", 3)[0] == parse("a\n\n```\nx\n```\n")
