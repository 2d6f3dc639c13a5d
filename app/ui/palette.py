"""The colours of the window by role, in light and dark. Knows no widgets; figures are sRGB."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor


def mix(over: str, under: str, share: float) -> str:
    """`over` laid on `under` with opacity `share` (0..1), as `#RRGGBB`."""
    a, b = QColor(over), QColor(under)
    pairs = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    return "#{:02X}{:02X}{:02X}".format(*(round(share * x + (1 - share) * y) for x, y in pairs))


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two opaque colours, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    c = QColor(colour)
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF())


@dataclass(frozen=True, slots=True)
class Palette:
    """Roles as `#RRGGBB`. Speculative is the accent; `on_accent` is text on it.

    `hover` and `pressed` are for flat controls on window or surface; `selection` lies behind text.
    `code_*` colour source code on `raised`.
    """

    dark: bool
    window: str
    surface: str
    raised: str
    line: str
    text: str
    muted: str
    speculative: str
    ordinary: str
    rejected: str
    warning: str
    error: str
    good: str
    on_accent: str
    code_keyword: str
    code_string: str
    code_number: str
    code_name: str

    @property
    def accent(self) -> str:
        return self.speculative

    @property
    def hover(self) -> str:
        return mix(self.text, self.window, 0.06)

    @property
    def pressed(self) -> str:
        return mix(self.text, self.window, 0.11)

    @property
    def selection(self) -> str:
        return mix(self.speculative, self.surface, 0.28)

    @property
    def strong_line(self) -> str:
        """The border of fields and switches: at least 3:1 on window and surface."""
        return mix(self.muted, self.surface, 0.6 if self.dark else 0.75)

    def shade(self, step: int, steps: int) -> str:
        """Background of accepted draft `step` (0-based) of a block of `steps`: 12 % to 40 % accent."""
        share = 0.12 + 0.28 * (min(step, steps - 1) / (steps - 1) if steps > 1 else 0.0)
        return mix(self.speculative, self.surface, share)

    def colour(self, role: str) -> QColor:
        """The role by name, e.g. `colour("ordinary")`; AttributeError for an unknown one."""
        return QColor(getattr(self, role))


LIGHT = Palette(
    dark=False,
    window="#F6F7F9",
    surface="#FFFFFF",
    raised="#EEF1F5",
    line="#DCE1E8",
    text="#16191D",
    muted="#5B6470",
    speculative="#0B7A75",
    ordinary="#3B5B92",
    rejected="#B4480E",
    warning="#8A5A00",
    error="#B3261E",
    good="#1A7D3A",
    on_accent="#FFFFFF",
    code_keyword="#7A3E9D",
    code_string="#1E6F3C",
    code_number="#A34708",
    code_name="#2C55A5",
)

DARK = Palette(
    dark=True,
    window="#14171B",
    surface="#1B1F25",
    raised="#242A32",
    line="#313943",
    text="#E9EDF2",
    muted="#9AA5B1",
    speculative="#4FC9C0",
    ordinary="#8FB0E8",
    rejected="#F2925C",
    warning="#E5B454",
    error="#FF8A80",
    good="#6FD08C",
    on_accent="#0F1317",
    code_keyword="#D0A2EE",
    code_string="#8FD3A0",
    code_number="#F0A773",
    code_name="#9CBDF2",
)
