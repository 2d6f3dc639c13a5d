"""What kind of model a GGUF file holds, and the facts about it that are worth showing.

It looks at one header alone; whether two files fit together is `pair`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpeculativeType
from app.core.wording import say
from app.gguf import architectures
from app.gguf import ggml_types as gt
from app.gguf.header import GgufHeader, read_header
from app.gguf.shards import shard_name

_FILE_TYPE_GUESSED = 1024
_QUANTISATION = re.compile(r"[-._](I?Q\d\w*|TQ\d\w*|BF16|F16|F32|MXFP4\w*|NVFP4)$", re.IGNORECASE)


class FileKind(Enum):
    """The value is the name to show."""

    TARGET = "Chat model"
    DFLASH = "DFlash"
    DFLASH2 = "DFlash2"
    DSPARK = "DSpark"
    EAGLE3 = "EAGLE-3"
    MTP = "MTP"
    PROJECTOR = "Projector"
    ADAPTER = "LoRA adapter"
    EMBEDDING = "Embedding model"
    VOCABULARY = "Vocabulary"
    UNKNOWN = "Unknown"

    @property
    def is_sidecar(self) -> bool:
        return self in _SIDECAR_TYPES


_SIDECAR_TYPES = {
    FileKind.DFLASH: SpeculativeType.DRAFT_DFLASH,
    FileKind.DFLASH2: SpeculativeType.DRAFT_DFLASH,
    FileKind.DSPARK: SpeculativeType.DRAFT_DSPARK,
    FileKind.EAGLE3: SpeculativeType.DRAFT_EAGLE3,
    FileKind.MTP: SpeculativeType.DRAFT_MTP,
}


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Zero, empty or None stands for what the file does not say or what does not concern its kind.

    `label` is the short name for a list (from the file's name), `name` the one in its header.
    `why_not` tells why a file is neither a target nor a sidecar, empty for those.
    `has_mtp_heads`: a target that carries next-token heads of its own.
    """

    kind: FileKind
    label: str
    name: str
    architecture: str
    quantisation: str
    file_bytes: int
    parameters: int
    n_layer: int
    n_embd: int
    n_vocab: int
    context_length: int
    why_not: str = ""
    block_size: int = 0
    target_layers: tuple[int, ...] = ()
    mask_token: int | None = None
    draft_vocab: int = 0
    selector_top_k: int = 0
    sample_from_anchor: bool | None = None
    has_confidence_head: bool = False
    causal: bool = False
    has_mrope: bool = False
    has_mtp_heads: bool = False


def classify(header: GgufHeader) -> FileFacts:
    """Never raises: what cannot be told is `UNKNOWN` with a reason."""
    kind, why_not = _kind(header)
    name = header.metadata.get("general.name")
    facts = FileFacts(
        kind=kind,
        label=_label(header.path),
        name=name if isinstance(name, str) and name else header.path.stem,
        architecture=header.architecture,
        quantisation=quantisation(header),
        file_bytes=header.file_bytes,
        parameters=header.parameters,
        n_layer=header.n_layer,
        n_embd=header.n_embd,
        n_vocab=header.n_vocab,
        context_length=header.context_length,
        why_not=why_not,
        has_mrope=has_mrope(header),
        has_mtp_heads=kind is FileKind.TARGET and header.number("nextn_predict_layers") > 0,
    )
    return _with_sidecar_facts(facts, header) if kind.is_sidecar else facts


def sidecar_type(path: str | Path) -> SpeculativeType:
    """The algorithm that the sidecar at `path` is for; EnvironmentProblem when it is no sidecar."""
    header = read_header(path)
    kind = kind_of(header)
    if not kind.is_sidecar:
        raise not_a_sidecar(header)
    return sidecar_kind_type(kind)


def sidecar_kind_type(kind: FileKind) -> SpeculativeType:
    """The algorithm that a kind of sidecar is for."""
    return _SIDECAR_TYPES[kind]


def kind_of(header: GgufHeader) -> FileKind:
    return _kind(header)[0]


def not_a_sidecar(header: GgufHeader) -> EnvironmentProblem:
    """The refusal of anything else that was offered as a sidecar."""
    kind, why = _kind(header)
    if kind is FileKind.TARGET:
        return EnvironmentProblem(
            say("“{name}” is an ordinary model, not a sidecar.", name=header.path.name),
            say("A sidecar is trained to draft for one target."),
            say("Choose a sidecar made for your target."),
            "ordinary-model-as-sidecar",
        )
    return EnvironmentProblem(
        say("“{name}” is not a sidecar.", name=header.path.name),
        why,
        say("Choose a sidecar made for your target."),
        "not-a-sidecar",
    )


