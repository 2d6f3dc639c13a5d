"""The made models load in the native library, draft as they were made to, and change nothing in the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models import DFLASH, DFLASH2, DSPARK, SidecarSpec, TargetSpec, make_sidecar, make_target
from tests.models.native import DraftFacts, NativePair, Outcome
from tests.models.vocabulary import IM_END, MASK

PROMPT = "<|im_start|>user\nTell me about the ring.<|im_end|>\n<|im_start|>assistant\n"
LENGTH = 120


def run(
    target: Path, spec: SidecarSpec | None = None, sidecar: Path | None = None, prompt: str = PROMPT
) -> Outcome:
    facts = None
    if spec is not None:
        facts = DraftFacts(
            spec.target_layers,
            spec.block_size,
            MASK,
            spec.first_slot,
            spec.causal,
            spec.selector_top_k if spec.algorithm == DFLASH2 else 0,
            spec.mrope,
        )
    with NativePair(target, sidecar, facts) as pair:
        return pair.generate(pair.tokenize(prompt), LENGTH)


@pytest.fixture(scope="module")
def ordinary(tiny_target: Path) -> Outcome:
    return run(tiny_target)


def test_greedy_text_is_varied_and_depends_on_the_context(tiny_target: Path, ordinary: Outcome) -> None:
    ring = TargetSpec().vocabulary().ring
    place = {token: i for i, token in enumerate(ring)}
    pairs = list(zip(ordinary.tokens, ordinary.tokens[1:], strict=False))
    kept = sum(place[b] == (place[a] + 1) % len(ring) for a, b in pairs) / len(pairs)
    assert len(set(ordinary.tokens)) > 50
    assert 0.6 < kept < 0.97, "a pure ring would hide faults in the cache, pure noise would accept nothing"
    assert ordinary.smallest_gap > 0.005
    followers: dict[int, set[int]] = {}
    for a, b in pairs:
        followers.setdefault(a, set()).add(b)
    assert any(len(f) > 1 for f in followers.values()), "the same token goes on differently in other contexts"


@pytest.mark.parametrize(
    "spec",
    [
        SidecarSpec(),
        SidecarSpec(causal=True),
        SidecarSpec(block_size=16),
        SidecarSpec(reads_features=False, target_layers=(1, 3)),
        SidecarSpec(target_layers=(2, 0, 3)),
        SidecarSpec(draft_vocab=120),
        SidecarSpec(own_embeddings=True, own_head=True),
        SidecarSpec(mrope=True),
        SidecarSpec(DSPARK),
        SidecarSpec(DSPARK, causal=True),
        SidecarSpec(DSPARK, sample_from_anchor=True, draft_vocab=120, confidence=False),
        SidecarSpec(DSPARK, sample_from_anchor=False),
        SidecarSpec(DFLASH2),
        SidecarSpec(DFLASH2, causal=True, selector_top_k=4, draft_vocab=120),
    ],
    ids=lambda s: f"{s.algorithm}-{s.block_size}-{'causal' if s.causal else 'both'}-{s.draft_vocab}",
)
def test_every_sidecar_loads_and_is_right_for_its_target(
    spec: SidecarSpec, tiny_target: Path, ordinary: Outcome, tmp_path: Path
) -> None:
    outcome = run(tiny_target, spec, make_sidecar(tmp_path / "sidecar.gguf", spec))
    assert outcome.tokens == ordinary.tokens
    rates = [a / d for a, d in zip(outcome.accepted, outcome.drafted, strict=True)]
    assert len(rates) == spec.block_size - spec.first_slot
    assert rates[0] > 0.2
    assert rates[3] > 0.1, "drafts deep in the block are foretold as well, not only the first"
    assert min(rates) < 1.0, "some drafts must be rejected, or rolling back is not exercised"


def test_a_sidecar_that_reads_features_needs_them_in_the_right_place(
    tiny_target: Path, ordinary: Outcome, tmp_path: Path
) -> None:
    told, used = SidecarSpec(target_layers=(2, 0, 3)), SidecarSpec(target_layers=(0, 2, 3))
    outcome = run(tiny_target, told, make_sidecar(tmp_path / "sidecar.gguf", used))
    assert outcome.tokens == ordinary.tokens
    assert outcome.accepted[0] / outcome.drafted[0] < 0.05


@pytest.mark.parametrize("target", [TargetSpec("qwen3"), TargetSpec(tied=True)], ids=["qwen3", "tied"])
def test_other_targets_load_beside_a_sidecar(target: TargetSpec, tmp_path: Path) -> None:
    path = make_target(tmp_path / "target.gguf", target)
    spec = SidecarSpec(target=target)
    outcome = run(path, spec, make_sidecar(tmp_path / "sidecar.gguf", spec))
    assert outcome.tokens == run(path).tokens


def test_a_target_without_drift_is_foretold_in_full(tmp_path: Path) -> None:
    target = TargetSpec(drift=0.0)
    path = make_target(tmp_path / "target.gguf", target)
    for algorithm in (DFLASH, DSPARK, DFLASH2):
        spec = SidecarSpec(algorithm, target)
        outcome = run(path, spec, make_sidecar(tmp_path / "sidecar.gguf", spec))
        missed = [d - a for a, d in zip(outcome.accepted, outcome.drafted, strict=True)]
        # The prompt's last token is off the ring, so nothing foretells the first reply token.
        assert max(missed) <= 2, algorithm


def test_a_target_that_ends_emits_its_end_token(tmp_path: Path) -> None:
    spec = TargetSpec(ends=True)
    outcome = run(make_target(tmp_path / "target.gguf", spec), prompt="Hello")
    assert IM_END in outcome.tokens


def test_a_made_file_is_the_same_every_time(tmp_path: Path) -> None:
    for make, name in ((make_target, "target"), (make_sidecar, "sidecar")):
        first, second = make(tmp_path / f"{name}-1.gguf"), make(tmp_path / f"{name}-2.gguf")
        assert first.read_bytes() == second.read_bytes()


def test_reduced_vocabulary_lists_ids_of_the_ring() -> None:
    spec = SidecarSpec(draft_vocab=100)
    assert len(spec.d2t()) == 100
    assert set(spec.d2t()) <= set(spec.target.vocabulary().ring)
    assert SidecarSpec(DFLASH).d2t() == []
