"""The pair bar always says what speculation does, and everything in it works from the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.core.events import (
    LOADING,
    SPECULATING,
    SUSPENDED,
    UNAVAILABLE,
    LoadProgress,
    Problem,
    SpeculationStatus,
)
from app.ui.model_menu import ModelMenu
from app.ui.pair_bar import PairBar
from app.ui.palette import DARK, LIGHT, contrast, mix
from app.ui.popover import Popover
from app.ui.state_chip import chip_text
from app.ui.theme import Theme
from tests.ui_panel import samples


@pytest.fixture
def bar(qtbot) -> Iterator[PairBar]:
    bar = PairBar()
    qtbot.addWidget(bar)
    bar.set_targets(samples.TARGETS)
    bar.set_sidecars(samples.SIDECARS)
    bar.set_pair(samples.TARGETS[0].path, samples.SIDECARS[2].path)
    bar.resize(720, 90)
    bar.show()
    yield bar
    popup = QApplication.activePopupWidget()
    while popup is not None:
        popup.close()
        popup = QApplication.activePopupWidget()


def press(popover: Popover, text: str) -> None:
    button = next(b for b in popover.findChildren(QPushButton) if b.text() == text)
    button.click()


@pytest.mark.parametrize(
    ("status", "progress", "text"),
    [
        (samples.NO_PAIR, None, "No model"),
        (samples.FIXED, None, "Speculating · DFlash2 · 7"),
        (samples.AUTO, None, "Speculating · auto 3"),
        (samples.PAUSED, None, "Suspended · text does not pay"),
        (samples.SWITCHED_OFF, None, "Off"),
        (samples.UNFIT, None, "Not available · vocabulary differs"),
        (SpeculationStatus(LOADING), samples.HALF_LOADED, "Loading 63 %"),
        (SpeculationStatus(LOADING), LoadProgress("Reading", 1.2), "Loading 100 %"),
        (SpeculationStatus(LOADING), None, "Loading 0 %"),
        (
            SpeculationStatus(SUSPENDED, reason=Problem("The context is full.")),
            None,
            "Suspended · context is full",
        ),
        (SpeculationStatus(UNAVAILABLE), None, "Not available"),
        (SpeculationStatus(SPECULATING, draft_n_max=5), None, "Speculating · 5"),
    ],
)
def test_chip_texts(
    bar: PairBar, status: SpeculationStatus, progress: LoadProgress | None, text: str
) -> None:
    assert chip_text(status, progress) == text
    bar.set_status(status)
    bar.set_load_progress(progress)
    if progress is not None or status.state != LOADING:
        assert bar.chip.text() == text
    assert bar.chip.text() in bar.chip.accessibleName()


def test_a_long_reason_is_cut_at_a_word() -> None:
    reason = Problem("MTP heads are missing from this file although its header promises three of them.")
    text = chip_text(SpeculationStatus(UNAVAILABLE, reason=reason))
    assert text == "Not available · MTP heads are missing from this…"


def test_chip_explains_a_pair_that_does_not_fit(bar: PairBar, qtbot) -> None:
    bar.set_status(samples.UNFIT)
    popover = bar.open_popover()
    for part in (samples.VOCABULARY.what, samples.VOCABULARY.why, samples.VOCABULARY.remedy):
        assert part in popover.text
    press(popover, "Choose a sidecar")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, ModelMenu)
    assert any("smollm2-135m-dflash2" in text for text in menu.texts())


def test_chip_offers_the_settings_where_they_help(bar: PairBar, qtbot) -> None:
    reason = Problem("The batches are too small for the draft.", code="batch-too-small")
    bar.set_status(SpeculationStatus(UNAVAILABLE, reason=reason))
    assert bar.chip.text() == "Not available · batch too small"
    with qtbot.waitSignal(bar.settings_requested):
        press(bar.open_popover(), "Open settings")
    bar.set_status(samples.UNFIT)
    assert "Open settings" not in [b.text() for b in bar.open_popover().findChildren(QPushButton)]


@pytest.mark.parametrize(
    ("status", "on", "button", "asked"),
    [
        (samples.FIXED, True, "Switch off", False),
        (samples.PAUSED, True, "Switch off", False),
        (samples.SWITCHED_OFF, False, "Switch on", True),
    ],
)
def test_chip_offers_the_switch(
    bar: PairBar, qtbot, status: SpeculationStatus, on: bool, button: str, asked: bool
) -> None:
    bar.set_speculation_on(on)
    bar.set_status(status)
    with qtbot.waitSignal(bar.speculation_toggled) as signal:
        press(bar.open_popover(), button)
    assert signal.args == [asked]


def test_chip_offers_a_model_when_there_is_none(bar: PairBar) -> None:
    bar.set_status(samples.NO_PAIR)
    press(bar.open_popover(), "Choose a model")
    assert isinstance(QApplication.activePopupWidget(), ModelMenu)


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_chip_by_keyboard(bar: PairBar, qtbot, key: Qt.Key) -> None:
    bar.set_status(samples.FIXED)
    qtbot.keyClick(bar.chip, key)
    popover = QApplication.activePopupWidget()
    assert isinstance(popover, Popover)
    assert "DFlash2 drafts up to 7 tokens a step" in popover.text
    qtbot.keyClick(popover, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_switch_by_keyboard(bar: PairBar, qtbot, key: Qt.Key) -> None:
    bar.set_status(samples.SWITCHED_OFF)
    assert bar.switch.accessibleName() == "Speculation"
    for expected in (True, False):
        with qtbot.waitSignal(bar.speculation_toggled) as signal:
            qtbot.keyClick(bar.switch, key)
        assert signal.args == [expected]


def test_setting_the_switch_asks_for_nothing(bar: PairBar, qtbot) -> None:
    bar.set_status(samples.FIXED)
    with qtbot.assertNotEmitted(bar.speculation_toggled):
        bar.set_speculation_on(True)
        bar.set_speculation_on(False)
    assert not bar.switch.isChecked()


@pytest.mark.parametrize("status", [samples.NO_PAIR, samples.UNFIT, SpeculationStatus(LOADING)])
def test_switch_is_off_limits_where_it_does_nothing(bar: PairBar, qtbot, status: SpeculationStatus) -> None:
    bar.set_status(status)
    with qtbot.assertNotEmitted(bar.speculation_toggled):
        bar.toggle_speculation()


def test_knob_arrives_within_120_ms(bar: PairBar, theme: Theme, qtbot) -> None:
    bar.set_status(samples.FIXED)
    assert theme.motion_ms <= 120
    bar.switch.click()
    qtbot.waitUntil(lambda: bar.switch.knob_position == 1.0, timeout=1000)


def test_knob_jumps_without_motion(bar: PairBar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Theme, "motion_ms", property(lambda _self: 0))
    bar.set_status(samples.FIXED)
    bar.switch.click()
    assert bar.switch.knob_position == 1.0


def test_menu_lists_fitting_sidecars_first_and_says_why_not(bar: PairBar) -> None:
    menu = bar.sidecar.open_menu()
    assert menu.texts() == [
        "smollm2-135m-dflash2, DFlash2 · Q8_0 · 31 MB",
        "smollm2-135m-dspark, DSpark · Q8_0 · 31 MB",
        "another-dflash, DFlash · Q8_0 · 1.3 GB, vocabulary differs: 151936 tokens, the target has 49152",
        "No sidecar",
        "Open file…",
    ]
    enabled = [bool(menu.list.item(i).flags() & Qt.ItemFlag.ItemIsEnabled) for i in range(5)]
    assert enabled == [True, True, False, True, True]
    assert menu.list.item(0).toolTip() == samples.SIDECARS[2].path
    assert menu.list.currentRow() == 0


def test_menu_by_keyboard(bar: PairBar, qtbot) -> None:
    qtbot.keyClick(bar.sidecar, Qt.Key.Key_Down)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, ModelMenu)
    qtbot.keyClick(menu.list, Qt.Key.Key_Down)
    with qtbot.waitSignal(bar.sidecar_chosen) as signal:
        qtbot.keyClick(menu.list, Qt.Key.Key_Return)
    assert signal.args == [samples.SIDECARS[1].path]


def test_menu_skips_what_cannot_be_chosen(bar: PairBar, qtbot) -> None:
    menu = bar.sidecar.open_menu()
    for _ in range(2):
        qtbot.keyClick(menu.list, Qt.Key.Key_Down)
    assert menu.list.currentItem().text() == "No sidecar"
    with qtbot.waitSignal(bar.sidecar_chosen) as signal:
        qtbot.keyClick(menu.list, Qt.Key.Key_Return)
    assert signal.args == [""]


def test_menu_by_mouse_refuses_an_unfit_file(bar: PairBar, qtbot) -> None:
    menu = bar.sidecar.open_menu()
    unfit = menu.list.visualItemRect(menu.list.item(2)).center()
    with qtbot.assertNotEmitted(bar.sidecar_chosen):
        qtbot.mouseClick(menu.list.viewport(), Qt.MouseButton.LeftButton, pos=unfit)
    fit = menu.list.visualItemRect(menu.list.item(1)).center()
    with qtbot.waitSignal(bar.sidecar_chosen):
        qtbot.mouseClick(menu.list.viewport(), Qt.MouseButton.LeftButton, pos=fit)


def test_menu_opens_files_and_closes_on_escape(bar: PairBar, qtbot) -> None:
    menu = bar.target.open_menu()
    qtbot.keyClick(menu.list, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    menu = bar.target.open_menu()
    qtbot.keyClick(menu.list, Qt.Key.Key_End)
    with qtbot.waitSignal(bar.open_target_requested):
        qtbot.keyClick(menu.list, Qt.Key.Key_Return)


def test_empty_menu_says_so(bar: PairBar) -> None:
    bar.set_targets(())
    assert bar.target.open_menu().texts() == ["No models found in the model folders.", "Open file…"]


def test_selectors_show_what_is_chosen(bar: PairBar) -> None:
    assert bar.target.accessibleName() == "Target model: SmolLM2-135M-Instruct"
    assert samples.TARGETS[0].path in bar.target.toolTip()
    assert "Q4_1 · 98 MB" in bar.target.toolTip()
    bar.set_pair("/elsewhere/unknown.gguf", "")
    assert bar.target.text() == "unknown"
    assert bar.sidecar.text() == "No sidecar"
    bar.set_pair("", "")
    assert bar.target.text() == "Choose a model"


def drop(widget, urls: list[QUrl]) -> QDropEvent:
    data = QMimeData()
    data.setUrls(urls)
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    widget.dropEvent(event)
    return event


def test_a_dropped_file_is_chosen(bar: PairBar, qtbot, tmp_path: Path) -> None:
    path = str(tmp_path / "мой модель.GGUF")
    with qtbot.waitSignal(bar.target_chosen) as signal:
        drop(bar.target, [QUrl.fromLocalFile(str(tmp_path / "notes.txt")), QUrl.fromLocalFile(path)])
    assert Path(signal.args[0]) == Path(path)
    with qtbot.waitSignal(bar.sidecar_chosen):
        drop(bar.sidecar, [QUrl.fromLocalFile(path)])
    with qtbot.assertNotEmitted(bar.target_chosen):
        drop(bar.target, [QUrl("https://example.org/model.gguf")])


def test_loading_shows_progress_and_can_be_cancelled(bar: PairBar, qtbot) -> None:
    bar.set_status(samples.FIXED)
    bar.set_reload_needed(True)
    bar.set_load_progress(samples.HALF_LOADED)
    assert bar.chip.text() == "Loading 63 %"
    assert bar.load_message.isVisible()
    assert bar.load_message.line.accessibleName() == "Reading the sidecar 63 %"
    assert not bar.reload_message.isVisible()
    with qtbot.waitSignal(bar.cancel_load_requested):
        qtbot.mouseClick(bar.load_message.button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(bar.cancel_load_requested):
        press(bar.open_popover(), "Cancel loading")
    bar.set_load_progress(None)
    assert bar.chip.text() == "Speculating · DFlash2 · 7"
    assert not bar.load_message.isVisible()
    assert bar.reload_message.isVisible()


def test_reload_is_offered(bar: PairBar, qtbot) -> None:
    assert not bar.reload_message.isVisible()
    bar.set_reload_needed(True)
    with qtbot.waitSignal(bar.reload_requested):
        bar.reload_message.button.click()


def test_context_is_metered(bar: PairBar) -> None:
    meter = bar.context_meter
    assert meter.text == "—"
    bar.set_context(1229, 8192)
    assert meter.text == "1.2k / 8k"
    assert "1229 of 8192 tokens" in meter.toolTip()
    assert "Nearly full" not in meter.toolTip()
    bar.set_context(7900, 8192)
    assert "Nearly full" in meter.toolTip()


def test_nothing_moves_when_the_state_changes(bar: PairBar) -> None:
    bar.set_status(samples.FIXED)
    QTest.qWait(10)
    before = (bar.target.geometry(), bar.sidecar.geometry(), bar.height())
    for status in (samples.SWITCHED_OFF, samples.PAUSED, samples.AUTO, samples.NO_PAIR):
        bar.set_status(status)
        QTest.qWait(5)
        assert (bar.target.geometry(), bar.sidecar.geometry(), bar.height()) == before
    bar.set_load_progress(samples.HALF_LOADED)
    QTest.qWait(5)
    assert (bar.target.geometry(), bar.sidecar.geometry(), bar.height()) == before


@pytest.mark.parametrize("width", [330, 400, 480, 640, 720, 1360])
def test_everything_is_inside_the_bar_at_any_width(bar: PairBar, width: int) -> None:
    bar.set_status(samples.UNFIT)
    bar.set_reload_needed(True)
    bar.resize(width, bar.sizeHint().height())
    QTest.qWait(10)
    shown = [bar.target, bar.sidecar, bar.chip, bar.switch, bar.context_meter, bar.reload_message.button]
    boxes = []
    for widget in shown:
        box = widget.rect().translated(widget.mapTo(bar, widget.rect().topLeft()))
        assert bar.rect().contains(box), widget
        assert box.height() >= 28
        assert not any(box.intersects(other) for other in boxes), widget
        boxes.append(box)


def test_every_control_has_a_tooltip_and_a_name(bar: PairBar) -> None:
    for widget in (bar.target, bar.sidecar, bar.chip, bar.switch, bar.context_meter):
        assert widget.toolTip(), widget
        assert widget.accessibleName(), widget
        if widget is not bar.context_meter:
            assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_chip_and_menu_colours_can_be_read(bar: PairBar, palette) -> None:
    for role in ("speculative", "ordinary", "warning", "muted"):
        for share in (0.09, 0.16):
            ground = mix(getattr(palette, role), palette.surface, share)
            assert contrast(palette.text, ground) >= 4.5
            assert contrast(getattr(palette, role), ground) >= 3
    for ground in (palette.surface, palette.raised, palette.hover, palette.pressed):
        assert contrast(palette.text, ground) >= 4.5
    for ground in (palette.surface, palette.raised):
        assert contrast(palette.warning, ground) >= 4.5
        assert contrast(palette.muted, ground) >= 4.5
