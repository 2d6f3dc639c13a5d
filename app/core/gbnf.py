"""Checks a grammar in GBNF before the native library sees it, and says where it is wrong.

The library only prints what it dislikes and gives up; it also recurses over what it reads. Checked are
syntax, undefined rules, left recursion, and sizes. What text the grammar allows is the library's affair.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from app.core.wording import say

ROOT = "root"

MOST_CHARACTERS = 1 << 18
DEEPEST_GROUP = 64
# The library's own bounds: longest counted repetition, and how many rules one may make.
MOST_REPETITIONS = 2000
# Its search for left recursion follows every path; more than this would stop the program for long.
MOST_PATHS = 1 << 20

_NAME = re.compile(r"[A-Za-z0-9-]+")
_NUMBER = re.compile(r"[0-9]+")
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[trn\\\"\[\]-])")


@dataclass(slots=True)
class _Item:
    """Part of a sequence: a rule's name or None for characters; `empty`: it may be left out."""

    rule: str | None
    empty: bool = False
    endless: bool = False
    at: int = 0


@dataclass(slots=True)
class _Rules:
    """Alternatives by rule name; groups have made-up names."""

    bodies: dict[str, list[list[_Item]]] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)


class GrammarError(ValueError):
    """What is wrong with a grammar and where; `problem` without the place."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.problem = text


def check_grammar(text: str) -> None:
    """Raises GrammarError, with line and column where there is one."""
    if not text.strip():
        raise GrammarError(say("the grammar is empty"))
    if len(text) > MOST_CHARACTERS:
        raise GrammarError(say("the grammar is longer than {n} characters", n=MOST_CHARACTERS))
    rules = _Parser(text).parse()
    if ROOT not in rules.bodies:
        raise GrammarError(say("there is no rule named {name}", name=ROOT))
    _check_recursion(text, rules)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.rules = _Rules()
        self._depth = 0
        self._groups = 0

    def parse(self) -> _Rules:
        if "\0" in self.text:
            self._fail(say("a null character is not allowed"), self.text.index("\0"))
        self._space(True)
        while self.pos < len(self.text):
            name = self._match(_NAME, say("expected the name of a rule (letters, digits and -)"))
            self._space(False)
            self._expect("::=")
            self._space(True)
            self.rules.bodies[name] = self._alternatives(False)
            if self.pos < len(self.text) and self.text[self.pos] not in "\r\n":
                self._fail(say("expected the end of the line"))
            self._space(True)
        for name, at in self.rules.used.items():
            if name not in self.rules.bodies:
                self._fail(say("there is no rule named {name}", name=name), at)
        return self.rules

    def _alternatives(self, nested: bool) -> list[list[_Item]]:
        found = [self._sequence(nested)]
        while self._peek() == "|":
            self.pos += 1
            self._space(True)
            found.append(self._sequence(nested))
        return found

    def _sequence(self, nested: bool) -> list[_Item]:
        items: list[_Item] = []
        repeatable = False
        while True:
            at, c = self.pos, self._peek()
            if c == '"':
                length = self._characters('"')
                repeatable = length > 0
                if repeatable:
                    items.append(_Item(None, at=at))
            elif c == "[":
                # An empty class matches nothing and is no item of its own to the library.
                repeatable = self._characters("]") > 0
                if repeatable:
                    items.append(_Item(None, at=at))
            elif c and c in "<!":
                # The library allows tokens after half a token of characters, and then cannot take them in.
                self._fail(say("single tokens in angle brackets are not possible here; write their text"))
            elif c == ".":
                self.pos += 1
                items.append(_Item(None, at=at))
                repeatable = True
            elif c == "(":
                items.append(_Item(self._group(), at=at))
                repeatable = True
            elif c and c in "*+?{":
                low, high = self._repetition()
                if not repeatable:
                    self._fail(say("there is nothing before it to repeat"), at)
                item = items[-1]
                if item.empty and high is None:
                    self._fail(say("what may be empty is repeated without end"), at)
                items[-1] = _Item(item.rule, item.empty or low == 0, item.endless or high is None, item.at)
            elif _NAME.match(c):
                name = self._match(_NAME, "")
                self.rules.used.setdefault(name, at)
                items.append(_Item(name, at=at))
                repeatable = True
            else:
                return items
            self._space(nested)

    def _group(self) -> str:
        at = self.pos
        self._depth += 1
        if self._depth > DEEPEST_GROUP:
            self._fail(say("groups are nested deeper than {n}", n=DEEPEST_GROUP), at)
        self.pos += 1
        self._space(True)
        self._groups += 1
        name = f"({self._groups})"
        self.rules.bodies[name] = self._alternatives(True)
        if self._peek() != ")":
            self._fail(say("this parenthesis is not closed"), at)
        self.pos += 1
        self._depth -= 1
        return name

    def _characters(self, end: str) -> int:
        """A literal or a class from its opening sign to `end`; returns its number of characters."""
        start = self.pos
        self.pos += 1
        if end == "]" and self._peek() == "^":
            self.pos += 1
        count = 0
        while (c := self._peek()) != end:
            if not c:
                self._fail(say("this is not closed"), start)
            if c == "\\":
                self._match(_ESCAPE, say("unknown escape; a backslash itself is written twice"))
            else:
                self.pos += 1
            count += 1
        self.pos += 1
        return count

    def _repetition(self) -> tuple[int, int | None]:
        """(least, most) times; None without an upper bound."""
        c, at = self._peek(), self.pos
        self.pos += 1
        if c != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[c]
        self._space(True)
        low = int(self._match(_NUMBER, say("expected a number")))
        high: int | None = low
        self._space(True)
        if self._peek() == ",":
            self.pos += 1
            self._space(True)
            high = int(self._match(_NUMBER, "")) if _NUMBER.match(self.text, self.pos) else None
            self._space(True)
        self._expect("}")
        if low > MOST_REPETITIONS or (high or 0) > MOST_REPETITIONS:
            self._fail(say("more than {n} repetitions are not possible", n=MOST_REPETITIONS), at)
        if high is not None and high < low:
            self._fail(say("the upper bound is below the lower one"), at)
        return low, high

    def _peek(self) -> str:
        return self.text[self.pos : self.pos + 1]

    def _space(self, newline: bool) -> None:
        blank = " \t\r\n" if newline else " \t"
        while (c := self._peek()) and (c in blank or c == "#"):
            if c == "#":
                while (c := self._peek()) and c not in "\r\n":
                    self.pos += 1
            else:
                self.pos += 1

    def _match(self, pattern: re.Pattern[str], problem: str) -> str:
        found = pattern.match(self.text, self.pos)
        if found is None:
            self._fail(problem)
        self.pos = found.end()
        return found.group()

    def _expect(self, sign: str) -> None:
        if not self.text.startswith(sign, self.pos):
            self._fail(say("expected {sign}", sign=sign))
        self.pos += len(sign)

    def _fail(self, problem: str, at: int | None = None) -> NoReturn:
        raise _at(self.text, self.pos if at is None else at, problem)


def _at(text: str, at: int, problem: str) -> GrammarError:
    found = GrammarError(
        say(
            "line {line}, column {column}: {problem}",
            line=text.count("\n", 0, at) + 1,
            column=at - text.rfind("\n", 0, at),
            problem=problem,
        )
    )
    found.problem = problem
    return found


def _check_recursion(text: str, rules: _Rules) -> None:
    """No rule may begin with itself, whatever may be empty before."""
    bodies = rules.bodies
    empty: set[str] = set()
    grown = True
    while grown:
        found = {
            name
            for name, body in bodies.items()
            if name not in empty and any(all(i.empty or i.rule in empty for i in items) for items in body)
        }
        empty |= found
        grown = bool(found)

    first: dict[str, list[_Item]] = {}
    for name, body in bodies.items():
        heads: list[_Item] = []
        for items in body:
            open_ended = True
            for item in items:
                if item.rule in empty and item.endless:
                    raise _at(text, item.at, say("what may be empty is repeated without end"))
                if open_ended and item.rule is not None:
                    heads.append(item)
                open_ended = open_ended and (item.empty or item.rule in empty)
        first[name] = heads

    paths: dict[str, int] = {}
    for start in bodies:
        walk = [start]
        under_way: set[str] = set()
        while walk:
            name = walk[-1]
            if name in paths:
                walk.pop()
                continue
            if name in under_way:
                under_way.discard(name)
                paths[name] = 1 + sum(paths[item.rule] for item in first[name] if item.rule)
                if paths[name] > MOST_PATHS:
                    raise GrammarError(
                        say("the rule {name} can begin in too many ways", name=name.strip("()"))
                    )
                continue
            under_way.add(name)
            for item in first[name]:
                if item.rule in under_way:
                    problem = say("the rule {name} begins with itself (left recursion)", name=item.rule)
                    raise _at(text, item.at, problem)
                if item.rule is not None and item.rule not in paths:
                    walk.append(item.rule)
