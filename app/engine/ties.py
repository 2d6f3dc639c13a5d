"""Proof that two greedy texts part at a tie: the two candidates' logits are as close as rounding.

A width-1 teacher-forced run gives the logits that ordinary decoding sees; the same positions decoded
at the verification width give the rounding noise. A tie is a gap of at most four times that noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.handles import Floats
from app.engine.target import Target

NOISE_POSITIONS = 64
NOISE_FACTOR = 4.0


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where the texts part, the gap of the two candidates there, and the noise between widths."""

    index: int
    gap: float
    noise: float

    @property
    def is_tie(self) -> bool:
        return self.gap <= NOISE_FACTOR * self.noise


def first_difference(a: Sequence[int], b: Sequence[int]) -> int | None:
    """Index of the first token that differs, or where one text ends before the other; None if equal."""
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return i
    return None if len(a) == len(b) else min(len(a), len(b))


def explain(
    target: Target,
    prompt: Sequence[int],
    ordinary: Sequence[int],
    other: Sequence[int],
    width: int,
    may_end: bool = False,
) -> Divergence | None:
    """None when the texts are equal. Decodes on `target`, which is left empty.

    `may_end`: a text that is shorter ended by itself, so its candidate there was the best end token;
    otherwise a shorter text is never a tie.
    """
    index = first_difference(ordinary, other)
    if index is None:
        return None
    if index >= min(len(ordinary), len(other)) and not may_end:
        return Divergence(index, float("inf"), 0.0)
    text = [*prompt, *ordinary[:index]]
    start = max(len(prompt), len(text) - NOISE_POSITIONS)
    single = teacher_forced(target, text, start, 1)
    wide = teacher_forced(target, text, start, width)
    target.cut(0)

    def candidate(tokens: Sequence[int]) -> float:
        row = single[-1]
        return float(row[tokens[index]] if index < len(tokens) else row[list(target.model.eog)].max())

    gap = abs(candidate(ordinary) - candidate(other))
    return Divergence(index, gap, float(np.abs(single - wide).max()))


def teacher_forced(target: Target, text: Sequence[int], start: int, width: int) -> Floats:
    """Logits after each of `text[start - 1:]`, teacher-forced in batches of `width`."""
    target.cut(0)
    head, tail = list(text[: start - 1]), list(text[start - 1 :])
    step = min(64, target.context.n_batch)
    for i in range(0, len(head), step):
        target.decode_quiet(head[i : i + step])
    rows = []
    for i in range(0, len(tail), width):
        part = tail[i : i + width]
        target.decode_rows(part)
        rows.append(target.context.logits(len(part)).copy())
    return np.concatenate(rows)
