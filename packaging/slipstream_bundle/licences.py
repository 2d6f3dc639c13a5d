"""Collects the licences of everything in a bundle: texts as files, and the list that About shows.

Run by the interpreter that was frozen, after freezing: it asks the installed packages, the source of the
native library and, on Debian and Ubuntu, the packages that the collected system libraries came from.
A file in the bundle that nothing accounts for stops the build.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGING.parent))

from app.core import licences  # noqa: E402

# Distribution -> its licence, where its metadata only say it in words.
_DISTRIBUTIONS = {
    "PySide6-Essentials": "LGPL-3.0-only",
    "shiboken6": "LGPL-3.0-only",
    "numpy": "",
    "llama-cpp-python": "MIT",
    "diskcache": "Apache-2.0",
    "Jinja2": "BSD-3-Clause",
    "MarkupSafe": "BSD-3-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "platformdirs": "MIT",
    "Pygments": "BSD-2-Clause",
    "typing_extensions": "PSF-2.0",
    "pyinstaller": "GPL-2.0-or-later WITH Bootloader-exception",
}
# Collected files that belong to Python itself or to what it was built with, by the start of their name.
_OF_PYTHON = {
    r"libpython|python3": ("Python", "PSF-2.0"),
    r"libcrypto|libssl": ("OpenSSL", "Apache-2.0"),
    r"libsqlite3|sqlite3": ("SQLite", "blessing"),
    r"libffi": ("libffi", "MIT"),
    r"libbz2": ("bzip2", "bzip2-1.0.6"),
    r"liblzma": ("XZ Utils", "0BSD"),
    r"libz\.|zlib": ("zlib", "Zlib"),
    r"vcruntime|msvcp|ucrtbase|api-ms-|concrt|vcomp": (
        "Microsoft Visual C++ runtime",
        "LicenseRef-Microsoft-VC-Redistributable",
    ),
}
_TEXT_NAME = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|AUTHORS)", re.IGNORECASE)


@dataclass
class Collection:
    """The texts and the list while they grow. `accounted` holds the sources of files that have a part."""

    folder: Path
    parts: dict[str, licences.Part] = field(default_factory=dict)
    accounted: set[str] = field(default_factory=set)

    def add(self, name: str, version: str, licence: str, texts: list[Path]) -> None:
        """A part with its texts, which are copied; without any it is no part that may be passed on."""
        if not texts:
            raise SystemExit(f"no licence text was found for {name}")
        kept = []
        for text in texts:
            target = self.folder / re.sub(r"[^\w.-]", "_", name) / text.name
            number = 1
            while target.exists():
                number += 1
                target = target.with_name(f"{text.stem}-{number}{text.suffix}")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(text, target)
            kept.append(target.relative_to(self.folder).as_posix())
        self.parts[name] = licences.Part(name, version, licence, tuple(kept))


def collect(folder: Path, collected: list[tuple[str, str]], native_source: Path) -> None:
    """Fill `folder`; `collected` are pairs of a file's name in the bundle and where it came from."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    own = PACKAGING / "licences"
    found = Collection(folder)
    found.add("Slipstream", _program_version(), "Apache-2.0", [PACKAGING.parent / "LICENSE"])
    for name, licence in _DISTRIBUTIONS.items():
        _add_distribution(found, name, licence, own)
    version = metadata.version("PySide6-Essentials")
    found.add("Qt", version, "LGPL-3.0-only", [own / "QT.txt", own / "LGPL-3.0.txt", own / "GPL-3.0.txt"])
    vendored = native_source / "vendor" / "llama.cpp"
    texts = [vendored / "LICENSE", *sorted((vendored / "licenses").glob("LICENSE-*"))]
    found.add("llama.cpp and ggml", _native_version(vendored), "MIT", texts)
    found.add("Python", sys.version.split()[0], "PSF-2.0", [_python_licence()])
    for _name, source in collected:
        _account_for(found, source, own)
    licences.write(folder, found.parts.values())
    print(f"licences of {len(found.parts)} parts in {folder}")


def _add_distribution(found: Collection, name: str, licence: str, own: Path) -> None:
    distribution = metadata.distribution(name)
    files = [Path(str(f.locate())) for f in distribution.files or () if ".dist-info" in str(f)]
    texts = [path for path in files if _TEXT_NAME.match(path.name) or "licenses" in path.parts]
    if not texts and licence.startswith("LGPL"):
        texts = [own / "LGPL-3.0.txt", own / "GPL-3.0.txt"]
    if not licence:
        licence = distribution.metadata["License-Expression"]
    found.add(name, distribution.version, licence, [text for text in texts if text.is_file()])


def _account_for(found: Collection, source: str, own: Path) -> None:
    """Name the part that a collected file belongs to; SystemExit when there is none."""
    path = Path(source)
    if not re.search(r"\.(so|dylib|dll|pyd)\b", path.name) or not path.is_file():
        return
    if {"site-packages", "dist-packages"} & set(path.parts):
        return
    for pattern, (part, licence) in _OF_PYTHON.items():
        if re.match(pattern, path.name, re.IGNORECASE):
            if part not in found.parts and not _add_system_package(found, path):
                found.add(part, "", licence, [own / "PYTHON-PARTS.txt"])
            return
    if (path.is_relative_to(sys.base_prefix) and "lib-dynload" in path.parts) or "DLLs" in path.parts:
        return  # Python's own modules
    if not _add_system_package(found, path) and sys.platform.startswith("linux"):
        raise SystemExit(f"nothing says under which licence {source} is")


def _add_system_package(found: Collection, path: Path) -> bool:
    """The Debian package that a library came from; False where that cannot be asked."""
    if shutil.which("dpkg-query") is None:
        return False
    for name in dict.fromkeys((str(path), str(path.resolve()), str(path.resolve()).removeprefix("/usr"))):
        asked = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if asked.returncode == 0:
            break
    else:
        return False
    package = asked.stdout.split(":")[0]
    if package in found.parts:
        return True
    query = ["dpkg-query", "-W", "-f", "${Version}", package]
    version = subprocess.run(query, capture_output=True, text=True).stdout
    text = Path("/usr/share/doc") / package / "copyright"
    content = text.read_text(encoding="utf-8", errors="replace")
    names = re.findall(r"^License: *(\S[^\n]*)$", content, re.MULTILINE)
    found.add(package, version, " AND ".join(dict.fromkeys(names)) or "see its text", [text])
    return True


def _program_version() -> str:
    from app import __version__

    return __version__


def _native_version(vendored: Path) -> str:
    text = (vendored / "ggml" / "CMakeLists.txt").read_text(encoding="utf-8")
    numbers = [re.search(rf"set\(GGML_VERSION_{part} (\d+)\)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    return "ggml " + ".".join(number[1] for number in numbers if number is not None)


def _python_licence() -> Path:
    home = Path(sys.base_prefix)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (
        home / "lib" / version / "LICENSE.txt",
        home / "LICENSE.txt",
        Path("/usr/share/doc") / version / "copyright",
        Path("/usr/share/doc/python3") / "copyright",
    ):
        if path.is_file():
            return path
    raise SystemExit("this Python came without its licence")


if __name__ == "__main__":
    pairs = [(str(name), str(source)) for name, source in json.loads(Path(sys.argv[2]).read_text("utf-8"))]
    collect(Path(sys.argv[1]), pairs, Path(sys.argv[3]))
