"""Every kind of memory a target may have: how it takes drafts back is proven, and the text stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.events import ReplyStarted
from app.core.sampling import SamplingParams
from app.core.speculation import SpeculativeType
from app.engine.decoding import Decoder
from app.engine.drafters.base import DraftLimits
from app.engine.drafters.build import make_ngram
from tests.engine.copying import assert_same_text, ring_prompt, short_config
from tests.engine.hybrids import CHECKPOINTS, SNAPSHOTS, Memory, hybrid_decoder
from tests.engine.support import GREEDY, ReplayDrafter, Reply, run
from tests.models.memories import WINDOW, make_memory

WARM = SamplingParams(temperature=0.8, seed=5)
NATIVE = Memory("native", "native")
WINDOWED = Memory("windowed", "native", windowed=True)
KINDS = {
    "qwen35": ("qwen35", SNAPSHOTS),
    "qwen35-checkpoints": ("qwen35", CHECKPOINTS),
    "qwen3next": ("qwen3next", CHECKPOINTS),
    "mamba2": ("mamba2", CHECKPOINTS),
    "gemma3": ("gemma3", NATIVE),
    "gemma3-windowed": ("gemma3", WINDOWED),
}
PROMPT = ring_prompt(1.2)


@pytest.fixture(scope="module", params=KINDS)
def decoder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Decoder]:
    architecture, memory = KINDS[request.param]
    path = make_memory(tmp_path_factory.mktemp("models") / f"{architecture}.gguf", architecture)
    decoder = hybrid_decoder(path, memory)
    yield decoder
    decoder.close()


@pytest.fixture(scope="module")
def replies() -> dict[tuple[Decoder, SamplingParams], Reply]:
    return {}


@pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "0.8"])
@pytest.mark.parametrize("length", [1, 3, 7, 15])
@pytest.mark.parametrize("drafter", ["0.6", "oracle", "ngram-cache"])
def test_lossless(
    decoder: Decoder,
    replies: dict[tuple[Decoder, SamplingParams], Reply],
    drafter: str,
    length: int,
    sampling: SamplingParams,
) -> None:
    decoder.drafter = None
    if (decoder, sampling) not in replies:
        decoder.target.cut(0)
        replies[decoder, sampling] = run(decoder, PROMPT, 256, sampling)
    expected = replies[decoder, sampling]
    decoder.target.cut(0)
    if drafter == "ngram-cache":
        kind = SpeculativeType.NGRAM_CACHE
        decoder.drafter = make_ngram(kind, short_config(kind))
    else:
        right = 1.0 if drafter == "oracle" else 0.6
        decoder.drafter = ReplayDrafter(expected.tokens, len(PROMPT), right, decoder.target.model.n_vocab)
    decoder.control.limits = DraftLimits(length)
    reply = run(decoder, PROMPT, 256, sampling)
    assert reply.tokens == expected.tokens
    assert reply.text == expected.text
    stats = decoder.stats
    assert stats.accepted > 0
    assert (stats.rollbacks == 0) == (drafter == "oracle")
    kept = stats.checkpoint_rollbacks if decoder.target.rollback == "checkpoint" else stats.native_rollbacks
    assert kept == stats.rollbacks


def test_turns_start_from_what_was_read(decoder: Decoder) -> None:
    decoder.drafter = None
    first = run(decoder, PROMPT, 30)
    turn = [*PROMPT, *first.tokens[:10], 44, *ring_prompt(0.3)]
    second = run(decoder, turn, 40)
    started = second.events[0]
    assert isinstance(started, ReplyStarted)
    assert started.reused_tokens >= len(PROMPT) - 1
    decoder.target.cut(0)
    assert_same_text(decoder, turn, run(decoder, turn, 40), second)


@pytest.mark.parametrize("n_states", [0, 8])
def test_a_window_that_was_left_behind(tmp_path: Path, n_states: int) -> None:
    """Where the window's beginning was overwritten, only a saved state leads back."""
    path = make_memory(tmp_path / "gemma3.gguf", "gemma3")
    decoder = hybrid_decoder(path, WINDOWED, n_states=n_states, interval=100, n_batch=64)
    try:
        prompt = ring_prompt(5.0)
        decoder.drafter = ReplayDrafter(ring_prompt(0.5), len(prompt), 0.6, decoder.target.model.n_vocab)
        for at in (len(prompt) - 4, 420, 250):
            run(decoder, prompt, 30)
            edited = [*prompt[:at], 44, 45, *prompt[at + 2 :]]
            reply = run(decoder, edited, 30)
            started = reply.events[0]
            assert isinstance(started, ReplyStarted)
            if at > len(prompt) - WINDOW:
                assert started.reused_tokens == at  # the window is still there
            elif n_states:
                assert at - 200 < started.reused_tokens <= at
                assert decoder.stats.checkpoint_restores > 0
            else:
                assert started.reused_tokens == 0
            decoder.target.cut(0)
            assert_same_text(decoder, edited, run(decoder, edited, 30), reply)
    finally:
        decoder.close()
