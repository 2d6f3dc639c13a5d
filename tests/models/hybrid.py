"""Tiny LFM2 models: short convolutions and attention in turn, so their memory cannot forget a part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType

from tests.models.ring import MARKS, N_EMBD, Array
from tests.models.target import HEAD_DIM, N_FF, TargetSpec
from tests.models.vocabulary import write_vocabulary

CONV_WIDTH = 3


def make_lfm2(path: Path, spec: TargetSpec) -> Path:
    """Write the model to `path` (float32): `spec` as for a llama target, odd layers with attention."""
    kv_heads = [spec.n_head_kv if i % 2 else 0 for i in range(spec.n_layer)]
    writer = GGUFWriter(str(path), "lfm2")
    writer.add_name("Tiny hybrid")
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_context_length(spec.context_length)
    writer.add_embedding_length(N_EMBD)
    writer.add_block_count(spec.n_layer)
    writer.add_feed_forward_length(N_FF)
    writer.add_head_count(spec.n_head)
    writer.add_head_count_kv(kv_heads)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_shortconv_l_cache(CONV_WIDTH)
    writer.add_vocab_size(len(spec.vocabulary().tokens))
    write_vocabulary(writer, spec.vocabulary(), chat_template=spec.chat_template)
    writer.add_tensor("token_embd.weight", spec.embeddings())
    writer.add_tensor("token_embd_norm.weight", np.ones(N_EMBD, np.float32))
    writer.add_tensor("output.weight", spec.head())
    rng = np.random.default_rng(spec.seed + 3)
    for i, kv in enumerate(kv_heads):
        for name, data in _block(spec, rng, kv).items():
            writer.add_tensor(f"blk.{i}.{name}.weight", data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _block(spec: TargetSpec, rng: np.random.Generator, kv_heads: int) -> dict[str, Array]:
    """Random weights; every sublayer adds about `drift` to a stream of root mean square 1."""

    def matrix(rows: int, columns: int, std: float) -> Array:
        return np.asarray(rng.standard_normal((rows, columns)) * (std / np.sqrt(columns)), np.float32)

    def written(rows: int, columns: int, std: float) -> Array:
        out = matrix(rows, columns, std)
        out[MARKS] = 0.0
        return out

    block = {
        "attn_norm": np.ones(N_EMBD, np.float32),
        "ffn_norm": np.ones(N_EMBD, np.float32),
        "ffn_gate": matrix(N_FF, N_EMBD, 1.5),
        "ffn_up": matrix(N_FF, N_EMBD, 1.0),
        "ffn_down": written(N_EMBD, N_FF, 1.1 * spec.drift),
    }
    if kv_heads:
        width = kv_heads * HEAD_DIM
        block |= {
            "attn_q": matrix(N_EMBD, N_EMBD, 1.0),
            "attn_k": matrix(width, N_EMBD, 1.0),
            "attn_v": matrix(width, N_EMBD, 1.0),
            "attn_output": written(N_EMBD, N_EMBD, 1.2 * spec.drift),
            "attn_q_norm": np.full(HEAD_DIM, 2.0, np.float32),
            "attn_k_norm": np.full(HEAD_DIM, 1.5, np.float32),
        }
    else:
        block |= {
            "shortconv.conv": matrix(N_EMBD, CONV_WIDTH, 1.0),
            "shortconv.in_proj": matrix(3 * N_EMBD, N_EMBD, 1.0),
            "shortconv.out_proj": written(N_EMBD, N_EMBD, 1.2 * spec.drift),
        }
    return block
