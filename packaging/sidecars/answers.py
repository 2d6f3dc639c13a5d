"""Conversations as tokens: the compressed files that are committed; features are made from them again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass
class Answers:
    tokens: list[NDArray[np.uint16]]
    prompt_len: list[int]
    temperature: list[float]
    category: list[str]


def read_answers(path: Path) -> Answers:
    """Read a token file (`tokens`, `offsets`, `prompt_len`, `temperature`, optionally `category`)."""
    with np.load(path) as z:
        tokens, offsets = z["tokens"], z["offsets"].astype(np.int64)
        rows = [tokens[a:b] for a, b in pairwise(offsets)]
        category = z["category"].tolist() if "category" in z else ["templates"] * len(rows)
        return Answers(rows, z["prompt_len"].tolist(), z["temperature"].astype(float).tolist(), category)


def write_answers(path: Path, answers: Answers) -> None:
    """Write a token file."""
    lengths = [len(t) for t in answers.tokens]
    np.savez_compressed(
        path,
        tokens=np.concatenate(answers.tokens).astype(np.uint16),
        offsets=np.concatenate(([0], np.cumsum(lengths))).astype(np.uint32),
        prompt_len=np.array(answers.prompt_len, np.uint16),
        temperature=np.array(answers.temperature, np.float16),
        category=np.array(answers.category),
    )
