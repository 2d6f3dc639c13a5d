"""Tiny targets: llama or qwen3 models of 128 dimensions with a vocabulary that the native library loads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType

from tests.models.ring import (
    DEPTH,
    IS_TOKEN,
    MARKS,
    N_EMBD,
    TOKEN_MARK,
    Array,
    Ring,
    make_embeddings,
    make_head,
    make_ring,
)
from tests.models.vocabulary import Vocabulary, make_vocabulary, write_vocabulary

N_FF = 192
HEAD_DIM = 16


@dataclass(frozen=True)
class TargetSpec:
    """`drift`: how far context pushes the model off its ring; 0 makes a clock, 1 makes noise.

    `ends` puts `<|im_end|>` on the ring, so replies end by themselves; else they run to their limit.
    `tied` leaves out the head, as SmolLM does; then a token mostly repeats itself. `mtp_heads`: next-token
    heads behind the last layer, for `make_memory`.
    """

    architecture: str = "llama"
    n_layer: int = 4
    n_head: int = 8
    n_head_kv: int = 2
    context_length: int = 4096
    drift: float = 0.7
    gain: float = 2.5
    tied: bool = False
    ends: bool = False
    chat_template: bool = True
    seed: int = 6
    mtp_heads: int = 0

    def vocabulary(self) -> Vocabulary:
        return make_vocabulary(self.ends)

    def ring(self) -> Ring:
        return make_ring(self.vocabulary(), self.seed)

    def embeddings(self) -> Array:
        """[vocab, 128]"""
        return make_embeddings(self.ring(), self.seed + 1)

    def head(self) -> Array:
        """[vocab, 128]; of a tied model, its embeddings."""
        return self.embeddings() if self.tied else make_head(self.ring(), self.seed + 2, self.gain)

    def depth_at(self, layer: int) -> float:
        """About what stands in `DEPTH` at the input of `layer`; the growth of the stream was measured."""
        depth = 0.0
        for i in range(layer):
            mean_square = 1.0 + 2.3 * self.drift**2 * i + depth**2 / N_EMBD
            depth += TOKEN_MARK / math.sqrt(mean_square)
        return depth


def make_target(path: Path, spec: TargetSpec = TargetSpec()) -> Path:
    """Write the model to `path` (float32) and return the path."""
    writer = GGUFWriter(str(path), spec.architecture)
    writer.add_name("Tiny target")
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_context_length(spec.context_length)
    writer.add_embedding_length(N_EMBD)
    writer.add_block_count(spec.n_layer)
    writer.add_feed_forward_length(N_FF)
    writer.add_head_count(spec.n_head)
    writer.add_head_count_kv(spec.n_head_kv)
    writer.add_key_length(HEAD_DIM)
    writer.add_value_length(HEAD_DIM)
    writer.add_rope_dimension_count(HEAD_DIM)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(spec.vocabulary().tokens))
    write_vocabulary(writer, spec.vocabulary(), chat_template=spec.chat_template)

    writer.add_tensor("token_embd.weight", spec.embeddings())
    writer.add_tensor("output_norm.weight", np.ones(N_EMBD, np.float32))
    if not spec.tied:
        writer.add_tensor("output.weight", spec.head())
    for name, data in _blocks(spec):
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _blocks(spec: TargetSpec) -> list[tuple[str, Array]]:
    """Random layers; every sublayer adds about `drift` to a stream of root mean square 1."""
    rng = np.random.default_rng(spec.seed + 3)
    q_width, kv_width = spec.n_head * HEAD_DIM, spec.n_head_kv * HEAD_DIM

    def matrix(rows: int, columns: int, std: float) -> Array:
        return np.asarray(rng.standard_normal((rows, columns)) * (std / np.sqrt(columns)), np.float32)

    def written(rows: int, columns: int, std: float) -> Array:
        out = matrix(rows, columns, std)
        out[MARKS] = 0.0
        return out

    tensors: list[tuple[str, Array]] = []
    for i in range(spec.n_layer):
        block = {
            "attn_norm": np.ones(N_EMBD, np.float32),
            # Sharp attention: what is attended to changes with every token.
            "attn_q": matrix(q_width, N_EMBD, 2.0),
            "attn_k": matrix(kv_width, N_EMBD, 1.5),
            "attn_v": matrix(kv_width, N_EMBD, 1.0),
            "attn_output": written(N_EMBD, q_width, 1.2 * spec.drift),
            "ffn_norm": np.ones(N_EMBD, np.float32),
            "ffn_gate": matrix(N_FF, N_EMBD, 1.5),
            "ffn_up": matrix(N_FF, N_EMBD, 1.0),
            "ffn_down": written(N_EMBD, N_FF, 1.1 * spec.drift),
        }
        # One value is the same for all tokens, so attention passes it on whatever it looks at.
        block["attn_v"][0] = 0.0
        block["attn_v"][0, IS_TOKEN] = 1.0
        block["attn_output"][DEPTH, 0] = 1.0
        if spec.architecture == "qwen3":
            block["attn_q_norm"] = np.full(HEAD_DIM, 2.0, np.float32)
            block["attn_k_norm"] = np.full(HEAD_DIM, 1.5, np.float32)
        tensors += [(f"blk.{i}.{name}.weight", data) for name, data in block.items()]
    return tensors
