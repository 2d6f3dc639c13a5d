"""Greedy speculative output equals ordinary output for every drafter, or parts from it at a proven tie."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.conversation import ChatMessage
from app.core.locations import resources_dir
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.decoding import Decoder
from app.engine.load_options import available_cores
from app.engine.ties import explain
from app.gguf.kinds import sidecar_type
from tests.engine.support import GREEDY, ReplayDrafter, Reply, bare_decoder, collect, run

KINDS = {
    "DFlash": SpeculativeType.DRAFT_DFLASH,
    "DSpark": SpeculativeType.DRAFT_DSPARK,
    "DFlash2": SpeculativeType.DRAFT_DFLASH,
}
WARM = SamplingParams(temperature=0.8, seed=3)
PROMPT = [40 + (7 * i) % 90 for i in range(50)]

# Short, different from one another, and none of them a template of the sidecar's training.
PROMPTS = (
    "Why do cats purr?",
    "Write a short poem about a lighthouse in winter.",
    "List five things to pack for a week of hiking.",
    "What is the capital of Australia, and why is it not Sydney?",
    "Explain recursion to a ten-year-old.",
    "Write a Python function that reverses the words of a sentence.",
    "Translate 'The train leaves at seven' into French.",
    "Summarise the story of Romeo and Juliet in three sentences.",
    "What is 17 times 23? Show your steps.",
    "Give me a recipe for tomato soup.",
    "How does a refrigerator keep food cold?",
    "Write a polite email asking for a day off.",
    "Compare cats and dogs as pets.",
    "What are the causes of the French Revolution?",
    "Describe the taste of a lemon without naming a fruit.",
    "Correct this sentence: 'He go to school every days.'",
    "Name three planets with rings.",
    "Tell me a joke about programmers.",
    "What should I do if my computer does not start?",
    "Write the first paragraph of a mystery novel.",
)


def generate(llm: Llama, tokens: list[int], n: int, on: bool, sampling: SamplingParams = GREEDY) -> Reply:
    llm.set_speculation(on)
    events = list(llm.generate(tokens, sampling, n, ignore_eos=True))
    return collect(events, llm.last_rounds)


def assert_equal_or_tie(
    decoder: Decoder, prompt: list[int], ordinary: Reply, other: Reply, width: int
) -> None:
    found = explain(decoder.target, prompt, ordinary.tokens, other.tokens, width)
    assert found is None or found.is_tie, f"texts part at {found}, which is no tie"
    if found is None:
        assert other.text == ordinary.text


def load(target: Path, sidecar: Path, kind: SpeculativeType, n_max: int, p_min: float = 0.0) -> Llama:
    return Llama(
        str(target),
        n_ctx=2048,
        n_threads=1,
        speculative=SpecConfig(
            spec_type=kind, draft_model_path=str(sidecar), draft_n_max=n_max, draft_p_min=p_min
        ),
        verbose=False,
    )


@pytest.mark.parametrize("n_max", [1, 3, 7])
@pytest.mark.parametrize("name", KINDS)
def test_tiny_pairs(tiny_target: Path, tiny_sidecars: dict[str, Path], name: str, n_max: int) -> None:
    with load(tiny_target, tiny_sidecars[name], KINDS[name], n_max) as llm:
        for sampling in (GREEDY, WARM):
            ordinary = generate(llm, PROMPT, 256, on=False, sampling=sampling)
            speculative = generate(llm, PROMPT, 256, on=True, sampling=sampling)
            stats = llm.decoder.stats
            assert max(r.verified for r in speculative.rounds) == n_max
            # The made sidecars foretell the made target: some drafts are right, some wrong.
            assert 0 < stats.accepted < stats.verified
            if sampling is GREEDY:
                assert_equal_or_tie(llm.decoder, PROMPT, ordinary, speculative, n_max + 1)
            else:
                assert speculative.tokens == ordinary.tokens


@pytest.mark.parametrize("name", KINDS)
def test_p_min_shortens_drafts_and_changes_nothing_else(
    tiny_target: Path, tiny_sidecars: dict[str, Path], name: str
) -> None:
    with load(tiny_target, tiny_sidecars[name], KINDS[name], 7) as llm:
        ordinary = generate(llm, PROMPT, 200, on=False)
        free = generate(llm, PROMPT, 200, on=True)
        llm.set_draft_limits(7, 0, 0.6)
        careful = generate(llm, PROMPT, 200, on=True)
        assert careful.tokens == free.tokens == ordinary.tokens
        length_free = sum(len(r.drafted) for r in free.rounds) / len(free.rounds)
        length_careful = sum(len(r.drafted) for r in careful.rounds) / len(careful.rounds)
        assert length_careful < length_free
        kept = sum(r.accepted for r in careful.rounds) / max(sum(r.verified for r in careful.rounds), 1)
        given = sum(r.accepted for r in free.rounds) / sum(r.verified for r in free.rounds)
        assert kept > given
        llm.set_draft_limits(7, 7, 0.6)
        assert {len(r.drafted) for r in generate(llm, PROMPT, 100, on=True).rounds} <= {0, 7}


@pytest.fixture(scope="module")
def ordinary_replies(default_pair: tuple[Path, Path]) -> dict[str, tuple[list[int], Reply]]:
    """Prompt tokens and the ordinary reply of the default target, by question."""
    with Llama(str(default_pair[0]), n_ctx=2048, verbose=False) as llm:
        found = {}
        for text in PROMPTS:
            prompt = llm.chat_tokens([ChatMessage("user", text)])
            found[text] = prompt, generate(llm, prompt, 256, on=False)
        return found


def shipped_sidecars() -> list[Path]:
    return sorted((resources_dir() / "sidecars").glob("*.gguf"))


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("sidecar", shipped_sidecars(), ids=lambda path: path.stem)
def test_default_target_with_every_shipped_sidecar(
    default_pair: tuple[Path, Path], ordinary_replies: dict[str, tuple[list[int], Reply]], sidecar: Path
) -> None:
    ties = 0
    with Llama(
        str(default_pair[0]),
        n_ctx=2048,
        speculative=SpecConfig(
            spec_type=sidecar_type(str(sidecar)), draft_model_path=str(sidecar), draft_n_max=7
        ),
        verbose=False,
    ) as llm:
        for prompt, ordinary in ordinary_replies.values():
            speculative = generate(llm, prompt, 256, on=True)
            assert llm.decoder.stats.accepted > 0
            ties += ordinary.tokens != speculative.tokens
            assert_equal_or_tie(llm.decoder, prompt, ordinary, speculative, 8)
    # Widths differ by up to a logit on this Q4_1 file, so a long reply may well come to a tie.
    print(f"{sidecar.stem}: {ties} of {len(PROMPTS)} replies part at a tie")


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_default_target_with_a_replay_drafter(
    default_pair: tuple[Path, Path], ordinary_replies: dict[str, tuple[list[int], Reply]]
) -> None:
    decoder = bare_decoder(default_pair[0], n_max=7, threads=available_cores())
    accepted = verified = 0
    try:
        for prompt, ordinary in ordinary_replies.values():
            decoder.drafter = ReplayDrafter(ordinary.tokens, len(prompt), 0.6, decoder.target.model.n_vocab)
            speculative = run(decoder, prompt, 256, ignore_eos=True)
            # Behind a tie the replayed answer is of no use any more.
            if speculative.tokens == ordinary.tokens:
                accepted += decoder.stats.accepted
                verified += decoder.stats.verified
            assert_equal_or_tie(decoder, prompt, ordinary, speculative, 8)
    finally:
        decoder.close()
    # Tokens right with 0.6 each: of a draft of seven, 0.6 + 0.6^2 + ... + 0.6^7 are accepted on average.
    assert accepted / verified == pytest.approx(1.458 / 7, abs=0.06)
