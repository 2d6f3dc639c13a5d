"""Training prompts are varied, reproducible, and none comes near a held-out prompt."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import prompts
import pytest
from answers import read_answers
from chat import END, Vocabulary
from paths import HELDOUT, STATE

from app.core.locations import default_draft


@pytest.fixture(scope="module")
def heldout() -> list[tuple[str, str]]:
    return prompts.read_heldout(HELDOUT)


@pytest.fixture
def accept(heldout: list[tuple[str, str]]) -> prompts.PromptFilter:
    return prompts.PromptFilter([text for _, text in heldout])


def test_held_out_prompts_are_many_and_varied(heldout: list[tuple[str, str]]) -> None:
    categories = Counter(category for category, _ in heldout)
    assert len(heldout) >= 60
    assert len(categories) >= 12
    assert min(categories.values()) >= 4
    assert len({text for _, text in heldout}) == len(heldout)


def test_same_seed_same_prompts() -> None:
    first = list(islice(prompts.make_prompts(5), 200))
    assert first == list(islice(prompts.make_prompts(5), 200))
    assert first != list(islice(prompts.make_prompts(6), 200))


def test_generated_prompts_are_varied_and_filled_in() -> None:
    made = list(islice(prompts.make_prompts(1), 4000))
    texts = {text for _, text in made}
    assert len(texts) > 3000
    assert {category for category, _ in made} == set(prompts.MAKERS)
    assert not [text for text in texts if "{" in text or "}" in text]


def test_passages_are_used_where_given() -> None:
    prompts.use_passages(["Whales sing at night."])
    try:
        made = [text for category, text in islice(prompts.make_prompts(2), 400) if category == "summary"]
    finally:
        prompts.use_passages([])
    assert made
    assert all("Whales sing at night." in text for text in made)


def test_a_prompt_is_accepted_once(accept: prompts.PromptFilter) -> None:
    assert accept.accept("How do lighthouses warn ships in fog?")
    assert not accept.accept("how do lighthouses warn ships in fog")
    assert not accept.accept("  ?! ")


def test_held_out_prompts_and_close_relatives_are_refused(
    accept: prompts.PromptFilter, heldout: list[tuple[str, str]]
) -> None:
    for _, text in heldout:
        assert accept.near_duplicate(text)
        assert not accept.accept(f"{text.upper()} Please.")
    assert accept.near_duplicate("Tell me a short tale about a baker who is afraid of dogs.")
    assert not accept.near_duplicate("Tell me about a lighthouse keeper and her dog.")


def test_generated_prompts_that_pass_are_far_from_held_out_ones(accept: prompts.PromptFilter) -> None:
    passed = [text for _, text in islice(prompts.make_prompts(3), 3000) if accept.accept(text)]
    assert len(passed) > 2000
    assert not [text for text in passed if accept.near_duplicate(text)]


def test_no_committed_training_prompt_is_near_a_held_out_one(accept: prompts.PromptFilter) -> None:
    sidecar = default_draft()
    assert sidecar is not None
    vocabulary = Vocabulary(sidecar)  # a sidecar's tokens are its target's
    files = sorted(STATE.glob("answers-*.npz"))
    assert files
    for path in files:
        answers = read_answers(path)
        for tokens, prompt_len in zip(answers.tokens, answers.prompt_len, strict=True):
            text = vocabulary.decode(tokens[:prompt_len].tolist())
            user = text.split("<|im_start|>user\n", 1)[1].rsplit("<|im_end|>", 1)[0]
            assert not accept.near_duplicate(user), f"{path.name}: {user!r}"
            assert tokens[prompt_len - 6] == END
