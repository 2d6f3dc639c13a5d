"""The native engine, llama-cpp-python: keep a build that can do what is needed, else compile one.

A build is judged by its symbols, so that a user's own GPU build stays.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from slipstream_setup import pip
from slipstream_setup.child import clean_environment
from slipstream_setup.console import Console, roughly
from slipstream_setup.environment import Environment
from slipstream_setup.problem import SetupProblem

PACKAGE = "llama-cpp-python"
_OLDEST, _BELOW = (0, 3, 36), (0, 4)  # the range of pyproject.toml
_CORE_SECONDS = 660  # measured: compiling takes about 5 and a half minutes on 2 cores


@dataclass(frozen=True)
class EngineBuild:
    """What engine_probe.py said of the installed build."""

    version: str = ""
    path: str = ""
    missing: tuple[str, ...] = ()
    error: str = ""

    @property
    def objection(self) -> str:
        """Why the build cannot be kept, or empty."""
        if not self.version:
            return "none is installed"
        if self.error:
            return f"{PACKAGE} {self.version} does not load ({self.error})"
        if self.missing:
            return f"{PACKAGE} {self.version} lacks {', '.join(self.missing)}"
        if not _OLDEST <= _release(self.version) < _BELOW:
            return f"{PACKAGE} {self.version} is not a version that Slipstream was written for"
        return ""


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:3])


def probe(env: Environment) -> EngineBuild:
    """Ask the build in the environment, in a process of its own: loading a broken library may end it."""
    script = Path(__file__).with_name("engine_probe.py")
    try:
        out = subprocess.run(
            [str(env.python), "-I", str(script)],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=clean_environment(),
            timeout=120,
        )
        said = json.loads(out.stdout.decode("utf-8", "replace").strip().splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError):
        name = next(env.site_packages().glob("llama_cpp_python-*.dist-info"), None)
        version = name.name.split("-")[1].removesuffix(".dist") if name is not None else ""
        return EngineBuild(version, error="loading it ended the process")
    return EngineBuild(said["version"], said["path"], tuple(said["missing"]), said["error"])


def write_constraints(env: Environment, build: EngineBuild) -> None:
    """The constraints pip is given: those of the project, with the kept build's own version."""
    text = (env.root / "packaging" / "constraints.txt").read_text(encoding="utf-8")
    if not build.objection:
        text = re.sub(rf"^{PACKAGE}==.*$", f"{PACKAGE}=={build.version}", text, flags=re.MULTILINE)
    env.constraints.write_text(text, encoding="utf-8")


def install(env: Environment, console: Console, *, rebuild: bool, lock_fd: int | None = None) -> EngineBuild:
    """Install the pinned version and return what the probe says of it; raises SetupProblem."""
    # pip's cache and ready-made builds know nothing of the options a user compiles with.
    own = rebuild or bool(os.environ.get("CMAKE_ARGS"))
    from_source = ["--no-cache-dir", f"--no-binary={PACKAGE}"]
    anew = ["--force-reinstall", "--no-deps"]
    _install(env, console, [*from_source, *(anew if rebuild else [])] if own else [], lock_fd)
    build = probe(env)
    if build.objection and not own:
        console.say(f"      A ready-made build does not do: {build.objection}. Compiling one instead.")
        _install(env, console, [*from_source, *anew], lock_fd)
        build = probe(env)
    if build.objection:
        raise SetupProblem(
            f"The native library was installed but cannot be used: {build.objection}.",
            f"The whole output is in {env.log}",
        )
    return build


def _install(env: Environment, console: Console, options: list[str], lock_fd: int | None) -> None:
    progress = BuildProgress(cores())
    pip.install(
        env,
        console,
        ["--verbose", "--only-binary=:none:", *options, PACKAGE],
        lock_fd=lock_fd,
        on_line=progress.read,
        progress=progress.text,
    )


def install_ready_made(env: Environment, console: Console, lock_fd: int | None = None) -> EngineBuild | None:
    """Install a build that needs no compiler, if pip finds one that can be used."""
    try:
        pip.install(env, console, [f"--only-binary={PACKAGE}", PACKAGE], lock_fd=lock_fd)
    except SetupProblem:
        return None
    build = probe(env)
    return None if build.objection else build


def cores() -> int:
    """Cores this process may use; the compiler is given as many jobs."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def expected_seconds(with_cores: int) -> float:
    return max(60.0, _CORE_SECONDS / with_cores)


@dataclass
class BuildProgress:
    """How far a compilation is, read from the output of pip, CMake and Ninja or Make."""

    cores: int
    stage: str = "fetching the source"
    done: int = 0
    total: int = 0
    _compiling_since: float | None = field(default=None, repr=False)

    def read(self, line: str) -> None:
        counted = re.search(r"\[\s*(\d+)/(\d+)\]", line)
        percent = re.search(r"\[\s*(\d+)%\]", line)
        if counted:
            self._count(int(counted.group(1)), int(counted.group(2)))
        elif percent:
            self._count(int(percent.group(1)), 100)
        elif "Installing build dependencies" in line:
            self.stage = "fetching CMake"
        elif "Building wheel" in line:
            self.stage = "starting the compiler"
        elif "Installing collected packages" in line:
            self.stage, self.total = "installing it", 0

    def _count(self, done: int, total: int) -> None:
        if self._compiling_since is None:
            self._compiling_since = time.monotonic()
        self.done, self.total = done, total

    def text(self) -> str:
        if not self.total or self._compiling_since is None:
            return self.stage
        unit = "%" if self.total == 100 else f" of {self.total} files"
        return f"compiled {self.done}{unit}, about {roughly(self.left(time.monotonic()))} left"

    def left(self, now: float) -> float:
        """Seconds to go: by the estimate for this machine at first, by its own speed from a quarter on."""
        spent = now - (self._compiling_since if self._compiling_since is not None else now)
        part = self.done / self.total if self.total else 0.0
        trust = min(1.0, 4 * part)
        by_speed = spent / part if part else 0.0
        return (1 - part) * (trust * by_speed + (1 - trust) * expected_seconds(self.cores))
