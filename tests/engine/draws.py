"""Proof that two sampled texts part by rounding: the same random number falls on either side of a border.

Ordinary rows are drawn from again with the same seed, up to where the texts part. There both tokens must
come up when the row is moved by no more than rounding moves it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.core.sampling import SamplingParams
from app.engine.constraint import Candidates
from app.engine.handles import Floats
from app.engine.sampling_chain import Chain, suppressed_tokens
from app.engine.target import Target
from app.engine.ties import NOISE_FACTOR, first_difference, teacher_forced

_TRIES = 200


def assert_same_draws(
    target: Target,
    prompt: Sequence[int],
    ordinary: Sequence[int],
    other: Sequence[int],
    width: int,
    sampling: SamplingParams,
) -> None:
    """Fails where the texts part for another reason than rounding. Leaves the target empty."""
    index = first_difference(ordinary, other)
    if index is None:
        return
    assert index < min(len(ordinary), len(other)), "one text ends before the other"
    text = [*prompt, *ordinary[:index]]
    single = teacher_forced(target, text, len(prompt), 1)
    wide = teacher_forced(target, text, len(prompt), width)
    target.cut(0)
    noise = float(np.abs(single - wide).max())
    draw = _Draw(target, sampling, ordinary[:index], single)
    # The ordinary text too was drawn from rows that rounding had moved, if less.
    missing = {ordinary[index], other[index]} - {draw.after(single[-1])}
    random = np.random.default_rng(1)
    for _ in range(_TRIES):
        if not missing:
            return
        moved = single[-1] + NOISE_FACTOR * noise * random.uniform(-1, 1, single.shape[1])
        missing.discard(draw.after(moved.astype(np.float32)))
    raise AssertionError(f"texts part at {index}: {ordinary[index]} and {other[index]}, noise {noise}")


class _Draw:
    """What comes after `tokens`, which were drawn from `rows`, when the next row is another one."""

    def __init__(self, target: Target, sampling: SamplingParams, tokens: Sequence[int], rows: Floats) -> None:
        self._target, self._sampling = target, sampling
        self._tokens, self._rows = tokens, rows
        self._candidates = Candidates(target.model.n_vocab)

    def after(self, row: Floats) -> int:
        model = self._target.model
        assert self._sampling.seed is not None
        chain = Chain(
            model,
            self._sampling,
            self._sampling.seed,
            self._target.context.n_ctx,
            suppressed_tokens(model),
        )
        try:
            for token, seen in zip(self._tokens, self._rows, strict=False):
                # One random number each, whatever is chosen: rounding may have mattered here as well.
                chain.apply(self._candidates.fill(seen).reference)
                chain.accept(token)
            chain.apply(self._candidates.fill(row).reference)
            return self._candidates.chosen()
        finally:
            chain.close()
