"""What taking drafts back by checkpoints costs on hybrid targets, 4,000 tokens into a text."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from app.engine.drafters.base import DraftLimits
from tests.engine.copying import ring_prompt
from tests.engine.hybrids import CHECKPOINTS, ON_DEVICE, Memory, hybrid_decoder
from tests.engine.support import ReplayDrafter, run
from tests.models.hybrid import make_lfm2
from tests.models.memories import make_memory
from tests.models.target import TargetSpec

CONTEXT = 4000
SPEC = TargetSpec(context_length=8192)


@pytest.mark.benchmark
@pytest.mark.parametrize(
    ("architecture", "memory"),
    [("lfm2", CHECKPOINTS), ("qwen3next", CHECKPOINTS), ("qwen3next", ON_DEVICE)],
    ids=["lfm2", "qwen3next", "qwen3next-on-device"],
)
def test_rollback_is_less_than_a_tenth_of_a_round(tmp_path: Path, architecture: str, memory: Memory) -> None:
    path = tmp_path / f"{architecture}.gguf"
    make = make_lfm2 if architecture == "lfm2" else lambda p, spec: make_memory(p, architecture, spec)
    decoder = hybrid_decoder(make(path, SPEC), memory, n_max=7, n_ctx=8192)
    try:
        prompt = ring_prompt(CONTEXT / len(SPEC.vocabulary().ring))
        ordinary = run(decoder, prompt, 100)
        decoder.drafter = ReplayDrafter(ordinary.tokens, len(prompt), 0.6, decoder.target.model.n_vocab)
        decoder.control.limits = DraftLimits(7)
        shares = []
        held = 0
        for _ in range(2):
            reply = run(decoder, prompt, 100)
            rounds = [r for r in reply.rounds if r.rejected]
            assert len(rounds) > 20
            assert decoder.stats.checkpoint_rollbacks == len(rounds)
            shares.append(median(r.timings.rollback / r.seconds for r in rounds))
            assert held in (0, decoder.stats.checkpoint_buffer_bytes), "the buffers are used again"
            held = decoder.stats.checkpoint_buffer_bytes
        print(f"{architecture}, {memory.name}: {min(shares):.1%} of a round, {held} bytes held")
        assert min(shares) < 0.10
    finally:
        decoder.close()
