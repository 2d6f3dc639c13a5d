"""Tiny EAGLE-3 sidecars for the tiny targets.

Their layer looks at its own position alone and turns the fused state one token on along the ring, so a
row of the wrong position foretells the wrong token. The token beside the state is needed for nothing but
to attend by.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType

from tests.models.ring import CONTENT, FUSED, IS_TOKEN, N_EMBD, TOKEN_MARK, Array, unit_rows
from tests.models.target import TargetSpec
from tests.models.vocabulary import write_vocabulary

N_FF = 96
HEAD_DIM = 64
N_CONTENT = CONTENT.stop - CONTENT.start
_N_SHARP = 8  # dimensions that turn fast enough to tell one position from the next


@dataclass(frozen=True)
class Eagle3Spec:
    """`draft_vocab` keeps only so many tokens of the ring in the head, with a `d2t` map (0: all tokens).

    `own_embeddings`, `own_head`: the file carries them instead of borrowing the target's. `norm_before_fc`:
    the target's states are brought to one length before they are fused. Tap 0 is among `target_layers`.
    """

    target: TargetSpec = field(default_factory=TargetSpec)
    target_layers: tuple[int, int, int] = (0, 2, 3)
    draft_vocab: int = 0
    own_embeddings: bool = False
    own_head: bool = False
    norm_before_fc: bool = False
    seed: int = 9

    def d2t(self) -> list[int]:
        """Target ids of the reduced head, ascending; empty when the head is whole."""
        return sorted(self.target.vocabulary().ring[: self.draft_vocab])


def make_eagle3(path: Path, spec: Eagle3Spec = Eagle3Spec()) -> Path:
    """Write the sidecar to `path` (float32) and return the path."""
    writer = GGUFWriter(str(path), "eagle3")
    writer.add_name("Tiny EAGLE-3 sidecar")
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_context_length(spec.target.context_length)
    writer.add_embedding_length(N_EMBD)
    writer.add_block_count(1)
    writer.add_feed_forward_length(N_FF)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_key_length(HEAD_DIM)
    writer.add_value_length(HEAD_DIM)
    writer.add_rope_dimension_count(HEAD_DIM)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_array("eagle3.target_layers", list(spec.target_layers))
    writer.add_uint32("eagle3.target_hidden_size", N_EMBD)
    writer.add_bool("eagle3.norm_before_residual", True)
    if spec.norm_before_fc:
        writer.add_bool("eagle3.norm_before_fc", True)
    write_vocabulary(writer, spec.target.vocabulary())
    for name, data in eagle3_tensors(spec).items():
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def eagle3_tensors(spec: Eagle3Spec) -> dict[str, np.ndarray]:
    """Every tensor by its name in the file, in torch order."""
    rng = np.random.default_rng(spec.seed)
    ones = np.ones(N_EMBD, np.float32)
    tensors: dict[str, np.ndarray] = {
        "fc.weight": _fusion(spec, rng),
        "output_norm.weight": 0.2 * ones,  # less than sure of anything
        "blk.0.attn_norm.weight": ones,
        "blk.0.attn_norm_2.weight": ones,
        "blk.0.ffn_norm.weight": ones,
        "blk.0.ffn_gate.weight": _faint(rng, N_FF, N_EMBD, 0.5),
        "blk.0.ffn_up.weight": _faint(rng, N_FF, N_EMBD, 0.5),
        "blk.0.ffn_down.weight": _faint(rng, N_EMBD, N_FF, 0.02),
        **_turning(spec),
    }
    if spec.norm_before_fc:
        tensors["enc.output_norm.weight"] = np.ones(3 * N_EMBD, np.float32)
    if spec.own_embeddings:
        tensors["token_embd.weight"] = spec.target.embeddings()
    d2t = spec.d2t()
    if d2t:
        tensors["output.weight"] = spec.target.head()[d2t]
        tensors["d2t"] = np.array(d2t, np.int64)
    elif spec.own_head:
        tensors["output.weight"] = spec.target.head()
    return tensors


def _fusion(spec: Eagle3Spec, rng: np.random.Generator) -> Array:
    """[128, 3 * 128]: the token as tap 0 sees it, and faintly everything."""
    fc = _faint(rng, N_EMBD, 3 * N_EMBD, 0.02)
    offset = spec.target_layers.index(0) * N_EMBD
    fc[FUSED, offset + CONTENT.start : offset + CONTENT.stop] += np.eye(N_CONTENT, dtype=np.float32)
    return fc


def _turning(spec: Eagle3Spec) -> dict[str, np.ndarray]:
    """Head 0 carries what is to be foretold from, head 1 the state turned on; both look at themselves.

    With the state before the sum: fused x turned on by one is x + (turn - 1) x, and what the output reads
    is the turned x in place of the one left from the step before.
    """
    q = np.zeros((2, HEAD_DIM, 2 * N_EMBD), np.float32)
    k = np.zeros((HEAD_DIM, 2 * N_EMBD), np.float32)
    v = np.zeros((HEAD_DIM, 2 * N_EMBD), np.float32)
    out = np.zeros((N_EMBD, 2, HEAD_DIM), np.float32)
    q[:, :_N_SHARP, IS_TOKEN] = 400.0 / TOKEN_MARK
    k[:_N_SHARP, IS_TOKEN] = 1.0 / TOKEN_MARK
    fused, shown = slice(N_EMBD + FUSED.start, N_EMBD + FUSED.stop), N_EMBD + CONTENT.start
    v[:N_CONTENT, fused] = np.eye(N_CONTENT, dtype=np.float32)
    v[N_CONTENT : 2 * N_CONTENT, shown : shown + N_CONTENT] = np.eye(N_CONTENT, dtype=np.float32)
    turn = spec.target.ring().step(1)
    out[FUSED, 0, :N_CONTENT] = turn - np.eye(N_CONTENT, dtype=np.float32)
    out[CONTENT, 1, :N_CONTENT] = turn
    out[CONTENT, 1, N_CONTENT : 2 * N_CONTENT] = -np.eye(N_CONTENT, dtype=np.float32)
    return {
        "blk.0.attn_q.weight": q.reshape(-1, 2 * N_EMBD),
        "blk.0.attn_k.weight": k,
        "blk.0.attn_v.weight": v,
        "blk.0.attn_output.weight": out.reshape(N_EMBD, -1),
    }


def _faint(rng: np.random.Generator, rows: int, columns: int, gain: float) -> Array:
    return np.asarray(unit_rows(rng, rows, columns) * gain, np.float32)
