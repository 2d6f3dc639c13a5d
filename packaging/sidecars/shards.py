"""Shards of training data: tokens, tap rows and the teacher's best next tokens, as plain arrays in a folder.

A shard is written under a temporary name and renamed when complete, so readers see whole shards only.
Position t of a sequence holds the tap rows of token t and the teacher's candidates for token t + 1.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TOP_K = 16
N_TAPS, WIDTH = 5, 576
ARRAYS = ("tokens", "offsets", "prompt_len", "temperature", "features", "top_ids", "top_logits")


@dataclass
class Sequence:
    tokens: NDArray[np.uint16]  # [s]
    prompt_len: int
    temperature: float
    features: NDArray[np.float16]  # [s, 5, 576]
    top_ids: NDArray[np.uint16]  # [s, 16]
    top_logits: NDArray[np.float16]  # [s, 16]
    category: str


class Shard:
    """A finished shard, memory mapped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = {n: np.load(path / f"{n}.npy", mmap_mode="r") for n in ARRAYS}
        self.categories: list[str] = json.loads((path / "categories.json").read_text(encoding="utf-8"))

    def __len__(self) -> int:
        return len(self.data["prompt_len"])

    def __getitem__(self, i: int) -> Sequence:
        a, b = int(self.data["offsets"][i]), int(self.data["offsets"][i + 1])
        d = self.data
        return Sequence(
            np.asarray(d["tokens"][a:b]),
            int(d["prompt_len"][i]),
            float(d["temperature"][i]),
            d["features"][a:b],
            d["top_ids"][a:b],
            d["top_logits"][a:b],
            self.categories[i],
        )

    @property
    def answer_tokens(self) -> int:
        return int(self.data["offsets"][-1]) - int(self.data["prompt_len"].astype(np.int64).sum())


def write_shard(path: Path, sequences: list[Sequence]) -> None:
    """Write `sequences` as the shard folder `path` (must not exist); whole or not at all."""
    tmp = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    shutil.rmtree(tmp, ignore_errors=True)
    tmp.mkdir(parents=True)
    lengths = [len(s.tokens) for s in sequences]
    arrays = {
        "tokens": np.concatenate([s.tokens for s in sequences]).astype(np.uint16),
        "offsets": np.concatenate(([0], np.cumsum(lengths))).astype(np.uint32),
        "prompt_len": np.array([s.prompt_len for s in sequences], np.uint16),
        "temperature": np.array([s.temperature for s in sequences], np.float16),
        "features": np.concatenate([s.features for s in sequences]).astype(np.float16),
        "top_ids": np.concatenate([s.top_ids for s in sequences]).astype(np.uint16),
        "top_logits": np.concatenate([s.top_logits for s in sequences]).astype(np.float16),
    }
    for name, array in arrays.items():
        np.save(tmp / f"{name}.npy", array)
    (tmp / "categories.json").write_text(json.dumps([s.category for s in sequences]), encoding="utf-8")
    tmp.rename(path)


def list_shards(folder: Path) -> list[Path]:
    return sorted(p for p in folder.glob("*") if p.is_dir() and not p.name.startswith("."))
