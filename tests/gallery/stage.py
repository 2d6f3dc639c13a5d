"""One real window on scripted services, and the picture of it with whatever is open above it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.core.conversation import ASSISTANT, USER, Conversation, ConversationSummary, Message
from app.core.events import Problem
from app.core.settings import AppSettings, Pair
from app.core.wording import say
from app.services.app_state import AppState
from app.services.bench_session import BenchSession
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.live_stats import LiveStats
from app.services.model_files import SIDECAR, TARGET, ModelFile
from app.services.model_scanner import ModelScanner
from app.services.shutdown import Shutdown
from app.ui.main_window import MainWindow
from app.ui.theme import Theme
from tests.fakes import MemoryStore, Script
from tests.fakes.fake_bench import FakeBench, MemoryArchive
from tests.gallery.engine import GalleryEngine, Scene
from tests.gallery.texts import TITLES, pieces

ACCEPTED = (3, 7, 1, 4, 0, 2, 5, 3)
DRAFT_LENGTH = 7
TARGET_FILE = "smollm2-135m-instruct.gguf"
SIDECAR_FILE = "smollm2-135m-dflash2.gguf"
VOCABULARY = Problem(
    say("The vocabularies differ."),
    say("The target has {target:,} tokens, the sidecar {sidecar:,}.", target=49152, sidecar=151936),
    say("Choose a sidecar made for this target, or go on without speculation."),
    "vocabulary-differs",
)

_FILES = {
    TARGET_FILE: ModelFile("", TARGET, "SmolLM2-135M-Instruct", 98_000_000, "llama", "Q4_1", 8192),
    "qwen3.5-27b.gguf": ModelFile("", TARGET, "Qwen3.5-27B", 16_500_000_000, "qwen35", "Q4_K_M", 262144),
    SIDECAR_FILE: ModelFile(
        "", SIDECAR, "smollm2-135m-dflash2", 31_000_000, "dflash", "Q8_0", algorithm="DFlash2", block_size=8
    ),
    "smollm2-135m-dspark.gguf": ModelFile(
        "", SIDECAR, "smollm2-135m-dspark", 33_000_000, "dflash", "Q8_0", algorithm="DSpark", block_size=8
    ),
    "qwen3.5-27b-dflash.gguf": ModelFile(
        "", SIDECAR, "qwen3.5-27b-dflash", 1_310_000_000, "dflash", "Q8_0", algorithm="DFlash", block_size=16
    ),
}


class _Reader:
    """Knows the files of the gallery by name; only what belongs together fits."""

    def read(self, path: str) -> ModelFile:
        return replace(_FILES[Path(path).name], path=path)

    def fit(self, target_path: str, sidecar_path: str) -> Problem | None:
        same = Path(target_path).name[:7] == Path(sidecar_path).name[:7]
        return None if same else VOCABULARY


class Stage:
    """Builds everything on construction; `close()` takes it down in the program's own order."""

    def __init__(
        self, folder: Path, scene: Scene, *, with_pair: bool = True, script: Script | None = None
    ) -> None:
        self.models = folder / "models"
        self.models.mkdir(exist_ok=True)
        for name, file in _FILES.items():
            # Sparse: as large as the model it stands for, without the disk.
            with (self.models / name).open("wb") as f:
                f.truncate(file.bytes)
        self.scene = scene
        self.script = script or Script(load_step_seconds=0.0, prompt_tokens=1220, reused_tokens=1100)
        self.script.draft_length, self.script.accepted = DRAFT_LENGTH, ACCEPTED
        self.script.rounds = rounds_for(scene.text)
        self.engine = GalleryEngine(scene, self.script)
        pair = Pair(self.path(TARGET_FILE), self.path(SIDECAR_FILE)) if with_pair else Pair()
        self.store = MemoryStore(AppSettings(pair=pair))
        self._put_conversations()
        self.state = AppState(self.store)
        self.fake_bench = FakeBench()
        self.controller = EngineController(lambda: self.engine, bench=self.fake_bench)
        self.session = ChatSession(self.store, self.controller, self.state)
        self.stats = LiveStats(self.controller, self.session)
        self.scanner = ModelScanner(self.state, [self.models], _Reader(), own_folders=())
        self.bench = BenchSession(self.controller, self.state, MemoryArchive(), self.fake_bench.read)
        self.window = MainWindow(
            self.controller, self.session, self.state, self.stats, self.scanner, self.bench
        )
        self._shutdown = Shutdown(
            self.controller, self.session, self.state, self.store, self.stats, self.scanner, self.bench
        )

    def path(self, name: str) -> str:
        return str(self.models / name)

    def open(self, *, wait: bool = True) -> None:
        """Show the window and let it load the pair."""
        self.window.resize(1280, 800)
        self.window.show()
        self.window.start()
        self.wait(lambda: self.scanner.scanned)
        if wait:
            self.wait(lambda: self.controller.pair is not None)

    def say(self, text: str, *, wait: bool = True) -> None:
        """Send a message and wait for the whole reply."""
        assert self.session.send(text)
        if wait:
            self.wait(lambda: not self.controller.busy and self.session.streaming is None)

    def speculate(self, on: bool) -> None:
        self.state.set_choice(replace(self.state.choice(), speculation_on=on))
        self.controller.set_speculation(on)

    def wait(self, until: Callable[[], bool], seconds: float = 20.0) -> None:
        """Run the event loop until something is so; TimeoutError when it does not come."""
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() > deadline:
                raise TimeoutError("the window did not get where the picture is taken")
            QTest.qWait(5)

    def settle(self) -> None:
        """Let batched updates, the panel's timer and animations come to rest."""
        QTest.qWait(450)

    def picture(self) -> QImage:
        """The window with open popups and dialogs drawn where they are."""
        image = self.window.grab().toImage()
        painter = QPainter(image)
        for widget in self._open_above():
            where = widget.mapToGlobal(QPoint(0, 0)) - self.window.mapToGlobal(QPoint(0, 0))
            if isinstance(widget, QDialog):
                painter.fillRect(image.rect(), QColor(0, 0, 0, 90))
                where = QPoint(
                    (self.window.width() - widget.width()) // 2, (self.window.height() - widget.height()) // 2
                )
            painter.drawPixmap(where, widget.grab())
            if isinstance(widget, QDialog):
                # The frame that a window manager would draw.
                painter.setPen(QColor(Theme.current().palette.line))
                painter.drawRect(where.x() - 1, where.y() - 1, widget.width() + 1, widget.height() + 1)
        painter.end()
        return image

    def resize(self, size: QSize) -> None:
        self.window.resize(size)

    def close_popups(self) -> None:
        for widget in self._open_above():
            widget.close()

    def close(self) -> None:
        self.close_popups()
        self.window.hide()
        assert self._shutdown.run()
        self.window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def put(self, title: str, turns: tuple[tuple[str, str], ...], hours_ago: float = 0.0) -> str:
        """A finished conversation in the store; returns its id."""
        then = time.time() - 3600 * hours_ago
        summary = ConversationSummary(title=title, created_at=then, updated_at=then)
        conversation = Conversation(summary)
        parent: str | None = None
        at = count()
        for question, answer in turns:
            for role, text in ((USER, question), (ASSISTANT, answer)):
                message = Message(summary.id, role, text, parent, created_at=then + next(at))
                conversation.add(message)
                parent = message.id
        self.store.put(conversation)
        return summary.id

    def _put_conversations(self) -> None:
        for title, hours_ago in TITLES:
            self.put(title, ((title, "Done."),), hours_ago)

    def _open_above(self) -> list[QWidget]:
        """Visible windows other than the main one, dialogs first."""
        others = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not self.window]
        return sorted(others, key=lambda w: not isinstance(w, QDialog))


def rounds_for(text: str) -> int:
    """Speculative rounds that the scripted engine needs to say `text`."""
    left, rounds = len(pieces(text)), 0
    while left > 0:
        left -= ACCEPTED[rounds % len(ACCEPTED)] + 1
        rounds += 1
    return rounds
