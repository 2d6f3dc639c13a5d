"""Starts Slipstream in place of set-up, or says that there is no display to start it on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from slipstream_setup.environment import WINDOWS, Environment
from slipstream_setup.problem import SetupProblem
from slipstream_setup.system_packages import display_kind

_WITHOUT_WINDOW = ("--version", "--help", "-h")


def require_display(arguments: Sequence[str]) -> None:
    """Raise SetupProblem when these arguments open a window and there is no display to open it on."""
    first = arguments[0] if arguments else ""
    opens_window = first in ("", "window", "smoke") or (
        first.startswith("-") and first not in _WITHOUT_WINDOW
    )
    if not opens_window or not sys.platform.startswith("linux"):
        return
    if os.environ.get("QT_QPA_PLATFORM") or display_kind():
        return
    raise SetupProblem(
        "Slipstream is set up, but this machine has no display to open its window on.",
        "To see it work without one (the whole program, a picture instead of a screen):\n"
        "  QT_QPA_PLATFORM=offscreen python3 packaging/bootstrap.py run smoke --screenshot window.png\n"
        "To chat in the terminal:\n"
        '  python3 packaging/bootstrap.py run chat -p "Hello"',
    )


def start(env: Environment, arguments: Sequence[str]) -> int:
    """Run the program in the caller's folder; does not return where a process can become another one."""
    for name in ("PYTHONHOME", "__PYVENV_LAUNCHER__"):
        os.environ.pop(name, None)
    script = env.script("slipstream")
    if not script.exists():
        raise SetupProblem(f"{script} is missing.", "Run: python3 packaging/bootstrap.py setup")
    if not WINDOWS:
        # Through the interpreter, not the script's first line: that breaks on long paths.
        os.execv(env.python, [str(env.python), str(script), *arguments])
    process = subprocess.Popen([str(script), *arguments])
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the program got it too, and decides
