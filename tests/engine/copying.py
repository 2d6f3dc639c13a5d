"""A target that copies: it goes on along its ring of tokens, so a prompt of two turns holds the reply."""

from __future__ import annotations

import random
from collections.abc import Sequence

from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.decoding import Decoder
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.ties import explain
from tests.engine.support import Reply
from tests.models import TargetSpec

NGRAM_KINDS = [kind for kind in SpeculativeType if kind.is_ngram()]
LIMITS = DraftLimits(64)

# The family's defaults look for long copies; these find the short ones of a text that drifts.
SHORT = {
    "ngram_size_n": 3,
    "ngram_size_m": 12,
    "ngram_mod_n_match": 4,
    "ngram_mod_n_max": 16,
    "ngram_mod_n_min": 2,
}


def short_config(kind: SpeculativeType) -> SpecConfig:
    return SpecConfig(kind, **SHORT)  # type: ignore[arg-type]


def ring_prompt(turns: float = 2.3) -> list[int]:
    """So many turns of the ring of `TargetSpec()`."""
    ring = list(TargetSpec().vocabulary().ring)
    return (ring * (int(turns) + 1))[: int(turns * len(ring))]


def repetitive_text(length: int, vocabulary: int, repeat: float, seed: int) -> list[int]:
    """Random tokens, a part of them copied from earlier places."""
    rng = random.Random(seed)
    text: list[int] = []
    while len(text) < length:
        if text and rng.random() < repeat:
            start = rng.randrange(len(text))
            text += text[start : start + rng.randrange(1, 90)]
        else:
            text += [rng.randrange(vocabulary) for _ in range(rng.randrange(1, 12))]
    return text[:length]


def follow(drafter: Drafter, text: Sequence[int], start: int, end: int) -> list[list[int]]:
    """Let the drafter draft along a reply `text[start:end]` that is known; returns its proposals."""
    proposals = []
    position = start
    while position < end:
        proposal = drafter.draft(text[position], position, LIMITS)
        proposals.append(proposal)
        accepted = 0
        while (
            accepted < len(proposal)
            and position + 1 + accepted < end
            and proposal[accepted] == text[position + 1 + accepted]
        ):
            accepted += 1
        drafter.process(text[position : position + 1 + accepted], position)
        if proposal:
            drafter.accept(accepted)
        position += 1 + accepted
    return proposals


def assert_same_text(decoder: Decoder, prompt: Sequence[int], ordinary: Reply, reply: Reply) -> None:
    """Greedy replies are equal, or part at a proven tie. Leaves the target empty where they part."""
    if reply.tokens != ordinary.tokens:
        width = max(r.verified for r in reply.rounds) + 1
        parting = explain(decoder.target, prompt, ordinary.tokens, reply.tokens, width, may_end=True)
        assert parting is None or parting.is_tie, parting
