"""The live panel shows exactly what it is given, says what is missing, and does not tremble."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.core.events import SpeculationStatus
from app.services.panel_figures import PanelFigures
from app.ui.palette import contrast
from app.ui.stats.figure import FigureRow
from app.ui.stats.headline import Headline
from app.ui.stats.live_panel import UPDATE_MS, LivePanel
from app.ui.stats.numbers import DASH
from app.ui.stats.time_split import TimePart, TimeSplit
from app.ui.theme import Theme
from tests.ui_panel import samples


@pytest.fixture
def panel(qtbot) -> LivePanel:
    panel = LivePanel()
    qtbot.addWidget(panel)
    panel.resize(320, 720)
    panel.show()
    return panel


def test_every_figure_is_shown(panel: LivePanel) -> None:
    panel.set_status(samples.FIXED)
    panel.set_figures(samples.FASTER)
    texts = panel.texts()
    series = texts.pop("Speed over the reply (tok/s)").split()
    assert series == [f"{value:.1f}" for value in samples.FASTER.series]
    assert texts == {
        "Speedup": ("1.42x faster (measured on 128 ordinary and 512 speculative tokens, context 256 – 1k)"),
        "Now": "48.2 tok/s",
        "Average": "45.1 tok/s",
        "Acceptance": "61 %",
        "Mean accepted length": "3.1 tok/step",
        "Acceptance by position": "1: 80 % 2: 60 % 3: 45 % 4: 30 % 5: 20 % 6: 12 % 7: 5.0 %",
        "Drafted tokens": "420",
        "Accepted tokens": "256",
        "Verification steps": "60",
        "Rollbacks": "12 (native 11 · checkpoint 1)",
        "Time split": "Draft 12 %, Verify 75 %, Process 9.6 %, Roll back 1.2 %, Other 2.4 %",
        "First token (TTFT)": "0.35 s",
        "Prefill": "812 tok/s (1100 of 1220 reused)",
    }


def test_nothing_measured_is_a_dash_everywhere(panel: LivePanel) -> None:
    panel.set_figures(PanelFigures())
    for label, text in panel.texts().items():
        assert DASH in text, label
        assert not any(c.isdigit() for c in text.replace("64", "")), label


@pytest.mark.parametrize("name", [f.name for f in fields(PanelFigures) if f.default is None])
def test_each_figure_can_be_missing_alone(panel: LivePanel, name: str) -> None:
    panel.set_status(samples.FIXED)
    panel.set_figures(replace(samples.FASTER, **{name: None}))
    assert panel.texts()["Average"] == (DASH if name == "tokens_per_second" else "45.1 tok/s")


def test_only_what_was_asked_for_becomes_a_dash(panel: LivePanel) -> None:
    panel.set_figures(replace(samples.FASTER, tokens_per_second_now=None, acceptance=None, ttft_seconds=None))
    texts = panel.texts()
    assert (texts["Now"], texts["Acceptance"], texts["First token (TTFT)"]) == (DASH, DASH, DASH)
    assert texts["Mean accepted length"] == "3.1 tok/step"


@pytest.mark.parametrize(
    ("ratio", "word", "role", "offers"),
    [
        (1.42, "faster", "good", False),
        (0.81, "slower –", "warning", True),
        (1.004, "same speed", "text", False),
        (0.996, "same speed", "text", False),
        (None, "", "muted", False),
    ],
)
def test_headline_has_its_sign_as_word_and_colour(
    panel: LivePanel, ratio: float | None, word: str, role: str, offers: bool
) -> None:
    panel.set_status(samples.FIXED)
    panel.set_figures(replace(samples.FASTER, speedup=ratio))
    assert (panel.headline.word, panel.headline.role) == (word, role)
    assert panel.headline.off_button.isVisible() is offers


def test_a_slowdown_offers_the_way_out_only_while_speculating(panel: LivePanel, qtbot) -> None:
    panel.set_figures(samples.SLOWER)
    panel.set_status(samples.SWITCHED_OFF)
    assert panel.headline.word == "slower"
    assert not panel.headline.off_button.isVisible()
    panel.set_status(samples.PAUSED)
    with qtbot.waitSignal(panel.turn_off_requested):
        qtbot.mouseClick(panel.headline.off_button, Qt.MouseButton.LeftButton)


BOTH = "needs 64 tokens of each: ordinary {}, speculative {} – {}"


@pytest.mark.parametrize(
    ("status", "ordinary", "speculative", "hint"),
    [
        (samples.FIXED, 0, 128, BOTH.format(0, 128, "switch speculation off for one reply")),
        (samples.SWITCHED_OFF, 30, 128, BOTH.format(30, 128, "go on chatting")),
        (samples.SWITCHED_OFF, 64, 63, BOTH.format(64, 63, "switch speculation on for one reply")),
        (samples.PAUSED, 64, 63, BOTH.format(64, 63, "go on chatting")),
        (samples.FIXED, 0, 0, BOTH.format(0, 0, "send a message")),
        (
            samples.FIXED,
            80,
            90,
            "ordinary 80, speculative 90, but not 64 of each – at the same context length; "
            "go on chatting in both",
        ),
    ],
)
def test_the_quiet_line_says_what_is_missing(
    panel: LivePanel, status: SpeculationStatus, ordinary: int, speculative: int, hint: str
) -> None:
    panel.set_status(status)
    panel.set_figures(PanelFigures(collected_ordinary=ordinary, collected_speculative=speculative))
    assert panel.headline.note == hint


def test_the_quiet_line_without_a_pair(panel: LivePanel) -> None:
    assert panel.headline.note.startswith("choose a model")
    panel.set_status(samples.UNFIT)
    assert panel.headline.note == "needs speculation: choose a sidecar that fits this model"


@pytest.mark.parametrize(
    ("drafted", "acceptance", "shown"),
    [(64, 0.099, True), (63, 0.02, False), (640, 0.10, False), (640, None, False)],
)
def test_low_acceptance_is_said_quietly(
    panel: LivePanel, drafted: int, acceptance: float | None, shown: bool
) -> None:
    panel.set_figures(replace(samples.FASTER, drafted=drafted, acceptance=acceptance))
    assert panel.acceptance_notice.isVisible() is shown
    assert ("Notice" in panel.texts()) is shown
    assert ("far below what a fitting sidecar gives" in panel.acceptance_notice.text) is shown


def test_every_figure_explains_itself(panel: LivePanel) -> None:
    assert len(panel.figures()) == 14
    for figure in panel.figures():
        assert figure.toolTip().count("<p") == 3, figure.label
    assert panel.copy_button.toolTip()
    assert panel.headline.off_button.toolTip()


def test_bars_explain_the_position_under_the_mouse(panel: LivePanel) -> None:
    panel.set_figures(samples.FASTER)
    bars = panel.positions
    tip = bars.tooltip_at(bars.width() / 7 * 2.5)
    assert "Draft 3" in tip
    assert "45 %" in tip
    assert "75 %" in tip
    panel.set_status(samples.NO_PAIR)
    bars.set_rates(())
    assert bars.tooltip_at(10) == bars.toolTip()


def test_figures_are_copied_by_key(panel: LivePanel, qtbot) -> None:
    panel.set_figures(samples.FASTER)
    for figure in panel.figures():
        QGuiApplication.clipboard().clear()
        figure.setFocus()
        qtbot.keyClick(figure, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == figure.copy_text()
        assert figure.label in figure.copy_text()


def test_figures_are_copied_by_menu(panel: LivePanel) -> None:
    panel.set_figures(samples.FASTER)
    menu = panel.acceptance.make_menu()
    copy, copy_all = menu.actions()
    assert copy.text() == "Copy “Acceptance: 61 %”"
    copy.trigger()
    assert QGuiApplication.clipboard().text() == "Acceptance: 61 %"
    copy_all.trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert "Acceptance\t61 %" in lines
    assert len(lines) == len(panel.figures())
    menu.close()


def test_arrows_move_and_tab_stops_once(panel: LivePanel, qtbot) -> None:
    figures = panel.figures()
    figures[0].setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(figures[0], Qt.Key.Key_Down)
    assert figures[1].hasFocus()
    qtbot.keyClick(figures[1], Qt.Key.Key_End)
    assert figures[-1].hasFocus()
    qtbot.keyClick(figures[-1], Qt.Key.Key_Down)
    assert figures[-1].hasFocus()
    qtbot.keyClick(figures[-1], Qt.Key.Key_Home)
    qtbot.keyClick(figures[0], Qt.Key.Key_Up)
    assert figures[0].hasFocus()
    stops = [f for f in figures if f.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert stops == [figures[0]]


def test_updates_at_most_five_times_a_second_and_ends_with_the_last(panel: LivePanel, qtbot) -> None:
    shown: list[str] = []
    original = panel.average.set_value

    def spy(value: str, remark: str = "") -> None:
        shown.append(value)
        original(value, remark)

    panel.average.set_value = spy  # type: ignore[method-assign]
    for i in range(100):
        panel.set_figures(replace(samples.FASTER, tokens_per_second=10.0 + i))
    assert shown == ["10.0 tok/s"]
    QTest.qWait(UPDATE_MS + 60)
    assert shown == ["10.0 tok/s", "109 tok/s"]
    QTest.qWait(UPDATE_MS + 60)
    assert len(shown) == 2


def test_nothing_moves_while_figures_change(panel: LivePanel, qtbot) -> None:
    panel.set_status(samples.FIXED)
    panel.set_figures(PanelFigures())
    QTest.qWait(UPDATE_MS + 60)
    before = [(f.mapTo(panel, QPoint(0, 0)), f.size()) for f in panel.figures()]
    panel.set_figures(samples.FASTER)
    QTest.qWait(20)
    after = [(f.mapTo(panel, QPoint(0, 0)), f.size()) for f in panel.figures()]
    assert before == after


def test_screen_readers_hear_label_and_value(panel: LivePanel) -> None:
    panel.set_status(samples.FIXED)
    panel.set_figures(samples.FASTER)
    assert panel.rollbacks.accessibleName() == "Rollbacks: 12, native 11 · checkpoint 1"
    for figure in panel.figures():
        assert figure.accessibleName().startswith(figure.label)
        assert figure.accessibleName() != figure.label


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_of_the_panel_can_be_read(panel: LivePanel, theme: Theme, mode: str) -> None:
    theme.set_mode(mode)
    palette = theme.palette
    for role in ("good", "warning", "muted", "text", "speculative", "ordinary", "rejected", "error"):
        for ground in (palette.window, palette.surface, palette.raised):
            assert contrast(getattr(palette, role), ground) >= 4.5, (role, ground)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_painted_text_has_the_colour_of_its_role(panel: LivePanel, theme: Theme, mode: str) -> None:
    """The darkest (or lightest) pixel of the painted headline is the palette's own colour."""
    theme.set_mode(mode)
    panel.set_status(samples.FIXED)
    panel.set_figures(samples.FASTER)
    picture = panel.headline.grab().toImage()
    wanted = theme.palette.colour("good").name()
    found = {picture.pixelColor(x, y).name() for x in range(80) for y in range(40)}
    assert wanted in found


