"""One line per finished piece of work, with the time that is left."""

from __future__ import annotations

import time


class Progress:
    def __init__(self, name: str, total: int) -> None:
        self.name, self.total = name, total
        self.done = self.worked = 0
        self.start = time.time()

    def skip(self, n: int = 1) -> None:
        """Pieces that were there already: they say nothing about speed."""
        self.done += n

    def step(self, text: str, n: int = 1) -> None:
        self.done += n
        self.worked += n
        left = (self.total - self.done) * (time.time() - self.start) / max(self.worked, 1)
        now = time.strftime("%H:%M:%S")
        print(f"{now} {self.name} {self.done}/{self.total} (left {left / 60:.0f} min) {text}", flush=True)
