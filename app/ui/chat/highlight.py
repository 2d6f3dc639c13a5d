"""Source code to coloured stretches with Pygments.

While code is being written, `restart` keeps the part that is read again short, at the price of a wrong
colour now and then; one pass over the whole, taken in turns, puts that right at the end.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

SLICE = 600
"""Characters that may be read again when a line is added."""

_ROLES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "muted"),
    (Keyword, "code_keyword"),
    (Operator.Word, "code_keyword"),
    (String, "code_string"),
    (Number, "code_number"),
    (Name.Function, "code_name"),
    (Name.Class, "code_name"),
    (Name.Decorator, "code_name"),
    (Name.Builtin, "code_name"),
    (Name.Tag, "code_keyword"),
    (Name.Attribute, "code_name"),
    (Generic.Deleted, "error"),
    (Generic.Inserted, "good"),
    (Generic.Heading, "code_keyword"),
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """`code[start:end]` in the palette's colour `role`."""

    start: int
    end: int
    role: str


@lru_cache(maxsize=1)
def _aliases() -> frozenset[str]:
    # Asking for an unknown name would search every installed package for plugins.
    return frozenset(alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)


@lru_cache(maxsize=32)
def _lexer(language: str) -> Lexer | None:
    name = language.lower().strip("{}.")
    if name not in _aliases():
        return None
    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except (ClassNotFound, ImportError):
        return None


def is_known(language: str) -> bool:
    return _lexer(language) is not None


def file_name(language: str) -> str:
    """What a file with such code may be called."""
    lexer = _lexer(language)
    for pattern in lexer.filenames if lexer is not None else ():
        if pattern.startswith("*.") and pattern[2:].isalnum():
            return f"code{pattern[1:]}"
    return "code.txt"


def stretches(code: str, language: str, start: int = 0, stop: int | None = None) -> Iterator[Stretch]:
    """Coloured stretches of `code[start:stop]`, read as if the code began at `start`."""
    lexer = _lexer(language)
    if lexer is None:
        return
    for at, token, value in lexer.get_tokens_unprocessed(code[start:stop]):
        role = _role(token)
        if role and value:
            yield Stretch(start + at, start + at + len(value), role)


def restart(code: str, start: int, stop: int) -> int:
    """The last place in `code[start:stop]` where lexing may begin afresh: a flush line after an empty one."""
    at = stop
    while at > start:
        at = code.rfind("\n\n", start, at)
        if at < 0:
            break
        following = code[at + 2 : at + 3]
        if following and not following.isspace():
            return at + 2
    if stop - start > SLICE:
        return code.rfind("\n", start, stop) + 1 or start
    return start


@lru_cache(maxsize=512)
def _role(token: _TokenType) -> str:
    for kind, role in _ROLES:
        if token in kind:
            return role
    return ""


def warm_up() -> None:
    """Load what the first block of code would otherwise wait for, without holding up the window."""
    threading.Thread(target=is_known, args=("python",), name="highlight-warm-up", daemon=True).start()
