"""Runs the tools of a build; their output goes to the terminal, their failure becomes a `BuildProblem`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from slipstream_bundle.problem import BuildProblem


def run(
    command: Iterable[object],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    quiet: bool = False,
) -> None:
    """Run one tool to its end; `env` is added to the environment."""
    words = [str(word) for word in command]
    if not quiet:
        print("$", " ".join(words), flush=True)
    try:
        subprocess.run(words, check=True, cwd=cwd, env={**_environment(), **(env or {})})
    except FileNotFoundError:
        raise BuildProblem(f"{words[0]} is not installed.") from None
    except subprocess.CalledProcessError as error:
        raise BuildProblem(f"{Path(words[0]).name} failed with status {error.returncode}.") from None


def output(command: Iterable[object], *, env: Mapping[str, str] | None = None) -> str:
    """What one tool prints."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, env={**_environment(), **(env or {})})
    if done.returncode:
        raise BuildProblem(f"{' '.join(words)} failed:\n{done.stderr.strip()}")
    return done.stdout


def need(tool: str, remedy: str) -> str:
    """The path of a tool; BuildProblem with the remedy where there is none."""
    found = shutil.which(tool)
    if found is None:
        raise BuildProblem(f"{tool} is not installed.", remedy)
    return found


def _environment() -> dict[str, str]:
    """The ambient one without what would put other Python code into the build."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
