"""The look of the program: colours, type scale and spacing, light or dark as the system or the user says."""

from __future__ import annotations

import sys

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.core.locations import resources_dir
from app.ui.palette import DARK, LIGHT, Palette
from app.ui.stylesheet import stylesheet

# Spacing: an 8 px grid, 4 px inside controls.
GRID = 8
HALF = 4
GAP = 12
MARGIN = 16
RADIUS = 6
CARD_RADIUS = 10
HIT = 28
FOCUS = 2
COLUMN_WIDTH = 760
SIDEBAR_WIDTH = 240
PANEL_WIDTH = 320
FOLD_BELOW = 960

# Type roles and their sizes in px at a scale of 1.
BODY = "body"
LABEL = "label"
READING = "reading"
HEADLINE = "headline"
CODE = "code"
SIZES = {BODY: 13, LABEL: 11, READING: 15, HEADLINE: 28, CODE: 13}
READING_LINE_HEIGHT = 150  # per cent

MODES = ("system", "light", "dark")
_BASE_PX = 13


class Theme(QObject):
    """One per application: `Theme.current()`. `changed` fires after colours or sizes have changed."""

    changed = Signal()

    _current: Theme | None = None

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._mode = "system"
        self._zoom = 1.0
        self._system_scale = _system_scale(app.font())
        self._family = app.font()
        self._palette = LIGHT
        QDir.setSearchPaths("icons", [str(resources_dir() / "icons")])
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_scheme)

    @classmethod
    def current(cls) -> Theme:
        """The theme of the running application; made and applied at the first call."""
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            raise RuntimeError("Theme needs a QApplication")
        if cls._current is None or cls._current._app is not app:
            cls._current = cls(app)
            app.setStyle("Fusion")
            cls._current._apply()
        return cls._current

    @property
    def palette(self) -> Palette:
        """The colours now in use."""
        return self._palette

    @property
    def mode(self) -> str:
        return self._mode

    @property
    def zoom(self) -> float:
        return self._zoom

    @property
    def scale(self) -> float:
        """What px of the type scale are multiplied with: the system's font size times the zoom."""
        return self._system_scale * self._zoom

    @property
    def motion_ms(self) -> int:
        """Length of a transition: 120 ms, or 0 when the system asks for less motion."""
        hints = QGuiApplication.styleHints()
        accessibility = getattr(hints, "accessibility", None)
        preference = getattr(accessibility(), "motionPreference", None) if accessibility else None
        if preference is not None and preference().name != "NoPreference":
            return 0
        return 120 if hints.useHoverEffects() else 0

    def set_mode(self, mode: str) -> None:
        """`system`, `light` or `dark`; ValueError for anything else."""
        if mode not in MODES:
            raise ValueError(f"theme is one of {', '.join(MODES)}, not {mode!r}")
        if mode == self._mode:
            return
        self._mode = mode
        self._apply()

    def set_zoom(self, zoom: float) -> None:
        """Scale all text, 0.8 to 2."""
        zoom = min(max(zoom, 0.8), 2.0)
        if zoom != self._zoom:
            self._zoom = zoom
            self._apply()

    def px(self, role: str) -> int:
        """Size of a type role in px."""
        return round(SIZES[role] * self.scale)

    def font(self, role: str = BODY, *, tabular: bool = False, bold: bool = False) -> QFont:
        """The font of a role; `tabular` gives all figures one width, so that numbers do not jitter."""
        if role == CODE:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        else:
            font = QFont(self._family)
        font.setPixelSize(self.px(role))
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        if tabular:
            set_tabular(font)
        return font

    def _on_scheme(self, _scheme: Qt.ColorScheme) -> None:
        if self._mode == "system":
            self._apply()

    def _apply(self) -> None:
        system = QGuiApplication.styleHints().colorScheme()
        dark = self._mode == "dark" or (self._mode == "system" and system == Qt.ColorScheme.Dark)
        self._palette = DARK if dark else LIGHT
        self._app.setPalette(_qt_palette(self._palette))
        self._app.setFont(self.font(BODY))
        self._app.setStyleSheet(stylesheet(self._palette, self.px))
        self.changed.emit()


def set_look(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and draw the widget accordingly."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_tabular(font: QFont) -> QFont:
    """Switch on figures of equal width in `font` (OpenType `tnum`) and return it."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _system_scale(font: QFont) -> float:
    """How much larger than usual the system's own text is; never smaller than 1."""
    pixels = font.pixelSize()
    if pixels <= 0:
        screen = QGuiApplication.primaryScreen()
        dots = 72.0 if sys.platform == "darwin" or screen is None else screen.logicalDotsPerInch()
        pixels = round(font.pointSizeF() * dots / 72.0)
    return min(max(pixels / _BASE_PX, 1.0), 2.0)


def _qt_palette(p: Palette) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    roles = {
        role.Window: p.window,
        role.WindowText: p.text,
        role.Base: p.surface,
        role.AlternateBase: p.raised,
        role.ToolTipBase: p.raised,
        role.ToolTipText: p.text,
        role.PlaceholderText: p.muted,
        role.Text: p.text,
        role.Button: p.surface,
        role.ButtonText: p.text,
        role.BrightText: p.error,
        role.Highlight: p.selection,
        role.HighlightedText: p.text,
        role.Link: p.speculative,
        role.LinkVisited: p.speculative,
        role.Accent: p.speculative,
        role.Light: p.raised,
        role.Midlight: p.raised,
        role.Mid: p.line,
        role.Dark: p.line,
        role.Shadow: p.line,
    }
    for key, value in roles.items():
        palette.setColor(key, QColor(value))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(p.muted))
    return palette