def test_rows_keep_value_whole_and_elide_the_label(panel: LivePanel) -> None:
    row = FigureRow("A very long label that cannot possibly fit beside its value", "tip")
    row.setParent(panel)
    row.resize(140, 24)
    row.set_value("123 tok/s")
    row.show()
    assert row.copy_text().endswith("123 tok/s")
    assert not row.grab().isNull()


@pytest.mark.parametrize("zoom", [1.0, 2.0])
@pytest.mark.parametrize("width", [288, 180])
def test_the_way_out_of_a_slowdown_is_in_sight_at_every_text_size(qtbot, theme, zoom, width) -> None:
    theme.set_zoom(zoom)
    headline = Headline("Speedup", "")
    qtbot.addWidget(headline)
    headline.show()
    headline.set_speedup(0.8, "measured on 120 ordinary and 375 speculative tokens", offer_off=True)
    headline.resize(width, headline.heightForWidth(width))
    assert headline.off_button.isVisible()
    assert headline.rect().contains(headline.off_button.geometry())


def test_a_label_without_room_stands_above_its_value(qtbot) -> None:
    row = FigureRow("Mean accepted length", "")
    qtbot.addWidget(row)
    row.set_value("4.2 tok/step")
    one = row.heightForWidth(400)
    assert row.heightForWidth(120) > 1.5 * one
    row.set_value("—")
    assert row.heightForWidth(120) > 1.5 * one, "and stays there when the value is shorter for a while"
    assert row.heightForWidth(400) == one


def test_the_legend_of_the_time_has_one_column_where_two_have_no_room(qtbot) -> None:
    split = TimeSplit("Time split", "")
    qtbot.addWidget(split)
    split.set_parts(
        [TimePart(name, 1.0, "speculative") for name in ("Drafting", "Verifying", "Rolling back")]
    )
    assert split.heightForWidth(120) > split.heightForWidth(400) + 10, "three lines in place of two"
