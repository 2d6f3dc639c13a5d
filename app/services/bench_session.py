"""Benchmarks of the current pair: the one that runs, the one that is looked at, and the earlier ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from app.core.bench import BenchEntry, BenchProgress, BenchRecord, BenchRequest, pair_tag
from app.core.events import UNAVAILABLE, Problem
from app.core.ports import BenchArchive
from app.core.wording import say
from app.services.app_state import AppState
from app.services.background import Background
from app.services.bench_tally import BenchTally
from app.services.engine_controller import EngineController
from app.services.engine_worker import BENCH_CANCELLED

NO_PAIR = say("Choose a model first.")
LOADING = say("The pair is still loading.")
ANSWERING = say("The model is answering. Stop it, or wait until it is done.")
NOTHING_TO_COMPARE = say(
    "This pair does not speculate: there is nothing to compare. Choose a sidecar that fits."
)

# A share of the work below which the time left is anybody's guess.
_TELLING = 0.08


class BenchSession(QObject):
    """Everything is about the pair in `AppState`; another pair takes record and list away.

    `record_changed` speaks of `record`, `deleted` carries the entry that can be brought back.
    """

    progressed = Signal(object)
    running_changed = Signal(bool)
    availability_changed = Signal()
    record_changed = Signal()
    history_changed = Signal()
    deleted = Signal(object)
    problem = Signal(object)

    def __init__(
        self,
        engine: EngineController,
        state: AppState,
        archive: BenchArchive,
        read: Callable[[str], BenchRecord],
        parent: QObject | None = None,
    ) -> None:
        """`read` makes a record of a document; it is called in another thread."""
        super().__init__(parent)
        self._engine = engine
        self._state = state
        self._archive = archive
        self._read = read
        self._background = Background(self)
        self._tag = pair_tag(state.pair)
        self._entries: list[BenchEntry] = []
        self._record: BenchRecord | None = None
        self._record_id = ""
        self._opening = ""
        self._deleted: BenchEntry | None = None
        self._running = False
        self._running_tag = ""
        self._stopping = False
        self._began = 0.0
        self._fraction = 0.0
        self.tally = BenchTally()
        engine.bench_progress.connect(self._on_progress)
        engine.bench_finished.connect(self._on_finished)
        engine.bench_failed.connect(self._on_failed)
        for signal in (engine.busy_changed, engine.loaded, engine.load_failed, engine.status_changed):
            signal.connect(self.availability_changed)
        engine.unloaded.connect(self.availability_changed)
        state.pair_changed.connect(self._on_pair)

    # -- what holds now ---------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        return self._running

    @property
    def stopping(self) -> bool:
        """Asked to stop, and not stopped yet."""
        return self._running and self._stopping

    @property
    def record(self) -> BenchRecord | None:
        """The benchmark that is looked at."""
        return self._record

    @property
    def record_id(self) -> str:
        """Its id in the list; empty while it is not saved."""
        return self._record_id

    @property
    def entries(self) -> list[BenchEntry]:
        """Earlier benchmarks of this pair, newest first."""
        return self._entries

    @property
    def longest_draft(self) -> int:
        """The longest draft of the loaded pair; 0 while nothing is loaded."""
        pair = self._engine.pair
        return pair.draft_n_max_limit if pair is not None else 0

    def why_not(self) -> str:
        """Why no benchmark can begin now, in a sentence; empty when one can."""
        if self._engine.loading:
            return LOADING
        if self._engine.pair is None:
            return NO_PAIR
        if self._engine.status.state == UNAVAILABLE:
            return NOTHING_TO_COMPARE
        if self._engine.busy and not self._running:
            return ANSWERING
        return ""

    def seconds_left(self) -> float | None:
        """An estimate from what is done; None while too little is."""
        if not self._running or self._fraction < _TELLING:
            return None
        return (time.monotonic() - self._began) * (1 - self._fraction) / self._fraction

    # -- commands ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Read the list."""
        tag = self._tag
        self._background.run(
            lambda: self._archive.entries(tag), lambda entries: self._on_entries(tag, entries), self._tell
        )

    def run(self, request: BenchRequest) -> bool:
        """Begin; False, and nothing happens, when `why_not` says something."""
        if self._running or self.why_not():
            return False
        last = self._engine.last_load
        if last is not None:
            request = replace(request, settings=last.settings)
        # Before the engine says that it is busy: this is what it is busy with.
        self._running, self._stopping, self._running_tag = True, False, self._tag
        if not self._engine.run_bench(request):
            self._running = False
            return False
        self._began, self._fraction, self.tally = time.monotonic(), 0.0, BenchTally()
        self._show(None)
        self.running_changed.emit(True)
        return True

    def cancel(self) -> None:
        """What was measured so far becomes the record."""
        if self._running and not self._stopping:
            self._stopping = True
            self._engine.cancel_bench()

    def open(self, entry_id: str) -> None:
        """`record_changed` follows when it is read; a later call takes the place of an earlier one."""
        if self._running or entry_id == self._record_id:
            return
        self._opening = entry_id
        self._background.run(
            lambda: self._read(self._archive.read(entry_id)),
            lambda record: self._on_read(entry_id, record),
            lambda error: self._on_unreadable(entry_id, error),
        )

    def delete(self, entry_id: str) -> None:
        """Take an earlier benchmark away; `undo_delete` brings it back."""
        index = next((i for i, entry in enumerate(self._entries) if entry.id == entry_id), None)
        if index is None:
            return
        entry = self._entries.pop(index)
        self._deleted = entry
        if entry_id == self._record_id:
            self._show(None)
        self.history_changed.emit()
        self.deleted.emit(entry)

        def failed(error: BaseException) -> None:
            self._put_back(entry)
            self._tell(error)

        self._background.run(lambda: self._archive.delete(entry_id), lambda _: None, failed)

    def undo_delete(self) -> None:
        """Bring back what was deleted last."""
        if self._deleted is None:
            return
        entry, self._deleted = self._deleted, None
        self._put_back(entry)
        self._background.run(lambda: self._archive.restore(entry.id), lambda _: None, self._tell)

    def use_recommended(self) -> bool:
        """Store the recommended length for the pair, and use it from the next round on."""
        found = self._record.recommendation if self._record is not None else None
        if found is None:
            return False
        choice = self._state.choice()
        if found.length == 0:
            choice = replace(choice, speculation_on=False)
        else:
            settings = choice.settings
            settings = replace(
                settings,
                draft_n_max=found.length,
                draft_n_min=min(settings.draft_n_min, found.length),
                draft_p_min=found.p_min,
                automatic_length=False,
            )
            choice = replace(choice, settings=settings, speculation_on=True)
        self._state.set_choice(choice)
        self._engine.set_speculation(choice.speculation_on)
        return True

    def uses_recommended(self) -> bool:
        """Whether the pair is set as the record recommends."""
        found = self._record.recommendation if self._record is not None else None
        if found is None:
            return False
        choice = self._state.choice()
        if found.length == 0:
            return not choice.speculation_on
        settings = choice.settings
        fixed = (settings.draft_n_max, settings.draft_p_min) == (found.length, found.p_min)
        return choice.speculation_on and fixed and not settings.automatic_length

    def close(self) -> None:
        """Wait for what is being saved. Nothing is told afterwards."""
        self._background.finish()

    # -- what happens -----------------------------------------------------------------------------------

    @Slot(object)
    def _on_progress(self, progress: BenchProgress) -> None:
        self._fraction = progress.fraction
        self.tally.add(progress)
        self.progressed.emit(progress)

    @Slot(object)
    def _on_finished(self, record: BenchRecord) -> None:
        tag = self._running_tag
        self._end()
        if record.points:
            self._background.run(
                lambda: self._archive.save(tag, record),
                lambda entry: self._on_saved(tag, record, entry),
                self._tell,
            )
        if tag == self._tag:
            self._show(record)
        self.running_changed.emit(False)

    @Slot(object)
    def _on_failed(self, problem: Problem) -> None:
        self._end()
        self.running_changed.emit(False)
        if problem.code != BENCH_CANCELLED:
            self.problem.emit(problem)

    def _end(self) -> None:
        self._running = self._stopping = False
        self._fraction = 0.0

    @Slot()
    def _on_pair(self) -> None:
        self._tag, self._entries, self._deleted = pair_tag(self._state.pair), [], None
        self._show(None)
        self.history_changed.emit()
        self.start()

    def _on_entries(self, tag: str, entries: list[BenchEntry]) -> None:
        if tag == self._tag:
            self._entries = entries
            self.history_changed.emit()

    def _on_saved(self, tag: str, record: BenchRecord, entry: BenchEntry) -> None:
        if tag != self._tag:
            return
        self._put_back(entry)
        if self._record is record:
            self._record_id = entry.id
            self.history_changed.emit()

    def _on_read(self, entry_id: str, record: BenchRecord) -> None:
        if self._opening == entry_id and not self._running:
            self._show(record, entry_id)

    def _on_unreadable(self, entry_id: str, error: BaseException) -> None:
        if self._opening == entry_id:
            self._opening = ""
            self._tell(error)

    def _put_back(self, entry: BenchEntry) -> None:
        others = [e for e in self._entries if e.id != entry.id]
        self._entries = sorted([entry, *others], key=lambda e: e.created, reverse=True)
        self.history_changed.emit()

    def _show(self, record: BenchRecord | None, entry_id: str = "") -> None:
        self._record, self._record_id, self._opening = record, entry_id, ""
        self.record_changed.emit()

    def _tell(self, error: BaseException) -> None:
        self.problem.emit(Problem.of(error))
