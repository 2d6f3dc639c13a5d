"""The real window on a scripted engine, in English and the light theme, whatever the test before left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.ui import language
from app.ui.theme import Theme
from tests.chat.conftest import rig

__all__ = ["rig"]


@pytest.fixture(autouse=True)
def theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme.current()
    yield theme
    theme.set_zoom(1.0)
    theme.set_mode("system")
    language.install("en")
