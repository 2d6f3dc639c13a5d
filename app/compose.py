"""The composition root: the only module that imports every layer.

Builds engine, store, services and window, and takes them down in order.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import __version__
from app.core import locations
from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.ports import Engine, Store
from app.core.settings import Pair
from app.core.wording import say
from app.crash import CrashHandlers, log_qt_messages
from app.storage.paths import Paths, app_paths

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.ui.main_window import MainWindow

log = logging.getLogger("slipstream.compose")


def make_engine(paths: Paths, on_abort: Callable[[str], None] | None = None) -> Engine:
    """The engine of this process; imports the native library, so it is called in the worker thread."""
    from app.engine import LocalEngine

    if on_abort is not None:
        from app.engine import native

        native.on_abort(on_abort)
    return LocalEngine(paths.cache / "draft-costs.json")


@dataclass
class Application:
    """Everything that lives as long as the window. `close()` is orderly and may be called again."""

    qt: QApplication
    window: MainWindow
    controller: Any
    session: Any
    state: Any
    stats: Any
    scanner: Any
    store: Store
    shutdown: Any
    collector: Any
    first_start: bool = False

    def close(self) -> bool:
        """True when everything ended by itself; False when the engine hangs and the exit must be hard."""
        ended = bool(self.shutdown.run())
        self.collector.close()
        return ended


def qt_application() -> QApplication:
    """The one QApplication, made on first use."""
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    if sys.platform == "win32":
        import ctypes

        # Its own icon in the task bar instead of Python's.
        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("Slipstream")
    qt = QApplication([sys.argv[0]])
    qt.setApplicationName("Slipstream")
    qt.setApplicationDisplayName("Slipstream")
    qt.setApplicationVersion(__version__)
    qt.setDesktopFileName("slipstream")
    qt.setWindowIcon(QIcon(str(locations.resources_dir() / "app" / "slipstream.svg")))
    return qt


def build(engine: Callable[[], Engine], store: Store, paths: Paths) -> Application:
    """Services and window on the given engine and store; nothing is shown or loaded yet."""
    from app.bench.local_bench import LocalBench
    from app.services.app_state import AppState
    from app.services.bench_session import BenchSession
    from app.services.chat_session import ChatSession
    from app.services.engine_controller import EngineController
    from app.services.gui_collector import GuiCollector
    from app.services.live_stats import LiveStats
    from app.services.model_scanner import ModelScanner
    from app.services.shutdown import Shutdown
    from app.storage.benchmarks import BenchmarkFiles
    from app.ui import language
    from app.ui.main_window import MainWindow

    qt = qt_application()
    state = AppState(store)
    language.install(state.settings.language)
    first_start = first_choice(state)
    bench = LocalBench()
    controller = EngineController(engine, bench=bench)
    session = ChatSession(store, controller, state)
    stats = LiveStats(controller, session)
    scanner = ModelScanner(state, [paths.models])
    measuring = BenchSession(controller, state, BenchmarkFiles(paths.benchmarks), bench.read)
    shutdown = Shutdown(controller, session, state, store, stats, scanner, measuring)
    window = MainWindow(controller, session, state, stats, scanner, measuring)
    # The garbage of the set-up is collected here, and no more than that while the window starts.
    collector = GuiCollector()
    return Application(
        qt, window, controller, session, state, stats, scanner, store, shutdown, collector, first_start
    )


def first_choice(state: Any) -> bool:
    """On the first start, or when the remembered target is gone: the default pair. True on the first."""
    first = not state.pair.target_path and not state.settings.recent_files
    if state.pair.target_path and os.path.isfile(state.pair.target_path):
        return False
    target = locations.default_target()
    if target is not None:
        draft = locations.default_draft()
        state.set_pair(Pair(str(target), str(draft) if draft is not None else ""))
    return first


def run_window(files: Sequence[str] = ()) -> int:
    """Open the window, with the models in `files`, and stay until it is closed; returns the exit code."""
    from app.single_instance import SingleInstance
    from app.storage.store import FileStore
    from app.ui.file_open_events import FileOpenEvents

    if no_display():
        raise EnvironmentProblem(
            "There is no display to open the window on.",
            "Neither DISPLAY nor WAYLAND_DISPLAY is set.",
            "Start it from a desktop; `slipstream chat` and `slipstream bench` need none, and with "
            "QT_QPA_PLATFORM=offscreen the window runs unseen.",
            "no-display",
        )
    paths = app_paths()
    qt_application()
    instance = SingleInstance(paths.data)
    if instance.hand_over(files):
        return 0
    pending: list[Problem] = []
    show: list[Callable[[Problem], None]] = [pending.append]
    crash = CrashHandlers(paths.logs, lambda problem: show[0](problem))
    log_qt_messages()
    log.info("Slipstream %s starts", __version__)
    store = FileStore(paths)
    app = build(lambda: make_engine(paths, crash.write_abort_reason), store, paths)
    show[0] = app.window.report_problem
    for problem in pending:
        app.window.report_problem(problem)
    if crash.last_crash:
        app.window.report_problem(crashed_before(crash.last_crash))
    for problem in store.notices:
        app.window.report_problem(problem)
    if not store.read_only_reason:
        instance.listen()
        instance.asked.connect(app.window.open_files)
    if sys.platform == "darwin":
        FileOpenEvents(app.qt, app.window.open_files)
    app.window.closing.connect(instance.close)
    app.window.closing.connect(app.qt.quit)
    if app.first_start:
        app.window.welcome()
    app.window.show()
    app.window.start()
    if files:
        app.window.opener.open([os.path.abspath(file) for file in files])
    code = app.qt.exec()
    ended = app.close()
    log.info("Slipstream ends")
    crash.close()
    if not ended:
        # The engine does not come back from the native library; everything is saved.
        os._exit(code)
    return code


def crashed_before(details: str) -> Problem:
    return Problem(
        say("Slipstream ended unexpectedly the last time."),
        details.splitlines()[0] if details else "",
        say("Your conversations are safe. Copy the report if it happens again."),
        "crashed",
        is_bug=True,
        details=details,
    )


def run_smoke(screenshot: str | None, json_only: bool) -> int:
    """The real window, the default pair, two short replies; prints what was seen. 0 only if all happened."""
    from app.smoke import LogWatch, Smoke
    from app.storage.store import FileStore

    if screenshot and not os.access(os.path.dirname(os.path.abspath(screenshot)), os.W_OK):
        raise EnvironmentProblem(
            "The picture could not be saved there.",
            f"Nothing can be written beside {screenshot!r}.",
            code="disk",
        )
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen" if no_display() else "")
    watch = LogWatch()
    log_qt_messages()
    with tempfile.TemporaryDirectory(prefix="slipstream-smoke-") as folder:
        # The user's conversations and settings stay untouched; models come from where they are.
        paths = replace(Paths.under(Path(folder)), models=app_paths().models)
        app = build(lambda: make_engine(paths), FileStore(paths), paths)
        result = Smoke(app.window, app.controller, app.session, app.state).run(screenshot)
        ended = app.close()
        result |= {"version": __version__, "ended": ended, "log": watch.lines}
        if result["ok"] and watch.lines:
            result |= {"ok": False, "error": "there are warnings in the log"}
        print(json.dumps(result, ensure_ascii=False, indent=None if json_only else 2))
        ok = bool(result["ok"]) and ended
        if not ended:
            sys.stdout.flush()
            os._exit(1)
        app.window.deleteLater()
        return 0 if ok else 1


def no_display() -> bool:
    """On Linux without a display Qt would end the process."""
    return sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM")
    )
