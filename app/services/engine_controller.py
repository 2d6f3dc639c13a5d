"""The engine as the window sees it: commands that return at once, and signals in the GUI thread.

Owns the worker and its thread. Commands travel as queued signals; cancelling is a `threading.Event` per
command, because a queued slot cannot run while the worker generates. Reports come back through one
buffer, loads and replies alike, so their order is the order in which they happened.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from app.core.bench import BenchDone, BenchFailed, BenchProgress, BenchRequest
from app.core.conversation import ChatMessage
from app.core.events import (
    LOADING,
    NO_MODEL,
    Event,
    Loaded,
    LoadedPair,
    LoadFailed,
    LoadProgress,
    Problem,
    ReplyDone,
    ReplyFailed,
    SpeculationStatus,
    Unloaded,
)
from app.core.ports import Bench, Engine, GenerateRequest, LoadRequest
from app.core.templates import TemplateChoice
from app.core.wording import say
from app.services.engine_switches import EngineSwitches
from app.services.engine_worker import (
    BenchCommand,
    CountCommand,
    EngineWorker,
    LoadCommand,
    PreviewCommand,
    ReplyCommand,
)
from app.services.event_buffer import EventBuffer, PromptPreviewed, Report, TokensCounted
from app.services.flush_timer import FlushTimer
from app.services.newest_question import NewestQuestion

log = logging.getLogger(__name__)

# Engine and window share one interpreter lock: at the default 5 ms, a native call that returns while the
# window works waits for all of it.
SWITCH_INTERVAL = 1e-4

# A load that does not answer to cancelling within this time is left behind: what it still loads is freed.
GIVE_UP_MS = 800

# Reports that are signals of their own; all others travel in lists.
_BENCH = (BenchProgress, BenchDone, BenchFailed)
_SINGLE = (TokensCounted, PromptPreviewed, LoadProgress, Loaded, LoadFailed, Unloaded, *_BENCH)

# A thread that did not end in time must outlive its objects: Qt aborts the process otherwise.
_STUCK: list[object] = []


class EngineController(QObject):
    """See the properties for what holds now; every signal comes after the property it speaks of changed.

    `reply_events` carries a list: all events of replies since the last flush, in order. A load that was
    replaced by another one is never heard of again.
    """

    load_progress = Signal(object)
    loaded = Signal(object)
    load_failed = Signal(object)
    unloaded = Signal()
    status_changed = Signal(object)
    reply_requested = Signal(object)
    reply_events = Signal(object)
    busy_changed = Signal(bool)
    tokens_counted = Signal(object)
    prompt_previewed = Signal(object)
    bench_progress = Signal(object)
    bench_finished = Signal(object)
    bench_failed = Signal(object)

    _load_wanted = Signal(object)
    _reply_wanted = Signal(object)
    _count_wanted = Signal(object)
    _preview_wanted = Signal(object)
    _bench_wanted = Signal(object)
    _unload_wanted = Signal(int)
    _finish_wanted = Signal()

    def __init__(
        self,
        make_engine: Callable[[], Engine],
        parent: QObject | None = None,
        bench: Bench | None = None,
    ) -> None:
        super().__init__(parent)
        self._buffer = EventBuffer()
        self._worker = EngineWorker(make_engine, self._buffer, bench)
        self._thread = QThread()
        self._thread.setObjectName("engine")
        self._worker.moveToThread(self._thread)
        queued = Qt.ConnectionType.QueuedConnection
        self._load_wanted.connect(self._worker.load, queued)
        self._reply_wanted.connect(self._worker.generate, queued)
        self._count_wanted.connect(self._worker.count, queued)
        self._preview_wanted.connect(self._worker.preview, queued)
        self._bench_wanted.connect(self._worker.measure, queued)
        self._unload_wanted.connect(self._worker.unload, queued)
        self._finish_wanted.connect(self._worker.finish, queued)
        self._flush_timer = FlushTimer(self._buffer, self._deliver, self)
        self._worker.reported.connect(self._flush_timer.wake, queued)
        self._give_up = QTimer(self)
        self._give_up.setSingleShot(True)
        self._give_up.setInterval(GIVE_UP_MS)
        self._give_up.timeout.connect(self._give_up_load)
        self._undelivered: deque[Report] = deque()
        self._closing = False
        self._old_switch_interval: float | None = None

        self._serial = 0
        self._pair: LoadedPair | None = None
        self._status = SpeculationStatus(NO_MODEL)
        self._load: LoadCommand | None = None
        self._last_load: LoadRequest | None = None
        self._unloading = 0
        self._reply: ReplyCommand | None = None
        self._bench: BenchCommand | None = None
        self._busy_told = False
        self._switches = EngineSwitches()
        self._counts = NewestQuestion[CountCommand](self._count_wanted.emit)
        self._previews = NewestQuestion[PreviewCommand](self._preview_wanted.emit)

    # -- what holds now ---------------------------------------------------------------------------------

    @property
    def pair(self) -> LoadedPair | None:
        """What is loaded and ready, or None (nothing, or something is being loaded)."""
        return self._pair

    @property
    def status(self) -> SpeculationStatus:
        return self._status

    @property
    def busy(self) -> bool:
        """A reply is being made or a benchmark runs, or one of them is still ending after it was stopped."""
        return self._reply is not None or self._bench is not None

    @property
    def measuring(self) -> bool:
        """A benchmark runs, or is still ending after it was stopped."""
        return self._bench is not None

    @property
    def loading(self) -> bool:
        return self._load is not None

    @property
    def last_load(self) -> LoadRequest | None:
        """The newest request, whether it is loading, loaded or failed."""
        return self._last_load

    # -- commands ---------------------------------------------------------------------------------------

    def load(self, request: LoadRequest) -> None:
        """Replace whatever is loaded. Stops a reply and cancels a load that is going on."""
        if self._closing:
            return
        self._ensure_thread()
        self.stop()
        self.cancel_bench()
        self._abandon_load()
        self._last_load = request
        self._switches.begin(request)
        self._unloading = 0
        self._load = LoadCommand(self._next_serial(), request, threading.Event())
        self._pair = None
        self._set_status(SpeculationStatus(LOADING))
        self._load_wanted.emit(self._load)

    def load_without_draft(self) -> None:
        """Load the newest request again, with ordinary decoding only."""
        if self._last_load is not None:
            self.load(replace(self._last_load, draft_path=""))

    def cancel_load(self) -> None:
        """`load_failed` follows with `cancelled`, within a second also when the engine takes longer."""
        if self._load is not None and not self._load.cancel.is_set():
            self._load.cancel.set()
            self._give_up.start()

    def unload(self) -> None:
        """Free the model's memory; `unloaded` follows."""
        if self._closing or not self._thread.isRunning():
            return
        self.stop()
        self.cancel_bench()
        self._abandon_load()
        self._pair = None
        self._unloading = self._next_serial()
        self._unload_wanted.emit(self._unloading)

    def generate(self, request: GenerateRequest) -> bool:
        """Start a reply. False, and nothing happens, without a loaded pair or while `busy`."""
        if self._closing or self._pair is None or self.busy:
            return False
        with_draft = bool(self._pair.draft_path)
        self._reply = ReplyCommand(self._next_serial(), request, threading.Event(), with_draft)
        self.reply_requested.emit(request)
        self._reply_wanted.emit(self._reply)
        self._tell_busy()
        return True

    def stop(self) -> None:
        """End the reply that is being made; its terminal event follows."""
        if self._reply is not None:
            self._reply.cancel.set()

    def run_bench(self, request: BenchRequest) -> bool:
        """Measure the loaded pair; `bench_finished` or `bench_failed` follows, progress before it.

        False, and nothing happens, without a loaded pair or while `busy`.
        """
        if self._closing or self._pair is None or self.busy:
            return False
        self._bench = BenchCommand(self._next_serial(), request, threading.Event())
        self._bench_wanted.emit(self._bench)
        self._tell_busy()
        return True

    def cancel_bench(self) -> None:
        """`bench_finished` follows with what was measured so far."""
        if self._bench is not None:
            self._bench.cancel.set()

    def set_speculation(self, on: bool) -> None:
        """Goes straight to the engine; takes effect at the next round, also in the middle of a reply.

        A benchmark switches by itself: while one runs, this and what follows wait for its end.
        """
        self._switches.speculation_on = on
        self._switch(lambda engine: engine.set_speculation(on))

    def set_draft_limits(self, n_max: int, n_min: int, p_min: float, automatic: bool = False) -> None:
        """Like `set_speculation`. During a load they are kept and set as soon as it is done."""
        self._switches.limits = (n_max, n_min, p_min, automatic)
        self._switch(lambda engine: engine.set_draft_limits(n_max, n_min, p_min, automatic))

    def set_template(self, choice: TemplateChoice) -> None:
        """Like `set_draft_limits`; takes effect with the next prompt."""
        self._switches.template = choice
        self._switch(lambda engine: engine.set_template(choice))

    def count_tokens(self, request_id: object, messages: Sequence[ChatMessage]) -> None:
        """`tokens_counted` follows with (request_id, PromptSize), after a reply that is being made.

        Only the newest of several waiting questions is answered.
        """
        if not self._closing and self._pair is not None:
            self._counts.ask(CountCommand(self._next_serial(), request_id, tuple(messages)))

    def preview_prompt(
        self, request_id: object, messages: Sequence[ChatMessage], choice: TemplateChoice
    ) -> None:
        """`prompt_previewed` follows with (request_id, PromptPreview or Problem); else like `count_tokens`.

        Nothing needs to be loaded for a template that no file brings.
        """
        if not self._closing:
            self._ensure_thread()
            self._previews.ask(PreviewCommand(self._next_serial(), request_id, tuple(messages), choice))

    # -- the end ----------------------------------------------------------------------------------------

    def refuse_work(self) -> None:
        """From now on commands are ignored; only stopping and `shutdown` still work."""
        self._closing = True
        self._counts.forget()
        self._previews.forget()

    def cancel_everything(self) -> None:
        """Tell load, reply and benchmark to end; returns at once."""
        self.stop()
        self.cancel_bench()
        self.cancel_load()

    def shutdown(self, timeout_s: float = 5.0) -> bool:
        """Close the engine in its thread and wait for it; then deliver what it still had to say.

        False when the engine did not come back in time: the caller has to leave by a hard exit, because
        a thread inside a native call can be neither ended nor destroyed.
        """
        self.refuse_work()
        self.cancel_everything()
        finished = True
        if self._thread.isRunning():
            self._finish_wanted.emit()
            finished = self._thread.wait(max(0, round(timeout_s * 1000)))
        self._flush_timer.stop()
        self._give_up.stop()
        self._deliver()
        if not finished:
            log.error("the engine did not end within %.1f s", timeout_s)
            _STUCK.append((self._thread, self._worker))
        if self._old_switch_interval is not None:
            sys.setswitchinterval(self._old_switch_interval)
            self._old_switch_interval = None
        return finished

    # -- reports ----------------------------------------------------------------------------------------

    def _deliver(self) -> None:
        """Neighbouring reply events become one list; everything else is a signal of its own.

        Works off a queue of the object's own, so that a `shutdown` from inside a receiver goes on where
        the delivery that called it stands.
        """
        self._undelivered.extend(self._buffer.drain())
        while self._undelivered:
            if isinstance(self._undelivered[0].event, _SINGLE):
                self._take(self._undelivered.popleft())
                continue
            batch: list[Event] = []
            while self._undelivered and not isinstance(self._undelivered[0].event, _SINGLE):
                batch.append(self._undelivered.popleft().event)  # type: ignore[arg-type]
            self._send(batch)

    def _send(self, batch: list[Event]) -> None:
        if any(isinstance(event, ReplyDone | ReplyFailed) for event in batch):
            # Receivers may ask for the next reply as soon as they see the end of this one.
            self._reply = None
        engine = self._worker.engine
        if self._pair is not None and engine is not None:
            # Asked for now: what a round saw may be older than a switch the user made since.
            self._set_status(engine.status())
        self.reply_events.emit(batch)
        self._tell_busy()

    def _take(self, report: Report) -> None:
        event = report.event
        if isinstance(event, BenchProgress):
            self.bench_progress.emit(event)
        elif isinstance(event, BenchDone | BenchFailed):
            self._end_bench(event)
        elif isinstance(event, TokensCounted):
            self._counts.answered()
            if event.size is not None:
                self.tokens_counted.emit((event.request_id, event.size))
        elif isinstance(event, PromptPreviewed):
            self._previews.answered()
            self.prompt_previewed.emit((event.request_id, event.result))
        elif isinstance(event, Unloaded):
            if report.serial == self._unloading:
                self._set_status(SpeculationStatus(NO_MODEL))
                self.unloaded.emit()
        elif self._load is None or report.serial != self._load.serial:
            if isinstance(event, Loaded) and self._load is None and self._pair is None:
                # A load that was given up has come to its end after all.
                self._unload_wanted.emit(self._next_serial())
        elif isinstance(event, LoadProgress):
            self.load_progress.emit(event)
        elif isinstance(event, Loaded):
            self._take_loaded(event)
        elif isinstance(event, LoadFailed):
            self._fail_load(event)

    def _take_loaded(self, event: Loaded) -> None:
        command, self._pair = self._load, event.pair
        self._end_load()
        status, engine = event.status, self._worker.engine
        # What was switched while the model loaded; the load itself knew only its request.
        if command is not None and engine is not None:
            self._switches.apply(engine, command.request)
            status = engine.status()
        self._set_status(status)
        self.loaded.emit(event.pair)

    def _end_bench(self, event: BenchDone | BenchFailed) -> None:
        self._bench = None
        engine = self._worker.engine
        if self._pair is not None and engine is not None:
            # The engine was put back as it was; what was switched meanwhile comes now.
            self._switches.apply(engine)
            self._set_status(engine.status())
        if isinstance(event, BenchDone):
            self.bench_finished.emit(event.record)
        else:
            self.bench_failed.emit(event.problem)
        self._tell_busy()

    # -- helpers ----------------------------------------------------------------------------------------

    def _ensure_thread(self) -> None:
        if self._old_switch_interval is None:
            self._old_switch_interval = sys.getswitchinterval()
            sys.setswitchinterval(SWITCH_INTERVAL)
        if not self._thread.isRunning():
            self._thread.start()

    def _next_serial(self) -> int:
        self._serial += 1
        return self._serial

    def _abandon_load(self) -> None:
        self.cancel_load()
        self._end_load()

    def _end_load(self) -> None:
        self._load = None
        self._give_up.stop()

    @Slot()
    def _give_up_load(self) -> None:
        if self._load is not None:
            self._fail_load(
                LoadFailed(Problem(say("Loading was stopped."), code="load-cancelled"), cancelled=True)
            )

    def _fail_load(self, event: LoadFailed) -> None:
        self._end_load()
        reason = None if event.cancelled else event.problem
        self._set_status(SpeculationStatus(NO_MODEL, reason=reason))
        self.load_failed.emit(event)

    def _switch(self, how: Callable[[Engine], None]) -> None:
        engine = self._worker.engine
        if self._pair is not None and engine is not None and self._bench is None:
            how(engine)
            self._set_status(engine.status())

    def _tell_busy(self) -> None:
        if self.busy != self._busy_told:
            self._busy_told = self.busy
            self.busy_changed.emit(self.busy)

    def _set_status(self, status: SpeculationStatus) -> None:
        if status != self._status:
            self._status = status
            self.status_changed.emit(status)
