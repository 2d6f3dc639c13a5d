"""Whether a draft model's vocabulary fits the target's, and the translation where added tokens differ.

The rule is the native project's: the same kind of vocabulary, the same automatic BOS and EOS, about the
same size, the same tokens. Beyond it, added tokens (control, user-defined, unused) may differ, since
fine-tunes of one model do; they are translated by their text. Knows vocabularies only, no contexts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.engine.handles import Ints, Model
from app.engine.native import BOOL, I32, STR, VOID, function

# Sizes may differ by padding and added tokens.
MAX_SIZE_DIFFERENCE = 128
# The first tokens are special ones, which files name as they like.
FIRST_CHECKED = 5
NO_TOKEN = -1

_KINDS = ("none", "SentencePiece", "BPE", "WordPiece", "Unigram", "RWKV", "PLaMo-2", "test")
_ADDED = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 4  # unknown, unused, control, user-defined

_vocab_type = function("llama_vocab_type", I32, VOID)
_text = function("llama_vocab_get_text", STR, VOID, I32)
_attributes = function("llama_vocab_get_attr", I32, VOID, I32)
_add_eos = function("llama_vocab_get_add_eos", BOOL, VOID)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What must agree. `bos` and `eos` are -1 when they are not added to a text by themselves."""

    kind: str
    tokens: tuple[bytes, ...]
    added: frozenset[int]
    bos: int = NO_TOKEN
    eos: int = NO_TOKEN

    @classmethod
    def of(cls, model: Model) -> Vocabulary:
        vocab = model.vocab
        number = _vocab_type(vocab)
        ids = range(model.n_vocab)
        return cls(
            kind=_KINDS[number] if 0 <= number < len(_KINDS) else f"number {number}",
            tokens=tuple(_text(vocab, t) or b"" for t in ids),
            added=frozenset(t for t in ids if _attributes(vocab, t) & _ADDED),
            bos=model.bos if model.adds_bos else NO_TOKEN,
            eos=model.eos if _add_eos(vocab) else NO_TOKEN,
        )


@dataclass(frozen=True, slots=True)
class Translation:
    """`to_draft[target token]` and `to_target[draft token]`; NO_TOKEN where there is none alike."""

    to_draft: Ints
    to_target: Ints


def check_vocabularies(target: Vocabulary, draft: Vocabulary) -> EnvironmentProblem | None:
    """Why the draft's tokens cannot stand for the target's, or None if they can."""
    why = _difference(target, draft)
    if not why:
        return None
    return EnvironmentProblem(
        say("The draft model's vocabulary does not fit the target's."),
        why,
        say("Choose a smaller model of the same family, or go on without speculation."),
        code="vocabulary-differs",
    )


def translation(target: Vocabulary, draft: Vocabulary) -> Translation | None:
    """How tokens go over, for vocabularies that fit; None when every token is the same in both."""
    if target.tokens == draft.tokens:
        return None
    return Translation(_ids(target, draft), _ids(draft, target))


def _difference(target: Vocabulary, draft: Vocabulary) -> str:
    if target.kind != draft.kind:
        return say(
            "The target's is of the kind {target}, the draft's {draft}.", target=target.kind, draft=draft.kind
        )
    for name in ("bos", "eos"):
        ours, theirs = getattr(target, name), getattr(draft, name)
        if ours != theirs:
            return say(
                "Automatic {name}: {ours} in the target, {theirs} in the draft.",
                name=name.upper(),
                ours=_added(ours),
                theirs=_added(theirs),
            )
    sizes = len(target.tokens), len(draft.tokens)
    if abs(sizes[0] - sizes[1]) > MAX_SIZE_DIFFERENCE:
        return say(
            "The target has {target} tokens and the draft {draft}; a difference of up to {most} is allowed.",
            target=sizes[0],
            draft=sizes[1],
            most=MAX_SIZE_DIFFERENCE,
        )
    added = target.added & draft.added
    for token in range(FIRST_CHECKED, min(sizes)):
        if target.tokens[token] != draft.tokens[token] and token not in added:
            ours, theirs = (v.tokens[token].decode("utf-8", "replace") for v in (target, draft))
            return say(
                "Token {n} is {ours!r} in the target and {theirs!r} in the draft.",
                n=token,
                ours=ours,
                theirs=theirs,
            )
    return ""


def _added(token: int) -> str:
    return say("none") if token == NO_TOKEN else say("token {n}", n=token)


def _ids(source: Vocabulary, goal: Vocabulary) -> Ints:
    """For every token of `source` the same one in `goal`: at the same place, or an added one by its text."""
    ids = np.arange(len(source.tokens), dtype=np.int32)
    by_text = {goal.tokens[t]: t for t in goal.added}
    for token, text in enumerate(source.tokens):
        if token >= len(goal.tokens) or goal.tokens[token] != text:
            ids[token] = by_text.get(text, NO_TOKEN)
    return ids
