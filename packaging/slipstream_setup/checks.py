"""What `bootstrap.py test` runs: lint, format, types, import contracts, tests, performance bars."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence

from slipstream_setup.console import duration
from slipstream_setup.environment import Environment

SETUP = "packaging/slipstream_setup"
BUNDLES = "packaging/slipstream_bundle"
_NO_TESTS = 5  # pytest's exit status when nothing was selected
_BARS = "performance bars"
_TRIES = 3  # a bar that is missed is measured again: machines are noisy


def run_all(env: Environment) -> int:
    """Every check, also after one that failed; 0 only if all passed."""
    python = str(env.python)
    checks: tuple[tuple[str, list[str]], ...] = (
        ("lint", [python, "-m", "ruff", "check", "."]),
        ("format", [python, "-m", "ruff", "format", "--check", "."]),
        ("types", [python, "-m", "mypy"]),
        ("types of set-up", [python, "-m", "mypy", "--strict", "packaging/bootstrap.py", SETUP]),
        ("types of bundles", [python, "-m", "mypy", "--strict", "packaging/check_bundle.py", BUNDLES]),
        ("import contracts", [str(env.script("lint-imports"))]),
        ("tests", [python, "-m", "pytest", "-m", "not benchmark"]),
        # Alone and last, so that nothing else is running while they measure.
        (_BARS, [python, "-m", "pytest", "-m", "benchmark", "-s"]),
    )
    results = []
    for name, command in checks:
        print(f"\n== {name}", flush=True)
        began = time.monotonic()
        status = subprocess.call(command, cwd=env.root, stdin=subprocess.DEVNULL)
        if name == _BARS:
            for _ in range(_TRIES - 1):
                if status in (0, _NO_TESTS):
                    break
                print("\n== measuring again what was missed", flush=True)
                status = subprocess.call([*command, "--last-failed"], cwd=env.root, stdin=subprocess.DEVNULL)
            status = 0 if status == _NO_TESTS else status
        results.append((name, status, time.monotonic() - began))
    print("\n== summary", flush=True)
    for name, status, seconds in results:
        missed = "MISSED" if name == _BARS else "FAILED"
        print(f"{name:20} {'passed' if status == 0 else missed} ({duration(seconds)})", flush=True)
    # What a busy machine measures is no fault of the code: a missed bar is printed, and does not fail the
    # run. `bootstrap.py test -m benchmark` fails for it.
    return 0 if all(status == 0 for name, status, _ in results if name != _BARS) else 1


def run_pytest(env: Environment, arguments: Sequence[str]) -> int:
    """pytest alone, with the arguments given."""
    return subprocess.call([str(env.python), "-m", "pytest", *arguments], cwd=env.root)
