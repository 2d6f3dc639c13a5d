"""The real window on a scripted engine, a store in memory and a folder with readable "models"."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent

from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.settings import AppSettings, Pair
from app.services.app_state import AppState
from app.services.bench_session import BenchSession
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.live_stats import LiveStats
from app.services.model_files import OTHER, ModelFile
from app.services.model_scanner import ModelScanner
from app.services.shutdown import Shutdown
from app.ui.main_window import MainWindow
from tests.fakes import FakeEngine, MemoryStore, Script
from tests.fakes.fake_bench import BenchScript, FakeBench, MemoryArchive


def spin(until: Callable[[], bool], seconds: float = 15.0) -> bool:
    """Run the event loop until `until()` holds; whether it did."""
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() > end:
            return False
        QCoreApplication.processEvents()
        time.sleep(0.001)
    return True


class WordReader:
    """A file is what its first word says; a sidecar fits the target whose name its second word is."""

    def read(self, path: str) -> ModelFile:
        kind = Path(path).read_text().split()[0]
        if kind == "damaged":
            raise EnvironmentProblem("The file is cut short.", code="truncated")
        reason = Problem("This is a projector.", code="projector") if kind == OTHER else None
        algorithm = "DFlash2" if kind == "sidecar" else ""
        return ModelFile(path, kind, Path(path).stem, algorithm=algorithm, reason=reason)

    def fit(self, target_path: str, sidecar_path: str) -> Problem | None:
        wanted = Path(sidecar_path).read_text().split()[1]
        if wanted == Path(target_path).stem:
            return None
        return Problem("The sidecar does not fit.", "It has another vocabulary.", code="vocabulary-differs")


class WindowRig:
    """`store` outlives the window: `restart()` closes it and opens another one on the same store."""

    def __init__(self, folder: Path, store: MemoryStore | None = None, script: Script | None = None) -> None:
        self.folder = folder
        self.script = script if script is not None else Script()
        if store is None:
            pair = Pair(str(self.model("alpha", "target")), str(self.model("alpha-draft", "sidecar alpha")))
            store = MemoryStore(AppSettings(pair=pair))
        self.store = store
        self.bench_script = BenchScript()
        self.archive = MemoryArchive()
        self.open()

    def model(self, name: str, text: str) -> Path:
        path = self.folder / f"{name}.gguf"
        path.write_text(f"{text} x x")
        return path

    def open(self) -> None:
        self.state = AppState(self.store)
        self.engine = FakeEngine(self.script)
        self.fake_bench = FakeBench(self.bench_script)
        self.controller = EngineController(lambda: self.engine, bench=self.fake_bench)
        self.session = ChatSession(self.store, self.controller, self.state)
        self.stats = LiveStats(self.controller, self.session)
        self.scanner = ModelScanner(self.state, [self.folder], WordReader(), own_folders=[])
        self.bench = BenchSession(self.controller, self.state, self.archive, self.fake_bench.read)
        self.window = MainWindow(
            self.controller, self.session, self.state, self.stats, self.scanner, self.bench
        )
        self._shutdown = Shutdown(
            self.controller, self.session, self.state, self.store, self.stats, self.scanner, self.bench
        )
        self.window.show()
        self.window.activateWindow()
        self.window.start()
        assert spin(lambda: self.session.current is not None)
        assert spin(lambda: self.scanner.scanned)

    def ready(self) -> None:
        assert spin(lambda: self.controller.pair is not None)
        self.settle()

    def settle(self) -> None:
        for _ in range(20):
            QCoreApplication.processEvents()

    def close(self) -> bool:
        self.window.close()
        ended = self._shutdown.run()
        self.window.deleteLater()
        self.settle()
        # No event loop runs here that would see to it; windows left behind make every later one slower.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        return ended

    def restart(self) -> None:
        assert self.close()
        self.open()
