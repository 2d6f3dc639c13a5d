"""Takes out of a text what says who ran the benchmark and where: folders, home, user and host names."""

from __future__ import annotations

import getpass
import os
import platform
import re
from collections.abc import Iterable
from pathlib import Path

# Names that half the world's machines have; leaving them in tells nothing and keeps words readable.
_COMMON = {"root", "user", "admin", "administrator", "ubuntu", "debian", "runner", "localhost", "build"}
_SHORTEST = 3


class Scrubber:
    """`paths` are files whose folders must not show; their own names may."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._literal: list[tuple[str, str]] = []
        for path in sorted({p for p in paths if p}, key=len, reverse=True):
            for spelling in {path, os.path.abspath(path), os.path.realpath(path)}:
                self._literal.append((spelling, os.path.basename(path)))
                folder = os.path.dirname(spelling)
                if os.path.isabs(folder) and len(folder) > 1:
                    self._literal.append((folder, "..."))
        for home in {os.path.expanduser("~"), str(_real_home())}:
            if len(home) > 1:
                self._literal.append((home, "~"))
        self._words = re.compile("|".join(rf"\b{re.escape(w)}\b" for w in _names()) or r"(?!)", re.IGNORECASE)

    def __call__(self, text: str) -> str:
        """For messages: without paths, and without the names of user and host wherever they stand."""
        found = self._words.sub("...", self.paths(text))
        # What holds nothing private stays translatable.
        return text if found == text else found

    def paths(self, text: str) -> str:
        """For prompts and whole reports, where a name may be a word: without paths only."""
        for private, shown in self._literal:
            text = text.replace(private, shown)
        return text


def _names() -> list[str]:
    """User and host names that may point to somebody."""
    host = platform.node()
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    names = {user, host, host.split(".")[0]}
    return sorted(
        (n for n in names if len(n) >= _SHORTEST and n.lower() not in _COMMON), key=len, reverse=True
    )


def _real_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path("~")
