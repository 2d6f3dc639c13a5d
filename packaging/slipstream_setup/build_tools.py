"""Whether this machine can compile the native library, and what to install when it cannot.

CMake and Ninja are fetched by pip; the compilers must be there.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from slipstream_setup import system_packages
from slipstream_setup.problem import SetupProblem


class _Compiler(NamedTuple):
    name: str
    variable: str  # names another command to use
    commands: tuple[str, ...]
    suffix: str
    source: str


_COMPILERS = (
    _Compiler("a C compiler", "CC", ("cc", "gcc", "clang"), ".c", "#include <stdio.h>\nint main(void) {}\n"),
    _Compiler(
        "a C++ compiler", "CXX", ("c++", "g++", "clang++"), ".cpp", "#include <thread>\nint main() {}\n"
    ),
)


def missing() -> list[str]:
    """The compilers that are not there, or cannot translate a file of one line."""
    if sys.platform == "win32":
        return (
            [] if _has_visual_studio() or shutil.which("clang") or shutil.which("g++") else ["a C++ compiler"]
        )
    if sys.platform == "darwin" and not _answers(["xcode-select", "-p"]):
        return ["a C compiler", "a C++ compiler"]
    return [compiler.name for compiler in _COMPILERS if not _compiles(compiler)]


def problem(lacking: list[str]) -> SetupProblem:
    """The message for missing compilers, with the exact command that installs them on this system."""
    if sys.platform.startswith("linux"):
        return system_packages.problem(lacking, "The native library has to be compiled.")
    what = f"This system lacks {' and '.join(lacking)}, and the native library has to be compiled."
    if sys.platform == "darwin":
        return SetupProblem(what, "Install Apple's, and run this again:\n  xcode-select --install")
    return SetupProblem(
        what,
        "Install Microsoft's, and run this again:\n"
        "  winget install Microsoft.VisualStudio.2022.BuildTools --override "
        '"--wait --passive --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"',
    )


def _compiles(compiler: _Compiler) -> bool:
    asked = os.environ.get(compiler.variable)
    commands = [shlex.split(asked)] if asked else [[name] for name in compiler.commands]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"try{compiler.suffix}"
        file.write_text(compiler.source, encoding="ascii")
        return any(
            shutil.which(command[0]) and _answers([*command, "-c", str(file), "-o", f"{file}.o"])
            for command in commands
        )


def _has_visual_studio() -> bool:
    base = os.environ.get("PROGRAMFILES(X86)", r"C:\Program Files (x86)")
    locator = Path(base) / "Microsoft Visual Studio" / "Installer" / "vswhere.exe"
    component = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"
    query = [
        str(locator),
        "-latest",
        "-products",
        "*",
        "-requires",
        component,
        "-property",
        "installationPath",
    ]
    try:
        return bool(subprocess.run(query, capture_output=True, timeout=60).stdout.strip())
    except (OSError, subprocess.TimeoutExpired):
        return False


def _answers(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
