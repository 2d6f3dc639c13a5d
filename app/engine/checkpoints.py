"""Saved states of memories that cannot forget a part: recurrent, hybrid and windowed ones.

A checkpoint holds what a removal cannot restore (the recurrent state, the window); positions that the
memory can remove stay where they are. Knows one context and positions, nothing of drafts or tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from app.core.errors import Bug
from app.core.stats import SpeculativeStats
from app.engine.handles import Context
from app.engine.native import I32, SIZE, U32, VOID, function

_PARTIAL_ONLY = 1
_ON_DEVICE = 2

_state_size = function("llama_state_seq_get_size_ext", SIZE, VOID, I32, U32)
_state_get = function("llama_state_seq_get_data_ext", SIZE, VOID, VOID, SIZE, I32, U32)
_state_set = function("llama_state_seq_set_data_ext", SIZE, VOID, VOID, SIZE, I32, U32)


@dataclass(slots=True)
class CheckpointCounts:
    """What checkpoints cost so far; one object may serve several of them."""

    captures: int = 0
    restores: int = 0
    device_captures: int = 0
    device_restores: int = 0
    capture_seconds: float = 0.0
    restore_seconds: float = 0.0
    buffer_bytes: int = 0
    verification_reuses: int = 0
    native_verification_rollbacks: int = 0

    def tell(self, stats: SpeculativeStats, before: CheckpointCounts) -> None:
        """What came since `before`, by the names of a reply's statistics."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "buffer_bytes":
                value -= getattr(before, field.name)
            setattr(stats, f"checkpoint_{field.name}", value)


class Checkpoint:
    """One state of one context, kept until the next `capture`; its host buffer is used again.

    `on_device` leaves the tensors in device memory. The library keeps one such state per sequence, so a
    context may have one checkpoint of that kind.
    """

    def __init__(
        self, context: Context, on_device: bool = False, counts: CheckpointCounts | None = None
    ) -> None:
        self._context = context
        self._flags = _PARTIAL_ONLY | (_ON_DEVICE if on_device else 0)
        self._on_device = on_device
        self.counts = counts or CheckpointCounts()
        self._buffer: NDArray[np.uint8] = np.empty(0, np.uint8)
        self._size = 0
        self.position = -1  # the state is that after so many positions; -1: nothing is saved

    def capture(self) -> None:
        """Save the present state; `position` becomes the number of positions in memory."""
        start = perf_counter()
        handle = self._context.handle
        size = _state_size(handle, 0, self._flags)
        if size > len(self._buffer):
            self.counts.buffer_bytes += size - len(self._buffer)
            self._buffer = np.empty(size, np.uint8)
        self.position = -1
        if size == 0 or _state_get(handle, self._buffer.ctypes.data, size, 0, self._flags) != size:
            raise Bug("the library did not save the state it offered")
        self._size = size
        self.position = self._context.last_position() + 1
        self.counts.captures += 1
        self.counts.device_captures += self._on_device
        self.counts.capture_seconds += perf_counter() - start

    def restore(self) -> int:
        """Go back to the saved state; returns `position`. It may be restored again."""
        if self.position < 0:
            raise Bug("there is no state to go back to")
        start = perf_counter()
        size = self._size
        if _state_set(self._context.handle, self._buffer.ctypes.data, size, 0, self._flags) != size:
            raise Bug("the library did not take back the state it had saved")
        if not self._context.remove(self.position):
            raise Bug("the memory kept positions after its state was restored")
        self.counts.restores += 1
        self.counts.device_restores += self._on_device
        self.counts.restore_seconds += perf_counter() - start
        return self.position

    def drop(self) -> None:
        """Forget the saved state; the buffer stays."""
        self.position = -1

    def close(self) -> None:
        """Give the buffer back."""
        self.counts.buffer_bytes -= len(self._buffer)
        self._buffer = np.empty(0, np.uint8)
        self.position = -1
