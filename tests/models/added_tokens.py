"""Tiny models whose added tokens stand elsewhere than in the others, as in two fine-tunes of one model."""

from __future__ import annotations

from dataclasses import dataclass

from tests.models.target import TargetSpec
from tests.models.vocabulary import Vocabulary


@dataclass(frozen=True)
class AddedTokensSpec(TargetSpec):
    """The unused tokens of the vocabulary in reverse order, and `extra` more; `renamed` changes a word."""

    extra: int = 3
    renamed: bool = False

    def vocabulary(self) -> Vocabulary:
        plain = super().vocabulary()
        tokens = list(plain.tokens)
        first = next(i for i, token in enumerate(tokens) if token.startswith("<|unused_"))
        tokens[first:] = reversed(tokens[first:])
        tokens += [f"<|unused_extra_{i}|>" for i in range(self.extra)]
        if self.renamed:
            tokens[100] += "x"
        return Vocabulary(tuple(tokens), plain.merges, plain.ring)
