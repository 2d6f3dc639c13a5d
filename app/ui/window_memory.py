"""How the window looked when it was closed: into the settings, and back."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field

from PySide6.QtCore import QSize

from app.ui import theme


@dataclass(frozen=True, slots=True)
class WindowMemory:
    """`geometry` is Qt's own record of place, size and state; empty for the first start."""

    geometry: bytes = b""
    size: QSize = field(default_factory=lambda: QSize(1280, 800))
    sidebar_width: int = theme.SIDEBAR_WIDTH
    panel_width: int = theme.PANEL_WIDTH
    zoom: float = 1.0
    drafts_shown: bool = False

    def as_settings(self) -> dict[str, str]:
        return {
            "geometry": base64.b64encode(self.geometry).decode(),
            "size": f"{self.size.width()}x{self.size.height()}",
            "sidebar": str(self.sidebar_width),
            "panel": str(self.panel_width),
            "zoom": str(self.zoom),
            "drafts": "on" if self.drafts_shown else "off",
        }

    @classmethod
    def of_settings(cls, window: dict[str, str]) -> WindowMemory:
        """What can be read of it; anything else is as on the first start."""
        try:
            width, _, height = window.get("size", "1280x800").partition("x")
            return cls(
                base64.b64decode(window.get("geometry", ""), validate=True),
                QSize(int(width), int(height)),
                int(window.get("sidebar", theme.SIDEBAR_WIDTH)),
                int(window.get("panel", theme.PANEL_WIDTH)),
                float(window.get("zoom", "1")),
                window.get("drafts") == "on",
            )
        except (ValueError, binascii.Error):
            return cls()
