"""The same way through the page on the real engine, with the tiny pair, real files and one load."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.bench.recount import differences
from app.compose import Application, build
from app.core.bench import PROMPT
from app.core.pair_settings import PairSettings
from app.core.ports import Engine
from app.core.settings import AppSettings, Pair, PairChoice
from app.engine import LocalEngine
from app.storage.paths import Paths
from app.storage.store import FileStore
from tests.ui.window_rig import spin


class CountingEngine(LocalEngine):
    """Says how often a model was loaded."""

    loads = 0

    def load(self, *args, **options):  # type: ignore[no-untyped-def]
        self.loads += 1
        return super().load(*args, **options)


@pytest.fixture
def app(tmp_path: Path, tiny_pair: tuple[Path, Path], settle: Callable[[], None]) -> Iterator[Application]:
    paths = Paths.under(tmp_path)
    pair = Pair(*map(str, tiny_pair))
    settings = PairSettings(n_ctx=512, n_threads=1, draft_n_max=3, automatic_length=False)
    store = FileStore(paths)
    store.save_settings(AppSettings(pair=pair, pairs={pair.key: PairChoice(settings)})).result()
    engines: list[Engine] = []

    def make_engine() -> Engine:
        engines.append(CountingEngine())
        return engines[-1]

    made = build(make_engine, store, paths)
    made.window.show()
    made.window.start()
    assert spin(lambda: made.controller.pair is not None, 60)
    made.window.bench_binder.show()
    settle()
    yield made
    assert [e.loads for e in engines] == [1]
    made.window.close()
    assert made.close()
    made.window.deleteLater()
    settle()


def test_a_sweep_from_the_page_to_the_file(app: Application, tmp_path: Path) -> None:
    window = app.window
    binder = window.bench_binder
    setup = binder.view.setup
    setup.set_source(PROMPT)
    setup.prompt.setPlainText("abc def ghi")
    setup.runs.setValue(2)
    setup.tokens.setValue(24)
    setup.sweep.setChecked(True)
    setup.lengths.setText("1,3")
    before = app.controller.status
    seen: list[float] = []
    app.controller.bench_progress.connect(lambda p: seen.append(p.fraction))
    setup.run_button.click()
    assert window.bench_binder.view.running.isVisible()
    assert not app.controller.run_bench(setup.request())
    bench = binder._session
    assert spin(lambda: bool(bench.record_id), 120)
    assert seen == sorted(seen)
    record = bench.record
    assert [p.choice.n_max for p in record.points] == [1, 3]
    assert all(len(p.pairs) == 2 for p in record.points)
    assert not record.cancelled
    assert record.errors == ()
    assert binder.view.result.isVisible()
    assert "Runs deterministic: ordinary yes" in binder.view.result.text_lines
    # The engine was put back as it was.
    assert app.controller.status == before

    files = [p for p in (tmp_path / "data" / "benchmarks").glob("*.json") if ".line" not in p.name]
    assert len(files) == 1
    text = files[0].read_text("utf-8")
    assert str(tmp_path) not in text
    compared, wrong = differences(json.loads(text))
    assert compared > 100
    assert wrong == []
    settings = json.loads(text)["settings"]
    assert (settings["n_ctx"], settings["n_threads"], settings["max_tokens"]) == (512, 1, 24)

    assert app.session.send("abc")
    assert spin(lambda: app.session.streaming is not None)
    app.session.stop()
    assert spin(lambda: app.session.streaming is None, 60)


def test_stopping_keeps_the_pairs_that_were_finished(app: Application) -> None:
    binder = app.window.bench_binder
    setup = binder.view.setup
    setup.set_source(PROMPT)
    setup.prompt.setPlainText("abc def ghi")
    setup.runs.setValue(50)
    setup.tokens.setValue(32)
    bench = binder._session

    def stop_after_one(progress) -> None:  # type: ignore[no-untyped-def]
        if progress.finished is not None:
            bench.cancel()

    app.controller.bench_progress.connect(stop_after_one)
    setup.run_button.click()
    assert spin(lambda: bool(bench.record_id), 120)
    record = bench.record
    assert record.cancelled
    assert 1 <= len(record.points[0].pairs) < 50
    assert app.controller.pair is not None
