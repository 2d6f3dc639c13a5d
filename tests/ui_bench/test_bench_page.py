"""From the first look at the page to a stored length, a file and a deleted run."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from app.bench import prompt_sets
from app.bench.recount import differences
from app.core.bench import FILE, PROMPT, BenchRequest
from app.core.errors import EnvironmentProblem
from app.core.settings import Pair, PairChoice
from app.ui.bench.words import parse_lengths
from tests.ui.window_rig import WindowRig, spin


def run(rig: WindowRig, request: BenchRequest | None = None) -> None:
    known = len(rig.bench.entries)
    assert rig.bench.run(request or BenchRequest(runs=2))
    assert spin(lambda: len(rig.bench.entries) > known)
    rig.settle()


def hold(rig: WindowRig, pairs: int) -> None:
    """Run, and stop the script before pair `pairs`."""
    rig.bench_script.hold_at = pairs
    assert rig.bench.run(BenchRequest(runs=2))
    assert spin(rig.fake_bench.holding.is_set)
    assert spin(lambda: rig.bench.tally.pairs == pairs)
    rig.settle()


def test_the_page_takes_the_place_of_the_chat_and_gives_it_back(rig: WindowRig) -> None:
    window = rig.window
    assert window.bench_binder.view.isVisible()
    assert not window.chat.isVisible()
    assert window.bench_binder.view.setup.source.hasFocus()
    QTest.keyClick(window.bench_binder.view.setup.source, Qt.Key.Key_Escape)
    assert window.chat.isVisible()
    assert window.chat.composer.field.hasFocus()
    window.sidebar.bench_button.click()
    assert window.bench_binder.shown
    window.actions_by_name["bench"].trigger()
    assert not window.bench_binder.shown
    window.actions_by_name["bench"].trigger()
    window.bench_binder.view.back_button.click()
    assert not window.bench_binder.shown


def test_a_new_chat_leaves_the_page(rig: WindowRig) -> None:
    rig.window.actions_by_name["new"].trigger()
    assert rig.window.chat.isVisible()


def test_an_empty_page_says_what_it_is_for(rig: WindowRig) -> None:
    view = rig.window.bench_binder.view
    assert view._empty.isVisible()
    assert not view.result.isVisible()
    assert not view.history.list.isVisible()
    assert view.setup.run_button.isEnabled()


def test_the_sets_are_as_large_as_they_say(rig: WindowRig) -> None:
    source = rig.window.bench_binder.view.setup.source
    for i in range(source.count()):
        prompts = prompt_sets.SETS.get(source.itemData(i))
        if prompts is not None:
            assert f"({len(prompts)} prompts)" in source.itemText(i)


def test_a_run_from_the_first_click_to_the_verdict(rig: WindowRig) -> None:
    view = rig.window.bench_binder.view
    view.setup.runs.setValue(2)
    view.setup.tokens.setValue(32)
    view.setup.length.setValue(5)
    view.setup.run_button.setFocus()
    QTest.keyClick(view.setup.run_button, Qt.Key.Key_Space)
    assert spin(lambda: rig.bench.record is not None and bool(rig.bench.record_id))
    rig.settle()
    asked = rig.fake_bench.requests[0]
    assert (asked.runs, asked.max_tokens, asked.draft_n_max, asked.sweep) == (2, 32, 5, False)
    assert asked.settings == rig.state.choice().settings
    # The engine's thread, not the window's.
    assert rig.fake_bench.threads == [next(iter(rig.engine.threads_of("load")))]
    assert view.result.isVisible()
    assert view.result.headline.endswith("x faster")
    assert "95 % interval" in view.result.note
    assert [row.label for row in view.result.bars.rows][:2] == ["All prompts", "coding"]
    assert not view.result.sweep.isVisible()
    assert "Output tokens match: yes" in view.result.text_lines
    assert view.setup.run_button.hasFocus()
    assert len(rig.bench.entries) == 1


@pytest.mark.parametrize(("speedup", "word"), [(1.3, "faster"), (0.8, "slower"), (1.002, "within noise")])
def test_the_headline_claims_no_more_than_was_measured(rig: WindowRig, speedup: float, word: str) -> None:
    rig.bench_script.speedups[7] = speedup
    rig.bench_script.by_category = ()
    run(rig)
    assert word in rig.window.bench_binder.view.result.headline


def test_one_pair_is_not_certain(rig: WindowRig) -> None:
    rig.bench_script.prompts = 1
    run(rig, BenchRequest(PROMPT, "Hello", runs=1))
    result = rig.window.bench_binder.view.result
    assert "not certain" in result.headline
    assert "too few" in result.note


def test_while_it_runs_the_page_says_how_far_it_is(rig: WindowRig) -> None:
    hold(rig, 5)
    view = rig.window.bench_binder.view
    assert view.running.isVisible()
    assert not view.setup.isVisible()
    assert view.running.stage == "Prompt 3 of 8, run 1 of 2"
    assert view.running.left.startswith("about ")
    assert 200 < view.running.bar.value() < 500
    rows = view.running.by_category.rows
    assert [row.label for row in rows] == ["All so far", "coding", "math", "writing"]
    assert rows[0].ordinary == pytest.approx(31, rel=0.01)
    assert "31.0 tok/s" in rows[0].reading
    rig.bench.cancel()
    assert spin(lambda: not rig.bench.running)


def test_stopping_keeps_what_was_measured(rig: WindowRig) -> None:
    hold(rig, 5)
    view = rig.window.bench_binder.view
    view.running.cancel_button.setFocus()
    QTest.keyClick(view.running.cancel_button, Qt.Key.Key_Space)
    assert spin(lambda: len(rig.bench.entries) == 1)
    record = rig.bench.record
    assert record is not None
    assert record.cancelled
    assert sum(len(p.pairs) for p in record.points) == 5
    assert view.result._stopped.isVisible()
    assert view.setup.run_button.hasFocus()
    assert "stopped early" in view.history.list.topLevelItem(0).text(1)


def test_stopping_before_the_first_pair_leaves_no_run(rig: WindowRig) -> None:
    hold(rig, 0)
    rig.bench.cancel()
    assert spin(lambda: not rig.bench.running)
    rig.settle()
    assert rig.bench.entries == []
    assert rig.window.bench_binder.view.result.headline == "No speedup could be measured"


def test_leaving_the_page_does_not_stop_the_run(rig: WindowRig) -> None:
    hold(rig, 3)
    QTest.keyClick(rig.window.bench_binder.view, Qt.Key.Key_Escape)
    assert rig.window.chat.isVisible()
    assert rig.bench.running
    rig.bench.cancel()
    assert spin(lambda: not rig.bench.running)


def test_a_message_waits_until_the_benchmark_is_done(rig: WindowRig) -> None:
    hold(rig, 2)
    assert rig.session.send("Hello")
    rig.settle()
    assert rig.engine.requests == []
    rig.bench.cancel()
    assert spin(lambda: rig.session.streaming is None and len(rig.engine.requests) == 1)


def test_no_benchmark_while_a_reply_is_made(rig: WindowRig) -> None:
    rig.script.round_seconds = 0.02
    rig.script.rounds = 200
    assert rig.session.send("Hello")
    assert spin(lambda: rig.controller.busy)
    view = rig.window.bench_binder.view
    assert not view.setup.run_button.isEnabled()
    assert "answering" in view.setup.line
    assert not rig.bench.run(BenchRequest())
    rig.session.stop()
    assert spin(lambda: not rig.controller.busy)
    assert view.setup.run_button.isEnabled()


def test_a_switch_during_the_run_takes_effect_after_it(rig: WindowRig) -> None:
    hold(rig, 2)
    rig.engine.calls.clear()
    rig.controller.set_speculation(False)
    rig.controller.set_draft_limits(3, 0, 0.0)
    assert rig.engine.threads_of("set_speculation") == set()
    rig.bench.cancel()
    assert spin(lambda: not rig.bench.running)
    assert rig.controller.status.state == "off"
    assert rig.controller.status.draft_n_max == 3


def test_another_pair_ends_the_run_and_takes_the_list_away(rig: WindowRig) -> None:
    run(rig)
    hold(rig, 3)
    rig.model("beta", "target")
    rig.window.pair_binder.choose_pair(Pair(str(rig.folder / "beta.gguf"), ""))
    assert spin(lambda: not rig.bench.running and rig.controller.pair is not None)
    rig.settle()
    assert rig.bench.entries == []
    assert rig.bench.record is None
    assert "does not speculate" in rig.window.bench_binder.view.setup.line
    # What was measured belongs to the pair it was measured on.
    assert spin(lambda: len(rig.archive.kept) == 2)
    assert len({tag for tag, _, _ in rig.archive.kept.values()}) == 1


# -- sweep --------------------------------------------------------------------------------------------


def test_a_sweep_recommends_a_length_and_stores_it(rig: WindowRig) -> None:
    view = rig.window.bench_binder.view
    view.setup.sweep.setChecked(True)
    view.setup.lengths.setText("1, 3-5")
    view.setup.run_button.click()
    assert spin(lambda: rig.bench.record is not None)
    rig.settle()
    assert rig.fake_bench.requests[0].lengths == (1, 3, 4, 5)
    assert view.result.sweep.isVisible()
    assert [p.label for p in view.result.sweep.points if p.recommended] == ["4"]
    assert "Draft length 4" in view.result.advice
    rig.state.set_choice(PairChoice(speculation_on=False))
    view.result.use_button.click()
    settings = rig.state.choice().settings
    assert (settings.draft_n_max, settings.automatic_length) == (4, False)
    assert rig.state.choice().speculation_on
    assert not view.result.use_button.isEnabled()
    assert rig.controller.status.draft_n_max == 4


def test_when_no_length_pays_speculation_is_switched_off(rig: WindowRig) -> None:
    rig.bench_script.speedups = dict.fromkeys(range(1, 4), 0.7)
    run(rig, BenchRequest(sweep=True, runs=2))
    view = rig.window.bench_binder.view
    assert "Ordinary decoding" in view.result.advice
    assert view.result.use_button.text() == "Switch speculation off for the pair"
    view.result.use_button.click()
    assert not rig.state.choice().speculation_on
    assert rig.controller.status.state == "off"


def test_charts_are_read_with_the_arrow_keys(rig: WindowRig) -> None:
    run(rig, BenchRequest(sweep=True, runs=2))
    for chart in (rig.window.bench_binder.view.result.sweep, rig.window.bench_binder.view.result.bars):
        chart.setFocus(Qt.FocusReason.TabFocusReason)
        assert chart.reading == "Arrow keys read the values."
        read = []
        for _ in chart.readings:
            QTest.keyClick(chart, Qt.Key.Key_Right)
            read.append(chart.reading)
            assert chart.accessibleName().endswith(chart.reading)
        assert read == list(chart.readings)
        assert all(r in chart.accessibleDescription() for r in read)
        QTest.keyClick(chart, Qt.Key.Key_Home)
        assert chart.reading == read[0]
        QTest.keyClick(chart, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert read[-1] in QGuiApplication.clipboard().text()


# -- history ------------------------------------------------------------------------------------------


def test_earlier_runs_are_listed_opened_deleted_and_brought_back(rig: WindowRig) -> None:
    rig.bench_script.created -= 1000
    rig.bench_script.speedups[7] = 0.8
    run(rig)
    rig.bench_script.created += 1000
    rig.bench_script.speedups[7] = 1.3
    run(rig)
    view = rig.window.bench_binder.view
    lines = [[view.history.list.topLevelItem(i).text(c) for c in range(4)] for i in range(2)]
    assert "faster" in lines[0][1]
    assert "slower" in lines[1][1]
    assert lines[0][3] == "0.1.0"
    view.history.list.setCurrentItem(view.history.list.topLevelItem(1))
    view.history.list.setFocus()
    view.history.open_button.click()
    assert spin(lambda: "slower" in view.result.headline)
    QTest.keyClick(view.history.list, Qt.Key.Key_Delete)
    assert view.toast.isVisible()
    assert view.history.list.topLevelItemCount() == 1
    assert not view.result.isVisible()
    assert spin(lambda: bool(rig.archive.hidden))
    view.toast.undo_button.click()
    assert spin(lambda: not rig.archive.hidden)
    assert view.history.list.topLevelItemCount() == 2


def test_a_run_is_there_again_after_a_restart(rig: WindowRig) -> None:
    run(rig)
    rig.restart()
    rig.ready()
    assert spin(lambda: len(rig.bench.entries) == 1)
    rig.bench.open(rig.bench.entries[0].id)
    assert spin(lambda: rig.bench.record is not None)
    assert rig.window.bench_binder.view.result.headline.endswith("faster")


def test_everything_recorded_can_be_looked_at(rig: WindowRig) -> None:
    run(rig)
    details = rig.window.bench_binder.view.result.details
    assert details.section.currentText() == "Summary"
    for i in range(details.section.count()):
        details.show_section(details.section.itemText(i))
        assert details.table.rowCount() > 0
    record = rig.bench.record
    assert record is not None
    details.show_section("Runs")
    assert details.table.rowCount() == sum(len(p.pairs) for p in record.points)
    details.show_section("Rounds")
    assert details.table.rowCount() == len(record.points[0].pairs[0].ordinary.rounds)


# -- files --------------------------------------------------------------------------------------------


def save(dialog: QFileDialog, path: Path) -> None:
    dialog.fileSelected.emit(str(path))
    dialog.close()


def test_report_picture_and_files(rig: WindowRig, tmp_path: Path) -> None:
    run(rig, BenchRequest(sweep=True, runs=2))
    binder, record = rig.window.bench_binder, rig.bench.record
    assert record is not None
    binder.view.result.copy_button.click()
    report = QGuiApplication.clipboard().text()
    assert report.startswith("# Speculative decoding benchmark")
    assert str(Path.home()) not in report
    save(binder.ask_csv(), tmp_path / "bench.csv")
    rows = csv.DictReader(io.StringIO((tmp_path / "bench.csv").read_text()))
    assert len(list(rows)) == 8 * 2 * 7
    save(binder.ask_json(), tmp_path / "bench.json")
    compared, wrong = differences(json.loads((tmp_path / "bench.json").read_text()))
    assert compared > 100
    assert wrong == []
    save(binder.ask_picture(), tmp_path / "bench.png")
    picture = QImage(str(tmp_path / "bench.png"))
    assert picture.width() >= 2 * 600
    colours = {
        picture.pixelColor(x, y).name() for x in range(0, picture.width(), 5) for y in range(0, 900, 7)
    }
    assert len(colours) > 10


def test_a_file_that_cannot_be_written_is_a_card(rig: WindowRig, tmp_path: Path) -> None:
    run(rig)
    save(rig.window.bench_binder.ask_csv(), tmp_path / "missing" / "bench.csv")
    cards = rig.window.bench_binder.view.cards
    assert [c.problem.code for c in cards] == ["not-saved"]
    cards[0].dismissed.emit()
    assert cards == []


# -- what goes wrong ----------------------------------------------------------------------------------


def test_a_failure_is_a_card_and_the_page_is_ready_again(rig: WindowRig) -> None:
    rig.bench_script.error = EnvironmentProblem("The file holds no prompt.", code="prompts")
    assert rig.bench.run(BenchRequest(FILE, prompt_file="x"))
    view = rig.window.bench_binder.view
    assert spin(lambda: len(view.cards) == 1)
    assert view.cards[0].problem.what == "The file holds no prompt."
    assert view.setup.isVisible()
    assert rig.bench.entries == []
    rig.bench_script.error = None
    run(rig)
    assert view.cards == []


def test_a_bug_in_the_benchmark_is_reported_and_the_pair_still_answers(rig: WindowRig) -> None:
    rig.bench_script.error = RuntimeError("boom")
    rig.bench.run(BenchRequest())
    view = rig.window.bench_binder.view
    assert spin(lambda: len(view.cards) == 1)
    assert view.cards[0].problem.is_bug
    assert rig.session.send("Hello")
    assert spin(lambda: rig.session.streaming is None)


def test_a_full_disk_loses_no_result(rig: WindowRig) -> None:
    rig.archive.error = EnvironmentProblem("The disk is full.", code="disk-full")
    assert rig.bench.run(BenchRequest(runs=1))
    view = rig.window.bench_binder.view
    assert spin(lambda: len(view.cards) == 1)
    assert view.result.isVisible()
    assert view.cards[0].problem.what == "The disk is full."


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"source": PROMPT}, "Write a prompt first."),
        ({"source": FILE}, "Choose a file with prompts first."),
        ({"lengths": "3-x"}, "Write lengths as 1,2,4 or 1-7."),
        ({"lengths": "0"}, "Draft lengths lie between 1 and 64."),
    ],
)
def test_what_is_missing_is_said_beside_the_button(rig: WindowRig, fields: dict[str, str], said: str) -> None:
    setup = rig.window.bench_binder.view.setup
    if "source" in fields:
        setup.set_source(fields["source"])
    else:
        setup.sweep.setChecked(True)
        setup.lengths.setText(fields["lengths"])
    setup.run_button.click()
    assert setup.line == said
    assert rig.fake_bench.requests == []


@pytest.mark.parametrize(
    ("text", "lengths"),
    [("", ()), ("4", (4,)), ("1,2, 4", (1, 2, 4)), ("1-3,7", (1, 2, 3, 7)), ("2,2-3", (2, 3))],
)
def test_lengths_as_they_are_typed(text: str, lengths: tuple[int, ...]) -> None:
    assert parse_lengths(text) == lengths


def test_closing_the_window_in_the_middle_saves_what_was_measured(rig: WindowRig) -> None:
    hold(rig, 4)
    assert rig.close()
    assert len(rig.archive.kept) == 1
    rig.open()


def test_dates_of_earlier_runs_are_shown_whole(rig: WindowRig) -> None:
    run(rig)
    history = rig.window.bench_binder.view.history.list
    item = history.topLevelItem(0)
    metrics = QFontMetrics(item.font(0))
    assert history.columnWidth(0) > metrics.horizontalAdvance(item.text(0))
