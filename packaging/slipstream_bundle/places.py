"""Where things are: the source tree, and the work folder that everything built goes to.

The work folder is outside the source tree unless somebody says otherwise, so that no build is ever mistaken
for a source, packed into a wheel or committed.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
NAME = "slipstream"
TITLE = "Slipstream"
# Of the AppStream component and of the macOS bundle.
APP_ID = "app.slipstream.Slipstream"
BACKENDS = ("cpu", "vulkan", "cuda", "metal")


def version() -> str:
    """The version of the program, from the only place it is written: `app/__init__.py` (not imported)."""
    text = (ROOT / "app" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise ValueError('app/__init__.py has no line __version__ = "…"')
    return found.group(1)


def default_work() -> Path:
    """`SLIPSTREAM_BUILD`, or a folder of the user's cache."""
    named = os.environ.get("SLIPSTREAM_BUILD", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(home) / "slipstream-build"


@dataclass(frozen=True, slots=True)
class Work:
    """The folders of one build. Each backend has its own native library, environment and bundle."""

    folder: Path
    backend: str = "cpu"

    @property
    def downloads(self) -> Path:
        return self.folder / "downloads"

    @property
    def native(self) -> Path:
        """Where the native library is installed: `lib/` below it."""
        return self.folder / self.backend / "native"

    @property
    def objects(self) -> Path:
        return self.folder / self.backend / "objects"

    @property
    def environment(self) -> Path:
        return self.folder / self.backend / "venv"

    @property
    def python(self) -> Path:
        """The interpreter of the environment that is frozen."""
        return self.environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    @property
    def prepared(self) -> Path:
        """Icons, licences and other files made for the bundle."""
        return self.folder / self.backend / "prepared"

    @property
    def bundle(self) -> Path:
        """The one-folder bundle."""
        return self.folder / self.backend / "dist" / NAME

    @property
    def out(self) -> Path:
        """What is given to people."""
        return self.folder / "out"

    @property
    def suffix(self) -> str:
        """Of file names: empty for the CPU build that everybody can use."""
        return "" if self.backend in ("cpu", "metal") else f"-{self.backend}"
