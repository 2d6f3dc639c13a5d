"""Values that the native library does not refuse but ends the process over, in targets and sidecars alike."""

from __future__ import annotations

import math
import re

from app.core.wording import say
from app.gguf import ggml_types as gt
from app.gguf.header import GgufHeader

_MOST_LAYERS, _MOST_EXPERTS, _WIDEST = 512, 1024, 1 << 18
_ROPE_SCALINGS = ("none", "linear", "yarn", "longrope")
_EPSILONS = ("attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon")

# Weights that are multiplied or looked up must be of a type that can be; norms must be 32-bit floats.
_MATRIX = re.compile(
    r"(blk\.\d+\.(attn_(q|k|v|qkv|output)|ffn_(gate|up|down)(_exps|_shexp)?|attn_conv_proj|ffn_conv_proj)"
    r"|token_embd|output|fc|blk\.\d+\.nextn\.(eh_proj|embed_tokens|shared_head_head)|markov_w[12]|conf_proj|selector_(predecessor|successor|hidden))\.weight"
)
_NORM = re.compile(
    r"(blk\.\d+\.(attn|ffn|attn_q|attn_k|post_attention|post_ffw)|(enc\.)?output)_norm\.weight"
    r"|blk\.\d+\.(nextn\.(enorm|hnorm|shared_head_norm)|attn_norm_2)\.weight"
)
_NOT_FOR_MATRICES = frozenset({"I8", "I16", "I32", "I64", "F64", "Q8_1", "Q8_K"})


def native_fault(header: GgufHeader) -> str:
    """One sentence on the first such value of `header`, or empty."""
    return _layers(header) or _experts(header) or _positions(header) or _epsilons(header) or _types(header)


def _layers(header: GgufHeader) -> str:
    layers, heads = header.number("block_count"), header.number("nextn_predict_layers")
    if not 0 < layers <= _MOST_LAYERS or not 0 <= heads < layers:
        return say("It claims {layers} layers, {heads} of them next-token heads.", layers=layers, heads=heads)
    # Buffers are made of that width before any tensor is looked at.
    out = header.number("embedding_length_out")
    if not 0 <= out <= _WIDEST:
        return say("Its output is {out} wide.", out=out)
    return ""


def _experts(header: GgufHeader) -> str:
    experts, groups = header.number("expert_count"), header.number("expert_group_count")
    used = header.hparam("expert_used_count", 0)
    most_used = max(used, default=0) if isinstance(used, tuple) else used
    if header.architecture in ("hunyuan-dense", "hunyuan_vl") and experts <= 1:
        return ""  # the library takes one expert for none
    if not isinstance(most_used, int) or not 0 <= most_used <= experts <= _MOST_EXPERTS:
        return say("It claims to use {used} of {experts} experts.", used=most_used, experts=experts)
    if experts and not most_used:
        return say("It claims to use none of {experts} experts.", experts=experts)
    if not 0 <= groups < max(experts, 1):
        return say("It claims {groups} groups of {experts} experts.", groups=groups, experts=experts)
    if groups > 1 and (experts % groups or not 0 < header.number("expert_group_used_count") < groups):
        return say(
            "Its {experts} experts cannot be divided into {groups} groups.", experts=experts, groups=groups
        )
    return ""


def _positions(header: GgufHeader) -> str:
    scaling = header.hparam("rope.scaling.type", "linear")
    if scaling not in _ROPE_SCALINGS:
        return say("Its position scaling “{scaling}” is not known.", scaling=scaling)
    for key in ("rope.freq_base", "rope.scaling.factor", "rope.scale_linear", "rope.scaling.attn_factor"):
        value = header.hparam(key, 1.0)
        if isinstance(value, float) and not (math.isfinite(value) and value >= 0.0):
            return say("Its “{key}” is {value}.", key=f"{header.architecture}.{key}", value=str(value))
    return ""


def _epsilons(header: GgufHeader) -> str:
    for key in _EPSILONS:
        value = header.hparam(key, 0.0)
        if isinstance(value, float) and not (math.isfinite(value) and value >= 0.0):
            return say("Its “{key}” is {value}.", key=f"{header.architecture}.{key}", value=str(value))
    return ""


def _types(header: GgufHeader) -> str:
    for name, tensor in header.tensors.items():
        if _NORM.fullmatch(name) and tensor.type != gt.TENSOR_F32:
            return say("Its tensor “{name}” is {type} and must be F32.", name=name, type=tensor.type_name)
        if tensor.type_name in _NOT_FOR_MATRICES and _MATRIX.fullmatch(name):
            return say(
                "Its tensor “{name}” is {type}, which cannot be multiplied.", name=name, type=tensor.type_name
            )
    return ""
