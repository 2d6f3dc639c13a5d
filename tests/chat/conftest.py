"""The theme is one per application, and the window rig of the other tests is used here as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.ui.theme import Theme
from tests.ui.window_rig import WindowRig


@pytest.fixture(autouse=True)
def theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme.current()
    yield theme
    theme.set_zoom(1.0)
    theme.set_mode("system")


@pytest.fixture
def rig(tmp_path: Path, theme: Theme) -> Iterator[WindowRig]:
    rig = WindowRig(tmp_path)
    try:
        rig.ready()
        yield rig
    finally:
        assert rig.close()


@pytest.fixture
def settle(qapp: QApplication) -> Callable[[], None]:
    """Let layouts and zero timers run."""

    def run() -> None:
        for _ in range(8):
            qapp.processEvents()

    return run
