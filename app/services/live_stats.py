"""Feeds the live panel: collects what rounds say while they come, or reads them from a stored reply.

The speedup compares what was measured since the program started, in whichever conversation; a reopened
conversation shows the speedup only if its last reply was made in both modes, or has been measured since.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.core.conversation import ASSISTANT
from app.core.events import Event, PrefillProgress, ReplyDone, ReplyFailed, ReplyStarted, RoundDone
from app.core.ports import GenerateRequest
from app.core.rounds import Round, decode_rounds
from app.core.sampling import sampling_terms
from app.core.settings import Pair
from app.core.speedup import SpeedupLedger
from app.core.stats import SpeculativeStats, recount
from app.services.background import Background
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.panel_figures import Pace, PanelFigures, figures_of
from app.services.reply import CONTINUATIONS

log = logging.getLogger(__name__)

INTERVAL_MS = 200

# Figures of the prompt: they are in a reply's statistics, not in its rounds.
_PROMPT_FIELDS = ("prompt_tokens", "reused_tokens", "prompt_seconds", "request_ttft_seconds")
# Settings that change how fast a token comes, so that they are a part of the terms of a comparison.
_SPEED_SETTINGS = (
    "n_ctx",
    "n_batch",
    "n_ubatch",
    "n_gpu_layers",
    "draft_n_gpu_layers",
    "type_k",
    "type_v",
    "flash_attn",
)


@dataclass(slots=True)
class _Shown:
    """A reply, live or recorded, as far as the panel is concerned."""

    reply_id: str
    terms: Hashable = None
    stats: SpeculativeStats = field(default_factory=SpeculativeStats)
    pace: Pace = field(default_factory=Pace)
    running: bool = False
    context_used: int | None = None
    context_total: int | None = None
    prefilled: tuple[int, float] | None = None
    ledger: SpeedupLedger | None = None


class LiveStats(QObject):
    """`figures()` speaks of the last reply of the conversation on screen; `changed` says it has news."""

    changed = Signal()

    def __init__(self, engine: EngineController, session: ChatSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._session = session
        self._background = Background(self)
        self._ledger = SpeedupLedger()
        self._live: _Shown | None = None
        self._recorded: _Shown | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.changed)
        engine.reply_requested.connect(self._on_requested)
        engine.reply_events.connect(self._on_events)
        session.conversation_opened.connect(self._on_opened)
        session.branch_changed.connect(self._on_opened)

    def figures(self) -> PanelFigures:
        shown = self._shown()
        if shown is None:
            return PanelFigures()
        speedup = self._ledger.speedup(shown.terms)
        if speedup is None and shown.ledger is not None:
            speedup = shown.ledger.speedup(shown.terms)
        return figures_of(
            shown.stats,
            shown.pace,
            running=shown.running,
            speedup=speedup,
            collected=self._ledger.tokens(shown.terms),
            context_used=shown.context_used,
            context_total=shown.context_total,
            prefilled=shown.prefilled,
        )

    def stats(self) -> SpeculativeStats | None:
        """Of the reply that `figures` are of."""
        shown = self._shown()
        return shown.stats if shown is not None else None

    def close(self) -> None:
        """Nothing is told afterwards."""
        self._timer.stop()
        self._background.finish()

    def _shown(self) -> _Shown | None:
        current = self._session.current
        if current is None:
            return None
        shown = {message.id for message in current.path()}
        if self._live is not None and self._live.reply_id in shown:
            return self._live
        if self._recorded is not None and self._recorded.reply_id in shown:
            return self._recorded
        return None

    def _tell_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    # -- a reply that is being made ---------------------------------------------------------------------

    @Slot(object)
    def _on_requested(self, request: GenerateRequest) -> None:
        pair, load = self._engine.pair, self._engine.last_load
        if pair is None:
            return
        settings = asdict(load.settings) if load is not None else {}
        terms = terms_of(
            pair.target_path, pair.draft_path, pair.n_threads, asdict(request.sampling), settings
        )
        self._live = _Shown(request.reply_id, terms, running=True, context_total=pair.n_ctx)
        self._tell_soon()

    @Slot(object)
    def _on_events(self, events: Sequence[Event]) -> None:
        live = self._live
        for event in events:
            if live is None or getattr(event, "reply_id", None) != live.reply_id:
                continue
            if isinstance(event, RoundDone):
                self._ledger.add(live.terms, event.round)
                live.pace.add(event.round)
                live.stats, live.context_used, live.prefilled = event.stats, event.context_used, None
            elif isinstance(event, ReplyStarted):
                live.stats = SpeculativeStats(
                    prompt_tokens=event.prompt_tokens, reused_tokens=event.reused_tokens
                )
                live.context_used = event.reused_tokens
            elif isinstance(event, PrefillProgress) and not event.catch_up:
                live.prefilled = (event.done, event.seconds)
                live.context_used = live.stats.reused_tokens + event.done
            elif isinstance(event, ReplyDone):
                live.stats, live.context_used, live.running = event.stats, event.context_used, False
            elif isinstance(event, ReplyFailed):
                live.running = False
        self._tell_soon()

    # -- a reply that was recorded ----------------------------------------------------------------------

    @Slot()
    def _on_opened(self) -> None:
        current = self._session.current
        self.changed.emit()
        if current is None or self._shown() is not None:
            return
        recorded = [m for m in current.path() if m.role == ASSISTANT and m.rounds]
        if not recorded:
            return
        message = recorded[-1]
        blob, meta = message.rounds, dict(message.meta)
        self._background.run(
            lambda: _recounted(message.id, decode_rounds(blob), meta),
            self._on_recounted,
            lambda error: log.warning("the recorded rounds cannot be read: %s", error),
        )

    def _on_recounted(self, recorded: _Shown) -> None:
        self._recorded = recorded
        self.changed.emit()


def terms_of(
    target_path: str,
    draft_path: str,
    n_threads: int,
    sampling: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> Hashable:
    """The key of the speedup ledger: only what was measured on the same terms is compared.

    Pair, threads and sampling without its seed, and the load settings that change the speed of a token.
    """
    return (
        Pair(target_path, draft_path).key,
        n_threads,
        sampling_terms(sampling),
        tuple((name, settings.get(name)) for name in _SPEED_SETTINGS),
        bool(settings.get("backend_sampling")),
    )


def _recounted(reply_id: str, rounds: Sequence[Round], meta: Mapping[str, Any]) -> _Shown:
    """A stored reply, counted again from its rounds; its statistics add what only they know of the prompt."""
    stats = recount(rounds)
    stored = meta.get("stats") or {}
    known = {f.name for f in fields(SpeculativeStats)}
    for name in known.intersection(_PROMPT_FIELDS):
        setattr(stats, name, stored.get(name) or 0)
    # A reply that was gone on with has parts, each made on its own terms.
    later = meta.get(CONTINUATIONS) or []
    parts = [(meta, 0), *((part, int((part.get("at") or (0, 0))[1])) for part in later)]
    ends = [begin for _, begin in parts[1:]] + [len(rounds)]
    shown = _Shown(reply_id, _recorded_terms(parts[-1][0]), stats, ledger=SpeedupLedger())
    assert shown.ledger is not None
    for (part, begin), end in zip(parts, ends, strict=True):
        terms = _recorded_terms(part)
        for r in rounds[begin:end]:
            shown.pace.add(r)
            shown.ledger.add(terms, r)
    shown.context_used = meta.get("context_used")
    shown.context_total = meta.get("n_ctx")
    return shown


def _recorded_terms(part: Mapping[str, Any]) -> Hashable:
    pair = part.get("pair") or {}
    return terms_of(
        pair.get("target_path", ""),
        pair.get("draft_path", ""),
        part.get("n_threads", 0),
        part.get("sampling") or {},
        part.get("settings") or {},
    )
