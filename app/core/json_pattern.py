"""Regular expressions of a JSON schema as GBNF over the characters inside a JSON string.

A subset whose meaning is the same everywhere: characters, classes, groups, alternatives, repetitions
and anchors at both ends. Whatever else a pattern holds is refused by name.
"""

from __future__ import annotations

from typing import NoReturn

from app.core.wording import say

Span = tuple[int, int]

_LAST = 0x10FFFF
_CLASSES: dict[str, list[Span]] = {
    "d": [(0x30, 0x39)],
    "w": [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)],
    "s": [(0x09, 0x0D), (0x20, 0x20)],
}
_CONTROLS = {"n": 0x0A, "r": 0x0D, "t": 0x09, "f": 0x0C, "v": 0x0B, "0": 0x00}
_LINE_ENDS: list[Span] = [(0x0A, 0x0A), (0x0D, 0x0D)]
# Not written as themselves inside a JSON string.
_ESCAPED = {0x22: '\\"', 0x5C: "\\\\", 0x08: "\\b", 0x0C: "\\f", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"}
_RAW_BARRED: list[Span] = [(0, 0x1F), (0x22, 0x22), (0x5C, 0x5C), (0x7F, 0x7F), (0xD800, 0xDFFF)]
_DEEPEST = 32


def pattern_to_gbnf(pattern: str, any_character: str) -> str:
    """A GBNF expression for the text between the quotes; `any_character` is the rule of one character.

    Raises ValueError, naming what cannot be expressed.
    """
    return _Pattern(pattern, any_character).convert()


class _Pattern:
    def __init__(self, pattern: str, any_character: str) -> None:
        self.text = pattern
        self.any = any_character
        self.pos = 0
        self.depth = 0
        self._ways = 1  # alternatives outside every group
        self._ends = False  # whether $ was found at the end

    def convert(self) -> str:
        begins = self.text.startswith("^")
        self.pos = int(begins)
        body = self._alternatives()
        if self.pos < len(self.text):
            self._fail(say("a parenthesis too many"))
        if self._ways > 1 and (begins or self._ends):
            self._fail(say("an anchor beside alternatives that are not in parentheses"))
        before = "" if begins else f"{self.any}* "
        return f"{before}({body})" + ("" if self._ends else f" {self.any}*")

    def _alternatives(self) -> str:
        found = [self._sequence()]
        while self._peek() == "|":
            self.pos += 1
            found.append(self._sequence())
        if self.depth == 0:
            self._ways = len(found)
        return " | ".join(item or '""' for item in found)

    def _sequence(self) -> str:
        parts: list[str] = []
        while (c := self._peek()) and c not in "|)":
            if c == "$":
                if self.pos + 1 < len(self.text):
                    self._fail(say("$ before the end"))
                self.pos += 1
                self._ends = True
                break
            parts.append(self._atom() + self._quantifier())
        return " ".join(parts)

    def _atom(self) -> str:
        c = self._take()
        if c == "(":
            return self._group()
        if c == "[":
            return _spans_to_gbnf(self._class())
        if c == ".":
            return _spans_to_gbnf(_without([(0, _LAST)], _LINE_ENDS))
        if c == "\\":
            return _spans_to_gbnf(self._escape())
        if c in "^*+?{":
            self._fail(say("{sign} where a character is expected", sign=c))
        return _spans_to_gbnf([(ord(c), ord(c))])

    def _group(self) -> str:
        if self._peek() == "?":
            if not self.text.startswith("?:", self.pos):
                self._fail(say("a group that looks around or has a name"))
            self.pos += 2
        self.depth += 1
        if self.depth > _DEEPEST:
            self._fail(say("groups nested too deeply"))
        body = self._alternatives()
        self.depth -= 1
        if self._peek() != ")":
            self._fail(say("a parenthesis that is not closed"))
        self.pos += 1
        return f"({body})"

    def _quantifier(self) -> str:
        c = self._peek()
        if not c or c not in "*+?{":
            return ""
        if c == "{":
            end = self.text.find("}", self.pos)
            low, comma, high = self.text[self.pos + 1 : end].partition(",")
            if end < 0 or not low.isdecimal() or (high and not high.isdecimal()):
                self._fail(say("a repetition that is not {forms}", forms="{n}, {n,}, {n,m}"))
            found = "{" + low + comma + high + "}"
            self.pos = end + 1
        else:
            self.pos += 1
            found = c
        if self._peek() == "?":
            self.pos += 1  # reluctant: the same texts
        return found

    def _escape(self) -> list[Span]:
        c = self._take()
        if c.lower() in _CLASSES:
            spans = _CLASSES[c.lower()]
            return spans if c.islower() else _without([(0, _LAST)], spans)
        if c in _CONTROLS:
            return [(_CONTROLS[c], _CONTROLS[c])]
        if c in "xu":
            digits = self.text[self.pos : self.pos + (2 if c == "x" else 4)]
            self.pos += len(digits)
            try:
                value = int(digits, 16)
            except ValueError:
                self._fail(say("{escape} without its digits", escape=f"\\{c}"))
            return [(value, value)]
        if c.isalnum():
            self._fail(f"\\{c}")
        return [(ord(c), ord(c))]

    def _class(self) -> list[Span]:
        negated = self._peek() == "^"
        self.pos += negated
        spans: list[Span] = []
        while (c := self._take()) != "]":
            found = self._escape() if c == "\\" else [(ord(c), ord(c))]
            following = self.text[self.pos : self.pos + 2]
            if (
                len(found) == 1
                and found[0][0] == found[0][1]
                and following[:1] == "-"
                and following[1:] != "]"
            ):
                self.pos += 1
                c = self._take()
                high = self._escape() if c == "\\" else [(ord(c), ord(c))]
                if high[0][1] < found[0][0]:
                    self._fail(say("a range whose end is before its start"))
                found = [(found[0][0], high[0][1])]
            spans += found
        return _without([(0, _LAST)], spans) if negated else spans

    def _peek(self) -> str:
        return self.text[self.pos : self.pos + 1]

    def _take(self) -> str:
        if self.pos >= len(self.text):
            self._fail(say("an end where more is expected"))
        self.pos += 1
        return self.text[self.pos - 1]

    def _fail(self, what: str) -> NoReturn:
        raise ValueError(
            say(
                "the pattern {pattern!r} holds {what}, which cannot be enforced", pattern=self.text, what=what
            )
        )


def _without(spans: list[Span], barred: list[Span]) -> list[Span]:
    for low, high in barred:
        left: list[Span] = []
        for a, b in spans:
            if b < low or a > high:
                left.append((a, b))
                continue
            if a < low:
                left.append((a, low - 1))
            if b > high:
                left.append((high + 1, b))
        spans = left
    return spans


def _spans_to_gbnf(spans: list[Span]) -> str:
    """One of these characters as it stands in a JSON string."""
    options = []
    raw = _without(spans, _RAW_BARRED)
    if raw:
        options.append("[" + "".join(_span(a, b) for a, b in raw) + "]")
    escapes = [text for code, text in _ESCAPED.items() if any(a <= code <= b for a, b in spans)]
    options += ['"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in escapes]
    if not options:
        raise ValueError(say("the pattern holds a character that no JSON string can show"))
    return options[0] if len(options) == 1 else "(" + " | ".join(options) + ")"


def _span(low: int, high: int) -> str:
    first = f"\\U{low:08X}"
    return first if low == high else f"{first}-\\U{high:08X}"
