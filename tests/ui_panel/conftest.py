from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from app.ui.theme import Theme


@pytest.fixture(autouse=True)
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The application's theme in light; put back afterwards."""
    current = Theme.current()
    current.set_mode("light")
    yield current
    # What the test closed is gone before the next theme change restyles it.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    current.set_zoom(1.0)
    current.set_mode("system")
