"""What `bootstrap.py test` runs: lint, format, types, import contracts, tests, performance bars."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence

from slipstream_setup.console import duration
from slipstream_setup.environment import Environment

SETUP = "packaging/slipstream_setup"
_NO_TESTS = 5  # pytest's exit status when nothing was selected


def run_all(env: Environment) -> int:
    """Every check, also after one that failed; 0 only if all passed."""
    python = str(env.python)
    checks: tuple[tuple[str, list[str]], ...] = (
        ("lint", [python, "-m", "ruff", "check", "."]),
        ("format", [python, "-m", "ruff", "format", "--check", "."]),
        ("types", [python, "-m", "mypy"]),
        ("types of set-up", [python, "-m", "mypy", "--strict", "packaging/bootstrap.py", SETUP]),
        ("import contracts", [str(env.script("lint-imports"))]),
        ("tests", [python, "-m", "pytest", "-m", "not benchmark"]),
        # Alone and last, so that nothing else is running while they measure.
        ("performance bars", [python, "-m", "pytest", "-m", "benchmark"]),
    )
    results = []
    for name, command in checks:
        print(f"\n== {name}", flush=True)
        began = time.monotonic()
        status = subprocess.call(command, cwd=env.root, stdin=subprocess.DEVNULL)
        if name == "performance bars" and status == _NO_TESTS:
            status = 0
        results.append((name, status, time.monotonic() - began))
    print("\n== summary", flush=True)
    for name, status, seconds in results:
        print(f"{name:20} {'passed' if status == 0 else 'FAILED'} ({duration(seconds)})", flush=True)
    return 0 if all(status == 0 for _, status, _ in results) else 1


def run_pytest(env: Environment, arguments: Sequence[str]) -> int:
    """pytest alone, with the arguments given."""
    return subprocess.call([str(env.python), "-m", "pytest", *arguments], cwd=env.root)
