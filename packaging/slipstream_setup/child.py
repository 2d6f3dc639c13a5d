"""Runs the commands of set-up: output to the log, progress to the screen, and they die with us."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

# Ambient settings that would send pip's work elsewhere or keep it from doing it. Indexes, certificates,
# proxies, constraints and caches stay as the user set them.
_DROPPED = (
    "PYTHONHOME",
    "PYTHONPATH",
    "__PYVENV_LAUNCHER__",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_DRY_RUN",
    "PIP_NO_DEPS",
    "PIP_NO_BUILD_ISOLATION",
    "PIP_QUIET",
    "PIP_REQUIREMENT",
    "PIP_EDITABLE",
)
_SET = {
    "PIP_USER": "0",
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_ROOT_USER_ACTION": "ignore",
    "PYTHONUNBUFFERED": "1",
}


def clean_environment() -> dict[str, str]:
    """The environment for pip and for interpreters of the `.venv`."""
    kept = {name: value for name, value in os.environ.items() if name.upper() not in _DROPPED}
    return {**kept, **_SET}


def run_logged(
    command: Sequence[str],
    log: Path,
    *,
    on_line: Callable[[str], None] | None = None,
    on_tick: Callable[[], None] | None = None,
    lock_fd: int | None = None,
) -> tuple[int, list[str]]:
    """Run `command`, appending its output to `log`; returns its exit status and its last 200 lines.

    `on_line` gets every line, `on_tick` is called at least twice a second. Whatever ends this call early
    (an interruption, say) ends the command and everything it started.
    """
    lines: queue.Queue[str | None] = queue.Queue()
    last: deque[str] = deque(maxlen=200)
    process = _start(command, lock_fd)
    reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
    reader.start()
    try:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n")
            while True:
                try:
                    line = lines.get(timeout=0.5)
                except queue.Empty:
                    line = ""
                else:
                    if line is None:
                        break
                    file.write(line)
                    last.append(line.rstrip("\n"))
                    if on_line is not None:
                        on_line(line)
                if on_tick is not None:
                    on_tick()
        return process.wait(), list(last)
    except BaseException:
        _end(process)
        raise


def _start(command: Sequence[str], lock_fd: int | None) -> subprocess.Popen[bytes]:
    common: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
        "env": clean_environment(),
    }
    if sys.platform == "win32":
        return subprocess.Popen(command, creationflags=subprocess.CREATE_NEW_PROCESS_GROUP, **common)
    # A session of its own: an interruption ends compilers and all by the group's number.
    fds = () if lock_fd is None else (lock_fd,)
    return subprocess.Popen(command, start_new_session=True, pass_fds=fds, **common)


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[str | None]) -> None:
    stream: IO[bytes] | None = process.stdout
    assert stream is not None
    with stream:
        for raw in stream:
            lines.put(raw.decode("utf-8", "replace"))
    lines.put(None)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command and its children; give them two seconds to clean up after themselves."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True)
        process.wait()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=2)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
