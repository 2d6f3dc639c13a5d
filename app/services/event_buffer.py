"""What the worker reports, on its way to the window: a queue that wakes its reader once, not per event."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.bench import BenchEvent
from app.core.context import PromptSize
from app.core.events import Event, LoadProgress, PrefillProgress, Problem
from app.core.templates import PromptPreview

MIN_INTERVAL = 0.033
MAX_INTERVAL = 1.0
COST_FACTOR = 30


@dataclass(frozen=True, slots=True)
class TokensCounted:
    """Answer to a count; `size` is None when the prompt could not be made."""

    request_id: object
    size: PromptSize | None


@dataclass(frozen=True, slots=True)
class PromptPreviewed:
    """Answer to a question for a prompt: the prompt, or why there is none."""

    request_id: object
    result: PromptPreview | Problem


@dataclass(frozen=True, slots=True)
class Report:
    """An event and the command it belongs to, so that news of an abandoned command can be told apart."""

    serial: int
    event: Event | TokensCounted | PromptPreviewed | BenchEvent


class EventBuffer:
    """Thread-safe. `put` says whether the reader has to be woken: when the buffer was empty."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reports: list[Report] = []

    def put(self, report: Report) -> bool:
        """Append; progress takes the place of progress of the same kind that nobody has read yet."""
        with self._lock:
            was_empty = not self._reports
            if not was_empty and _replaces(report, self._reports[-1]):
                self._reports[-1] = report
            else:
                self._reports.append(report)
            return was_empty

    def drain(self) -> Sequence[Report]:
        """Everything that came since the last call, in order."""
        with self._lock:
            reports, self._reports = self._reports, []
            return reports

    def __len__(self) -> int:
        with self._lock:
            return len(self._reports)


def _replaces(new: Report, old: Report) -> bool:
    if new.serial != old.serial or type(new.event) is not type(old.event):
        return False
    if isinstance(new.event, PrefillProgress) and isinstance(old.event, PrefillProgress):
        return new.event.catch_up == old.event.catch_up
    return isinstance(new.event, LoadProgress)


class FlushPacer:
    """How long to wait before the next flush: 33 ms, or 30 times what a flush costs, if that is more.

    The cost is a running mean, so that one slow flush (a font being loaded) does not hold the text back
    for seconds; the wait is capped at a second, so that a window that slow still moves.
    """

    def __init__(self) -> None:
        self._cost = 0.0
        self._last_end: float | None = None

    @property
    def interval(self) -> float:
        """Seconds between the end of a flush and the next one."""
        return min(max(MIN_INTERVAL, COST_FACTOR * self._cost), MAX_INTERVAL)

    def note(self, started: float, ended: float) -> None:
        """A flush took place; times of one monotonic clock, in seconds."""
        self._cost += 0.3 * (ended - started - self._cost)
        self._last_end = ended

    def delay(self, now: float) -> float:
        """Seconds from `now` to the next flush; none after a quiet time, so the first word comes at once."""
        if self._last_end is None:
            return 0.0
        return max(0.0, self._last_end + self.interval - now)
