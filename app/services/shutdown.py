"""The end of the program, in stages; each one is carried out whatever happens in the others."""

from __future__ import annotations

import logging
from collections.abc import Callable

from app.core.ports import Store
from app.services.app_state import AppState
from app.services.bench_session import BenchSession
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.live_stats import LiveStats
from app.services.model_scanner import ModelScanner

log = logging.getLogger(__name__)

WORKER_SECONDS = 5.0


class Shutdown:
    """`run` once, in the GUI thread, with the window hidden: it may take `WORKER_SECONDS`."""

    def __init__(
        self,
        engine: EngineController,
        session: ChatSession,
        state: AppState,
        store: Store,
        stats: LiveStats,
        scanner: ModelScanner,
        bench: BenchSession | None = None,
    ) -> None:
        self._engine = engine
        self._session = session
        self._state = state
        self._store = store
        self._stats = stats
        self._scanner = scanner
        self._bench = bench
        self._result: bool | None = None

    def run(self, timeout_s: float = WORKER_SECONDS) -> bool:
        """True: everything ended by itself. False: the engine hangs, everything is saved, exit hard."""
        if self._result is None:
            self._result = True
            self._result = self._run(timeout_s)
        return self._result

    def _run(self, timeout_s: float) -> bool:
        # 1. Refuse new work: nothing may begin behind the back of the stages below.
        self._stage("refuse", self._session.refuse_work, self._engine.refuse_work, self._scanner.stop)
        # 2. Cancel: the engine begins to let go while the disk is busy with stage 3.
        self._stage("cancel", self._engine.cancel_everything)
        # 3. Save what is there now: if the engine takes the process down, nothing is lost.
        self._stage("save", self._session.save_everything, self._state.flush, self._store.flush)
        # 4. Wait while the worker closes batches, contexts and models in its own thread.
        #    The last events are delivered here, so the end of a stopped reply is in its message.
        finished = False
        try:
            finished = self._engine.shutdown(timeout_s)
        except Exception:
            log.exception("shutdown: the engine could not be closed")
        # 5. Save the end: the last words, a reply that the engine never finished, settings.
        self._stage("save the end", self._session.close, self._stats.close, self._state.flush)
        if self._bench is not None:
            self._stage("save the benchmark", self._bench.close)
        # 6. Close the store, which flushes once more.
        self._stage("close", self._store.flush, self._store.close)
        return finished

    @staticmethod
    def _stage(name: str, *steps: Callable[[], object]) -> None:
        for step in steps:
            try:
                step()
            except Exception:
                log.exception("shutdown: stage %r failed", name)
