"""Stage `export`, and reading a sidecar back: the file contract between PyTorch names and GGUF names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from draft import EPS, MASK_TOKEN, Draft, DraftConfig
from four_bits import packed
from paths import target_file
from target import FF, HEAD, N_HEADS, N_KV, ROPE_BASE, WIDTH
from torch import Tensor

CONTEXT = 8192
TOP = {
    "fc": "fc.weight",
    "enc_norm": "enc.output_norm.weight",
    "output_norm": "output_norm.weight",
    "markov_w1": "markov_w1.weight",
    "markov_w2": "markov_w2.weight",
    "conf_weight": "conf_proj.weight",
    "conf_bias": "conf_proj.bias",
    "predecessor": "selector_predecessor.weight",
    "successor": "selector_successor.weight",
    "selector_hidden": "selector_hidden.weight",
}
PER_LAYER = {
    "attn_norm": "attn_norm.weight",
    "ffn_norm": "ffn_norm.weight",
    "q_norm": "attn_q_norm.weight",
    "k_norm": "attn_k_norm.weight",
    "q": "attn_q.weight",
    "k": "attn_k.weight",
    "v": "attn_v.weight",
    "o": "attn_output.weight",
    "gate": "ffn_gate.weight",
    "up": "ffn_up.weight",
    "down": "ffn_down.weight",
    "attn_conv.base": "attn_conv_base",
    "attn_conv.proj": "attn_conv_proj.weight",
    "ffn_conv.base": "ffn_conv_base",
    "ffn_conv.proj": "ffn_conv_proj.weight",
}
# Small or delicate tensors keep more bits than the rest.
FINE = (
    "selector_hidden.weight",
    "attn_conv_proj.weight",
    "ffn_conv_proj.weight",
    "conf_proj.weight",
)

# One row per token of the vocabulary: most of the file, and not worth more bits.
ROUGH = ("markov_w1.weight", "markov_w2.weight", "selector_predecessor.weight", "selector_successor.weight")


def file_name_of(name: str) -> str:
    """The GGUF tensor name of a parameter."""
    if name.startswith("layers."):
        _, number, rest = name.split(".", 2)
        return f"blk.{number}.{PER_LAYER[rest]}"
    return TOP[name]


def _parts(draft: Draft) -> list[tuple[str, Tensor]]:
    """What a file holds of a draft, by GGUF names."""
    return [("output.weight", draft.head), *((file_name_of(n), p) for n, p in draft.named_parameters())]


def read_sidecar(path: Path, embed: Tensor, causal: bool | None = None) -> Draft:
    """A sidecar file as a PyTorch draft (dequantised), of whichever kind it is."""
    reader = gguf.GGUFReader(str(path))
    tensors = {t.name: t for t in reader.tensors}

    def field(name: str, default: Any = None) -> Any:
        f = reader.fields.get(f"dflash.{name}")
        return default if f is None else f.contents()

    kind = (
        "dspark"
        if "markov_w1.weight" in tensors
        else "dflash2"
        if "selector_hidden.weight" in tensors
        else "dflash"
    )
    d2t = torch.from_numpy(np.array(tensors["d2t"].data, np.int64))
    rank = int(tensors["markov_w1.weight"].shape[0]) if kind == "dspark" else DraftConfig.markov_rank
    config = DraftConfig(
        kind=kind,
        layers=field("block_count"),
        block=field("block_size"),
        causal=bool(field("attention.causal", False)) if causal is None else causal,
        draft_vocab=len(d2t),
        markov_rank=rank,
        conv_kernel=field("conv_kernel_size", 2),
        conv_group=field("conv_group_size", 16),
        selector_rank=field("selector_rank", 64),
        selector_top_k=field("selector_top_k", 8),
    )
    draft = Draft(config, embed, d2t)
    with torch.no_grad():
        for name, values in _parts(draft):
            t = tensors[name]
            read = gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32)
            values.copy_(torch.from_numpy(read).view(values.shape))
    return draft


def target_embeddings() -> Tensor:
    """The target's token embeddings [vocabulary, 576]."""
    tensors = {t.name: t for t in gguf.GGUFReader(str(target_file())).tensors}
    t = tensors["token_embd.weight"]
    return torch.from_numpy(gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32))


