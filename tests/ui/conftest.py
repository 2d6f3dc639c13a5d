"""The theme is one per application: every test starts from the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.ui.theme import Theme


@pytest.fixture(autouse=True)
def theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme.current()
    yield theme
    theme.set_zoom(1.0)
    theme.set_mode("system")


@pytest.fixture
def settle(qapp: QApplication) -> Callable[[], None]:
    """Let layouts and zero timers run."""

    def run() -> None:
        for _ in range(8):
            qapp.processEvents()

    return run
