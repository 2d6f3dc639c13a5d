"""Mathematical notation made readable: the common commands as characters, raised and lowered text.

What it does not know it shows as it was written, and it never fails. Knows no Qt.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from app.ui.chat import math_symbols as symbols

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\\$|[\s]+|.", re.DOTALL)
_TIGHT = re.compile(r" *([=<>≤≥≠→∈−+∣,]) *")
_MARK = {1: "^", -1: "_"}
_OPENS = frozenset("([{⟨⌊⌈")
_RELATION_SIGNS = frozenset("=<>:")
_DEEPEST = 40
_BRACKETS = {
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"),
}
_LINES = frozenset(
    ("aligned", "align", "align*", "gather", "gather*", "gathered", "split", "cases", "equation", "equation*")
)


@dataclass(frozen=True, slots=True)
class MathRun:
    """`shift` is 1 for raised and -1 for lowered text."""

    text: str
    italic: bool = False
    bold: bool = False
    shift: int = 0


def render(source: str) -> tuple[MathRun, ...]:
    """The notation between its delimiters, as runs; neighbours of one style are joined."""
    try:
        runs = _joined(_Reader(source).sequence(()))
    except _TooDeep:
        return (MathRun(source),)
    return _trimmed(runs) or (MathRun(source),)


def plain(source: str) -> str:
    return "".join(run.text for run in render(source))


class _TooDeep(Exception):
    """Nobody writes this."""


class _Reader:
    def __init__(self, source: str) -> None:
        self._tokens = _TOKEN.findall(source)
        self._at = 0
        self._depth = 0

    def sequence(self, ends: tuple[str, ...]) -> list[MathRun]:
        """Everything up to one of `ends`, which is taken too."""
        out: list[MathRun] = []
        large = False
        self._enter()
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token in ends:
                break
            if token in "^_":
                out += self._script(token)
            elif not token.isspace():
                large = token[1:] in symbols.LARGE or token[1:] in symbols.FUNCTIONS
                out += self._item(token, out)
            if large and token in "^_" and self._peek() not in ("^", "_", ""):
                # Away from what a sum or a limit applies to.
                out.append(MathRun("\u2009"))
        self._depth -= 1
        return out

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _TooDeep

    def _script(self, token: str) -> list[MathRun]:
        inner = self._argument()
        text = _text(inner)
        if text == "∘" and token == "^":
            return [MathRun("°")]
        if text and set(text) <= {"′"}:
            return inner
        if any(run.shift for run in inner) or "\n" in text:
            # One step up or down can be seen; what is nested in it is written out.
            flat = [
                replace(r, text=f"{_MARK[r.shift]}{r.text}" if r.shift else r.text, shift=0) for r in inner
            ]
            return [MathRun(token), *_grouped(flat)]
        shift = 1 if token == "^" else -1
        return [replace(run, text=_TIGHT.sub(r"\1", run.text), shift=shift) for run in inner]

    def _item(self, token: str, before: list[MathRun]) -> list[MathRun]:
        if token == "{":
            return self.sequence(("}",))
        if token.startswith("\\") and len(token) > 1:
            return self._command(token[1:], before)
        if token == "'":
            return [MathRun("′")]
        if token == "~":
            return [MathRun("\u00a0")]
        if token == "&":
            return [MathRun(" ")]
        if token in "+-*":
            sign = {"-": "−", "*": "∗"}.get(token, token)
            return [MathRun(f" {sign} " if _is_operand(before) else sign)]
        if token in _RELATION_SIGNS:
            return _spaced(token, before)
        if token == ",":
            return [MathRun(", ")]
        return [MathRun(token, italic=token.isalpha())]

    def _command(self, name: str, before: list[MathRun]) -> list[MathRun]:
        if name in symbols.SPACES:
            return [MathRun(symbols.SPACES[name])]
        if name == "\\":
            return [MathRun("\n")]
        if name in symbols.LETTERS:
            return [MathRun(symbols.LETTERS[name], italic=True)]
        if name in symbols.RELATIONS:
            return _spaced(symbols.RELATIONS[name], before)
        if name in symbols.BINARY:
            sign = symbols.BINARY[name]
            return [MathRun(f" {sign} " if _is_operand(before) else sign)]
        for table in (symbols.PLAIN, symbols.LARGE):
            if name in table:
                return [MathRun(table[name])]
        if name in symbols.FUNCTIONS:
            return [MathRun(f"{' ' if _is_operand(before) else ''}{name}"), *self._gap()]
        if name in symbols.UPRIGHT:
            return [MathRun(self._raw())]
        if name in symbols.BOLD:
            return [replace(run, bold=True) for run in self._argument()]
        if name in ("mathbb", "mathcal", "mathscr", "mathfrak"):
            letters = symbols.DOUBLE if name == "mathbb" else symbols.SCRIPT
            return [MathRun("".join(letters.get(c, c) for c in _text(self._argument())))]
        if name in symbols.ACCENTS:
            return self._accented(symbols.ACCENTS[name])
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return [*_grouped(self._argument()), MathRun("/"), *_grouped(self._argument())]
        if name in ("binom", "dbinom"):
            upper, lower = self._argument(), self._argument()
            return [MathRun("("), *upper, MathRun(" over "), *lower, MathRun(")")]
        if name == "sqrt":
            return self._root()
        if name in ("overset", "underset", "stackrel"):
            over, base = self._argument(), self._argument()
            return [*base, *(replace(run, shift=-1 if name == "underset" else 1) for run in over)]
        if name == "begin":
            return self._environment(self._raw())
        if name in ("end", "tag", "label"):
            self._raw()
            return []
        if name in symbols.IGNORED:
            if name in ("left", "right") and self._peek() == ".":
                self._at += 1
            return []
        return [MathRun(f"\\{name}")]

    def _argument(self) -> list[MathRun]:
        """What a command applies to: a group, or one item."""
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        if self._at >= len(self._tokens) or self._tokens[self._at] == "}":
            return []
        token = self._tokens[self._at]
        self._at += 1
        self._enter()
        found = self._item(token, [])
        self._depth -= 1
        return found

    def _raw(self) -> str:
        """A group as it is written."""
        if self._peek() != "{":
            return _text(self._argument())
        self._at += 1
        out: list[str] = []
        level = 1
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            level += (token == "{") - (token == "}")
            if not level:
                break
            out.append(token)
        return "".join(out).replace("\\ ", " ").replace("\\_", "_").replace("\\%", "%")

    def _root(self) -> list[MathRun]:
        index: list[MathRun] = []
        if self._peek() == "[":
            self._at += 1
            index = [replace(run, shift=1) for run in self.sequence(("]",))]
        return [*index, MathRun("√"), *_grouped(self._argument())]

    def _accented(self, accent: str) -> list[MathRun]:
        return [
            replace(run, text=unicodedata.normalize("NFC", "".join(c + accent for c in run.text)))
            for run in self._argument()
        ]

    def _environment(self, name: str) -> list[MathRun]:
        """Rows of a matrix in one line, or lines of a derivation below each other."""
        if name == "array":
            self._raw()
        inside: list[list[MathRun]] = [[]]
        ended = False
        while self._at < len(self._tokens) and not ended:
            found = self.sequence(("\\\\", "\\end"))
            inside[-1] += found
            last = self._tokens[self._at - 1]
            if last == "\\end":
                self._raw()
                ended = True
            elif last == "\\\\":
                inside.append([])
            else:
                ended = True
        rows = [row for row in inside if _text(row).strip()]
        between = MathRun("\n" if name in _LINES else " ; ")
        left, right = _BRACKETS.get(name, ("[", "]"))
        if name in _LINES:
            left, right = ("{ " if name == "cases" else "", "")
        out = [MathRun(left)]
        for i, row in enumerate(rows):
            out += [between] if i else []
            out += row
        return [*out, MathRun(right)]

    def _gap(self) -> list[MathRun]:
        following = self._peek()
        return [] if following in ("", "(", "^", "_", "\\left", "{", ")", "}") else [MathRun("\u2009")]

    def _peek(self) -> str:
        at = self._at
        while at < len(self._tokens) and self._tokens[at].isspace():
            at += 1
        return self._tokens[at] if at < len(self._tokens) else ""


def _text(runs: list[MathRun]) -> str:
    return "".join(run.text for run in runs)


def _grouped(runs: list[MathRun]) -> list[MathRun]:
    """In brackets, unless it is one thing."""
    text = _text(runs)
    letter = len(runs) > 1 and len(runs[0].text) == 1 and all(run.shift for run in runs[1:])
    simple = len(text) <= 1 or text.isdigit() or letter
    return runs if simple else [MathRun("("), *runs, MathRun(")")]


def _is_operand(before: list[MathRun]) -> bool:
    """Whether a sign after it stands between two things, and not before one."""
    text = _text(before[-1:]).rstrip() if before else ""
    return bool(text) and text[-1] not in _OPENS and text[-1] not in "=<>≤≥≈→,;/−+×·"


def _spaced(sign: str, before: list[MathRun]) -> list[MathRun]:
    space = "" if not before or before[-1].text.endswith((" ", "\n")) else " "
    return [MathRun(f"{space}{sign} ")]


def _joined(runs: list[MathRun]) -> list[MathRun]:
    out: list[MathRun] = []
    for run in runs:
        if not run.text:
            continue
        if out and replace(out[-1], text="") == replace(run, text=""):
            out[-1] = replace(run, text=out[-1].text + run.text)
        else:
            out.append(run)
    return out


def _trimmed(runs: list[MathRun]) -> tuple[MathRun, ...]:
    if runs:
        runs[0] = replace(runs[0], text=runs[0].text.lstrip())
        runs[-1] = replace(runs[-1], text=runs[-1].text.rstrip())
    return tuple(run for run in runs if run.text)
