"""A Jinja environment for chat templates out of model files: their dialect, in a sandbox with limits.

A model file comes from anywhere, and its template is a program. The sandbox keeps it away from Python;
the limits here keep it from running on or filling memory: a clock that is looked at in every loop
and macro, and a budget of characters for whatever builds text. Not for use by two threads at once.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

# No honest template comes near these.
MAX_SOURCE = 1_000_000
MAX_CHARS = 16_000_000  # of one text
MAX_CHARS_IN_ALL = 256_000_000  # built during one rendering
MAX_ITEMS = 1_000_000  # of one list, or inside nested lists that are printed
MAX_NUMBER_BITS = 4096
SECONDS = 3.0

# Filters that pad or lay out text for web pages; no chat template uses them.
_UNUSED_FILTERS = ("batch", "center", "filesizeformat", "forceescape", "pprint", "random", "slice", "urlize",
                   "wordwrap", "xmlattr")  # fmt: skip
_UNUSED_GLOBALS = ("lipsum", "cycler", "joiner")

_WIDE_PERCENT = re.compile(r"\*|\d{5}")
_WIDE_BRACES = re.compile(r"\{[^{}]*:[^{}]*(\d{5}|\{)")


class TemplateTooExpensive(TemplateError):
    """The template ran too long or built too much."""


class _Generation(Extension):
    """`{% generation %}` marks replies for training; for chatting the marks mean nothing."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _BoundedCode(CodeGenerator):
    """`a ~ b` goes through the budget."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class TemplateSandbox(ImmutableSandboxedEnvironment):
    """Compile with `from_string`, then render with `bounded_render`."""

    intercepted_binops = frozenset(("+", "*", "**", "%"))
    code_generator_class = _BoundedCode

    def __init__(self, seconds: float = SECONDS) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
            extensions=["jinja2.ext.loopcontrols", _Generation],
            finalize=self.printed,
        )
        self._seconds = seconds
        self._deadline = 0.0
        self._budget = 0
        self._restart()
        for name in _UNUSED_FILTERS:
            del self.filters[name]
        for name in _UNUSED_GLOBALS:
            del self.globals[name]
        self.filters["tojson"] = self._tojson
        self.filters["string"] = self.text
        self.filters["join"] = self._join
        self.filters["replace"] = self._replace
        self.filters["indent"] = self._indent
        self.filters["format"] = self._format
        self.globals["raise_exception"] = _raise_exception
        self.globals["strftime_now"] = _strftime_now

    def bounded_render(self, template: Template, variables: dict[str, Any]) -> str:
        """The rendered text; any exception of the template's own, or TemplateTooExpensive."""
        self._restart()
        return template.render(variables)

    # What the compiled template calls.

    def tick(self) -> None:
        """Called in every turn of every loop and macro."""
        if time.monotonic() > self._deadline:
            raise TemplateTooExpensive(f"it ran for more than {self._seconds:g} seconds")

    def printed(self, value: Any) -> Any:
        """What `{{ value }}` puts out: lists and mappings are weighed before they are spelled out."""
        return self.text(value) if _is_container(value) else value

    def concat(self, parts: Iterable[str]) -> str:
        """Joins the output of a template, a macro or a block."""
        return "".join(self._counted(parts))

    def joined(self, parts: Iterable[Any]) -> str:
        """`a ~ b ~ c`."""
        return "".join(self._counted(map(self.text, parts)))

    def text(self, value: Any) -> str:
        """`str(value)`; nested lists that share parts can be far longer than the memory they take."""
        if _is_container(value):
            self._weigh(value)
        return str(value)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length()
            if (operator == "*" and bits + right.bit_length() > MAX_NUMBER_BITS) or (
                operator == "**" and bits * right > MAX_NUMBER_BITS
            ):
                raise TemplateTooExpensive("it computes a number that is too large")
        elif operator == "+" and hasattr(left, "__len__") and hasattr(right, "__len__"):
            self._spend(len(left) + len(right), left)
        elif operator == "*" and (isinstance(left, int) or isinstance(right, int)):
            times, value = (left, right) if isinstance(left, int) else (right, left)
            if hasattr(value, "__len__"):
                self._spend(len(value) * max(times, 0), value)
        elif operator == "%" and isinstance(left, str):
            return self._format(left, *(right if isinstance(right, tuple) else (right,)))
        return super().call_binop(context, operator, left, right)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        owner = getattr(__obj, "__self__", None)
        if isinstance(owner, str):
            name = __obj.__name__
            if name == "replace" and len(args) >= 2:
                return __self._replace(owner, *args)
            if name == "join" and args:
                return __self._join(args[0], owner)
            if any(isinstance(a, int) and a > MAX_ITEMS for a in args):
                raise TemplateTooExpensive("it pads a text too far")
        return super().call(__context, __obj, *args, **kwargs)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        wrapped = super().wrap_str_format(value)
        if wrapped is not None and _WIDE_BRACES.search(value.__self__):
            raise TemplateTooExpensive("it pads a text too far")
        return wrapped

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > MAX_SOURCE:
            raise TemplateTooExpensive("it is too long")
        tree = super()._parse(source, name, filename)
        for node in tree.find_all(nodes.Stmt):
            if isinstance(node, (nodes.For, nodes.Macro, nodes.CallBlock)):
                tick = nodes.Call(nodes.EnvironmentAttribute("tick"), [], [], None, None)
                node.body.insert(0, nodes.ExprStmt(tick).set_lineno(node.lineno))
        return tree

    # Filters.

    def _tojson(
        self,
        value: Any,
        ensure_ascii: bool = False,
        indent: int | None = None,
        separators: tuple[str, str] | None = None,
        sort_keys: bool = False,
    ) -> str:
        """JSON as the model saw it in training: nothing is escaped for HTML."""
        self._weigh(value)
        return json.dumps(
            value,
            ensure_ascii=ensure_ascii,
            indent=None if indent is None else min(indent, 16),
            separators=separators,
            sort_keys=sort_keys,
        )

    def _join(self, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
        parts = value if attribute is None else (self.getitem(item, attribute) for item in value)
        texts = [self.text(part) for part in parts]
        self._spend(sum(map(len, texts)) + len(d) * len(texts), d)
        return d.join(texts)

    def _replace(self, value: Any, old: str, new: str, count: int | None = None) -> str:
        text = self.text(value)
        self._spend(len(text) + text.count(old) * len(new), text)
        return text.replace(old, new, -1 if count is None else count)

    def _indent(self, value: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
        """Every line but the first indented (the first with `first`, empty ones with `blank`)."""
        pad = width if isinstance(width, str) else " " * min(width, 1000)
        lines = value.split("\n")
        self._spend(len(value) + len(pad) * len(lines), value)
        return "\n".join(
            pad + line if (first or i > 0) and (line or blank) else line for i, line in enumerate(lines)
        )

    def _format(self, value: str, *args: Any, **kwargs: Any) -> str:
        """`value % args`."""
        if _WIDE_PERCENT.search(value):
            raise TemplateTooExpensive("it pads a text too far")
        for arg in (*args, *kwargs.values()):
            self._weigh(arg)
        return value % (kwargs or args)

    # Limits.

    def _restart(self) -> None:
        self._deadline = time.monotonic() + self._seconds
        self._budget = MAX_CHARS_IN_ALL

    def _spend(self, size: int, kind: Any) -> None:
        self._budget -= size
        if self._budget < 0 or size > (MAX_CHARS if isinstance(kind, str) else MAX_ITEMS):
            raise TemplateTooExpensive("it builds too much text")

    def _counted(self, parts: Iterable[str]) -> Iterator[str]:
        size = 0
        for part in parts:
            size += len(part)
            self._budget -= len(part)
            if self._budget < 0 or size > MAX_CHARS:
                raise TemplateTooExpensive("it builds too much text")
            yield part

    def _weigh(self, value: Any) -> None:
        """Refuse nested containers that would take too long to spell out."""
        waiting, seen = [value], 0
        while waiting:
            item = waiting.pop()
            seen += 1
            if isinstance(item, str):
                self._budget -= len(item)
            elif isinstance(item, dict):
                waiting += item.keys()
                waiting += item.values()
            elif _is_container(item):
                waiting += item
            if self._budget < 0 or seen + len(waiting) > MAX_ITEMS:
                raise TemplateTooExpensive("it builds too much text")


def _is_container(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str)


def _raise_exception(message: str) -> None:
    raise TemplateError(str(message))


def _strftime_now(pattern: str) -> str:
    return datetime.now().strftime(pattern[:200])
