"""Titles of conversations, proposed from what was said first."""

from __future__ import annotations

import re

LIMIT = 48
# A first message so short says nothing about the conversation ("Hi").
SHORT = 12

_FENCE = re.compile(r"^\s*(```|~~~).*?(^\s*\1|\Z)", re.DOTALL | re.MULTILINE)
_LEADING = re.compile(r"^\s*(?:(?:#{1,6}|[-*+>•]|\d{1,3}[.)])\s+)+")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_EMPHASIS = re.compile(r"\*\*|__|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s")


def propose_title(text: str, limit: int = LIMIT) -> str:
    """The first words of a message without Markdown: its first sentence, or as much as fits."""
    lines = [line for line in map(_plain, _FENCE.sub("\n", text).splitlines()) if line]
    if not lines:
        lines = [" ".join(text.split())]
    line = lines[0]
    for more in lines[1:]:
        if len(line) > SHORT:
            break
        line = f"{line} {more}"
    if len(line) > limit:
        sentence = _SENTENCE.split(line, maxsplit=1)[0]
        line = sentence if SHORT < len(sentence) <= limit else line
    if len(line) <= limit:
        return line.rstrip(" :,;.") or line
    cut = line.rfind(" ", 0, limit)
    return line[: cut if cut > limit // 2 else limit].rstrip(" :,;.–") + "…"


def title_of_exchange(question: str, answer: str) -> str:
    """For a question too short to be a title: with the beginning of its answer."""
    asked = propose_title(question)
    if len(asked) > SHORT or not answer.strip():
        return asked
    return propose_title(f"{asked} – {propose_title(answer)}") if asked else propose_title(answer)


def _plain(line: str) -> str:
    line = _LINK.sub(r"\1", _LEADING.sub("", line))
    return " ".join(_EMPHASIS.sub("", line).split())