def dflash_kind(header: GgufHeader) -> FileKind:
    """Which member of its family a `dflash` file is: its tensors tell."""
    if "selector_hidden.weight" in header.tensors:
        return FileKind.DFLASH2
    if "markov_w1.weight" in header.tensors:
        return FileKind.DSPARK
    return FileKind.DFLASH


def has_mrope(header: GgufHeader) -> bool:
    """Positions of several dimensions, as models that see pictures have."""
    sections = header.hparam("rope.dimension_sections")
    values = sections if isinstance(sections, tuple) else (sections,)
    return any(isinstance(value, int) and value > 0 for value in values)


def quantisation(header: GgufHeader) -> str:
    """As the file says, else the type that most of its bytes are in; empty when there are no tensors."""
    declared = header.metadata.get("general.file_type")
    if isinstance(declared, int) and not isinstance(declared, bool):
        label = gt.FILE_TYPES.get(declared & ~_FILE_TYPE_GUESSED)
        if label is not None:
            return label
    sizes: Counter[str] = Counter()
    for tensor in header.tensors.values():
        sizes[tensor.type_name] += tensor.n_bytes
    return sizes.most_common(1)[0][0] if sizes else ""


def _kind(header: GgufHeader) -> tuple[FileKind, str]:
    architecture = header.architecture
    general_type = header.metadata.get("general.type")
    if architecture in architectures.PROJECTOR or general_type == "mmproj":
        return FileKind.PROJECTOR, say("It lets a model see pictures; it does not chat by itself.")
    if general_type == "adapter" or "adapter.type" in header.metadata:
        return FileKind.ADAPTER, say("It changes another model; it does not chat by itself.")
    if general_type == "imatrix" or architecture == "imatrix":
        return FileKind.UNKNOWN, say("It holds statistics for quantising a model.")
    if architecture == "dflash":
        return dflash_kind(header), ""
    if architecture == "eagle3":
        return FileKind.EAGLE3, ""
    if architecture in architectures.EMBEDDING or _pools(header):
        return FileKind.EMBEDDING, say("It turns texts into vectors; it does not write text.")
    if architecture in architectures.NOT_CHAT:
        return FileKind.UNKNOWN, architectures.NOT_CHAT[architecture]
    if not architecture:
        return FileKind.UNKNOWN, say("It does not say what kind of model it is.")
    if not header.tensors:
        return FileKind.VOCABULARY, say("It holds a vocabulary without a model.")
    if architecture in architectures.ASSISTANT or _is_heads_alone(header):
        return FileKind.MTP, ""
    return FileKind.TARGET, ""


def _pools(header: GgufHeader) -> bool:
    pooling = header.hparam("pooling_type", 0)
    return (isinstance(pooling, int) and pooling > 0) or "cls.output.weight" in header.tensors


def _is_heads_alone(header: GgufHeader) -> bool:
    """Next-token heads without the model they were taken from."""
    return header.number("nextn_predict_layers") > 0 and not any(
        name.startswith("blk.0.") for name in header.tensors
    )


def _with_sidecar_facts(facts: FileFacts, header: GgufHeader) -> FileFacts:
    layers = header.hparam("target_layers", ())
    mask = header.metadata.get("tokenizer.ggml.mask_token_id")
    d2t = header.tensors.get("d2t")
    return replace(
        facts,
        block_size=header.number("block_size"),
        target_layers=tuple(n for n in layers if isinstance(n, int)) if isinstance(layers, tuple) else (),
        mask_token=mask if isinstance(mask, int) else None,
        draft_vocab=d2t.shape[0] if d2t is not None and d2t.shape else 0,
        selector_top_k=header.number("selector_top_k"),
        sample_from_anchor=samples_from_anchor(header) if facts.kind is FileKind.DSPARK else None,
        has_confidence_head="conf_proj.weight" in header.tensors,
        causal=header.hparam("attention.causal", False) is True,
    )


def samples_from_anchor(header: GgufHeader) -> bool:
    """Whether slot i of a DSpark block foretells draft i + 1; the default when the file is silent."""
    return header.hparam("sample_from_anchor", True) is True


def _label(path: Path) -> str:
    """The file's name without its ending, its place among shards and its quantisation."""
    shard = shard_name(path)
    stem = shard[0] if shard is not None else path.name.removesuffix(".gguf")
    return _QUANTISATION.sub("", stem) or stem
