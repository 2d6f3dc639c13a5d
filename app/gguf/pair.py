"""Do these two files fit, and if not, why: everything that must hold before the native library sees them.

It reads headers, vocabularies and the draft's token map. It loads nothing and knows no engine.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter

from app.core.errors import EnvironmentProblem
from app.core.wording import say, together
from app.gguf import architectures
from app.gguf import ggml_types as gt
from app.gguf.contract import check_contents, draft_vocab
from app.gguf.eagle3 import check_eagle3
from app.gguf.header import GgufHeader
from app.gguf.heads import check_heads_file
from app.gguf.kinds import (
    FileKind,
    classify,
    has_mrope,
    kind_of,
    not_a_sidecar,
    samples_from_anchor,
)
from app.gguf.limits import native_fault

TOKENS = "tokenizer.ggml.tokens"
_FAMILY = (FileKind.DFLASH, FileKind.DFLASH2, FileKind.DSPARK)
_ASKED = {
    "dflash": (FileKind.DFLASH, FileKind.DFLASH2),
    "dflash2": (FileKind.DFLASH2,),
    "dspark": (FileKind.DSPARK,),
    "draft-dflash": (FileKind.DFLASH, FileKind.DFLASH2),
    "draft-dspark": (FileKind.DSPARK,),
    "eagle3": (FileKind.EAGLE3,),
    "draft-eagle3": (FileKind.EAGLE3,),
    "mtp": (FileKind.MTP,),
    "draft-mtp": (FileKind.MTP,),
}
_VOCABULARY_NAMES = {
    "gpt2": "BPE",
    "llama": "SentencePiece",
    "bert": "WordPiece",
    "t5": "Unigram",
    "rwkv": "RWKV",
}


@dataclass(frozen=True, slots=True)
class PairReport:
    """`problem` None: the pair may be loaded, and the rest is what the engine needs to know.

    `algorithm` is "DFlash", "DFlash2", "DSpark", "EAGLE-3" or "MTP", from the file. `target_layers` are
    the taps in the order in which their rows are put side by side. `draft_vocab` counts the rows of the
    draft's head, which `has_d2t` maps to the target's tokens. `n_embd` is the draft's width,
    which is the target's but for EAGLE-3. `n_heads` counts next-token heads.
    """

    problem: EnvironmentProblem | None = None
    algorithm: str = ""
    block_size: int = 0
    target_layers: tuple[int, ...] = ()
    mask_token: int = -1
    selector_top_k: int = 0
    causal: bool = False
    sample_from_anchor: bool = True
    has_confidence_head: bool = False
    mrope: bool = False
    n_embd: int = 0
    n_layer: int = 0
    draft_vocab: int = 0
    has_d2t: bool = False
    own_embeddings: bool = False
    own_head: bool = False
    n_heads: int = 0


def check_pair(target: GgufHeader, draft: GgufHeader, asked: str = "auto") -> PairReport:
    """Check target, sidecar and their fit; `asked` is "auto" or the algorithm that the user wants.

    Names of algorithms are taken in any case; "draft-dflash" means DFlash and DFlash2.
    Never raises: the first fault found is the report's `problem`.
    """
    try:
        kind = _check(target, draft, asked)
    except EnvironmentProblem as problem:
        kind = kind_of(draft)
        return PairReport(problem, kind.value if kind.is_sidecar else "")
    mask = draft.metadata["tokenizer.ggml.mask_token_id"] if kind in _FAMILY else -1
    return PairReport(
        algorithm=kind.value,
        block_size=draft.number("block_size"),
        target_layers=tuple(draft.hparam("target_layers", ())),
        mask_token=mask,
        selector_top_k=draft.number("selector_top_k"),
        causal=draft.hparam("attention.causal", False) is True,
        sample_from_anchor=samples_from_anchor(draft),
        has_confidence_head="conf_proj.weight" in draft.tensors,
        mrope=has_mrope(draft),
        n_embd=draft.n_embd,
        n_layer=draft.n_layer,
        draft_vocab=draft_vocab(draft),
        has_d2t="d2t" in draft.tensors,
        own_embeddings="token_embd.weight" in draft.tensors,
        own_head="output.weight" in draft.tensors,
        n_heads=draft.number("nextn_predict_layers"),
    )


def check_target(header: GgufHeader) -> EnvironmentProblem | None:
    """Why a file cannot be loaded as the target, or None."""
    try:
        _check_target(header)
    except EnvironmentProblem as problem:
        return problem
    return None


def fitting_targets(draft: GgufHeader, targets: Iterable[GgufHeader]) -> list[GgufHeader]:
    """Those of `targets` that the sidecar can be loaded with."""
    return [target for target in targets if check_pair(target, draft).problem is None]


def _check(target: GgufHeader, draft: GgufHeader, asked: str) -> FileKind:
    kind = kind_of(draft)
    if kind is FileKind.TARGET and _same_file(target, draft):
        raise EnvironmentProblem(
            say("The target was chosen as its own sidecar."),
            say("Both are “{name}”, so nothing would be gained.", name=draft.path.name),
            say("Choose a sidecar made for the target."),
            "draft-is-target",
        )
    _check_target(target)
    if not kind.is_sidecar:
        raise not_a_sidecar(draft)
    _check_asked(kind, asked)
    if kind is FileKind.MTP:
        check_heads_file(target, draft)
        _check_vocabulary(target, draft)
        return kind
    _check_vocabulary(target, draft)
    if kind is FileKind.EAGLE3:
        check_eagle3(draft)
        _check_eagle3_width(target, draft)
    else:
        check_contents(draft, kind)
        _check_width(target, draft)
    _check_taps(target, draft, kind)
    return kind


def _check_target(header: GgufHeader) -> None:
    name, facts = header.path.name, classify(header)
    if facts.kind.is_sidecar:
        raise EnvironmentProblem(
            say("This is a sidecar; choose the target it was trained for."),
            say(
                "“{name}” is a {kind} sidecar, which drafts for a model and cannot chat by itself.",
                name=name,
                kind=facts.kind.value,
            ),
            say("Choose the target first, then this file as its sidecar."),
            "is-sidecar",
        )
    if facts.kind is not FileKind.TARGET:
        raise EnvironmentProblem(
            say("“{name}” is not a chat model.", name=name),
            say("{kind}: {why}", kind=facts.kind.value, why=facts.why_not)
            if facts.kind is not FileKind.UNKNOWN
            else facts.why_not,
            say("Choose a chat model."),
            "not-a-target",
        )
    tokens = header.arrays.get(TOKENS)
    for key in ("block_count", "context_length", "embedding_length"):
        if header.number(key) < 1:
            raise _needs_conversion(
                header,
                say(
                    "Its header has no usable “{architecture}.{key}”.",
                    architecture=header.architecture,
                    key=key,
                ),
            )
    if tokens is None or tokens.type != gt.STRING or tokens.count < 1:
        raise _needs_conversion(header, say("It carries no vocabulary."))
    if not isinstance(header.metadata.get("tokenizer.ggml.model"), str):
        raise _needs_conversion(header, say("It does not name its tokenizer."))
    _check_native_limits(header)


def _check_native_limits(header: GgufHeader) -> None:
    """What the native library would end the process over."""
    fault = native_fault(header)
    if fault:
        raise _impossible(header, fault)
    if header.architecture in architectures.ONE_HEAD_WIDTH:
        usual = header.n_embd // max(header.number("attention.head_count"), 1)
        key = header.number("attention.key_length") or usual
        value = header.number("attention.value_length") or usual
        rotated = header.hparam("rope.dimension_count", key)
        if key != value or rotated != key:
            widths = f"keys are {key} wide, its values {value} and {rotated} turn with position"
            raise _impossible(header, say("Its {widths}; they must be alike.", widths=widths))
    tokens = [token for token in header.strings(TOKENS) if token]
    if len(set(tokens)) != len(tokens):
        again = max(Counter(tokens).items(), key=itemgetter(1))[0]
        raise _impossible(
            header, say("Its vocabulary has the token {quoted} more than once.", quoted=_quoted(again))
        )


def _check_asked(kind: FileKind, asked: str) -> None:
    wanted = asked.strip().lower().replace("_", "-")
    if wanted in ("", "auto") or kind in _ASKED.get(wanted, ()):
        return
    shown = " or ".join(k.value for k in _ASKED[wanted]) if wanted in _ASKED else asked.strip()
    raise EnvironmentProblem(
        say("The sidecar is {kind}, but {shown} was asked for.", kind=kind.value, shown=shown),
        say("Their blocks are laid out differently, so nothing it proposes would be accepted."),
        say("Ask for {kind} or for auto, or choose another sidecar.", kind=kind.value),
        "algorithm-differs",
    )


def _check_vocabulary(target: GgufHeader, draft: GgufHeader) -> None:
    types = [header.metadata.get("tokenizer.ggml.model") for header in (target, draft)]
    if types[0] != types[1]:
        shown = [_VOCABULARY_NAMES.get(str(t), str(t)) if t is not None else "none" for t in types]
        raise EnvironmentProblem(
            say("The vocabularies are of different types."),
            say("The target's is {shown}, the sidecar's is {shown2}.", shown=shown[0], shown2=shown[1]),
            say("Choose a sidecar made for this target, or go on without speculation."),
            "vocabulary-type-differs",
        )
    if draft.types.get(TOKENS) != gt.STRING:
        raise _vocabulary_differs(target, draft, say("The sidecar carries no vocabulary."))
    # Equal bytes are equal vocabularies; only unequal ones are taken apart.
    if target.array_bytes(TOKENS) == draft.array_bytes(TOKENS):
        return
    ours, theirs = target.strings(TOKENS), draft.strings(TOKENS)
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
    if at is not None:
        why = say(
            "Token {n} is {ours} in the target and {theirs} in the sidecar.",
            n=at,
            ours=_quoted(ours[at]),
            theirs=_quoted(theirs[at]),
        )
    else:
        at = min(len(ours), len(theirs))
        if len(ours) > at:
            why = say("Token {n}, {token}, is in the target alone.", n=at, token=_quoted(ours[at]))
        else:
            why = say("Token {n}, {token}, is in the sidecar alone.", n=at, token=_quoted(theirs[at]))
    raise _vocabulary_differs(target, draft, why)


def _vocabulary_differs(target: GgufHeader, draft: GgufHeader, why: str) -> EnvironmentProblem:
    if target.n_vocab != draft.n_vocab:
        counts = say(
            "The target has {target:,} tokens, the sidecar {sidecar:,}.",
            target=target.n_vocab,
            sidecar=draft.n_vocab,
        )
        why = together(why, counts)
    return EnvironmentProblem(
        say("The vocabularies differ."),
        why,
        say("Choose a sidecar made for this target, or go on without speculation."),
        "vocabulary-differs",
    )


def _check_width(target: GgufHeader, draft: GgufHeader) -> None:
    if target.n_embd != draft.n_embd:
        raise EnvironmentProblem(
            say("The widths differ."),
            say(
                "The target's embeddings are {n_embd} wide, the sidecar's {n_embd2}.",
                n_embd=target.n_embd,
                n_embd2=draft.n_embd,
            ),
            say("Choose a sidecar made for this target, or go on without speculation."),
            "width-differs",
        )


def _check_eagle3_width(target: GgufHeader, draft: GgufHeader) -> None:
    """It may be narrower than the target where it borrows nothing from it."""
    read = draft.number("target_hidden_size")
    borrows = not {"token_embd.weight", "output.weight"} <= set(draft.tensors)
    if read != target.n_embd or (borrows and draft.n_embd != target.n_embd):
        seen = f"reads states {read} wide" if read != target.n_embd else f"is {draft.n_embd} wide"
        raise EnvironmentProblem(
            say("The widths differ."),
            say(
                "The target's embeddings are {n_embd} wide, the sidecar {seen}.",
                n_embd=target.n_embd,
                seen=seen,
            ),
            say("Choose a sidecar made for this target, or go on without speculation."),
            "width-differs",
        )


def _check_taps(target: GgufHeader, draft: GgufHeader, kind: FileKind) -> None:
    architecture = target.architecture
    if architecture not in architectures.TAPPED:
        raise EnvironmentProblem(
            say(
                "Targets of the kind “{architecture}” cannot be read by a sidecar.", architecture=architecture
            ),
            say("The engine does not give out the inner states of their layers."),
            say("Ordinary decoding works; go on without speculation."),
            "taps-unsupported",
        )
    kept = architectures.KEEPS_LAST_STATE if kind is FileKind.EAGLE3 else architectures.TAPPED_AFTER_LAST
    most = target.n_layer - (architecture not in kept)
    for tap in draft.hparam("target_layers"):
        if not 0 <= tap <= most:
            raise EnvironmentProblem(
                say("The sidecar reads layer {tap}, which the target does not have.", tap=tap),
                say("The target has {n_layer} layers; it was made for another one.", n_layer=target.n_layer),
                say("Choose a sidecar made for this target, or go on without speculation."),
                "tap-out-of-range",
            )


def _same_file(a: GgufHeader, b: GgufHeader) -> bool:
    try:
        return os.path.samefile(a.path, b.path)
    except OSError:
        return a.path == b.path


def _needs_conversion(header: GgufHeader, why: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        say("“{name}” was not converted for chatting.", name=header.path.name),
        why,
        say("Convert the model again with current tools, or download another file of it."),
        "needs-conversion",
    )


def _impossible(header: GgufHeader, why: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        say("“{name}” has an impossible header.", name=header.path.name),
        why,
        say("Download the file again, or get another file of the model."),
        "damaged",
    )


def _quoted(token: bytes, limit: int = 40) -> str:
    text = token.decode("utf-8", "replace")
    text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return f"“{text[:limit]}{'…' if len(text) > limit else ''}”"
