"""What is said when the window cannot open, or a picture cannot be saved: one line, before any work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def start(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        env={**kept, "SLIPSTREAM_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_without_a_display_the_window_says_so(tmp_path: Path) -> None:
    done = start(tmp_path / "home")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no display" in done.stderr
    assert "QT_QPA_PLATFORM=offscreen" in done.stderr


def test_a_picture_that_cannot_be_saved_is_refused_at_once(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "window.png"
    done = start(tmp_path / "home", "smoke", "--screenshot", str(missing), QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert str(missing) in done.stderr
