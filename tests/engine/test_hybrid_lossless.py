"""Speculation on a hybrid target gives the text of ordinary decoding, whichever way it takes drafts back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app.core.rounds import Round
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.decoding import Decoder
from app.engine.drafters.base import DraftLimits
from app.engine.drafters.build import limits_for, load_draft_model, make_ngram
from tests.engine.copying import NGRAM_KINDS, assert_same_text, ring_prompt, short_config
from tests.engine.hybrids import (
    CHECKPOINTS,
    FEW_SNAPSHOTS,
    MEMORIES,
    ON_DEVICE,
    SNAPSHOTS,
    Memory,
    hybrid_decoder,
)
from tests.engine.support import GREEDY, ReplayDrafter, Reply, run
from tests.engine.test_counting import check
from tests.models import TargetSpec
from tests.models.hybrid import make_lfm2

WARM = SamplingParams(temperature=0.8, seed=5)
SAMPLINGS = pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "0.8"])
LENGTHS = pytest.mark.parametrize("length", [1, 3, 7, 15])


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_lfm2(tmp_path_factory.mktemp("models") / "tiny-lfm2.gguf", TargetSpec())


@pytest.fixture(scope="module", params=MEMORIES, ids=lambda memory: memory.name)
def bench(hybrid: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
    bench = Bench(hybrid_decoder(hybrid, request.param), request.param)
    yield bench
    bench.decoder.close()


class Bench:
    """A decoder and its ordinary replies, computed once."""

    def __init__(self, decoder: Decoder, memory: Memory) -> None:
        self.decoder = decoder
        self.memory = memory
        self._replies: dict[tuple[object, ...], Reply] = {}

    def ordinary(self, prompt: list[int], n: int, sampling: SamplingParams) -> Reply:
        """From an empty cache, which is left empty."""
        decoder = self.decoder
        decoder.drafter = None
        key = (tuple(prompt), n, sampling)
        if key not in self._replies:
            decoder.target.cut(0)
            self._replies[key] = run(decoder, prompt, n, sampling)
        decoder.target.cut(0)
        return self._replies[key]

    def replay(self, expected: Reply, prompt: list[int], right: float) -> ReplayDrafter:
        drafter = ReplayDrafter(expected.tokens, len(prompt), right, self.decoder.target.model.n_vocab)
        self.decoder.drafter = drafter
        return drafter

    def assert_counted(self, rounds: list[Round]) -> None:
        """Every figure is that of the rounds, and every rollback of the kind the memory allows."""
        stats, memory = self.decoder.stats, self.memory
        if max(r.accepted for r in rounds) + 1 >= max(r.verified for r in rounds):
            check(stats, rounds)  # every draft of a block was reached, so each has its figure
        rejecting = [r for r in rounds if r.rejected]
        assert stats.verified == sum(r.verified for r in rounds)
        assert stats.accepted == sum(r.accepted for r in rounds)
        assert stats.generation_tokens == sum(len(r.tokens) for r in rounds)
        assert stats.rollback_seconds == pytest.approx(sum(r.timings.rollback for r in rounds))
        for r in rounds:
            t = r.timings
            assert t.draft + t.decode + t.sync + t.process + t.accept + t.rollback <= r.seconds
        # What is taken back includes drafts that a limit cut off.
        native = sum(r.verified - r.accepted <= memory.snapshots for r in rejecting)
        assert stats.native_rollbacks == native
        assert stats.checkpoint_rollbacks == len(rejecting) - native
        assert stats.checkpoint_native_verification_rollbacks >= native
        assert stats.checkpoint_restores >= stats.checkpoint_rollbacks
        saved = stats.checkpoint_captures + stats.checkpoint_verification_reuses
        assert saved >= sum(r.verified > memory.snapshots for r in rounds)
        on_device = stats.checkpoint_device_captures > 0
        assert on_device == (memory.on_device and saved > 2)


@SAMPLINGS
@LENGTHS
@pytest.mark.parametrize("right", [1.0, 0.6, 0.0], ids=["oracle", "0.6", "never"])
def test_with_a_drafter_that_replays(
    bench: Bench, right: float, length: int, sampling: SamplingParams
) -> None:
    prompt = ring_prompt(1.2)
    expected = bench.ordinary(prompt, 512, sampling)
    bench.replay(expected, prompt, right)
    bench.decoder.control.limits = DraftLimits(length)
    n = 512 if right else 160  # as many rounds
    reply = run(bench.decoder, prompt, n, sampling)
    assert reply.tokens == expected.tokens[:n]
    assert expected.text.startswith(reply.text)
    stats = bench.decoder.stats
    if right == 1.0:
        assert stats.accepted == stats.verified > 0
        assert stats.rollbacks == 0
    elif right == 0.0:
        assert stats.accepted == 0
        assert stats.verification_steps == n
        assert stats.rollbacks == n - 1  # the last step has room for one token
    bench.assert_counted(reply.rounds)


@SAMPLINGS
@LENGTHS
@pytest.mark.parametrize("kind", NGRAM_KINDS, ids=lambda kind: kind.to_str())
def test_with_ngrams(bench: Bench, kind: SpeculativeType, length: int, sampling: SamplingParams) -> None:
    prompt = ring_prompt()
    expected = bench.ordinary(prompt, 256, sampling)
    bench.decoder.drafter = make_ngram(kind, short_config(kind))
    bench.decoder.control.limits = DraftLimits(length)
    reply = run(bench.decoder, prompt, 256, sampling)
    assert reply.tokens == expected.tokens
    assert 0 < bench.decoder.stats.accepted < bench.decoder.stats.verified
    bench.assert_counted(reply.rounds)


@SAMPLINGS
@LENGTHS
def test_with_a_draft_model(bench: Bench, hybrid: Path, length: int, sampling: SamplingParams) -> None:
    prompt = ring_prompt(1.2)
    expected = bench.ordinary(prompt, 256, sampling)
    spec = SpecConfig(
        SpeculativeType.DRAFT_SIMPLE,
        draft_model_path=str(make_lfm2(hybrid.parent / "draft.gguf", TargetSpec(drift=0.6))),
        draft_n_max=length,
    )
    drafter = load_draft_model(spec, bench.decoder.target, n_threads=1, n_threads_batch=1)
    try:
        bench.decoder.drafter = drafter
        bench.decoder.control.limits = limits_for(drafter, length)
        reply = run(bench.decoder, prompt, 256, sampling)
        assert reply.tokens == expected.tokens
        assert 0 < bench.decoder.stats.accepted < bench.decoder.stats.verified
        bench.assert_counted(reply.rounds)
    finally:
        bench.decoder.drafter = None
        drafter.close()


def test_a_repeated_prompt_with_stop_strings(bench: Bench) -> None:
    """A block that is cut after drafts were agreed on is taken back to the cut."""
    prompt = ring_prompt(1.2)
    expected = bench.ordinary(prompt, 120, GREEDY)
    bench.replay(expected, prompt, 1.0)
    bench.decoder.control.limits = DraftLimits(15)
    text = expected.text
    for at in (30, 41, 57):
        stop = text[at : at + 3]
        reply = run(bench.decoder, prompt, 120, stop=[stop])
        assert reply.text == text[: text.index(stop)]
        assert reply.finish == "stop"
        check(bench.decoder.stats, reply.rounds)
        again = run(bench.decoder, prompt, 120)
        assert_same_text(bench.decoder, prompt, expected, again)


def test_on_the_device(hybrid: Path) -> None:
    bench = Bench(hybrid_decoder(hybrid, ON_DEVICE), ON_DEVICE)
    try:
        prompt = ring_prompt(1.2)
        expected = bench.ordinary(prompt, 256, WARM)
        bench.replay(expected, prompt, 0.6)
        reply = run(bench.decoder, prompt, 256, WARM)
        assert reply.tokens == expected.tokens
        bench.assert_counted(reply.rounds)
    finally:
        bench.decoder.close()


def test_a_full_context_ends_the_reply(hybrid: Path) -> None:
    for memory in (SNAPSHOTS, FEW_SNAPSHOTS, CHECKPOINTS):
        decoder = hybrid_decoder(hybrid, memory, n_ctx=256)
        try:
            prompt = ring_prompt(1.0)[:60]
            ordinary = run(decoder, prompt, None, ignore_eos=True)
            assert len(prompt) + len(ordinary.tokens) == 257
            for right in (1.0, 0.6, 0.0):
                decoder.drafter = ReplayDrafter(
                    ordinary.tokens, len(prompt), right, decoder.target.model.n_vocab
                )
                reply = run(decoder, prompt, None, ignore_eos=True)
                assert reply.finish == "length"
                assert_same_text(decoder, prompt, ordinary, reply)
        finally:
            decoder.close()


def test_two_thousand_rounds_do_not_grow(bench: Bench) -> None:
    prompt = ring_prompt(1.2)
    expected = bench.ordinary(prompt, 500, GREEDY)
    bench.replay(expected, prompt, 0.0)
    bench.decoder.control.limits = DraftLimits(5)
    process = psutil.Process()
    run(bench.decoder, prompt, 500)
    held, before = bench.decoder.target.counts.buffer_bytes, process.memory_info().rss
    for _ in range(4):
        assert run(bench.decoder, prompt, 500).tokens == expected.tokens
        assert bench.decoder.stats.checkpoint_buffer_bytes == held
    assert process.memory_info().rss - before < 6 * 2**20
