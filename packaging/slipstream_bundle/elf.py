"""What the libraries of a Linux bundle need, read with readelf and ldd of the system."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

# Ubuntu 22.04, the oldest system that is promised: its C library, and its C++ library (of GCC 12).
NEWEST_ALLOWED = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13)}
_VERSION = re.compile(r"Name: (GLIBC|GLIBCXX|CXXABI)_([0-9.]+)\b")
_NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")


def is_elf(path: Path) -> bool:
    """Whether a file (not a link) is a program or library of Linux."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if is_elf(path)]


def needed(path: Path) -> set[str]:
    """The names of the libraries a file is linked with."""
    return set(_NEEDED.findall(_readelf("--dynamic", path)))


def versions(path: Path) -> set[tuple[str, tuple[int, ...]]]:
    """The versions of C and C++ symbols that a file asks for, as in `("GLIBC", (2, 34))`."""
    found = _VERSION.findall(_readelf("--version-info", path))
    return {(name, tuple(int(part) for part in number.split("."))) for name, number in found}


def unneeded(names: Iterable[tuple[str, Path]]) -> set[str]:
    """Of the collected `(name in the bundle, source)`: libraries at its top that nothing else needs.

    They came along with plugins that were left out since.
    """
    left = {name: source for name, source in names if ".so" in Path(name).name}
    asked = {name: needed(source) for name, source in left.items()}
    gone: set[str] = set()
    while True:
        wanted = set().union(*(asked[name] for name in left))
        idle = {
            name
            for name in left
            if "/" not in name and name not in wanted and not name.startswith("libpython")
        }
        if not idle:
            return gone
        gone |= idle
        for name in idle:
            del left[name]


@dataclass
class Report:
    """What is wrong with a bundle's libraries; empty lists are good. `newest` is the newest asked for."""

    too_new: list[str] = field(default_factory=list)
    not_found: list[str] = field(default_factory=list)
    newest: dict[str, tuple[int, ...]] = field(default_factory=dict)
    looked_at: int = 0

    @property
    def ok(self) -> bool:
        return self.looked_at > 0 and not self.too_new and not self.not_found


def check(bundle: Path, contents: Path) -> Report:
    """Look at every ELF file of a bundle, with the library path that its starter sets."""
    report = Report()
    environment = {**os.environ, "LD_LIBRARY_PATH": str(contents)}
    for path in files(bundle):
        report.looked_at += 1
        for name, number in versions(path):
            report.newest[name] = max(report.newest.get(name, (0,)), number)
            if number > NEWEST_ALLOWED[name]:
                asked = f"{name}_{'.'.join(map(str, number))}"
                report.too_new.append(f"{path.relative_to(bundle)} asks for {asked}")
        listed = subprocess.run(["ldd", str(path)], capture_output=True, text=True, env=environment)
        for line in listed.stdout.splitlines():
            if "not found" in line:
                report.not_found.append(f"{path.relative_to(bundle)}: {line.strip()}")
    return report


def _readelf(option: str, path: Path) -> str:
    done = subprocess.run(
        ["readelf", "--wide", option, str(path)], capture_output=True, text=True, check=True
    )
    return done.stdout
