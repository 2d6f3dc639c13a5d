"""Training batches: sequences of like length and random anchors in their answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from shards import TOP_K, Sequence, Shard, list_shards
from torch import Tensor


@dataclass
class Batch:
    features: Tensor  # [b, s, taps, width] float32
    tokens: Tensor  # [b, s]
    anchors: Tensor  # [b, a] positions n
    greedy: Tensor  # [b] bool: the text is the teacher's own choice at every step
    top_ids: Tensor  # [b, s, 16] target ids
    top_logits: Tensor  # [b, s, 16]
    lengths: Tensor  # [b]

    def at(self, values: Tensor, positions: Tensor) -> Tensor:
        """Rows of `values` [b, s, ...] at `positions` [b, ...]; positions past the end give the last row."""
        p = positions.clamp_max(values.shape[1] - 1)
        return values[torch.arange(len(values), device=values.device).view(-1, *[1] * (p.dim() - 1)), p]


def collate(sequences: list[Sequence], anchors: list[list[int]], device: str = "cpu") -> Batch:
    """Pad to the longest; every sequence has the same number of anchors."""
    s = max(len(q.tokens) for q in sequences)
    b = len(sequences)
    features = np.zeros((b, s, *sequences[0].features.shape[1:]), np.float32)
    tokens = np.zeros((b, s), np.int64)
    ids = np.zeros((b, s, TOP_K), np.int64)
    logits = np.zeros((b, s, TOP_K), np.float32)
    for i, q in enumerate(sequences):
        n = len(q.tokens)
        features[i, :n], tokens[i, :n], ids[i, :n], logits[i, :n] = (
            q.features,
            q.tokens,
            q.top_ids,
            q.top_logits,
        )
    return Batch(
        torch.from_numpy(features).to(device),
        torch.from_numpy(tokens).to(device),
        torch.tensor(anchors).to(device),
        torch.tensor([q.temperature == 0 for q in sequences]).to(device),
        torch.from_numpy(ids).to(device),
        torch.from_numpy(logits).to(device),
        torch.tensor([len(q.tokens) for q in sequences]).to(device),
    )


class Pool:
    """All shards of a folder; shards that appear later join in."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self._random = random.Random(seed)
        self.shards: list[Shard] = []
        self._known: set[Path] = set()
        self._items: list[tuple[int, int]] = []
        self.refresh()

    def refresh(self) -> None:
        """Pick up new shards."""
        for path in list_shards(self.folder):
            if path not in self._known:
                self._known.add(path)
                self.shards.append(Shard(path))
                n = len(self.shards) - 1
                self._items.extend((n, i) for i in range(len(self.shards[n])))

    @property
    def answer_tokens(self) -> int:
        return sum(s.answer_tokens for s in self.shards)

    def batches(self, sequences: int, anchors: int, device: str = "cpu") -> Iterator[Batch]:
        """Endless batches; anchors are random positions from the last prompt token to the last but one."""
        r = self._random
        while True:
            drawn = [
                self.shards[n][i] for n, i in r.sample(self._items, min(8 * sequences, len(self._items)))
            ]
            drawn = sorted(
                (q for q in drawn if len(q.tokens) - q.prompt_len >= 4), key=lambda q: len(q.tokens)
            )
            groups = [drawn[a : a + sequences] for a in range(0, len(drawn), sequences)]
            r.shuffle(groups)
            for group in groups:
                chosen = []
                for q in group:
                    places = range(q.prompt_len - 1, len(q.tokens) - 1)
                    chosen.append(
                        sorted(
                            r.sample(places, anchors)
                            if len(places) >= anchors
                            else r.choices(places, k=anchors)
                        )
                    )
                yield collate(group, chosen, device)
            self.refresh()
