"""Where the tiny models keep what: parts of the embedding, and vectors that a rotation moves one token on.

A token of the ring is a point of `N_HARMONICS` circles; going on by one token turns every circle by
its own fixed angle. So "the token h steps later" is a linear map, which one attention head can hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tests.models.vocabulary import MASK, Vocabulary

Array = npt.NDArray[np.float32]

N_EMBD = 128
N_HARMONICS = 14
CONTENT = slice(0, 28)  # which token of the ring this is
FUSED = slice(28, 56)  # the same, in a sidecar's fused features
INDEX = slice(56, 80)  # one-hot: which slot of its block this is, written by a sidecar's first layer
IS_TOKEN, IS_FUSED, IS_MASK = 80, 81, 82
DEPTH = 83  # grows by about TOKEN_MARK with every layer of a target: tells one tap from another
MARKS = slice(80, 84)
FREE = slice(84, 128)  # random, so that all tokens differ
# Lengths of these parts in a token's embedding, whose root mean square is 1.
_LENGTHS = np.array([7.0, 3.0, 5.0])
_LENGTHS *= np.sqrt(N_EMBD) / np.linalg.norm(_LENGTHS)
CONTENT_LENGTH, TOKEN_MARK, FREE_LENGTH = (float(x) for x in _LENGTHS)


@dataclass(frozen=True)
class Ring:
    """Angles of one step, and `points[token]`: the token's content of norm 1, zero off the ring."""

    angles: npt.NDArray[np.float64]
    points: Array

    def step(self, count: int) -> Array:
        """[28, 28]: turns a content vector `count` tokens on."""
        turn = np.zeros((2 * N_HARMONICS, 2 * N_HARMONICS), np.float32)
        for j, angle in enumerate(self.angles * count):
            c, s = np.cos(angle), np.sin(angle)
            turn[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = [[c, -s], [s, c]]
        return turn

    def before(self) -> Array:
        """[vocab, 28]: the content of each token's predecessor, which is what predicts the token."""
        return np.asarray(self.points @ self.step(-1).T, np.float32)


def make_ring(vocabulary: Vocabulary, seed: int) -> Ring:
    """Frequencies spread over the whole range, so that neighbours look no more alike than others."""
    rng = np.random.default_rng(seed)
    n = len(vocabulary.ring)
    frequencies = rng.choice(np.arange(1, n // 2), N_HARMONICS, replace=False)
    angles = 2 * np.pi * frequencies / n
    points = np.zeros((len(vocabulary.tokens), 2 * N_HARMONICS), np.float32)
    for place, token in enumerate(vocabulary.ring):
        points[token, 0::2] = np.cos(angles * place)
        points[token, 1::2] = np.sin(angles * place)
    return Ring(angles, points / np.sqrt(N_HARMONICS, dtype=np.float32))


def make_embeddings(ring: Ring, seed: int) -> Array:
    """[vocab, 128], rows of root mean square 1; the mask token is its marker alone."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((len(ring.points), N_EMBD), np.float32)
    rows[:, CONTENT] = CONTENT_LENGTH * ring.points
    rows[:, IS_TOKEN] = TOKEN_MARK
    rows[:, FREE] = unit_rows(rng, len(rows), FREE.stop - FREE.start)
    on_ring = ring.points.any(axis=1)
    rows[:, FREE] *= np.where(on_ring, FREE_LENGTH, np.hypot(FREE_LENGTH, CONTENT_LENGTH))[:, None]
    rows[MASK] = 0.0
    rows[MASK, IS_MASK] = np.sqrt(N_EMBD)
    return rows


def make_head(ring: Ring, seed: int, gain: float) -> Array:
    """[vocab, 128]: each row answers to the content of the token before; off the ring a row is zero."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((len(ring.points), N_EMBD), np.float32)
    rows[:, CONTENT] = ring.before()
    rows[:, FREE] = unit_rows(rng, len(rows), FREE.stop - FREE.start) * 0.5
    rows[~ring.points.any(axis=1)] = 0.0
    return np.asarray(rows * gain, np.float32)


def unit_rows(rng: np.random.Generator, n: int, width: int) -> Array:
    """[n, width] random directions."""
    rows = rng.standard_normal((n, width)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
