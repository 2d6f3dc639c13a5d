"""What set-up says: numbered steps, and one line of progress that a terminal sees change in place."""

from __future__ import annotations

import math
import shutil
import sys
import time
from typing import TextIO

_QUIET_INTERVAL_S = 30.0  # between progress lines where they cannot be rewritten (a file, CI)


def duration(seconds: float) -> str:
    """A duration as people say it: `8 s`, `2 min 05 s`."""
    whole = int(seconds + 0.5)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02d} s"


def roughly(seconds: float) -> str:
    """An estimate, no more exact than it is: `40 s`, `6 min`; rounded up."""
    return f"{max(10, math.ceil(seconds / 10) * 10)} s" if seconds <= 50 else f"{math.ceil(seconds / 60)} min"


class Console:
    """Writes to `stream` (standard output). Not for several threads."""

    def __init__(self, stream: TextIO | None = None, steps: int = 0) -> None:
        self._stream = sys.stdout if stream is None else stream
        self._live = self._stream.isatty()
        self._steps = steps
        self._step = 0
        self._began = time.monotonic()
        self._last_progress = self._began
        self._drawn = 0

    def say(self, text: str) -> None:
        self._clear()
        print(text, file=self._stream, flush=True)

    def begin(self, text: str) -> None:
        """Start the next step; `text` says what it does and how long it takes."""
        self._step += 1
        self._began = self._last_progress = time.monotonic()
        self.say(f"[{self._step}/{self._steps}] {text}")

    def progress(self, text: str) -> None:
        """Show how far the step is; called often, it prints only as often as is useful."""
        now = time.monotonic()
        if self._live:
            width = max(20, shutil.get_terminal_size().columns - 1)
            line = f"      {text}, {duration(now - self._began)} so far"[:width]
            self._stream.write("\r" + line.ljust(self._drawn))
            self._stream.flush()
            self._drawn = len(line)
        elif now - self._last_progress >= _QUIET_INTERVAL_S:
            self._last_progress = now
            self.say(f"      {text}, {duration(now - self._began)} so far")

    def done(self, text: str = "done") -> None:
        self.say(f"      {text} ({duration(time.monotonic() - self._began)})")

    def _clear(self) -> None:
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._drawn = 0
