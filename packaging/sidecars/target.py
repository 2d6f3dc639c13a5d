"""The default target as a PyTorch model: the shipped Q4_1 file's weights, dequantised.

On a CPU a matrix product over many rows is several times faster so than by the native Q4_1 kernel, so text,
features and teacher logits come from here: in bfloat16 where the CPU multiplies it directly (three times as
fast as float32; its logits then differ by 0.06 in the mean), else in float32. The native kernels round
activations to eight bits, and which way each one falls depends on the width of the batch: the native library
differs from itself, between a batch of 160 and single tokens, by as much as it differs from this model (mean
logit difference 0.14 to 0.21 against 0.16 to 0.21). Being closer than that to one of its widths would mean
nothing; `make.py gates` repeats the comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

N_LAYERS, WIDTH, N_HEADS, N_KV, HEAD, FF, VOCAB = 30, 576, 9, 3, 64, 1536, 49152
GROUP = N_HEADS // N_KV
TAPS = (2, 9, 16, 23, 29)
EPS = 1e-5
ROPE_BASE = 100000.0


def rms(x: Tensor, weight: Tensor, eps: float = EPS) -> Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


def rope_tables(n: int, device: torch.device | None = None) -> tuple[Tensor, Tensor]:
    """Cosines and sines [n, 32] of the rotary embedding for positions 0..n-1."""
    freq = ROPE_BASE ** (-torch.arange(0, HEAD, 2, dtype=torch.float64) / HEAD)
    angle = torch.arange(n, dtype=torch.float64)[:, None] * freq[None]
    return angle.cos().float().to(device), angle.sin().float().to(device)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """NeoX rotary over the last dimension; `cos` and `sin` broadcast against half of it."""
    a, b = x[..., : HEAD // 2], x[..., HEAD // 2 :]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def _unpermute(w: Tensor, heads: int) -> Tensor:
    """Undo the pairing of rotary dimensions with which llama files store Q and K."""
    return w.view(heads, HEAD // 2, 2, -1).transpose(1, 2).reshape(w.shape)


@dataclass
class TargetLayer:
    attn_norm: Tensor
    qkv: Tensor  # [960, 576]
    out: Tensor
    ffn_norm: Tensor
    gate_up: Tensor  # [3072, 576]
    down: Tensor


class Cache:
    """Keys [rows, 3, 64, length] and values [rows, 3, length, 64] of every layer.

    So laid out, both products of a step read memory in order.
    """

    def __init__(
        self, rows: int, length: int, device: torch.device, dtype: torch.dtype = torch.float32
    ) -> None:
        like = {"device": device, "dtype": dtype}
        self.k = [torch.zeros(rows, N_KV, HEAD, length, **like) for _ in range(N_LAYERS)]
        self.v = [torch.zeros(rows, N_KV, length, HEAD, **like) for _ in range(N_LAYERS)]


class Target:
    """Read-only weights; all methods run without gradients."""

    def __init__(
        self,
        path: Path,
        device: str = "cpu",
        max_positions: int = 2048,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.device, self.dtype = torch.device(device), dtype
        tensors = {t.name: t for t in gguf.GGUFReader(str(path)).tensors}

        def get(name: str) -> Tensor:
            t = tensors[name]
            return torch.from_numpy(gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32))

        self.embed = get("token_embd.weight").to(self.device)
        self._head = self.embed.to(dtype)
        self.final_norm = get("output_norm.weight").to(self.device)
        self.layers: list[TargetLayer] = []
        for i in range(N_LAYERS):
            b = f"blk.{i}."
            q = _unpermute(get(b + "attn_q.weight"), N_HEADS)
            k = _unpermute(get(b + "attn_k.weight"), N_KV)
            qkv = torch.cat((q, k, get(b + "attn_v.weight")))
            gate_up = torch.cat((get(b + "ffn_gate.weight"), get(b + "ffn_up.weight")))
            layer = TargetLayer(
                get(b + "attn_norm.weight").to(self.device),
                qkv.to(self.device, dtype),
                get(b + "attn_output.weight").to(self.device, dtype),
                get(b + "ffn_norm.weight").to(self.device),
                gate_up.to(self.device, dtype),
                get(b + "ffn_down.weight").to(self.device, dtype),
            )
            self.layers.append(layer)
        self.cos, self.sin = rope_tables(max_positions, self.device)

    def head(self, x: Tensor) -> Tensor:
        """Logits [..., vocabulary] of the last layer's output."""
        return self._times(rms(x, self.final_norm), self._head)

    def _times(self, x: Tensor, matrix: Tensor) -> Tensor:
        """x @ matrix.T in the weights' precision; float32 comes out."""
        return (x.to(self.dtype) @ matrix.T).float()

    def _qkv(self, layer: TargetLayer, x: Tensor) -> Tensor:
        return self._times(rms(x, layer.attn_norm), layer.qkv)

    def _finish(self, layer: TargetLayer, x: Tensor, attended: Tensor) -> Tensor:
        x = x + self._times(attended, layer.out)
        gate, up = self._times(rms(x, layer.ffn_norm), layer.gate_up).chunk(2, -1)
        return x + self._times(F.silu(gate) * up, layer.down)

    @torch.inference_mode()
    def prefill(self, tokens: Tensor, cache: Cache | None = None) -> tuple[Tensor, Tensor]:
        """Whole sequences [b, s] from position 0: taps [b, s, 5, 576], the last layer's output [b, s, 576].

        Rows shorter than s are padded on the right with any token; `cache` (rows >= b) is filled when given.
        """
        b, s = tokens.shape
        x = self.embed[tokens]
        cos, sin = self.cos[:s], self.sin[:s]
        taps = []
        for i, layer in enumerate(self.layers):
            if i in TAPS:
                taps.append(x)
            q, k, v = self._qkv(layer, x).split((N_HEADS * HEAD, N_KV * HEAD, N_KV * HEAD), -1)
            q = rotate(q.view(b, s, N_HEADS, HEAD).transpose(1, 2), cos, sin).to(self.dtype)
            k = rotate(k.view(b, s, N_KV, HEAD).transpose(1, 2), cos, sin).to(self.dtype)
            v = v.view(b, s, N_KV, HEAD).transpose(1, 2).to(self.dtype)
            if cache is not None:
                cache.k[i][:b, :, :, :s] = k.transpose(2, 3)
                cache.v[i][:b, :, :s] = v
            attended = F.scaled_dot_product_attention(
                q, k.repeat_interleave(GROUP, 1), v.repeat_interleave(GROUP, 1), is_causal=True
            )
            x = self._finish(layer, x, attended.transpose(1, 2).reshape(b, s, WIDTH))
        return torch.stack(taps, 2), x

    @torch.inference_mode()
    def step(self, tokens: Tensor, positions: Tensor, cache: Cache, length: int) -> tuple[Tensor, Tensor]:
        """One token per row [r] at its own position (< length): taps [r, 5, 576], last output [r, 576]."""
        r = tokens.shape[0]
        rows = torch.arange(r, device=self.device)
        x = self.embed[tokens]
        cos, sin = self.cos[positions][:, None], self.sin[positions][:, None]
        hidden = torch.arange(length, device=self.device)[None] > positions[:, None]
        mask = torch.zeros(r, length, device=self.device, dtype=self.dtype)
        mask = mask.masked_fill_(hidden, float("-inf"))
        mask = mask[:, None, None].expand(r, N_KV, 1, length).reshape(r * N_KV, 1, length)
        taps = []
        for i, layer in enumerate(self.layers):
            if i in TAPS:
                taps.append(x)
            q, k, v = self._qkv(layer, x).split((N_HEADS * HEAD, N_KV * HEAD, N_KV * HEAD), -1)
            q = (rotate(q.view(r, N_HEADS, HEAD), cos, sin) * HEAD**-0.5).to(self.dtype)
            cache.k[i][rows, :, :, positions] = rotate(k.view(r, N_KV, HEAD), cos, sin).to(self.dtype)
            cache.v[i][rows, :, positions] = v.view(r, N_KV, HEAD).to(self.dtype)
            keys = cache.k[i][:r].view(r * N_KV, HEAD, -1)[:, :, :length]
            values = cache.v[i][:r].view(r * N_KV, -1, HEAD)[:, :length]
            scores = torch.baddbmm(mask, q.view(r * N_KV, GROUP, HEAD), keys)
            attended = torch.bmm(scores.softmax(-1), values)
            x = self._finish(layer, x, attended.reshape(r, WIDTH))
        return torch.stack(taps, 1), x
