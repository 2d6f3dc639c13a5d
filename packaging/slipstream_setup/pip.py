"""Runs pip in the `.venv` and says in a sentence why it failed.

pip is used as the user configured it: no index is named here, and the machine's own settings for indexes,
certificates, proxies and constraints stay in force.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from slipstream_setup.child import run_logged
from slipstream_setup.console import Console
from slipstream_setup.environment import Environment
from slipstream_setup.problem import SetupProblem

_REASONS = (
    (r"No space left on device", "The disk is full.", ""),
    (
        r"[Kk]illed signal|signal terminated program|out of memory|virtual memory exhausted",
        "The machine ran out of memory while compiling.",
        "Close other programs, or compile one file at a time:\n"
        "  CMAKE_BUILD_PARALLEL_LEVEL=1 python3 packaging/bootstrap.py setup",
    ),
    (
        r"name resolution|NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError"
        r"|CERTIFICATE_VERIFY_FAILED|Network is unreachable|getaddrinfo failed|Connection refused",
        "pip could not reach its package index.",
        "Check the network and pip's settings (python3 -m pip config list), and run this again.",
    ),
    (
        r"(?:No matching distribution found for|The user requested \(constraint\)) ([^\s(]+)",
        "pip found no {0} that fits this Python, this system and this machine's own constraints.",
        "Compare README's requirements and pip's settings (python3 -m pip config list).",
    ),
)


def install(
    env: Environment,
    console: Console,
    arguments: Sequence[str],
    *,
    lock_fd: int | None = None,
    on_line: Callable[[str], None] | None = None,
    progress: Callable[[], str] | None = None,
) -> None:
    """`pip install` with the exact versions; raises SetupProblem with the reason when it fails."""
    state = _State()

    def line(text: str) -> None:
        state.read(text)
        if on_line is not None:
            on_line(text)

    status, last = run_logged(
        [
            str(env.python),
            *("-I", "-m", "pip", "install", "--constraint", str(env.constraints)),
            *arguments,
        ],
        env.log,
        on_line=line,
        on_tick=lambda: console.progress(progress() if progress is not None else state.text),
        lock_fd=lock_fd,
    )
    if status != 0:
        raise explain(last, str(env.log))


class _State:
    """What pip is busy with, from its output."""

    def __init__(self) -> None:
        self.text = "starting pip"

    def read(self, line: str) -> None:
        words = line.split()
        if len(words) > 1 and words[0] in ("Collecting", "Downloading", "Installing"):
            name = words[1].rsplit("/", 1)[-1]
            self.text = "installing packages" if words[0] == "Installing" else f"{words[0].lower()} {name}"


def explain(last: Sequence[str], log: str) -> SetupProblem:
    """The likeliest reason in the last lines of a failed pip, and where the whole output is."""
    text = "\n".join(last)
    for pattern, what, remedy in _REASONS:
        found = re.search(pattern, text)
        if found:
            lines = (remedy, f"The whole output is in {log}")
            return SetupProblem(what.format(*found.groups()), "\n".join(part for part in lines if part))
    errors = [line.strip() for line in last if re.match(r"\s*(ERROR|error|CMake Error|FAILED)\b", line)]
    what = errors[0] if errors else (last[-1].strip() if last else "pip ended without a word.")
    return SetupProblem(f"pip failed: {what}", f"The whole output is in {log}")
