"""The window with a scripted benchmark, opened at the benchmark page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ui.conftest import settle, theme
from tests.ui.window_rig import WindowRig

__all__ = ["settle", "theme"]


@pytest.fixture
def rig(tmp_path: Path, settle: Callable[[], None]) -> Iterator[WindowRig]:
    rig = WindowRig(tmp_path)
    rig.ready()
    rig.window.bench_binder.show()
    rig.settle()
    yield rig
    assert rig.close()
