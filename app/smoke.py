"""The smoke run: the real window does what a person would do first, and says what was seen.

It waits for the default pair, sends a prompt, switches speculation off, sends another one. It touches
the window's own controls only.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer

from app.core.conversation import COMPLETE, TRUNCATED, Message
from app.core.events import LoadFailed
from app.core.sampling import SamplingParams
from app.services.app_state import AppState
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.ui.main_window import MainWindow

PROMPTS = ("Name three colours and say what they remind you of.", "And three more, please.")
MAX_TOKENS = 64
LOAD_SECONDS = 120.0
REPLY_SECONDS = 120.0
DRAFT_TOKENS = 7


class LogWatch(logging.Handler):
    """Keeps every warning and error that is logged from now on; `lines` are what must not be there."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        logging.captureWarnings(True)
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


class Smoke:
    """`run()` once, on a window that was not started yet."""

    def __init__(
        self, window: MainWindow, engine: EngineController, session: ChatSession, state: AppState
    ) -> None:
        self._window = window
        self._engine = engine
        self._session = session
        self._state = state
        self._failed: LoadFailed | None = None
        self._finished: list[Message] = []
        engine.load_failed.connect(self._on_failed)
        session.message_finished.connect(self._finished.append)

    def run(self, screenshot: str | None) -> dict[str, Any]:
        """What was seen; `ok` only if all of it happened, else `error` says what did not."""
        result: dict[str, Any] = {"ok": False, "error": "", "window": {}, "replies": [], "panel": {}}
        # Greedy and of fixed length, so that two runs can be compared.
        choice = self._state.choice()
        fixed = replace(choice.settings, automatic_length=False, draft_n_max=DRAFT_TOKENS)
        self._state.set_choice(replace(choice, settings=fixed, speculation_on=True))
        self._state.update(sampling=SamplingParams(temperature=0.0), max_tokens=MAX_TOKENS)
        self._window.resize(1280, 800)
        self._window.show()
        self._window.start()
        size = self._window.size()
        result["window"] = {
            "width": size.width(),
            "height": size.height(),
            "visible": self._window.isVisible(),
        }
        if not self._wait(lambda: self._engine.pair is not None or self._failed is not None, LOAD_SECONDS):
            result["error"] = "the pair was not loaded in time"
            return result
        if self._failed is not None:
            result["error"] = self._failed.problem.what
            return result
        pair = self._engine.pair
        assert pair is not None
        result["pair"] = {"target": pair.target_name, "sidecar": pair.draft_name, "algorithm": pair.algorithm}
        result["backend"] = pair.backend
        for i, prompt in enumerate(PROMPTS):
            if i == 1:
                self._window.pair_bar.toggle_speculation()
            if not self._send(prompt):
                result["error"] = f"reply {i + 1} did not come"
                return result
            result["replies"].append(self._reply(self._finished[-1]))
        # The panel repaints a few times a second.
        self._wait(lambda: False, 0.5)
        result["panel"] = self._window.panel.texts()
        if screenshot and not self._window.grab().save(screenshot):
            result["error"] = f"the picture could not be saved as {screenshot}"
            return result
        result["error"] = self._what_is_missing(result)
        result["ok"] = not result["error"]
        return result

    def _send(self, prompt: str) -> bool:
        before = len(self._finished)
        self._window.chat.composer.set_text(prompt)
        self._window.chat.composer.button.click()
        return self._wait(lambda: len(self._finished) > before, REPLY_SECONDS)

    @staticmethod
    def _reply(message: Message) -> dict[str, Any]:
        stats = message.meta.get("stats", {})
        return {
            "text": message.text,
            "status": message.status,
            "tokens_per_second": stats.get("generation_tokens_per_second"),
            "drafted": stats.get("drafted"),
            "accepted": stats.get("accepted"),
            "acceptance_rate": stats.get("acceptance_rate"),
            "rollbacks": stats.get("rollbacks"),
            "mode": message.meta.get("mode"),
        }

    @staticmethod
    def _what_is_missing(result: dict[str, Any]) -> str:
        first, second = result["replies"]
        for number, reply in enumerate((first, second), 1):
            if not reply["text"].strip() or reply["status"] not in (COMPLETE, TRUNCATED):
                return f"reply {number} is empty or broken"
            if not reply["tokens_per_second"]:
                return f"reply {number} has no speed"
        if not first["drafted"] or not first["accepted"] or first["mode"] != "speculative":
            return "the first reply was not drafted"
        if second["drafted"] or second["mode"] != "ordinary":
            return "the second reply was drafted although speculation was off"
        if not result["window"]["visible"] or not result["panel"]:
            return "the window or its panel did not show"
        return ""

    def _on_failed(self, failed: LoadFailed) -> None:
        self._failed = failed

    @staticmethod
    def _wait(condition: Callable[[], bool], seconds: float) -> bool:
        """Run the event loop until the condition holds."""
        deadline = time.monotonic() + seconds
        loop = QEventLoop()
        timer = QTimer()
        timer.setInterval(20)

        def look() -> None:
            if condition() or time.monotonic() > deadline:
                loop.quit()

        timer.timeout.connect(look)
        timer.start()
        if not condition():
            loop.exec()
        timer.stop()
        return condition()
