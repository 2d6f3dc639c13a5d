"""The worker: carries out commands in its own thread, one after another, and reports into the buffer.

It decides nothing: which command is still wanted, and what the window hears of it, is the controller's
business. Every command ends in exactly one terminal report, whatever the engine does.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QThread, Signal, Slot

from app.core.bench import BenchDone, BenchEvent, BenchFailed, BenchRequest
from app.core.conversation import ChatMessage
from app.core.errors import Bug, Cancelled, EnvironmentProblem
from app.core.events import (
    CANCELLED,
    Event,
    Loaded,
    LoadFailed,
    Problem,
    ReplyDone,
    ReplyFailed,
    RoundDone,
    Unloaded,
)
from app.core.ports import Bench, Engine, GenerateRequest, LoadRequest
from app.core.stats import SpeculativeStats
from app.core.templates import PromptPreview, TemplateChoice
from app.core.wording import say
from app.services.event_buffer import EventBuffer, PromptPreviewed, Report, TokensCounted
from app.services.problems import problem_of

log = logging.getLogger(__name__)

BENCH_CANCELLED = "bench-cancelled"


@dataclass(frozen=True, slots=True)
class LoadCommand:
    """`cancel` belongs to this command alone; setting it never touches a later one."""

    serial: int
    request: LoadRequest
    cancel: threading.Event


@dataclass(frozen=True, slots=True)
class ReplyCommand:
    serial: int
    request: GenerateRequest
    cancel: threading.Event
    with_draft: bool


@dataclass(frozen=True, slots=True)
class CountCommand:
    serial: int
    request_id: object
    messages: tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True)
class PreviewCommand:
    serial: int
    request_id: object
    messages: tuple[ChatMessage, ...]
    choice: TemplateChoice


@dataclass(frozen=True, slots=True)
class BenchCommand:
    serial: int
    request: BenchRequest
    cancel: threading.Event


class EngineWorker(QObject):
    """Lives in the controller's thread. `engine` appears with the first load; any thread may read it."""

    reported = Signal()
    """The buffer went from empty to non-empty. Carries nothing: the reader drains what is there."""

    def __init__(
        self, make_engine: Callable[[], Engine], buffer: EventBuffer, bench: Bench | None = None
    ) -> None:
        super().__init__()
        self._bench = bench
        self._make_engine = make_engine
        self._buffer = buffer
        self.engine: Engine | None = None

    @Slot(object)
    def load(self, command: LoadCommand) -> None:
        def report(event: Event) -> None:
            self._report(command.serial, event)

        try:
            if self.engine is None:
                self.engine = self._make_engine()
            pair, status = self.engine.load(command.request, report, command.cancel)
        except Cancelled:
            report(LoadFailed(Problem(say("Loading was stopped."), code="load-cancelled"), cancelled=True))
        except Exception as error:
            if not isinstance(error, EnvironmentProblem | MemoryError):
                log.exception("loading failed inside the program")
                # A fault of ours may have left anything behind; the next load gets a new engine.
                self._discard_engine()
            report(LoadFailed(problem_of(error, with_draft=bool(command.request.draft_path))))
        else:
            report(Loaded(pair, status))

    @Slot(object)
    def generate(self, command: ReplyCommand) -> None:
        reply_id = command.request.reply_id
        last: RoundDone | None = None
        ended = False
        try:
            if self.engine is None:
                raise EnvironmentProblem(
                    say("No model is loaded."), remedy=say("Choose a model."), code="no-model"
                )
            events = self.engine.generate(command.request, command.cancel)
            try:
                for event in events:
                    last = event if isinstance(event, RoundDone) else last
                    ended = isinstance(event, ReplyDone | ReplyFailed)
                    self._report(command.serial, event)
                    if ended:
                        break
            finally:
                _finish(events)
            if not ended:
                raise Bug("the engine ended a reply without saying how")
        except Exception as error:
            if ended:
                log.exception("a reply failed after its end")
                return
            if isinstance(error, Cancelled):
                stats = last.stats if last is not None else SpeculativeStats()
                used = last.context_used if last is not None else 0
                self._report(command.serial, ReplyDone(reply_id, CANCELLED, "", stats, used))
                return
            if not isinstance(error, EnvironmentProblem | MemoryError):
                log.exception("a reply failed inside the program")
            self._report(command.serial, ReplyFailed(reply_id, problem_of(error, command.with_draft)))

    @Slot(object)
    def measure(self, command: BenchCommand) -> None:
        def report(event: BenchEvent) -> None:
            self._report(command.serial, event)

        try:
            if self.engine is None or self._bench is None:
                raise EnvironmentProblem(
                    say("No model is loaded."), remedy=say("Choose a model."), code="no-model"
                )
            record = self._bench.run(self.engine, command.request, report, command.cancel)
        except Cancelled:
            report(BenchFailed(Problem(say("The benchmark was stopped."), code=BENCH_CANCELLED)))
        except Exception as error:
            if not isinstance(error, EnvironmentProblem | MemoryError):
                log.exception("a benchmark failed inside the program")
            report(BenchFailed(problem_of(error, with_draft=False)))
        else:
            report(BenchDone(record))

    @Slot(object)
    def count(self, command: CountCommand) -> None:
        size = None
        try:
            if self.engine is not None:
                size = self.engine.measure_prompt(command.messages)
        except Exception as error:
            # Only a number beside the composer is missing; sending the message will say what is wrong.
            log.info("the prompt could not be counted: %s", error)
        self._report(command.serial, TokensCounted(command.request_id, size))

    @Slot(object)
    def preview(self, command: PreviewCommand) -> None:
        try:
            if self.engine is None:
                self.engine = self._make_engine()
            found: PromptPreview | Problem = self.engine.preview_prompt(command.messages, command.choice)
        except Exception as error:
            if not isinstance(error, EnvironmentProblem):
                log.exception("a prompt could not be shown")
            found = problem_of(error, with_draft=False)
        self._report(command.serial, PromptPreviewed(command.request_id, found))

    @Slot(int)
    def unload(self, serial: int) -> None:
        self._discard_engine()
        self._report(serial, Unloaded())

    @Slot()
    def finish(self) -> None:
        """The last command: close the engine in the thread it lived in, then let the thread end."""
        self._discard_engine()
        QThread.currentThread().quit()

    def _discard_engine(self) -> None:
        engine, self.engine = self.engine, None
        if engine is None:
            return
        try:
            engine.close()
        except Exception:
            log.exception("closing the engine failed")

    def _report(self, serial: int, event: Event | TokensCounted | PromptPreviewed | BenchEvent) -> None:
        if self._buffer.put(Report(serial, event)):
            self.reported.emit()


def _finish(events: Iterator[Event]) -> None:
    """Run a generator's `finally` now, in this thread; a plain iterator has none."""
    close = getattr(events, "close", None)
    if close is not None:
        close()
