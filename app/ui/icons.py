"""Our own icons: SVG files whose `currentColor` is replaced by a colour of the theme at run time."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from app.core.locations import resources_dir
from app.ui.plain_tip import plain_tip
from app.ui.theme import HIT, Theme

SIZE = 16
_RATIOS = (1, 2, 3)


def icon_size() -> QSize:
    """The size of icons beside text of the current scale."""
    side = round(SIZE * Theme.current().scale)
    return QSize(side, side)


def icon(name: str, role: str = "text") -> QIcon:
    """Icon `name` in the theme's colour `role`; greyed when disabled. FileNotFoundError if unknown."""
    palette = Theme.current().palette
    return _icon(name, getattr(palette, role), palette.muted, icon_size().width())


def pixmap(name: str, role: str = "text", size: int = SIZE, ratio: float = 1.0) -> QPixmap:
    """Icon `name` as a picture of `size` logical px."""
    return _render(name, getattr(Theme.current().palette, role), size, ratio)


@lru_cache(maxsize=256)
def _icon(name: str, colour: str, disabled: str, side: int) -> QIcon:
    made = QIcon()
    for ratio in _RATIOS:
        made.addPixmap(_render(name, colour, side, ratio), QIcon.Mode.Normal)
        made.addPixmap(_render(name, disabled, side, ratio), QIcon.Mode.Disabled)
    return made


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    return (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def _render(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


class IconButton(QToolButton):
    """A flat square button with an icon, a tooltip and an accessible name; takes focus by keyboard only."""

    def __init__(self, name: str, label: str, parent: QWidget | None = None, *, role: str = "text") -> None:
        super().__init__(parent)
        self._name, self._role = name, role
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_label(label)
        self._refresh()
        Theme.current().changed.connect(self._refresh)

    def set_label(self, label: str) -> None:
        """What the button does, for the tooltip and for screen readers."""
        self.setToolTip(plain_tip(label))
        self.setAccessibleName(label)

    def set_icon(self, name: str, role: str = "text") -> None:
        self._name, self._role = name, role
        self._refresh()

    def _refresh(self) -> None:
        side = round(HIT * Theme.current().scale)
        self.setFixedSize(side, side)
        self.setIconSize(icon_size())
        self.setIcon(icon(self._name, self._role))


class TextButton(QPushButton):
    """A push button in one of the style sheet's roles ("", primary, quiet, danger), maybe with an icon."""

    def __init__(
        self, text: str, parent: QWidget | None = None, *, role: str = "", icon_name: str = ""
    ) -> None:
        super().__init__(text, parent)
        self._icon_name = icon_name
        self.setProperty("role", role)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._refresh()
        Theme.current().changed.connect(self._refresh)

    def set_icon(self, name: str) -> None:
        self._icon_name = name
        self._refresh()

    def _refresh(self) -> None:
        self.setIconSize(icon_size())
        if self._icon_name:
            colours = {"primary": "on_accent", "danger": "error"}
            self.setIcon(icon(self._icon_name, colours.get(self.property("role"), "text")))