def load_checkpoint(path: Path, embed: Tensor, averaged: bool = True) -> tuple[Draft, dict[str, Any]]:
    """A draft from a training checkpoint, with its averaged weights, and the rest of the checkpoint."""
    state = torch.load(path, map_location="cpu", weights_only=False)
    state["config"].pop("confidence", None)  # in older checkpoints; every DSpark draft has one
    draft = Draft(DraftConfig(**state["config"]), embed, state["weights"]["d2t"])
    draft.load_state_dict(state["average" if averaged else "weights"])
    return draft, state


def read_draft(path: Path) -> Draft:
    """A draft from a checkpoint or a sidecar file."""
    embed = target_embeddings()
    return read_sidecar(path, embed) if path.suffix == ".gguf" else load_checkpoint(path, embed)[0]


def _copy_tokenizer(writer: gguf.GGUFWriter) -> None:
    """The target's tokenizer keys, as they are."""
    for name, f in gguf.GGUFReader(str(target_file())).fields.items():
        if not name.startswith("tokenizer."):
            continue
        value = f.contents()
        if f.types[0] == gguf.GGUFValueType.ARRAY:
            writer.add_array(name, value)
        else:
            writer.add_key_value(name, value, f.types[0])


def export(draft: Draft, path: Path, quantisation: str = "Q4_0", description: str = "") -> None:
    """Write the sidecar file; `quantisation` of the backbone: F16, Q8_0, Q5_0, Q4_0 or IQ4_NL."""
    c = draft.config
    writer = gguf.GGUFWriter(str(path.with_suffix(".tmp")), "dflash")
    title = {"dflash": "DFlash", "dspark": "DSpark", "dflash2": "DFlash2"}[c.kind]
    writer.add_name(f"SmolLM2-135M-Instruct {title}")
    writer.add_string("general.basename", f"smollm2-{c.kind}")
    writer.add_license("apache-2.0")
    writer.add_description(description)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(c.layers)
    writer.add_feed_forward_length(FF)
    writer.add_head_count(N_HEADS)
    writer.add_head_count_kv(N_KV)
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    writer.add_layer_norm_rms_eps(EPS)
    writer.add_rope_freq_base(ROPE_BASE)
    writer.add_uint32("dflash.block_size", c.block)
    writer.add_array("dflash.target_layers", list(c.taps))
    writer.add_bool("dflash.attention.causal", c.causal)
    if c.kind == "dspark":
        writer.add_bool("dflash.sample_from_anchor", False)
        writer.add_bool("dflash.has_confidence_head", True)
    if c.kind == "dflash2":
        writer.add_uint32("dflash.conv_kernel_size", c.conv_kernel)
        writer.add_uint32("dflash.conv_group_size", c.conv_group)
        writer.add_uint32("dflash.selector_rank", c.selector_rank)
        writer.add_uint32("dflash.selector_top_k", c.selector_top_k)
    _copy_tokenizer(writer)
    writer.add_uint32("tokenizer.ggml.mask_token_id", MASK_TOKEN)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    types = gguf.GGMLQuantizationType
    coarse = types[quantisation]
    fine = types.F16 if quantisation == "F16" else types.Q8_0
    rough = coarse if quantisation in ("F16", "IQ4_NL") else types.Q4_0
    writer.add_tensor("d2t", draft.d2t.cpu().numpy().astype(np.int64))
    for name, tensor in _parts(draft):
        values = tensor.detach().float().cpu().numpy()
        if values.ndim != 2 or name.endswith("norm.weight") or values.shape[-1] % 32:
            writer.add_tensor(name, values)
            continue
        delicate = name.endswith(FINE) or (name == "output.weight" and coarse != types.IQ4_NL)
        kind = fine if delicate else rough if name in ROUGH else coarse
        data = packed(tensor) if kind == types.IQ4_NL else gguf.quants.quantize(values, kind)
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    path.with_suffix(".tmp").replace(path)
