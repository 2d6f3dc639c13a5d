"""What a sidecar of the DFlash family must contain: values, and tensors with their shapes and types.

The native library ends the process on some of what is missing or wrong here, so it is checked before.
Shapes have the fastest dimension first.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.gguf import ggml_types as gt
from app.gguf.header import GgufHeader
from app.gguf.kinds import FileKind
from app.gguf.limits import native_fault
from app.gguf.part import TensorInfo

_LARGEST_BLOCK = 512
_REQUIRED_NUMBERS = (
    "context_length",
    "embedding_length",
    "block_count",
    "feed_forward_length",
    "attention.head_count",
    "block_size",
)
_ACTIVATIONS = ("silu", "gelu", "gelu_pytorch_tanh")


@dataclass(frozen=True, slots=True)
class Expected:
    """A tensor: `shape`, whether it may be absent, and the only type it may have (None: any)."""

    name: str
    shape: tuple[int, ...]
    optional: bool = False
    type: int | None = None


def check_contents(draft: GgufHeader, kind: FileKind) -> None:
    """Values, tensors and map of a `dflash` file. Raises EnvironmentProblem at the first fault."""
    _check_numbers(draft, kind)
    _check_attention(draft)
    if kind is FileKind.DFLASH2:
        _check_selector(draft)
    elif draft.number("selector_top_k"):
        raise incomplete(draft, say("It speaks of a selector but has no selector tensors."))
    if "d2t" in draft.tensors:
        check_map(draft)
    for expected in expected_tensors(draft, kind):
        check_tensor(draft, expected)


def draft_vocab(draft: GgufHeader) -> int:
    """Rows of the draft's head: fewer than the vocabulary with a `d2t` map."""
    d2t = draft.tensors.get("d2t")
    return d2t.shape[0] if d2t is not None and d2t.shape else draft.n_vocab


def expected_tensors(draft: GgufHeader, kind: FileKind) -> Iterator[Expected]:
    """Everything whose shape follows from the values; blocks of a DeepSeek-V4 backbone are left out."""
    width, vocab, rows = draft.n_embd, draft.n_vocab, draft_vocab(draft)
    taps = len(draft.hparam("target_layers"))
    yield Expected("fc.weight", (taps * width, width))
    yield _norm("enc.output_norm.weight", width)
    yield _norm("output_norm.weight", width)
    yield Expected("token_embd.weight", (width, vocab), optional=True)
    # Without a head of its own the draft borrows one with a row for every token.
    yield Expected("output.weight", (width, rows), optional=rows == vocab)
    if kind is FileKind.DSPARK:
        rank = math.prod(draft.tensors["markov_w1.weight"].shape[:1])
        yield Expected("markov_w1.weight", (rank, vocab))
        yield Expected("markov_w2.weight", (rank, rows))
        yield Expected("conf_proj.weight", (width + rank, 1), optional=True)
        yield Expected("conf_proj.bias", (1,), optional=True, type=gt.TENSOR_F32)
    if kind is FileKind.DFLASH2:
        rank = draft.number("selector_rank")
        yield Expected("selector_predecessor.weight", (rank, vocab))
        yield Expected("selector_successor.weight", (rank, vocab))
        yield Expected("selector_hidden.weight", (width, rank))
    if not draft.number("hyper_connection.count"):
        half = head_width(draft) // 2
        yield Expected("rope_freqs.weight", (half,), optional=True, type=gt.TENSOR_F32)
        for i in range(draft.number("block_count")):
            yield from _expected_block(draft, kind, i)


