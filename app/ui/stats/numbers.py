"""Numbers as the window writes them: fixed digits, thin rules, a dash where nothing was measured.

Three significant digits at most, and the same number of digits while a figure hovers around a value, so
that a figure in tabular digits does not jitter. The decimal point is that of the language in use.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

DASH = "—"


def tr(text: str) -> str:
    return QCoreApplication.translate("Numbers", text)


def decimal(value: float, digits: int) -> str:
    """`3.1`, or `3,1` where people write it so; without separators between thousands."""
    return f"{value:.{digits}f}".replace(".", QLocale().decimalPoint())


def grouped(value: int) -> str:
    """`1,500`, or `1.500` where people write it so: for text, where nothing is copied into a sheet."""
    return f"{value:,}".replace(",", QLocale().groupSeparator())


def percent(rate: float | None) -> str:
    """`61 %`; one decimal below 10 % because there the first digit alone says too little."""
    if rate is None:
        return DASH
    value = 100 * rate
    return f"{decimal(value, 1)} %" if 0 < value < 9.95 else f"{value:.0f} %"


def tokens_per_second(value: float | None) -> str:
    return DASH if value is None else tr("{n} tok/s").format(n=_three_digits(value))


def per_step(value: float | None) -> str:
    """Mean accepted length, the target's own token included."""
    return DASH if value is None else tr("{n} tok/step").format(n=decimal(value, 1))


def count(value: int | None) -> str:
    """A whole number, without separators so that it can be copied into a sheet."""
    return DASH if value is None else str(value)


def seconds(value: float | None) -> str:
    """`0.35 s`, `12.4 s`, `182 s`; below 10 ms as `4.2 ms`."""
    if value is None:
        return DASH
    if 0 < value < 0.00995:
        return f"{decimal(value * 1000, 1)} ms"
    if value < 9.995:
        return f"{decimal(value, 2)} s"
    return f"{decimal(value, 1)} s" if value < 99.95 else f"{value:.0f} s"


def ratio(value: float | None) -> str:
    """`1.42x`."""
    return DASH if value is None else f"{decimal(value, 2)}x"


def tokens_short(value: int) -> str:
    """`812`, `1.2k`, `8k`: in units of 1024, as context sizes are chosen in powers of two."""
    if value < 1000:
        return str(value)
    thousands = value / 1024
    if value % 1024 == 0 or thousands >= 99.5:
        return f"{thousands:.0f}k"
    return f"{decimal(thousands, 1)}k"


def context(used: int | None, size: int | None) -> str:
    """`1.2k / 8k`."""
    if not size:
        return DASH
    return f"{tokens_short(used or 0)} / {tokens_short(size)}"


def file_size(n_bytes: int) -> str:
    """`138 MB`, `4.7 GB`: decimal units, as file managers show them."""
    if n_bytes < 1_000_000:
        return f"{max(n_bytes, 0) / 1e3:.0f} kB"
    if n_bytes < 999_500_000:
        return f"{n_bytes / 1e6:.0f} MB"
    return f"{decimal(n_bytes / 1e9, 1)} GB"


def _three_digits(value: float) -> str:
    if value < 9.995:
        return decimal(value, 2)
    return decimal(value, 1) if value < 99.95 else f"{value:.0f}"
