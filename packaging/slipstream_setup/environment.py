"""The `.venv` of a source tree: where things are in it, whether it works, making it, mending it."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

from slipstream_setup import pythons
from slipstream_setup.child import clean_environment, run_logged
from slipstream_setup.problem import SetupProblem

WINDOWS = sys.platform == "win32"
NO_PIP = "pip does not work in it"


class Environment:
    """`root` is the source tree. What set-up itself keeps is in `.venv/slipstream/`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.notes = self.folder / "slipstream"
        self.lock = self.notes / "lock"
        self.log = self.notes / "setup.log"
        self.stamp = self.notes / "stamp.json"
        self.constraints = self.notes / "constraints.txt"
        self._making = self.notes / "making"
        self.scripts = self.folder / ("Scripts" if WINDOWS else "bin")
        self.python = self.scripts / ("python.exe" if WINDOWS else "python")

    def script(self, name: str) -> Path:
        """The path of a command that a package installs."""
        return self.scripts / (f"{name}.exe" if WINDOWS else name)

    def version(self) -> str:
        """The Python version the environment was made with, from its own file; empty when there is none."""
        try:
            text = (self.folder / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        found = re.search(r"^version(?:_info)?\s*=\s*(\d+\.\d+\.\d+)", text, re.MULTILINE)
        return found.group(1) if found else ""

    def site_packages(self) -> Path:
        if WINDOWS:
            return self.folder / "Lib" / "site-packages"
        major, minor = (self.version() or "0.0").split(".")[:2]
        return self.folder / "lib" / f"python{major}.{minor}" / "site-packages"

    def objection(self) -> str:
        """Why the environment cannot be used as it is; empty when it can."""
        if not self.folder.is_dir() or not any(p != self.notes for p in self.folder.iterdir()):
            return "there is none yet"
        if self._making.exists():
            return "making it was interrupted"
        found = pythons.ask([str(self.python)])
        if found is None:
            return "its Python does not start"
        if found.objection():
            return found.objection()
        return "" if self._pip_works() else NO_PIP

    def add_pip(self, lock_fd: int | None = None) -> bool:
        """Put pip into an environment that somebody made without; whether it works then."""
        run_logged([str(self.python), "-I", "-m", "ensurepip"], self.log, lock_fd=lock_fd)
        return self._pip_works()

    def make(self, base: str, lock_fd: int | None = None) -> None:
        """Make the environment anew with the interpreter `base`; what was there is removed."""
        try:
            self.notes.mkdir(parents=True, exist_ok=True)
            self._making.touch()
            for path in self.folder.iterdir():
                if path == self.notes:
                    continue
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()
        except OSError as error:
            raise SetupProblem(
                f"The folder {self.folder} cannot be written: {error}",
                "Close Slipstream if it is running, check the folder's permissions, and run this again.",
            ) from error
        status, last = run_logged([base, "-I", "-m", "venv", str(self.folder)], self.log, lock_fd=lock_fd)
        if status != 0 or not self._pip_works():
            raise SetupProblem(
                f"Python could not make the virtual environment: {' '.join(last[-3:]) or status}",
                f"The whole output is in {self.log}",
            )
        self._making.unlink()

    def run(self, code: str, timeout_s: float = 120.0) -> subprocess.CompletedProcess[str]:
        """Run Python code in the environment, away from the user's folders and settings."""
        return subprocess.run(
            [str(self.python), "-I", "-c", code],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            env=clean_environment(),
            timeout=timeout_s,
        )

    def forget_half_installed(self) -> list[str]:
        """Remove the records of packages whose files are not all there, so that pip installs them again.

        An interrupted pip leaves such records, and takes them for installed packages. Returns their names.
        """
        removed = []
        for info in sorted(self.site_packages().glob("*.dist-info")):
            if not _complete(info):
                shutil.rmtree(info)
                removed.append(info.name.split("-")[0])
        return removed

    def _pip_works(self) -> bool:
        try:
            return self.run("import pip._internal.cli.main").returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


def _complete(info: Path) -> bool:
    """Whether every file of an installed package is there, by its own record."""
    try:
        with open(info / "RECORD", encoding="utf-8", newline="") as file:
            names = [row[0] for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        return False
    # Compiled files come and go; folders above site-packages are reached by "..".
    return all((info.parent / name).exists() for name in names if not name.endswith(".pyc"))
