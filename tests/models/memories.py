"""Tiny targets of other memories, float32: qwen35, qwen3next (hybrid), mamba2 (recurrent), gemma3, gpt-oss
and mimo2 (windows), hunyuan_vl (positions of several dimensions).

Embeddings, head and the meaning of `TargetSpec` are those of `make_target`; the layers are random.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType

from tests.models.heads import head_tensors
from tests.models.ring import MARKS, N_EMBD, Array
from tests.models.target import HEAD_DIM, N_FF, TargetSpec
from tests.models.vocabulary import write_vocabulary

CONV_WIDTH = 4
STATE = 16  # width of a head's recurrent state
GROUPS = 2  # heads of keys
HEADS = 4  # heads of values
INNER = STATE * HEADS
EXPERTS = 2
WINDOW = 64


def make_memory(
    path: Path, architecture: str, spec: TargetSpec | None = None, heads_alone: bool = False
) -> Path:
    """Write a model of `architecture` to `path`; of `spec`'s fields, shapes of heads hold for attention.

    `heads_alone` leaves out the layers, so that the file holds the next-token heads only.
    """
    spec = spec or TargetSpec()
    layers = spec.n_layer + spec.mtp_heads
    writer = GGUFWriter(str(path), architecture)
    writer.add_name(f"Tiny {architecture}")
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_context_length(spec.context_length)
    writer.add_embedding_length(N_EMBD)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(0 if architecture == "mamba2" else N_FF)
    writer.add_head_count(0 if architecture == "mamba2" else spec.n_head)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(spec.vocabulary().tokens))
    if architecture != "mamba2":
        writer.add_head_count_kv(spec.n_head_kv)
        writer.add_key_length(HEAD_DIM)
        writer.add_value_length(HEAD_DIM)
        writer.add_rope_dimension_count(HEAD_DIM)
        writer.add_rope_freq_base(10000.0)
    if spec.mtp_heads:
        writer.add_nextn_predict_layers(spec.mtp_heads)
    if architecture in ("gemma3", "gpt-oss", "mimo2"):
        writer.add_sliding_window(WINDOW)
    if architecture == "mimo2":
        writer.add_sliding_window_pattern([i % 2 == 0 for i in range(layers)])
        writer.add_expert_feed_forward_length(N_FF)
    if architecture == "gpt-oss":
        writer.add_expert_count(EXPERTS)
        # All of them: a choice among experts may flip by rounding alone, and so may the text.
        writer.add_expert_used_count(EXPERTS)
        writer.add_expert_feed_forward_length(N_FF)
    if architecture in ("qwen35", "qwen3next", "mamba2"):
        writer.add_ssm_conv_kernel(CONV_WIDTH)
        writer.add_ssm_inner_size(INNER)
        writer.add_ssm_state_size(STATE)
        writer.add_ssm_time_step_rank(HEADS)
        writer.add_ssm_group_count(GROUPS)
    if architecture in ("qwen35", "qwen3next"):
        writer.add_full_attention_interval(2)
    if architecture in ("qwen35", "hunyuan_vl"):
        writer.add_rope_dimension_sections([3, 3, 2, 0])
    if architecture == "qwen3next":
        writer.add_expert_count(EXPERTS)
        writer.add_expert_used_count(1)
        writer.add_expert_feed_forward_length(N_FF)
        writer.add_expert_shared_feed_forward_length(N_FF)
    write_vocabulary(writer, spec.vocabulary(), chat_template=spec.chat_template)

    # Gemma multiplies its embeddings by the root of their width.
    scale = 1 / math.sqrt(N_EMBD) if architecture == "gemma3" else 1.0
    writer.add_tensor("token_embd.weight", np.asarray(spec.embeddings() * scale, np.float32))
    writer.add_tensor("output_norm.weight", np.ones(N_EMBD, np.float32))
    writer.add_tensor("output.weight", spec.head())
    weights = Weights(spec)
    for i in range(layers):
        if heads_alone and i < spec.n_layer:
            continue
        # A next-token head is a layer with full attention, which all odd ones have, and more.
        block = _BLOCKS[architecture](weights, i if i < spec.n_layer else 1)
        if i >= spec.n_layer:
            block |= head_tensors(spec, i - spec.n_layer)
        for name, data in block.items():
            suffix = "" if name in ("ssm_a", "ssm_d") or name.endswith(".bias") else ".weight"
            writer.add_tensor(f"blk.{i}.{name}{suffix}", data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


class Weights:
    """Random matrices; what is `written` to the stream is about `drift` large where the stream is 1."""

    def __init__(self, spec: TargetSpec) -> None:
        self.spec = spec
        self._random = np.random.default_rng(spec.seed + 3)

    def matrix(self, rows: int, columns: int, std: float = 1.0) -> Array:
        values = self._random.standard_normal((rows, columns)) * (std / math.sqrt(columns))
        return np.asarray(values, np.float32)

    def written(self, columns: int, std: float) -> Array:
        out = self.matrix(N_EMBD, columns, std * self.spec.drift)
        out[MARKS] = 0.0
        return out


def ones(n: int) -> Array:
    return np.ones(n, np.float32)


def _attention(w: Weights, gated: bool) -> dict[str, Array]:
    spec = w.spec
    q, kv = spec.n_head * HEAD_DIM, spec.n_head_kv * HEAD_DIM
    return {
        "attn_q": w.matrix(2 * q if gated else q, N_EMBD),
        "attn_k": w.matrix(kv, N_EMBD),
        "attn_v": w.matrix(kv, N_EMBD),
        "attn_output": w.written(q, 2.4 if gated else 1.2),
        "attn_q_norm": np.full(HEAD_DIM, 2.0, np.float32),
        "attn_k_norm": np.full(HEAD_DIM, 1.5, np.float32),
    }


def _feed_forward(w: Weights, suffix: str = "") -> dict[str, Array]:
    return {
        f"ffn_gate{suffix}": w.matrix(N_FF, N_EMBD, 1.5),
        f"ffn_up{suffix}": w.matrix(N_FF, N_EMBD),
        f"ffn_down{suffix}": w.written(N_FF, 1.1),
    }


def _delta_net(w: Weights) -> dict[str, Array]:
    """A gated delta net that forgets slowly."""
    width = 2 * GROUPS * STATE + INNER
    return {
        "attn_qkv": w.matrix(width, N_EMBD),
        "attn_gate": w.matrix(INNER, N_EMBD),
        "ssm_conv1d": w.matrix(width, CONV_WIDTH, 2.0),
        "ssm_dt.bias": np.full(HEADS, -1.0, np.float32),
        "ssm_a": np.full(HEADS, -0.3, np.float32),
        "ssm_norm": ones(STATE),
        "ssm_out": w.written(INNER, 2.4),
    }


def _qwen35(w: Weights, layer: int) -> dict[str, Array]:
    if layer % 2:
        mixer = _attention(w, gated=True)
    else:
        mixer = {**_delta_net(w), "ssm_beta": w.matrix(HEADS, N_EMBD), "ssm_alpha": w.matrix(HEADS, N_EMBD)}
    return {"attn_norm": ones(N_EMBD), "post_attention_norm": ones(N_EMBD), **mixer, **_feed_forward(w)}


def _qwen3next(w: Weights, layer: int) -> dict[str, Array]:
    mixer = _attention(w, True) if layer % 2 else {**_delta_net(w), "ssm_ba": w.matrix(2 * HEADS, N_EMBD)}
    experts = [_feed_forward(w, "_exps") for _ in range(EXPERTS)]
    return {
        "attn_norm": ones(N_EMBD),
        "post_attention_norm": ones(N_EMBD),
        **mixer,
        "ffn_gate_inp": w.matrix(EXPERTS, N_EMBD),
        **{name: np.stack([expert[name] for expert in experts]) for name in experts[0]},
        "ffn_gate_inp_shexp": w.matrix(1, N_EMBD)[0],
        **_feed_forward(w, "_shexp"),
    }


def _mamba2(w: Weights, layer: int) -> dict[str, Array]:
    width = INNER + 2 * GROUPS * STATE
    return {
        "attn_norm": ones(N_EMBD),
        "ssm_in": w.matrix(INNER + width + HEADS, N_EMBD),
        "ssm_conv1d": w.matrix(width, CONV_WIDTH, 2.0),
        "ssm_conv1d.bias": np.zeros(width, np.float32),
        "ssm_dt.bias": np.full(HEADS, -1.0, np.float32),
        "ssm_a": np.full((HEADS, 1), -0.3, np.float32),
        "ssm_d": np.ones((HEADS, 1), np.float32),
        "ssm_norm": np.ones((GROUPS, INNER // GROUPS), np.float32),
        "ssm_out": w.written(INNER, 1.6),
    }


def _gemma3(w: Weights, layer: int) -> dict[str, Array]:
    # What a sublayer writes is normalised, then scaled.
    post = np.full(N_EMBD, w.spec.drift, np.float32)
    return {
        "attn_norm": ones(N_EMBD),
        **_attention(w, gated=False),
        "post_attention_norm": post,
        "ffn_norm": ones(N_EMBD),
        **_feed_forward(w),
        "post_ffw_norm": post,
    }


def _gpt_oss(w: Weights, layer: int) -> dict[str, Array]:
    attention = _attention(w, gated=False)
    for name in ("attn_q_norm", "attn_k_norm"):
        del attention[name]
    experts = [_feed_forward(w, "_exps") for _ in range(EXPERTS)]
    return {
        "attn_norm": ones(N_EMBD),
        "post_attention_norm": ones(N_EMBD),
        **attention,
        "attn_output.bias": np.zeros(N_EMBD, np.float32),
        "attn_sinks": np.full(w.spec.n_head, -1.0, np.float32),
        "ffn_gate_inp": w.matrix(EXPERTS, N_EMBD),
        "ffn_gate_inp.bias": np.zeros(EXPERTS, np.float32),
        **{name: np.stack([expert[name] for expert in experts]) for name in experts[0]},
        "ffn_gate_exps.bias": np.zeros((EXPERTS, N_FF), np.float32),
        "ffn_up_exps.bias": np.zeros((EXPERTS, N_FF), np.float32),
        "ffn_down_exps.bias": np.zeros((EXPERTS, N_EMBD), np.float32),
    }


def _mimo2(w: Weights, layer: int) -> dict[str, Array]:
    attention = _attention(w, gated=False)
    qkv = np.concatenate([attention.pop(name) for name in ("attn_q", "attn_k", "attn_v")])
    return {
        "attn_norm": ones(N_EMBD),
        "attn_qkv": qkv,
        "attn_output": attention["attn_output"],
        "ffn_norm": ones(N_EMBD),
        **_feed_forward(w),
    }


def _hunyuan_vl(w: Weights, layer: int) -> dict[str, Array]:
    return {
        "attn_norm": ones(N_EMBD),
        **_attention(w, gated=False),
        "ffn_norm": ones(N_EMBD),
        **_feed_forward(w),
    }


_BLOCKS: dict[str, Callable[[Weights, int], dict[str, Array]]] = {
    "qwen35": _qwen35,
    "qwen3next": _qwen3next,
    "mamba2": _mamba2,
    "gemma3": _gemma3,
    "gpt-oss": _gpt_oss,
    "mimo2": _mimo2,
    "hunyuan_vl": _hunyuan_vl,
}
