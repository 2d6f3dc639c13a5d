"""Tiny DFlash, DSpark and DFlash2 sidecars for the tiny targets.

Their first two layers are made, not trained: one finds out which slot it is in, the other reads the last
committed token and turns it along the ring to what foretells the slot's draft. Read from the injected
features, a wrong tap order, row or position shows in the acceptance. Further layers are faint noise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType

from tests.models.ring import (
    CONTENT,
    DEPTH,
    FREE,
    FUSED,
    INDEX,
    IS_FUSED,
    IS_MASK,
    IS_TOKEN,
    N_EMBD,
    TOKEN_MARK,
    Array,
    unit_rows,
)
from tests.models.target import TargetSpec
from tests.models.vocabulary import MASK, write_vocabulary

DFLASH, DSPARK, DFLASH2 = "DFlash", "DSpark", "DFlash2"

N_FF = 96
HEAD_DIM = 32
CONV_KERNEL, CONV_GROUP, RANK = 2, 16, 32
N_CONTENT = CONTENT.stop - CONTENT.start
INDEX_LENGTH = float(np.sqrt(N_EMBD))  # as long as the mask token's embedding
_ROPE_BASE = 10000.0
# Keys: "seen" lies on rotary pairs that turn fast enough to tell one position from the next, "unseen"
# on pairs that hardly turn. A query leans on the second unless the first stands where it looks.
_N_SHARP = 4
_SEEN, _UNSEEN = np.zeros((2, HEAD_DIM), np.float32)
_SEEN[:_N_SHARP] = 1.0
_UNSEEN[13:16] = 1.0


@dataclass(frozen=True)
class SidecarSpec:
    """`draft_vocab` keeps only so many tokens of the ring in the head, with a `d2t` map (0: all tokens).

    `own_embeddings`, `own_head`: the file carries them instead of borrowing the target's.
    `sample_from_anchor` and `confidence` concern DSpark only. `reads_features` False reads the anchor
    instead; else `target_layers` must hold 0. Blocks of up to 24 tokens.
    """

    algorithm: str = DFLASH
    target: TargetSpec = field(default_factory=TargetSpec)
    block_size: int = 8
    target_layers: tuple[int, ...] = (0, 2, 3)
    n_layer: int = 3
    causal: bool = False
    draft_vocab: int = 0
    own_embeddings: bool = False
    own_head: bool = False
    sample_from_anchor: bool | None = None
    confidence: bool = True
    selector_top_k: int = 8
    mrope: bool = False
    reads_features: bool = True
    seed: int = 7

    def d2t(self) -> list[int]:
        """Target ids of the reduced head, ascending; empty when the head is whole."""
        return sorted(self.target.vocabulary().ring[: self.draft_vocab])

    @property
    def first_slot(self) -> int:
        """The slot that foretells the first draft: 0 when sampling starts at the anchor."""
        return 0 if self.algorithm == DSPARK and self.sample_from_anchor is not False else 1

    @property
    def n_head(self) -> int:
        """One for each slot."""
        return self.block_size


def make_sidecar(path: Path, spec: SidecarSpec = SidecarSpec()) -> Path:
    """Write the sidecar to `path` (float32) and return the path."""
    writer = GGUFWriter(str(path), "dflash")
    writer.add_name(f"Tiny {spec.algorithm} sidecar")
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_context_length(spec.target.context_length)
    writer.add_embedding_length(N_EMBD)
    writer.add_block_count(spec.n_layer)
    writer.add_feed_forward_length(N_FF)
    writer.add_head_count(spec.n_head)
    writer.add_head_count_kv(1)
    writer.add_key_length(HEAD_DIM)
    writer.add_value_length(HEAD_DIM)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(_ROPE_BASE)
    writer.add_uint32("dflash.block_size", spec.block_size)
    writer.add_array("dflash.target_layers", list(spec.target_layers))
    if spec.causal:
        writer.add_causal_attention(True)
    if spec.mrope:
        writer.add_rope_dimension_sections([HEAD_DIM // 2, 0, 0, 0])
    if spec.algorithm == DSPARK:
        if spec.sample_from_anchor is not None:
            writer.add_bool("dflash.sample_from_anchor", spec.sample_from_anchor)
        writer.add_bool("dflash.has_confidence_head", spec.confidence)
    if spec.algorithm == DFLASH2:
        writer.add_uint32("dflash.conv_kernel_size", CONV_KERNEL)
        writer.add_uint32("dflash.conv_group_size", CONV_GROUP)
        writer.add_uint32("dflash.selector_rank", RANK)
        writer.add_uint32("dflash.selector_top_k", spec.selector_top_k)
    write_vocabulary(writer, spec.target.vocabulary(), mask_token=MASK)
    for name, data in sidecar_tensors(spec).items():
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def sidecar_tensors(spec: SidecarSpec) -> dict[str, np.ndarray]:
    """Every tensor by its name in the file, in torch order."""
    rng = np.random.default_rng(spec.seed)
    tensors: dict[str, np.ndarray] = {
        "fc.weight": _fusion(spec, rng),
        "enc.output_norm.weight": np.ones(N_EMBD, np.float32),
        "output_norm.weight": np.ones(N_EMBD, np.float32),
    }
    for i in range(spec.n_layer):
        block = (_index_layer, _reading_layer)[i](spec) if i < 2 else _faint_layer(spec, rng)
        block |= {
            "ffn_norm": np.ones(N_EMBD, np.float32),
            "ffn_gate": _noise(rng, N_FF, N_EMBD, 1.0),
            "ffn_up": _noise(rng, N_FF, N_EMBD, 1.0),
            "ffn_down": _noise(rng, N_EMBD, N_FF, 0.05),
        }
        tensors |= {f"blk.{i}.{name}.weight": data for name, data in block.items()}
    d2t = spec.d2t()
    if spec.own_embeddings:
        tensors["token_embd.weight"] = spec.target.embeddings()
    if spec.own_head or d2t:
        head = spec.target.head()
        tensors["output.weight"] = head[d2t] if d2t else head
    if d2t:
        tensors["d2t"] = np.array(d2t, np.int64)
    if spec.algorithm == DSPARK:
        tensors |= _markov_head(spec, rng)
    if spec.algorithm == DFLASH2:
        tensors |= _convolutions(spec, rng) | _selector(spec)
    return tensors


def _fusion(spec: SidecarSpec, rng: np.random.Generator) -> Array:
    """[128, taps * 128]: carries the embedding, which tap 0 sees, into the fused part of the row."""
    fc = _noise(rng, N_EMBD, N_EMBD * len(spec.target_layers), 0.02)
    fc[: IS_MASK + 1] = 0.0
    if 0 in spec.target_layers:
        offset = spec.target_layers.index(0) * N_EMBD
        for j in range(N_CONTENT):
            fc[FUSED.start + j, offset + CONTENT.start + j] = 1.0
        # Weights that rise with the depth of the tap make a sum that is largest in the right order, so
        # the mark that lets the row be read is positive in that order alone.
        depths = np.array([spec.target.depth_at(tap) for tap in spec.target_layers])
        slack = 0.5 * min(np.diff(np.sort(depths)), default=2.0) ** 2
        fc[IS_FUSED, offset + IS_TOKEN] = (slack - depths @ depths) / TOKEN_MARK
        for slot, depth in enumerate(depths):
            fc[IS_FUSED, slot * N_EMBD + DEPTH] = depth
    return fc


def _index_layer(spec: SidecarSpec) -> dict[str, Array]:
    """Head h sees the anchor exactly h positions back, and writes so: this is slot h."""
    q, wk, wv, wo = _empty_attention(spec)
    for h in range(spec.n_head):
        q[h, :, IS_MASK] = q[h, :, IS_TOKEN] = _looking_back(h) + _looking_away()
        wo[INDEX.start + h, h, 0] = INDEX_LENGTH / TOKEN_MARK
    wk[:, IS_TOKEN] = _SEEN
    wk[:, IS_MASK] = wk[:, IS_FUSED] = _UNSEEN
    wv[0, IS_TOKEN] = 1.0
    return _attention(q, wk, wv, wo)


def _reading_layer(spec: SidecarSpec) -> dict[str, Array]:
    """In slot h, head h alone reads the anchor or the last fused row, and turns it to foretell its draft."""
    q, wk, wv, wo = _empty_attention(spec)
    for h in range(spec.n_head):
        distance = h + 1 if spec.reads_features else h
        q[h, :, INDEX.start + h] = _looking_back(distance) / INDEX_LENGTH
        q[h, :, IS_MASK] = _looking_away() / np.sqrt(N_EMBD)
        q[h, :, IS_TOKEN] = _looking_away() / TOKEN_MARK
        # The row read stands `distance` back; the head of the model expects the token before the draft.
        wo[CONTENT, h, :N_CONTENT] = spec.target.ring().step(distance - spec.first_slot)
    wk[:, IS_FUSED], wk[:, IS_TOKEN] = (_SEEN, _UNSEEN) if spec.reads_features else (_UNSEEN, _SEEN)
    wk[:, IS_MASK] = _UNSEEN
    source = FUSED if spec.reads_features else CONTENT
    wv[:N_CONTENT, source] = np.eye(N_CONTENT, dtype=np.float32)
    return _attention(q, wk, wv, wo)


def _looking_back(distance: int) -> Array:
    """The part of a query that meets `_SEEN` best when the key stands `distance` positions back."""
    pairs = np.arange(_N_SHARP)
    angle = distance * _ROPE_BASE ** (-pairs / (HEAD_DIM // 2))
    part = np.zeros(HEAD_DIM, np.float32)
    part[pairs] = np.cos(angle)
    part[pairs + HEAD_DIM // 2] = -np.sin(angle)
    return part


def _looking_away() -> Array:
    """The part that meets `_UNSEEN` at any distance, halfway between a hit and a miss by one position."""
    return np.asarray(_UNSEEN * (0.914 * np.sqrt(_N_SHARP / _UNSEEN.sum())), np.float32)


def _empty_attention(spec: SidecarSpec) -> tuple[Array, Array, Array, Array]:
    """Zeros: q [heads, head, 128], k and v [head, 128], output [128, heads, head]."""
    q = np.zeros((spec.n_head, HEAD_DIM, N_EMBD), np.float32)
    wo = np.zeros((N_EMBD, spec.n_head, HEAD_DIM), np.float32)
    return q, np.zeros((HEAD_DIM, N_EMBD), np.float32), np.zeros((HEAD_DIM, N_EMBD), np.float32), wo


def _attention(q: Array, wk: Array, wv: Array, wo: Array, sharpness: float = 40.0) -> dict[str, Array]:
    return {
        "attn_norm": np.ones(N_EMBD, np.float32),
        "attn_q": q.reshape(-1, N_EMBD),
        "attn_k": wk,
        "attn_v": wv,
        "attn_output": wo.reshape(N_EMBD, -1),
        "attn_q_norm": np.full(HEAD_DIM, sharpness, np.float32),
        "attn_k_norm": np.ones(HEAD_DIM, np.float32),
    }


def _faint_layer(spec: SidecarSpec, rng: np.random.Generator) -> dict[str, Array]:
    width = spec.n_head * HEAD_DIM
    q, wo = _noise(rng, width, N_EMBD, 1.0), _noise(rng, N_EMBD, width, 0.05)
    return _attention(q, _noise(rng, HEAD_DIM, N_EMBD, 1.0), _noise(rng, HEAD_DIM, N_EMBD, 1.0), wo, 1.0)


def _markov_head(spec: SidecarSpec, rng: np.random.Generator) -> dict[str, Array]:
    """Biases towards the next token of the ring, and a confidence that varies."""
    ring, d2t = spec.target.ring(), spec.d2t()
    w1 = _noise(rng, len(ring.points), RANK, 0.3)
    w1[:, CONTENT] += ring.points
    w2 = _noise(rng, len(ring.points), RANK, 0.3)
    w2[:, CONTENT] += 3.0 * ring.before()
    tensors = {"markov_w1.weight": w1, "markov_w2.weight": w2[d2t] if d2t else w2}
    if spec.confidence:
        tensors["conf_proj.weight"] = _noise(rng, 1, N_EMBD + RANK, 2.0)
        tensors["conf_proj.bias"] = np.array([0.5], np.float32)
    return tensors


def _convolutions(spec: SidecarSpec, rng: np.random.Generator) -> dict[str, Array]:
    """Nearly the identity."""
    tensors: dict[str, Array] = {}
    for i in range(spec.n_layer):
        for part in ("attn", "ffn"):
            base = np.zeros((2, CONV_KERNEL, N_EMBD), np.float32)
            base[:, 0] = 1.0
            base[:, 1:, FREE] = 0.05
            rows = 2 * CONV_KERNEL * (N_EMBD // CONV_GROUP)
            tensors[f"blk.{i}.{part}_conv_base"] = base
            tensors[f"blk.{i}.{part}_conv_proj.weight"] = _noise(rng, rows, N_EMBD, 0.01)
    return tensors


def _selector(spec: SidecarSpec) -> dict[str, Array]:
    """Prefers the ring's next token after the chosen one; the gate is a constant."""
    ring = spec.target.ring()
    before, after, gate = (np.zeros((n, RANK), np.float32) for n in (len(ring.points),) * 2 + (N_EMBD,))
    before[:, :N_CONTENT] = ring.points
    after[:, :N_CONTENT] = ring.before()
    gate[IS_MASK] = 0.5
    return {
        "selector_predecessor.weight": before,
        "selector_successor.weight": after,
        "selector_hidden.weight": np.ascontiguousarray(gate.T),
    }


def _noise(rng: np.random.Generator, rows: int, columns: int, gain: float) -> Array:
    """[rows, columns] that turns a row of root mean square 1 into one of root mean square `gain`."""
    return np.asarray(unit_rows(rng, rows, columns) * gain, np.float32)
