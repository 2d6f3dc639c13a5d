"""The gallery really makes its pictures: right size, right theme, something on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from app.ui.palette import DARK, LIGHT
from tests.gallery.__main__ import take
from tests.gallery.scenes import PICTURES

WANTED = (
    "empty", "first-run", "loading", "load-failed", "streaming", "reply", "stopped", "off", "suspended",
    "unavailable", "slower", "faster", "long", "settings", "popover", "menu", "narrow", "drafts", "about",
    "shortcuts",
)  # fmt: skip


def test_every_state_has_a_picture_and_a_name_of_its_own() -> None:
    names = [picture.name for picture in PICTURES]
    assert len(set(names)) == len(names)
    for wanted in WANTED:
        assert any(wanted in name for name in names), wanted


@pytest.mark.parametrize("name", ["05-streaming", "26-narrow"])
def test_pictures_show_the_window(qapp: QApplication, tmp_path: Path, name: str) -> None:
    picture = next(p for p in PICTURES if p.name == name)
    sizes = ["960x640"] if picture.narrow else ["1280x800", "1920x1080"]
    paths = take(picture, tmp_path)
    assert [p.name for p in paths] == [f"{name}-{s}-{m}.png" for s in sizes for m in ("light", "dark")]
    for path in paths:
        image = QImage(str(path))
        assert f"{image.width()}x{image.height()}" in path.name
        palette = DARK if "dark" in path.name else LIGHT
        seen = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, 640, 7)}
        for role in ("window", "surface", "text", "speculative"):
            assert QColor(getattr(palette, role)).name() in seen, (path.name, role)
