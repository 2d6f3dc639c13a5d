"""The charts with figures that are not as nice as those of an example."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.core.bench_values import Speedup
from app.ui.bench.bar_chart import BarChart, BarRow
from app.ui.bench.sweep_chart import SweepChart, SweepPoint
from app.ui.bench.words import verdict_of
from app.ui.theme import Theme


@pytest.mark.parametrize(
    "points",
    [
        [],
        [SweepPoint("1", 1.0, None, None, None)],
        [SweepPoint("1", 1.2, 1e-6, 1e9, 0.4), SweepPoint("2", 1.3, 1.29, 1.31, 0.0, recommended=True)],
        [SweepPoint(str(n), 0.01 * n, 0.001, 3.0 * n, n / 64) for n in range(1, 65)],
        [SweepPoint("7", 40.0, 30.0, 50.0, 1.0)],
    ],
)
def test_a_sweep_of_any_shape_can_be_drawn(
    qapp: QApplication, theme: Theme, points: list[SweepPoint]
) -> None:
    chart = SweepChart("Speedup by draft length")
    chart.set_points(points)
    for width, mode in ((600, "light"), (240, "dark")):
        theme.set_mode(mode)
        chart.resize(width, 240)
        image = chart.grab().toImage()
        colours = {
            image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(image.height())
        }
        assert (theme.palette.ordinary.lower() in colours) == bool(points)


def test_the_longer_bar_belongs_to_the_higher_rate(qapp: QApplication, theme: Theme) -> None:
    chart = BarChart("Rates")
    chart.set_rows([BarRow("All", 20.0, 40.0), BarRow("Nothing yet", None, None)])
    chart.resize(500, chart.sizeHint().height())
    image = chart.grab().toImage()

    def pixels(role: str) -> int:
        wanted = theme.palette.colour(role).name()
        return max(
            sum(image.pixelColor(x, y).name() == wanted for x in range(image.width()))
            for y in range(chart.px(20) + 8, image.height())
        )

    assert pixels("speculative") == pytest.approx(2 * pixels("ordinary"), abs=8)
    assert chart.readings[1] == "Nothing yet: ordinary —, speculative —, —."


def test_the_pointer_reads_the_row_it_is_on(qapp: QApplication, theme: Theme) -> None:
    chart = BarChart("Rates")
    chart.set_rows([BarRow(name, 20.0, 40.0) for name in ("one", "two", "three")])
    chart.resize(500, chart.sizeHint().height())
    chart.show()
    rows = (chart.area().height() - chart.px(20)) / 3
    QTest.mouseMove(chart, QPoint(200, round(chart.area().top() + chart.px(20) + 1.5 * rows)))
    qapp.processEvents()
    assert chart.reading.startswith("two:")
    chart.clearFocus()
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert chart.reading.startswith("three:")
    chart.hide()


def test_an_interval_that_says_nothing_is_not_written_out() -> None:
    verdict = verdict_of(Speedup(1.2, 0.0004, 9000.0, 2))
    assert "within noise" in verdict.headline
    assert "differ too much" in verdict.note
    assert "95 %" not in verdict.note
