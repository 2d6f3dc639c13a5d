"""The pictures in the panel are drawn to scale: pixels are counted, in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget

from app.core.rounds import ORDINARY, SPECULATIVE
from app.ui.context_meter import ContextMeter
from app.ui.stats.position_bars import PositionBars
from app.ui.stats.sparkline import Sparkline
from app.ui.stats.time_split import TimePart, TimeSplit
from app.ui.theme import Theme


@pytest.fixture(params=["light", "dark"])
def mode(request: pytest.FixtureRequest, theme: Theme) -> str:
    theme.set_mode(request.param)
    return str(request.param)


def painted(qtbot, widget: QWidget, width: int) -> QImage:
    qtbot.addWidget(widget)
    widget.resize(width, widget.sizeHint().height())
    return widget.grab().toImage()


def close_to(colour: QColor, role: str, tolerance: int = 12) -> bool:
    wanted = Theme.current().palette.colour(role)
    return all(abs(a - b) <= tolerance for a, b in zip(colour.getRgb(), wanted.getRgb(), strict=True))


def column(image: QImage, x: float, role: str) -> int:
    """Pixels of `role` in the column at `x`."""
    return sum(close_to(image.pixelColor(round(x), y), role) for y in range(image.height()))


def row(image: QImage, y: int, role: str) -> int:
    return sum(close_to(image.pixelColor(x, y), role) for x in range(image.width()))


def test_bars_are_as_high_as_their_share(qtbot, mode: str) -> None:
    bars = PositionBars("Acceptance by position", "tip")
    bars.set_rates([1.0, 0.5, 0.25, 0.0])
    image = painted(qtbot, bars, 280)
    full, half, quarter, none = (column(image, (i + 0.5) * 71, "speculative") for i in range(4))
    assert full > 30
    assert half == pytest.approx(full / 2, abs=1)
    assert quarter == pytest.approx(full / 4, abs=1)
    assert none == 0


def test_first_and_last_bar_end_at_the_edges(qtbot, mode: str) -> None:
    bars = PositionBars("Acceptance by position", "tip")
    bars.set_rates([1.0] * 7)
    image = painted(qtbot, bars, 288)
    middle = image.height() // 2
    assert close_to(image.pixelColor(1, middle), "speculative")
    assert close_to(image.pixelColor(286, middle), "speculative")


@pytest.mark.parametrize("n", [1, 7, 15, 64])
def test_any_draft_length_fits(qtbot, mode: str, n: int) -> None:
    bars = PositionBars("Acceptance by position", "tip")
    bars.set_rates([1.0] * n)
    image = painted(qtbot, bars, 288)
    covered = row(image, image.height() // 2, "speculative")
    assert 0.6 * 288 < covered <= 288


def test_the_time_bar_is_split_as_measured(qtbot, mode: str) -> None:
    split = TimeSplit("Time split", "tip")
    split.set_parts([TimePart("Draft", 1.0, "speculative"), TimePart("Verify", 3.0, "ordinary")])
    image = painted(qtbot, split, 200)
    assert row(image, 9, "speculative") == pytest.approx(50, abs=3)
    assert row(image, 9, "ordinary") == pytest.approx(150, abs=4)


def test_parts_of_one_colour_differ_by_pattern(qtbot, mode: str) -> None:
    split = TimeSplit("Time split", "tip")
    split.set_parts(
        [TimePart("Draft", 1.0, "speculative"), TimePart("Process", 1.0, "speculative", hatched=True)]
    )
    image = painted(qtbot, split, 200)
    left = sum(close_to(image.pixelColor(x, 9), "speculative") for x in range(5, 95))
    right = sum(close_to(image.pixelColor(x, 9), "speculative") for x in range(105, 195))
    assert left == 90
    assert right < 80


def test_the_line_of_speed_is_to_scale_and_filled_while_speculating(qtbot, mode: str) -> None:
    line = Sparkline("Speed", "tip")
    line.set_series([100.0] * 20 + [50.0] * 20, [SPECULATIVE] * 20 + [ORDINARY] * 20)
    assert line.top == 100
    image = painted(qtbot, line, 300)
    bottom = image.height() - 6

    def height_at(x: int, role: str) -> int:
        ys = [y for y in range(image.height()) if close_to(image.pixelColor(x, y), role, 70)]
        return bottom - min(ys)

    assert height_at(200, "ordinary") == pytest.approx(height_at(60, "speculative") / 2, abs=2)
    ground = image.pixelColor(200, 2)
    assert image.pixelColor(60, bottom - 8) != ground
    assert image.pixelColor(200, bottom - 8) == ground


def test_the_meter_is_as_long_as_the_context_is_full(qtbot, mode: str) -> None:
    meter = ContextMeter()
    meter.set_context(2048, 8192)
    image = painted(qtbot, meter, meter.sizeHint().width())
    line = max(range(image.height()), key=lambda y: row(image, y, "muted"))
    assert row(image, line, "muted") == pytest.approx(image.width() / 4, abs=3)
    meter.set_context(8000, 8192)
    image = meter.grab().toImage()
    assert row(image, line, "warning") > 0.9 * image.width()
