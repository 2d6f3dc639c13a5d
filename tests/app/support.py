"""Runs pieces of the program in a process of their own, for start-up time, memory and clean ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
        "SLIPSTREAM_HOME": str(home),
        "PYTHONUTF8": "1",
    }


def run_child(code: str, home: Path, *arguments: str, timeout: float = 240) -> dict[str, Any]:
    """Run Python code in a fresh process; it prints one JSON object as its last line."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, *arguments],
        env=environment(home),
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout.strip().splitlines()[-1])
    assert isinstance(result, dict)
    return {**result, "stderr": done.stderr}
