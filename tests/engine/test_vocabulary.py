"""Which vocabularies fit each other, what the refusal says, and how added tokens go over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.handles import Model
from app.engine.vocabulary import NO_TOKEN, Vocabulary, check_vocabularies, translation

WORDS = tuple(f"word{i}".encode() for i in range(20))
PLAIN = Vocabulary("BPE", (b"<s>", b"</s>", b"<unk>", *WORDS), frozenset({0, 1, 2}))


def with_tokens(tokens: dict[int, bytes], added: set[int]) -> Vocabulary:
    new = list(PLAIN.tokens)
    for place, text in sorted(tokens.items()):
        new[place : place + 1] = [text]
    return replace(PLAIN, tokens=tuple(new), added=PLAIN.added | added)


def test_the_same_vocabulary_needs_no_translation() -> None:
    assert check_vocabularies(PLAIN, PLAIN) is None
    assert translation(PLAIN, PLAIN) is None


@pytest.mark.parametrize(
    ("draft", "why"),
    [
        (replace(PLAIN, kind="SentencePiece"), "The target's is of the kind BPE, the draft's SentencePiece."),
        (replace(PLAIN, bos=1), "Automatic BOS: none in the target, token 1 in the draft."),
        (replace(PLAIN, eos=2), "Automatic EOS: none in the target, token 2 in the draft."),
        (with_tokens({9: b"other"}, set()), "Token 9 is 'word6' in the target and 'other' in the draft."),
        (with_tokens({9: b"<tool>"}, {9}), "Token 9 is 'word6' in the target and '<tool>' in the draft."),
        (
            replace(PLAIN, tokens=(*PLAIN.tokens, *(b"pad%d" % i for i in range(129)))),
            "The target has 23 tokens and the draft 152; a difference of up to 128 is allowed.",
        ),
    ],
)
def test_a_refusal_names_what_differs(draft: Vocabulary, why: str) -> None:
    problem = check_vocabularies(PLAIN, draft)
    assert problem is not None
    assert problem.why == why
    assert problem.code == "vocabulary-differs"


def test_the_first_tokens_may_have_other_names() -> None:
    draft = with_tokens({0: b"<bos>", 1: b"<eos>"}, set())
    assert check_vocabularies(PLAIN, draft) is None
    found = translation(PLAIN, draft)
    assert found is not None
    assert found.to_draft[:3].tolist() == [NO_TOKEN, NO_TOKEN, 2]


def test_added_tokens_are_translated_by_their_text() -> None:
    target = with_tokens({10: b"<user>", 11: b"<tool>", 12: b"<think>"}, {10, 11, 12})
    draft = with_tokens({10: b"<tool>", 11: b"<user>", 12: b"<image>"}, {10, 11, 12})
    draft = replace(draft, tokens=(*draft.tokens, b"<think>", b"<pad>"), added=draft.added | {23, 24})
    assert check_vocabularies(target, draft) is None
    found = translation(target, draft)
    assert found is not None
    assert found.to_draft[8:14].tolist() == [8, 9, 11, 10, 23, 13]
    assert found.to_target[8:14].tolist() == [8, 9, 11, 10, NO_TOKEN, 13]
    assert found.to_target[23:].tolist() == [12, NO_TOKEN]


def test_a_models_vocabulary_is_read(tiny_target: Path) -> None:
    model = Model(str(tiny_target))
    try:
        vocabulary = Vocabulary.of(model)
        assert vocabulary.kind == "BPE"
        assert len(vocabulary.tokens) == model.n_vocab
        assert vocabulary.tokens[1] == b"<|im_start|>"
        assert {0, 1, 2, 3} <= vocabulary.added
        assert model.tokenize("a", False, False)[0] not in vocabulary.added
        assert vocabulary.bos == vocabulary.eos == NO_TOKEN
    finally:
        model.close()
