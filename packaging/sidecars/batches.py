"""Training batches: sequences of like length and random anchors in their answers."""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from answers import Answers
from numpy.typing import NDArray
from shards import TOP_K, Sequence, Shard, list_shards
from target import Target
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


def part_of(index: int) -> str:
    """Nine of ten conversations are for the backbone; the others fit and check what is built on it."""
    return "train" if index % 10 != 9 else "fit" if index % 20 == 9 else "check"


class Pool:
    """The conversations of all shards of a folder; shards that appear later join in.

    `part`: see `part_of`. `only`: the beginning of shard names; drafts that began elsewhere may have seen the
    oldest ones.
    """

    def __init__(self, folder: Path, seed: int, part: str = "train", only: str = "") -> None:
        self.folder, self._part, self._only = folder, part, only
        self._random = random.Random(seed)
        self.shards: list[Shard] = []
        self._known: set[Path] = set()
        self._items: list[tuple[int, int]] = []
        self.seen: Counter[str] = Counter()  # how often a conversation (shard/index) was drawn
        self.refresh()

    def refresh(self) -> None:
        """Pick up new shards."""
        for path in list_shards(self.folder):
            if path not in self._known and path.name.startswith(self._only):
                self._known.add(path)
                self.shards.append(Shard(path))
                n = len(self.shards) - 1
                self._items.extend((n, i) for i in range(len(self.shards[n])) if part_of(i) == self._part)

    @property
    def answer_tokens(self) -> int:
        return sum(s.answer_tokens for s in self.shards)

    def texts(self) -> list[NDArray[np.uint16]]:
        """The tokens of every conversation."""
        return [np.asarray(shard[i].tokens) for shard in self.shards for i in range(len(shard))]

    def _draw(self, count: int) -> list[Sequence]:
        """Random conversations, those seen least before others: what came later has to catch up."""
        names = [f"{self.shards[n].path.name}/{i}" for n, i in self._items]
        order = [-math.log(1 - self._random.random()) * (1 + self.seen[name]) ** 2 for name in names]
        chosen = heapq.nsmallest(count, range(len(order)), order.__getitem__)
        self.seen.update(names[c] for c in chosen)
        return [self.shards[self._items[c][0]][self._items[c][1]] for c in chosen]

    def batches(self, sequences: int, anchors: int, device: str = "cpu") -> Iterator[Batch]:
        """Endless batches; anchors are random positions from the last prompt token to the last but one.

        FileNotFoundError where there are no conversations.
        """
        if not self._items:
            raise FileNotFoundError(f"no {self._only}... shards in {self.folder}: run `data` first")
        r = self._random
        while True:
            drawn = self._draw(8 * sequences)
            for group in alike(drawn, sequences, r):
                yield collate(
                    group, [choose_anchors(len(q.tokens), q.prompt_len, anchors, r) for q in group], device
                )
            self.refresh()


T = TypeVar("T", Sequence, "Text")


def alike(drawn: list[T], size: int, r: random.Random) -> list[list[T]]:
    """Groups of `size` of like length, in random order; answers of less than four tokens are left out."""
    usable = sorted((q for q in drawn if len(q.tokens) - q.prompt_len >= 4), key=lambda q: len(q.tokens))
    groups = [usable[a : a + size] for a in range(0, len(usable), size)]
    r.shuffle(groups)
    return groups


def choose_anchors(length: int, prompt_len: int, n: int, r: random.Random) -> list[int]:
    """`n` random positions from the last prompt token to the last but one, in order."""
    places = range(prompt_len - 1, length - 1)
    return sorted(r.sample(places, n) if len(places) >= n else r.choices(places, k=n))


@dataclass
class Text:
    """A conversation without features."""

    tokens: NDArray[np.uint16]
    prompt_len: int
    temperature: float


class TokenPool:
    """Conversations whose features the target computes as they are drawn: for a GPU, where that is cheap."""

    def __init__(self, target: Target, answers: Answers, seed: int, part: str = "train") -> None:
        self._target, self._random = target, random.Random(seed)
        self.seen: Counter[str] = Counter()  # stays empty: nothing joins in later that has to catch up
        rows = zip(answers.tokens, answers.prompt_len, answers.temperature, strict=True)
        self._texts = [Text(*row) for i, row in enumerate(rows) if part_of(i) == part]

    @property
    def answer_tokens(self) -> int:
        return sum(len(t.tokens) - t.prompt_len for t in self._texts)

    def texts(self) -> list[NDArray[np.uint16]]:
        """The tokens of every conversation."""
        return [t.tokens for t in self._texts]

    def batches(self, sequences: int, anchors: int, device: str = "cpu") -> Iterator[Batch]:
        """Endless batches, as `Pool.batches`."""
        r = self._random
        while True:
            drawn = r.sample(self._texts, min(8 * sequences, len(self._texts)))
            for group in alike(drawn, sequences, r):
                chosen = [choose_anchors(len(t.tokens), t.prompt_len, anchors, r) for t in group]
                tokens = torch.zeros(len(group), max(len(t.tokens) for t in group), dtype=torch.int64)
                for i, t in enumerate(group):
                    tokens[i, : len(t.tokens)] = torch.from_numpy(t.tokens.astype(np.int64))
                tokens = tokens.to(device)
                taps, hidden = self._target.prefill(tokens)
                logits, ids = self._target.head(hidden).topk(TOP_K)
                greedy = torch.tensor([t.temperature == 0 for t in group], device=device)
                lengths = torch.tensor([len(t.tokens) for t in group], device=device)
                features = taps.clamp(-6e4, 6e4).clone()
                yield Batch(
                    features,
                    tokens,
                    torch.tensor(chosen, device=device),
                    greedy,
                    ids.clone(),
                    logits.clone(),
                    lengths,
                )
