"""How much memory a pair will need, from its headers, before anything is loaded.

An estimate: weights, both KV caches and the large compute buffers. It exists to refuse what cannot
work; operating systems promise memory they do not have and end the program when it is used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Bytes per element of the KV cache types; block types include their scales.
KV_BYTES = {
    "f32": 4.0,
    "f16": 2.0,
    "bf16": 2.0,
    "q8_0": 34 / 32,
    "q5_1": 24 / 32,
    "q5_0": 22 / 32,
    "q4_1": 20 / 32,
    "q4_0": 18 / 32,
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bytes by purpose."""

    weights: int
    kv: int
    compute: int

    @property
    def total(self) -> int:
        return self.weights + self.kv + self.compute

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(self.weights + other.weights, self.kv + other.kv, self.compute + other.compute)


def estimate(
    metadata: Mapping[str, Any],
    file_bytes: int,
    n_vocab: int,
    n_ctx: int,
    n_ubatch: int,
    n_outputs: int,
    type_k: str = "f16",
    type_v: str = "f16",
) -> Estimate:
    """`metadata` holds the header's keys; missing ones count as nothing."""
    arch = str(metadata.get("general.architecture", ""))

    def number(key: str, default: int = 0) -> int:
        value = metadata.get(f"{arch}.{key}", default)
        if isinstance(value, (list, tuple)):
            return max((int(v) for v in value), default=default)
        return int(value)

    layers, width, heads = number("block_count"), number("embedding_length"), number("attention.head_count")
    kv_heads = number("attention.head_count_kv", heads)
    head = width // heads if heads else 0
    key, value = number("attention.key_length", head), number("attention.value_length", head)
    kv = int(n_ctx * layers * kv_heads * (key * KV_BYTES[type_k] + value * KV_BYTES[type_v]))
    feed_forward = number("feed_forward_length")
    compute = 4 * (n_ubatch * (4 * width + 2 * feed_forward + heads * 256) + 2 * n_outputs * n_vocab)
    return Estimate(file_bytes, kv, compute)


def physical_memory() -> int:
    """Bytes of main memory of this machine, 0 when it cannot be told."""
    if sys.platform == "win32":
        import ctypes

        class Status(ctypes.Structure):
            _fields_ = [
                ("length", ctypes.c_ulong),
                ("load", ctypes.c_ulong),
                ("total", ctypes.c_ulonglong),
                *((name, ctypes.c_ulonglong) for name in ("avail", "tp", "ap", "tv", "av", "ae")),
            ]

        status = Status(length=ctypes.sizeof(Status))
        return int(status.total) if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else 0
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0
