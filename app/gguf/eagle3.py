"""What an EAGLE-3 sidecar must contain: values, and tensors with their shapes and types.

The native library ends the process on some of what is missing or wrong here, so it is checked before.
Shapes have the fastest dimension first.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.core.wording import say
from app.gguf import ggml_types as gt
from app.gguf.contract import Expected, check_map, check_tensor, draft_vocab, head_width, incomplete
from app.gguf.header import GgufHeader
from app.gguf.limits import native_fault

N_TAPS = 3
_REQUIRED = ("context_length", "embedding_length", "feed_forward_length", "attention.head_count")


def check_eagle3(draft: GgufHeader) -> None:
    """Values, tensors and map of an `eagle3` file. Raises EnvironmentProblem at the first fault."""
    for name in (*_REQUIRED, "target_hidden_size"):
        if draft.types.get(f"eagle3.{name}") not in (gt.U32, gt.I32) or draft.number(name) < 1:
            raise incomplete(draft, say("Its header has no usable “{key}”.", key=f"eagle3.{name}"))
    fault = native_fault(draft)
    if fault:
        raise incomplete(draft, fault)
    if draft.n_layer != 1 or draft.number("nextn_predict_layers"):
        raise incomplete(draft, say("It claims {n} layers; the engine runs one.", n=draft.n_layer))
    if draft.number("embedding_length_out") not in (0, draft.n_embd):
        raise incomplete(draft, say("Its output is of another width than its layer."))
    if not isinstance(draft.hparam("attention.layer_norm_rms_epsilon"), float):
        raise incomplete(
            draft, say("Its header has no usable “{key}”.", key="eagle3.attention.layer_norm_rms_epsilon")
        )
    taps = draft.hparam("target_layers")
    if draft.types.get("eagle3.target_layers") not in (gt.U32, gt.I32) or not isinstance(taps, tuple):
        raise incomplete(draft, say("It does not say which layers of the target it reads."))
    if len(taps) != N_TAPS:
        raise incomplete(
            draft,
            say(
                "It reads {n} layers of the target; the engine expects {n_taps}.", n=len(taps), n_taps=N_TAPS
            ),
        )
    for name in ("norm_before_residual", "norm_before_fc"):
        if not isinstance(draft.hparam(name, False), bool):
            raise incomplete(draft, say("Its header has no usable “{key}”.", key=f"eagle3.{name}"))
    _check_heads(draft)
    if "d2t" in draft.tensors:
        check_map(draft)
    for expected in _expected(draft):
        check_tensor(draft, expected)


def _check_heads(draft: GgufHeader) -> None:
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
    n_head, n_kv = _heads(draft)
    if n_head < 1 or n_kv < 1 or n_head % n_kv:
        raise incomplete(
            draft, say("It has {n_head} heads for queries and {n_kv} for keys.", n_head=n_head, n_kv=n_kv)
        )
    if draft.number("attention.sliding_window"):
        raise incomplete(draft, say("It has a sliding window, which the engine does not know for it."))
    if draft.hparam("rope.dimension_sections") is not None:
        raise incomplete(
            draft, say("It has positions of several dimensions, which the engine does not know for it.")
        )


def _heads(draft: GgufHeader) -> tuple[int, int]:
    n_head = draft.number("attention.head_count")
    return n_head, draft.number("attention.head_count_kv") or n_head


def _expected(draft: GgufHeader) -> Iterator[Expected]:
    width, vocab, rows = draft.n_embd, draft.n_vocab, draft_vocab(draft)
    features = N_TAPS * draft.number("target_hidden_size")
    n_head, n_kv = _heads(draft)
    head, ff = head_width(draft), draft.number("feed_forward_length")
    yield Expected("fc.weight", (features, width))
    if draft.hparam("norm_before_fc", False):
        yield Expected("enc.output_norm.weight", (features,), type=gt.TENSOR_F32)
    yield Expected("output_norm.weight", (width,), type=gt.TENSOR_F32)
    yield Expected("token_embd.weight", (width, vocab), optional=True)
    # Without a head of its own the draft borrows one with a row for every token.
    yield Expected("output.weight", (width, rows), optional=rows == vocab)
    for name in ("attn_norm", "attn_norm_2", "ffn_norm"):
        yield Expected(f"blk.0.{name}.weight", (width,), type=gt.TENSOR_F32)
    yield Expected("blk.0.attn_q.weight", (2 * width, n_head * head))
    yield Expected("blk.0.attn_k.weight", (2 * width, n_kv * head))
    yield Expected("blk.0.attn_v.weight", (2 * width, n_kv * head))
    yield Expected("blk.0.attn_output.weight", (n_head * head, width))
    yield Expected("blk.0.ffn_gate.weight", (width, ff))
    yield Expected("blk.0.ffn_up.weight", (width, ff))
    yield Expected("blk.0.ffn_down.weight", (ff, width))
    rotated = draft.hparam("rope.dimension_count", head)
    yield Expected("blk.0.rope_freqs.weight", (rotated // 2,), optional=True, type=gt.TENSOR_F32)
    yield Expected("rope_freqs.weight", (rotated // 2,), optional=True, type=gt.TENSOR_F32)
