"""Runs `slipstream smoke` of a bundle as a stranger's machine would: nothing of the developer's is in reach.

The program lies in a read-only folder, belongs to somebody else, has no Python on its path, and home and
temporary folder have names that are no ASCII. The current directory holds libraries that must not be loaded.
Standard library only.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NOBODY = 65534
HOME, TEMPORARY = "Дом ユーザー", "tmp ünïcödé"
# What a loader might look for in the current directory.
PLANTED = (
    "libggml-cpu-zen9.so",
    "libggml-cpu.so",
    "libggml-base.so",
    "libggml.so",
    "libllama.so",
    "libgomp.so.1",
    "libQt6Core.so.6",
    "libstdc++.so.6",
)
_TRAP = """\
#include <stdio.h>
__attribute__((constructor)) static void loaded(void) {
    FILE *file = fopen("%s", "a");
    if (file) { fputs("a planted library was loaded\\n", file); fclose(file); }
}
int ggml_backend_score(void) { loaded(); return 1000000; }
"""


@dataclass
class Stage:
    """A bundle made ready to be run; all paths as seen from outside of `root`."""

    folder: Path
    root: Path | None = None
    program: Path = field(init=False)

    def __post_init__(self) -> None:
        name = "slipstream-cli.exe" if sys.platform == "win32" else "slipstream"
        self.program = self.folder / "opt" / "slipstream" / name

    @property
    def home(self) -> Path:
        return self.folder / HOME

    @property
    def current(self) -> Path:
        return self.folder / "here"

    @property
    def marker(self) -> Path:
        return self.folder / TEMPORARY / "loaded.txt"

    def inside(self, path: Path) -> str:
        """The path as the program sees it."""
        return str(path) if self.root is None else "/" + str(path.relative_to(self.root))

    def models(self) -> Path:
        """Where Linux keeps them; elsewhere SLIPSTREAM_HOME says it."""
        linux = self.home / ".local" / "share" / "Slipstream" / "models"
        return linux if sys.platform.startswith("linux") else self.home / "models"


def prepare(stage: Stage, bundle: Path, models: Sequence[Path]) -> None:
    """Copy bundle and models, plant libraries, take the rights away."""
    shutil.copytree(bundle, stage.program.parent, symlinks=True)
    stage.models().mkdir(parents=True)
    for path in models:
        shutil.copyfile(path, stage.models() / path.name)
    for folder in (stage.current, stage.marker.parent, stage.folder / "empty"):
        folder.mkdir()
    _plant(stage)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        for path in (stage.home, stage.current, stage.marker.parent):
            for inner in [path, *path.rglob("*")]:
                os.chown(inner, NOBODY, NOBODY)
    for path in [stage.program.parent, *stage.program.parent.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
    stage.folder.chmod(0o755)


def _plant(stage: Stage) -> None:
    compiler = shutil.which("cc")
    if compiler is None or sys.platform == "win32":
        print("no C compiler: no libraries are planted")
        return
    source = stage.current / "trap.c"
    source.write_text(_TRAP % stage.inside(stage.marker), encoding="utf-8")
    first = stage.current / PLANTED[0]
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(first), str(source)], check=True)
    for name in PLANTED[1:]:
        shutil.copyfile(first, stage.current / name)


@dataclass
class Seen:
    """How one run ended. `problems` is empty when all is as it must be."""

    name: str
    problems: list[str]
    seconds: float = 0.0
    report: dict[str, Any] = field(default_factory=dict)


def smoke(stage: Stage, name: str, screen: dict[str, str], timeout: float = 300) -> Seen:
    """One smoke run on the given screen (variables such as DISPLAY)."""
    picture = stage.marker.parent / f"{name}.png"
    before = _listing(stage.program.parent)
    began = time.monotonic()
    arguments = ["smoke", "--json", "--screenshot", stage.inside(picture)]
    done = run(stage, arguments, screen, timeout)
    seen = Seen(name, [], time.monotonic() - began)
    try:
        seen.report = json.loads(done.stdout)
    except ValueError:
        seen.problems.append(f"no report came out: {done.stdout[-500:]!r}")
    if done.returncode:
        seen.problems.append(f"it ended with {done.returncode}")
    if seen.report and not seen.report.get("ok"):
        seen.problems.append(f"it says: {seen.report.get('error')}")
    seen.problems += [f"in the log: {line}" for line in seen.report.get("log", [])]
    if done.stderr.strip():
        seen.problems.append(f"it wrote errors: {done.stderr.strip()[-1500:]}")
    if not picture.is_file() or picture.stat().st_size < 10_000:
        seen.problems.append("there is no picture of the window")
    if stage.marker.exists():
        seen.problems.append("a library planted in the current directory was loaded")
    if _listing(stage.program.parent) != before:
        seen.problems.append("it wrote into its own folder")
    left = [p.name for p in stage.marker.parent.iterdir() if p.name.startswith("slipstream-smoke-")]
    if left:
        seen.problems.append(f"it left temporary files: {left}")
    return seen


def run(
    stage: Stage, arguments: Sequence[str], screen: dict[str, str], timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run the program with nothing but `screen` and the plainest variables in its environment."""
    environment = {
        "HOME": stage.inside(stage.home),
        "TMPDIR": stage.inside(stage.marker.parent),
        "PATH": stage.inside(stage.folder / "empty"),
        "LANG": "C.UTF-8",
        **screen,
    }
    if not sys.platform.startswith("linux"):
        environment["SLIPSTREAM_HOME"] = str(stage.home)
    if sys.platform == "win32":
        # Without these Windows starts nothing.
        environment |= {"TEMP": environment["TMPDIR"], "TMP": environment["TMPDIR"]}
        kept = ("SYSTEMROOT", "USERPROFILE")
        environment |= {name: os.environ[name] for name in kept if name in os.environ}
    command = [stage.inside(stage.program), *arguments]
    options: dict[str, Any] = {"cwd": stage.current, "env": environment}
    if stage.root is not None:
        listed = [f"{name}={value}" for name, value in environment.items()]
        there = f'cd "{stage.inside(stage.current)}" && exec env -i "$@"'
        user = f"--userspec={NOBODY}:{NOBODY}"
        command = ["chroot", user, str(stage.root), "/bin/sh", "-c", there, "sh", *listed, *command]
        options = {}
    elif hasattr(os, "geteuid") and os.geteuid() == 0:
        options |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        **options,
    )
    try:
        out, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        out, errors = process.communicate()
        errors += f"\nit did not end within {timeout:.0f} s"
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def _listing(folder: Path) -> list[tuple[str, int, int]]:
    """Every file with its size and time, to see that nothing was written."""
    rows = []
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        rows.append((str(path.relative_to(folder)), status.st_size, status.st_mtime_ns))
    return rows


def release(stage: Stage) -> None:
    """Give the rights back, so that the folder can be removed."""
    if stage.program.parent.is_dir():
        for path in [stage.program.parent, *stage.program.parent.rglob("*")]:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
