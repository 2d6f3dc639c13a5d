"""Next-token heads and EAGLE-3 in the program's own hands: lossless, counted, and in step with the text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.events import ReplyStarted, RoundDone
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.drafters.paired import PairedDrafter
from tests.engine.copying import assert_same_text
from tests.engine.support import GREEDY, Reply, collect
from tests.engine.test_counting import check
from tests.models import TargetSpec, make_target
from tests.models.eagle3 import Eagle3Spec, make_eagle3
from tests.models.memories import make_memory

T = SpeculativeType
WARM = SamplingParams(temperature=0.8, seed=3)
PROMPT = [40 + (7 * i) % 90 for i in range(50)]


@dataclass(frozen=True)
class Pair:
    """`foretold`: the least share of first drafts that are right; a wrong row or position halves it."""

    target: Path
    kind: SpeculativeType
    draft: Path | None
    name: str
    foretold: float


def pairs(folder: Path) -> dict[str, Pair]:
    llama = make_target(folder / "llama.gguf")
    whole = {
        name: make_memory(folder / f"{name}.gguf", name, TargetSpec(mtp_heads=heads))
        for name, heads in (("qwen35", 1), ("qwen3next", 1), ("mimo2", 3))
    }
    plain = make_memory(folder / "plain.gguf", "qwen35")
    alone = make_memory(folder / "alone.gguf", "qwen35", TargetSpec(mtp_heads=1), heads_alone=True)
    eagle = make_eagle3(folder / "eagle3.gguf")
    reduced = make_eagle3(
        folder / "reduced.gguf", Eagle3Spec(draft_vocab=120, own_embeddings=True, norm_before_fc=True)
    )
    last = make_eagle3(folder / "last.gguf", Eagle3Spec(target_layers=(0, 2, 4)))
    return {
        "heads": Pair(whole["qwen35"], T.DRAFT_MTP, None, "MTP", 0.4),
        "heads-checkpoints": Pair(whole["qwen3next"], T.DRAFT_MTP, None, "MTP", 0.3),
        "heads-chained": Pair(whole["mimo2"], T.DRAFT_MTP, None, "MTP", 0.5),
        "heads-file": Pair(plain, T.DRAFT_MTP, alone, "MTP", 0.4),
        "eagle3": Pair(llama, T.DRAFT_EAGLE3, eagle, "EAGLE-3", 0.5),
        "eagle3-reduced": Pair(llama, T.DRAFT_EAGLE3, reduced, "EAGLE-3", 0.4),
        "eagle3-last-state": Pair(whole["qwen35"], T.DRAFT_EAGLE3, last, "EAGLE-3", 0.3),
    }


NAMES = (
    "heads", "heads-checkpoints", "heads-chained", "heads-file", "eagle3", "eagle3-reduced",
    "eagle3-last-state",
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    return pairs(tmp_path_factory.mktemp("pairs"))


def load(pair: Pair, n_max: int = 3, **options: object) -> Llama:
    spec = SpecConfig(pair.kind, draft_n_max=n_max, draft_model_path=str(pair.draft) if pair.draft else None)
    return Llama(str(pair.target), n_ctx=1024, n_threads=1, speculative=spec, verbose=False, **options)  # type: ignore[arg-type]


def generate(
    llm: Llama, tokens: list[int], n: int, on: bool = True, sampling: SamplingParams = GREEDY
) -> Reply:
    llm.set_speculation(on)
    return collect(list(llm.generate(tokens, sampling, n, ignore_eos=True)), llm.last_rounds)


@pytest.mark.parametrize("name", NAMES)
def test_lossless_counted_and_foretelling(made: dict[str, Pair], name: str) -> None:
    pair = made[name]
    with load(pair) as llm:
        assert llm.pair.algorithm == llm.status().algorithm == pair.name
        assert llm.pair.draft_path == (str(pair.draft) if pair.draft else "")
        ordinary = generate(llm, PROMPT, 160, on=False)
        reply = generate(llm, PROMPT, 160)
        assert_same_text(llm.decoder, PROMPT, ordinary, reply)
        stats = llm.decoder.stats
        assert 0 < stats.accepted < stats.verified
        assert max(r.verified for r in reply.rounds) == 3
        check(stats, list(reply.rounds))
        by_position = stats.as_dict()["conditional_acceptance_per_position"]
        # Were it out of step by one row, what comes after the first draft would be wrong throughout.
        assert by_position[0] > pair.foretold  # type: ignore[index]
        assert by_position[1] > 0.4  # type: ignore[index]
        llm.reset()
        assert generate(llm, PROMPT, 160).tokens == reply.tokens


@pytest.mark.parametrize("name", ["heads", "heads-chained", "eagle3"])
def test_it_stays_in_step_from_turn_to_turn(made: dict[str, Pair], name: str) -> None:
    """A second prompt shares a beginning with the first reply; a third one only a part of the prompt."""
    with load(made[name], ctx_checkpoints=4) as llm:
        first = generate(llm, PROMPT, 60)
        second = [*PROMPT, *first.tokens, 44, 45, *PROMPT[:20]]
        third = [*PROMPT[:30], 44, *PROMPT[:30]]
        drafter = llm.decoder.drafter
        assert isinstance(drafter, PairedDrafter)
        for prompt in (second, third):
            reply = generate(llm, prompt, 60)
            started = reply.events[0]
            assert isinstance(started, ReplyStarted)
            # The last tokens wait in a state that the next prompt need not share.
            assert prompt is not second or started.reused_tokens > len(PROMPT) - 20
            assert drafter.known == len(llm.decoder.target.cached)
            kept = llm.decoder.stats.accepted
            llm.reset()
            fresh = generate(llm, prompt, 60)
            assert_same_text(llm.decoder, prompt, fresh, reply)
            assert kept > 0.6 * llm.decoder.stats.accepted


@pytest.mark.parametrize("name", ["heads", "eagle3"])
def test_switched_off_and_on_in_the_middle(made: dict[str, Pair], name: str) -> None:
    with load(made[name]) as llm:
        ordinary = generate(llm, PROMPT, 120, on=False)
        llm.reset()
        llm.set_speculation(True)
        events = []
        for event in llm.generate(PROMPT, GREEDY, 120, ignore_eos=True):
            events.append(event)
            if isinstance(event, RoundDone):
                produced = sum(len(r.tokens) for r in llm.last_rounds)
                llm.set_speculation(not 30 < produced < 60)
        reply = collect(events, llm.last_rounds)
        assert_same_text(llm.decoder, PROMPT, ordinary, reply)
        drafting = [r.position for r in reply.rounds if r.drafted]
        assert min(drafting) < len(PROMPT) + 30
        assert max(drafting) > len(PROMPT) + 60
        assert [r for r in reply.rounds if not r.drafted]


def test_p_min_ends_a_draft(made: dict[str, Pair]) -> None:
    for name in ("heads", "heads-chained", "eagle3"):
        with load(made[name]) as llm:
            free = generate(llm, PROMPT, 100)
            llm.set_draft_limits(3, 0, 0.9)
            llm.reset()
            careful = generate(llm, PROMPT, 100)
            assert careful.tokens == free.tokens
            assert sum(len(r.drafted) for r in careful.rounds) < sum(len(r.drafted) for r in free.rounds)


def test_a_chain_is_as_long_as_its_heads(made: dict[str, Pair]) -> None:
    with load(made["heads-chained"], 7) as llm:
        assert llm.effective_draft_n_max == llm.pair.draft_n_max_limit == 3
        assert "3 next-token heads" in " ".join(llm.pair.warnings)
    with load(made["heads"], 7) as llm:
        assert llm.effective_draft_n_max == 7
        llm.set_draft_limits(15)
        assert llm.effective_draft_n_max == 15


def test_a_target_without_heads_goes_on_without_them(made: dict[str, Pair]) -> None:
    llama = made["eagle3"].target
    spec = SpecConfig(T.DRAFT_MTP)
    with pytest.raises(EnvironmentProblem, match="carries no next-token heads"):
        Llama(str(llama), speculative=spec, verbose=False)
    with Llama(str(llama), n_ctx=512, speculative=spec, speculation_required=False, verbose=False) as llm:
        reason = llm.status().reason
        assert reason is not None
        assert reason.code == "no-heads"
        assert generate(llm, PROMPT, 10).tokens


def test_the_same_file_cannot_be_its_own_heads(made: dict[str, Pair]) -> None:
    whole = str(made["heads"].target)
    with pytest.raises(EnvironmentProblem) as caught:
        Llama(whole, speculative=SpecConfig(T.DRAFT_MTP, draft_model_path=whole), verbose=False)
    assert caught.value.code == "draft-is-target"


def test_combined_with_ngrams(made: dict[str, Pair]) -> None:
    pair = made["heads"]
    spec = SpecConfig((T.DRAFT_MTP, T.NGRAM_MAP_K), draft_n_max=3, ngram_size_n=3, ngram_size_m=5)
    with Llama(str(pair.target), n_ctx=1024, n_threads=1, speculative=spec, verbose=False) as llm:
        prompt = PROMPT * 2
        ordinary = generate(llm, prompt, 120, on=False)
        reply = generate(llm, prompt, 120)
        assert_same_text(llm.decoder, prompt, ordinary, reply)
        assert "MTP" in {r.algorithm for r in reply.rounds}


def test_seeded_sampling_draws_the_same(made: dict[str, Pair]) -> None:
    for name in ("heads", "eagle3"):
        with load(made[name]) as llm:
            ordinary = generate(llm, PROMPT, 100, on=False, sampling=WARM)
            llm.reset()
            assert generate(llm, PROMPT, 100, sampling=WARM).tokens == ordinary.tokens


@pytest.mark.parametrize("kind", [T.DRAFT_MTP, T.DRAFT_EAGLE3], ids=["heads", "eagle3"])
def test_an_oracle_is_always_right_and_a_stranger_seldom(tmp_path: Path, kind: SpeculativeType) -> None:
    """A target that runs along its ring like a clock, with a drafter of that ring and one of another."""
    clock, stranger = TargetSpec(drift=0.0, mtp_heads=1), TargetSpec(drift=0.0, seed=99, mtp_heads=1)
    ring = list(clock.vocabulary().ring)
    if kind is T.DRAFT_MTP:
        target = make_memory(tmp_path / "target.gguf", "qwen35", clock)
        right, wrong = (
            make_memory(tmp_path / f"{name}.gguf", "qwen35", spec, heads_alone=True)
            for name, spec in (("right", clock), ("wrong", stranger))
        )
    else:
        target = make_target(tmp_path / "target.gguf", clock)
        right, wrong = (
            make_eagle3(tmp_path / f"{name}.gguf", Eagle3Spec(target=spec))
            for name, spec in (("right", clock), ("wrong", stranger))
        )
    for draft in (right, wrong):
        with load(Pair(target, kind, draft, "", 0.0)) as llm:
            reply = generate(llm, ring[:60], 60)
            assert reply.tokens == ring[60:120]
            stats = llm.decoder.stats
            if draft is right:
                assert stats.accepted == stats.verified == 45
                assert stats.rollbacks == 0
                check(stats, list(reply.rounds))
            else:
                assert stats.accepted < stats.verified / 2
                assert stats.rollbacks > 0.9 * len(reply.rounds)
