"""The sampling page in its less common states."""

from __future__ import annotations

from app.ui.dialogs.sampling_page import SamplingPage
from app.ui.dialogs.settings_dialog import SAMPLING
from tests.gallery.stage import Stage


def _page(stage: Stage) -> SamplingPage:
    dialog = stage.window.open_settings()
    dialog.show_page(SAMPLING)
    return dialog.sampling_page


def advanced(stage: Stage) -> None:
    """The advanced group, opened and in use."""
    page = _page(stage)
    page.set_texts({**page.texts(), "xtc_probability": "0.3", "dry_multiplier": "0.8"})
    page.advanced.set_open(True)
    page.edited.emit()
    stage.settle()
    bar = page.verticalScrollBar()
    bar.setValue(bar.maximum() * 5 // 8)


def schema(stage: Stage) -> None:
    """A schema with a fault in it."""
    page = _page(stage)
    text = '{\n  "type": "object",\n  "properties": {\n    "answer": {"type": "strin"}\n  }\n}'
    page.set_texts({**page.texts(), "form": "schema", "form_text": text})
    page.edited.emit()
    page.show_errors()
    stage.settle()
    bar = page.verticalScrollBar()
    bar.setValue(bar.maximum() * 3 // 4)
