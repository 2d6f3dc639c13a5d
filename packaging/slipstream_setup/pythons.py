"""Which Python to build on: 3.10 to 3.13, 64 bits, able to make virtual environments.

Reads on Python 3.6 and newer (see bootstrap.py): no newer syntax in this file, annotations in quotes.
"""

import glob
import json
import os
import subprocess
import sys
from typing import Any

OLDEST = (3, 10)
NEWEST = (3, 13)
_PREFERRED = ((3, 13), (3, 12), (3, 11), (3, 10))
_QUERY = (
    "import importlib.util as u, json, platform, sys, sysconfig;"
    "print(json.dumps({'version': list(sys.version_info[:3]),"
    "'executable': getattr(sys, '_base_executable', None) or sys.executable,"
    "'implementation': platform.python_implementation(),"
    "'bits': 64 if sys.maxsize > 2**32 else 32,"
    "'free_threaded': bool(sysconfig.get_config_var('Py_GIL_DISABLED')),"
    "'can_make_venv': all(u.find_spec(n) for n in ('venv', 'ensurepip'))}))"
)


class Python:
    """What one interpreter said about itself."""

    def __init__(self, facts: "dict[str, Any]") -> None:
        self.version = tuple(facts["version"])  # (major, minor, patch)
        self.executable = str(facts["executable"])
        self.implementation = str(facts["implementation"])
        self.bits = int(facts["bits"])
        self.free_threaded = bool(facts["free_threaded"])
        self.can_make_venv = bool(facts["can_make_venv"])

    @property
    def text(self) -> str:
        return ".".join(str(part) for part in self.version)

    def objection(self) -> str:
        """Why Slipstream cannot run on it, or empty. A missing `venv` can be added and is no objection."""
        if not OLDEST <= self.version[:2] <= NEWEST:
            return f"it is Python {self.text}, and Slipstream needs 3.10 to 3.13"
        if self.implementation != "CPython":
            return f"it is {self.implementation}, and Qt needs CPython"
        if self.bits != 64:
            return "it is a 32-bit Python, and Qt needs a 64-bit one"
        if self.free_threaded:
            return "it is a free-threaded Python, and Qt needs an ordinary one"
        return ""


def ask(command: "list[str]") -> "Python | None":
    """What the interpreter started by `command` says; None when it does not start."""
    try:
        out = subprocess.run(
            [*command, "-I", "-c", _QUERY],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            timeout=30,
        )
        return Python(json.loads(out.stdout.decode("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, subprocess.SubprocessError):
        return None


def candidates() -> "list[list[str]]":
    """Commands that may start a supported Python, best first; none of them has been tried."""
    commands = []  # type: list[list[str]]
    for major, minor in _PREFERRED:
        name = f"{major}.{minor}"
        if os.name == "nt":
            commands.append(["py", f"-{name}"])
        commands.append([f"python{name}"])
        for pattern in (
            f"/opt/homebrew/bin/python{name}",
            f"/usr/local/bin/python{name}",
            f"/Library/Frameworks/Python.framework/Versions/{name}/bin/python{name}",
            f"~/.pyenv/versions/{name}.*/bin/python",
        ):
            commands += [[path] for path in sorted(glob.glob(os.path.expanduser(pattern)), reverse=True)]
    return commands


def find_other() -> "Python | None":
    """The first suitable Python besides the running one, preferring one that can make environments."""
    spare = None
    for command in candidates():
        found = ask(command)
        if found is None or found.objection():
            continue
        if found.can_make_venv:
            return found
        spare = spare or found
    return spare


def advice() -> str:
    """How to get a suitable Python on this system."""
    if sys.platform == "darwin":
        return "Install one, for example: brew install python@3.12"
    if os.name == "nt":
        return "Install one, for example: winget install Python.Python.3.12"
    return "Install one, for example: apt install python3.12 python3.12-venv (or: uv python install 3.12)"


def hand_over(argv: "list[str]") -> int:
    """Run the same command on a newer Python that is on this machine; else say what is missing."""
    found = find_other()
    if found is None:
        running = ".".join(str(part) for part in sys.version_info[:3])
        sys.stderr.write(
            f"Slipstream needs Python 3.10 to 3.13; this is Python {running}, "
            f"and no other was found.\n{advice()}\n"
        )
        return 1
    command = [found.executable, *argv]
    if os.name == "nt":
        return subprocess.call(command)
    os.execv(found.executable, command)
    return 0