def _expected_block(draft: GgufHeader, kind: FileKind, i: int) -> Iterator[Expected]:
    width, head, ff = draft.n_embd, head_width(draft), _of_layer(draft, "feed_forward_length", i)
    n_head = _of_layer(draft, "attention.head_count", i)
    n_kv = _of_layer(draft, "attention.head_count_kv", i) or n_head
    block = f"blk.{i}."
    yield _norm(block + "attn_norm.weight", width)
    yield _norm(block + "ffn_norm.weight", width)
    yield Expected(block + "attn_q.weight", (width, n_head * head))
    yield Expected(block + "attn_k.weight", (width, n_kv * head))
    yield Expected(block + "attn_v.weight", (width, n_kv * head), optional=True)
    yield Expected(block + "attn_output.weight", (n_head * head, width))
    yield _norm(block + "attn_q_norm.weight", head)
    yield _norm(block + "attn_k_norm.weight", head)
    yield Expected(block + "ffn_gate.weight", (width, ff))
    yield Expected(block + "ffn_up.weight", (width, ff))
    yield Expected(block + "ffn_down.weight", (ff, width))
    yield _norm(block + "post_attention_norm.weight", width, optional=True)
    yield _norm(block + "post_ffw_norm.weight", width, optional=True)
    yield _norm(block + "attn_sinks.weight", n_head, optional=True)
    yield _norm(block + "layer_output_scale.weight", 1, optional=True)
    if kind is FileKind.DFLASH2:
        kernel = draft.number("conv_kernel_size")
        rows = 2 * kernel * (width // draft.number("conv_group_size"))
        for part in ("attn", "ffn"):
            yield Expected(f"{block}{part}_conv_base", (width, kernel, 2), type=gt.TENSOR_F32)
            yield Expected(f"{block}{part}_conv_proj.weight", (width, rows))


def _norm(name: str, width: int, optional: bool = False) -> Expected:
    """Factors for every element; the CPU multiplies by 32-bit floats alone."""
    return Expected(name, (width,), optional, gt.TENSOR_F32)


def head_width(draft: GgufHeader, what: str = "attention.key_length") -> int:
    """Dimensions of one head's keys (or values)."""
    return draft.number(what) or draft.n_embd // _of_layer(draft, "attention.head_count", 0)


def _of_layer(draft: GgufHeader, name: str, i: int) -> int:
    """A number that may be one for all layers or one for each; 0 when it is absent."""
    value = draft.hparam(name, 0)
    if isinstance(value, tuple):
        value = value[i] if i < len(value) else 0
    return value if isinstance(value, int) else 0


def _check_numbers(draft: GgufHeader, kind: FileKind) -> None:
    for name in _REQUIRED_NUMBERS:
        if draft.types.get(f"dflash.{name}") not in (gt.U32, gt.I32) or _of_layer(draft, name, 0) < 1:
            raise incomplete(draft, say("Its header has no usable “dflash.{name}”.", name=name))
    fault = native_fault(draft)
    if fault:
        raise incomplete(draft, fault)
    if draft.number("nextn_predict_layers"):
        raise incomplete(draft, say("It claims next-token heads, which a sidecar does not have."))
    if draft.number("embedding_length_out") not in (0, draft.n_embd):
        raise incomplete(draft, say("Its output is of another width than its layers."))
    smallest = 1 if kind is FileKind.DSPARK else 2
    if not smallest <= draft.number("block_size") <= _LARGEST_BLOCK:
        raise incomplete(
            draft,
            say("Its block of {number} tokens cannot be drafted with.", number=draft.number("block_size")),
        )
    if not isinstance(draft.hparam("attention.layer_norm_rms_epsilon"), float):
        raise incomplete(draft, say("Its header has no usable “dflash.attention.layer_norm_rms_epsilon”."))
    layers = draft.hparam("target_layers")
    if draft.types.get("dflash.target_layers") not in (gt.U32, gt.I32) or not isinstance(layers, tuple):
        raise incomplete(draft, say("It does not say which layers of the target it reads."))
    if not layers:
        raise incomplete(draft, say("Its list of the target's layers to read is empty."))
    mask = draft.metadata.get("tokenizer.ggml.mask_token_id")
    if mask is None or draft.types["tokenizer.ggml.mask_token_id"] != gt.U32:
        raise incomplete(draft, say("It does not name its mask token."))
    if not 0 <= mask < draft.n_vocab:
        raise incomplete(
            draft,
            say(
                "Its mask token {mask} is outside its vocabulary of {n_vocab:,} tokens.",
                mask=mask,
                n_vocab=draft.n_vocab,
            ),
        )
    activation = draft.hparam("hidden_activation", "silu")
    if activation not in _ACTIVATIONS:
        raise incomplete(
            draft,
            say(
                "Its activation “{activation}” is not one of {ACTIVATIONS}.",
                activation=activation,
                ACTIVATIONS=", ".join(_ACTIVATIONS),
            ),
        )


def _check_attention(draft: GgufHeader) -> None:
    if draft.number("hyper_connection.count"):
        for name in ("attention.sliding_window", "attention.output_group_count", "attention.q_lora_rank"):
            if draft.number(name) < 1:
                raise incomplete(draft, say("Its header has no usable “dflash.{name}”.", name=name))
        return
    key, value = head_width(draft), head_width(draft, "attention.value_length")
    if key != value:
        raise incomplete(
            draft,
            say("Its keys are {key} wide and its values {value}; they must be alike.", key=key, value=value),
        )
    rotated = draft.hparam("rope.dimension_count", key)
    if not isinstance(rotated, int) or not 2 <= rotated <= key or rotated % 2:
        raise incomplete(
            draft,
            say("It turns {rotated} of {key} dimensions of a head by position.", rotated=rotated, key=key),
        )
    for i in range(draft.number("block_count")):
        n_head = _of_layer(draft, "attention.head_count", i)
        n_kv = _of_layer(draft, "attention.head_count_kv", i) or n_head
        if n_head < 1 or n_kv < 1 or n_head % n_kv:
            raise incomplete(
                draft,
                say(
                    "Its layer {i} has {n_head} heads for queries and {n_kv} for keys.",
                    i=i,
                    n_head=n_head,
                    n_kv=n_kv,
                ),
            )
    sections = draft.hparam("rope.dimension_sections", (0, 0, 0, 0))
    if not isinstance(sections, tuple):
        sections = (sections,) * 4
    # All zero means none; else the first three must hold something, and all fit into a head.
    bad = len(sections) != 4 or any(not isinstance(n, int) or n < 0 for n in sections)
    if bad or sum(sections) > key or (any(sections) and not any(sections[:3])):
        raise incomplete(draft, say("Its position sections {list} are impossible.", list=list(sections)))
    _check_window(draft, key, rotated)


def _check_window(draft: GgufHeader, key: int, rotated: int) -> None:
    if not draft.number("attention.sliding_window"):
        return
    pattern = draft.hparam("attention.sliding_window_pattern")
    if not isinstance(pattern, tuple) or not any(pattern[: draft.number("block_count")]):
        raise incomplete(draft, say("It has a sliding window but does not say in which layers."))
    for name, width in (("key_length", key), ("value_length", key), ("dimension_count", rotated)):
        part = "rope" if name == "dimension_count" else "attention"
        inside = draft.hparam(f"{part}.{name}_swa", width)
        if inside != width:
            raise incomplete(
                draft,
                say(
                    "Its heads are {inside} wide inside the window and {width} outside.",
                    inside=inside,
                    width=width,
                ),
            )


def _check_selector(draft: GgufHeader) -> None:
    width, top_k = draft.n_embd, draft.number("selector_top_k")
    for name in ("selector_rank", "selector_top_k", "conv_kernel_size", "conv_group_size"):
        if draft.number(name) < 1:
            raise incomplete(draft, say("Its header has no usable “dflash.{name}”.", name=name))
    group = draft.number("conv_group_size")
    if width % group:
        raise incomplete(
            draft,
            say(
                "Its width {width} is not a multiple of its convolution group {group}.",
                width=width,
                group=group,
            ),
        )
    if width < top_k * (top_k + 1):
        raise incomplete(
            draft,
            say(
                "Its width {width} is too small for {top_k} candidates: {top_k2} are needed.",
                width=width,
                top_k=top_k,
                top_k2=top_k * (top_k + 1),
            ),
        )
    if top_k > draft_vocab(draft):
        raise incomplete(
            draft,
            say(
                "It chooses among {top_k} candidates of {draft_vocab} tokens.",
                top_k=top_k,
                draft_vocab=draft_vocab(draft),
            ),
        )


def check_tensor(draft: GgufHeader, expected: Expected) -> None:
    """Raises EnvironmentProblem where the tensor is not as expected."""
    tensor = draft.tensors.get(expected.name)
    if tensor is None:
        if not expected.optional:
            raise incomplete(draft, say("It has no tensor “{name}”.", name=expected.name))
        return
    if _four(tensor.shape) != _four(expected.shape):
        shapes = f"{_by(tensor.shape)}, but its header asks for {_by(expected.shape)}"
        raise incomplete(draft, say("Its tensor “{name}” is {shapes}.", name=tensor.name, shapes=shapes))
    if expected.type is not None and tensor.type != expected.type:
        wanted = gt.TENSOR_TYPES[expected.type].name
        raise incomplete(
            draft,
            say(
                "Its tensor “{name}” is {type_name} and must be {wanted}.",
                name=tensor.name,
                type_name=tensor.type_name,
                wanted=wanted,
            ),
        )


def check_map(draft: GgufHeader) -> None:
    """`d2t` gives the target's token of every row of the head: within the vocabulary, each once."""
    tensor: TensorInfo = draft.tensors["d2t"]
    if len(tensor.shape) != 1 or not 0 < tensor.shape[0] <= draft.n_vocab:
        raise incomplete(draft, say("Its token map “d2t” is {by}.", by=_by(tensor.shape)))
    if tensor.type != gt.TENSOR_I64:
        raise incomplete(
            draft, say("Its token map “d2t” is {type_name} and must be I64.", type_name=tensor.type_name)
        )
    ids = array("q")
    ids.frombytes(draft.tensor_bytes("d2t", limit=8 * draft.n_vocab))
    if sys.byteorder == "big":
        ids.byteswap()
    if min(ids) < 0 or max(ids) >= draft.n_vocab:
        row, wrong = next((i, n) for i, n in enumerate(ids) if not 0 <= n < draft.n_vocab)
        raise incomplete(
            draft,
            say(
                "Its token map “d2t” sends row {row} to token {wrong}, which does not exist.",
                row=row,
                wrong=wrong,
            ),
        )
    if len(set(ids)) != len(ids):
        raise incomplete(
            draft,
            say(
                "Its token map “d2t” sends several rows to one token; perhaps it holds "
                "differences, not tokens."
            ),
        )


def incomplete(draft: GgufHeader, why: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        say("The sidecar “{name}” is not usable.", name=draft.path.name),
        why,
        say("Get it again, convert it again, or choose another sidecar."),
        "sidecar-unusable",
    )


def _four(shape: tuple[int, ...]) -> tuple[int, ...]:
    return shape + (1,) * (4 - len(shape))


def _by(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "a single number"
