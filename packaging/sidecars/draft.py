"""The draft network: DFlash, DSpark and DFlash2 in PyTorch, with the names and shapes of the file contract.

A block is an anchor token and masks at positions n, n+1, ...; it sees the fused tap rows of positions < n
and itself. Slot k >= 1 predicts token n + k. The three kinds share the backbone; DSpark adds a bias by the
previous token and a confidence, DFlash2 short convolutions over the block and a selector among the best
candidates.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

import torch
from target import FF, GROUP, HEAD, N_KV, TAPS, VOCAB, WIDTH, Target, rms, rope_tables, rotate
from torch import Tensor, nn
from torch.nn import functional as F

EPS = 1e-6
MASK_TOKEN = 5
KINDS = ("dflash", "dspark", "dflash2")


@dataclass(frozen=True)
class DraftConfig:
    kind: str = "dflash"
    layers: int = 3
    block: int = 8  # anchor and masks
    causal: bool = True
    draft_vocab: int = 8192
    markov_rank: int = 64
    conv_kernel: int = 2
    conv_group: int = 16
    selector_rank: int = 64
    selector_top_k: int = 8
    taps: tuple[int, ...] = field(default=TAPS)

    def asdict(self) -> dict[str, object]:
        return asdict(self)


class Convolution(nn.Module):
    """Dynamic convolution over the slots of a block; the identity at the start."""

    def __init__(self, kernel: int, group: int) -> None:
        super().__init__()
        self.kernel, self.group = kernel, group
        base = torch.zeros(2, kernel, WIDTH)
        base[:, 0] = 1.0
        self.base = nn.Parameter(base)
        self.proj = nn.Parameter(torch.zeros(2 * kernel * (WIDTH // group), WIDTH))

    def weights(self, h: Tensor) -> Tensor:
        """Weights [2, kernel, ..., slots, width] from the normed, unconvolved input [..., slots, width]."""
        dyn = (h @ self.proj.T).unflatten(-1, (2, self.kernel, WIDTH // self.group))
        dyn = dyn.repeat_interleave(self.group, -1) + self.base
        return dyn.movedim((-3, -2), (0, 1))

    def forward(self, u: Tensor, weights: Tensor) -> Tensor:
        """Convolve u [..., slots, width] with one side's weights [kernel, ..., slots, width]."""
        out = weights[0] * u
        for t in range(1, self.kernel):
            out = out + weights[t] * F.pad(u, (0, 0, t, 0))[..., : u.shape[-2], :]
        return out


class Layer(nn.Module):
    def __init__(self, config: DraftConfig) -> None:
        super().__init__()

        def matrix(rows: int, columns: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(rows, columns) * 0.02)

        self.attn_norm = nn.Parameter(torch.ones(WIDTH))
        self.ffn_norm = nn.Parameter(torch.ones(WIDTH))
        self.q_norm = nn.Parameter(torch.ones(HEAD))
        self.k_norm = nn.Parameter(torch.ones(HEAD))
        self.q, self.k, self.v = matrix(WIDTH, WIDTH), matrix(N_KV * HEAD, WIDTH), matrix(N_KV * HEAD, WIDTH)
        self.o = matrix(WIDTH, WIDTH)
        self.gate, self.up, self.down = matrix(FF, WIDTH), matrix(FF, WIDTH), matrix(WIDTH, FF)
        self.causal = config.causal
        conv = config.kind == "dflash2"
        self.attn_conv = Convolution(config.conv_kernel, config.conv_group) if conv else None
        self.ffn_conv = Convolution(config.conv_kernel, config.conv_group) if conv else None

    def keys(self, h: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        return rotate(rms((h @ self.k.T).unflatten(-1, (N_KV, HEAD)), self.k_norm, EPS), cos, sin)

    def values(self, h: Tensor) -> Tensor:
        return (h @ self.v.T).unflatten(-1, (N_KV, HEAD))

    def forward(
        self, x: Tensor, g: Tensor, anchors: Tensor, tables: tuple[Tensor, Tensor], first: int
    ) -> Tensor:
        """x [b, a, slots, width], g [b, s, width], anchors [b, a]; only slots >= `first` come out."""
        b, a, n, _ = x.shape
        s = g.shape[1]
        cos, sin = tables
        place = anchors[..., None] + torch.arange(n, device=x.device)
        bc, bs = cos[place][..., None, :], sin[place][..., None, :]
        h = rms(x, self.attn_norm, EPS)
        side: Tensor | None = None
        if self.attn_conv is not None:
            side = self.attn_conv.weights(h)
            h = self.attn_conv(h, side[0])
        out = n - first
        q = rms((h[:, :, first:] @ self.q.T).unflatten(-1, (N_KV, GROUP, HEAD)), self.q_norm, EPS)
        q = (
            rotate(q, bc[:, :, first:, None], bs[:, :, first:, None]) * HEAD**-0.5
        )  # [b, a, out, kv, group, 64]
        kc, vc = self.keys(g, cos[:s, None], sin[:s, None]), self.values(g)  # [b, s, kv, 64]
        kb, vb = self.keys(h, bc, bs), self.values(h)  # [b, a, n, kv, 64]
        past = q.permute(0, 3, 1, 2, 4, 5).reshape(b, N_KV, a * out * GROUP, HEAD) @ kc.permute(0, 2, 3, 1)
        past = past.view(b, N_KV, a, out * GROUP, s)
        unseen = torch.arange(s, device=x.device) >= anchors[..., None]
        past = past.masked_fill(unseen[:, None, :, None], float("-inf"))
        qb = q.permute(0, 3, 1, 2, 4, 5).reshape(b, N_KV, a, out * GROUP, HEAD)
        own = qb @ kb.permute(0, 3, 1, 4, 2)  # [b, kv, a, out*group, n]
        if self.causal:
            slot = torch.arange(first, n, device=x.device).repeat_interleave(GROUP)
            own = own.masked_fill(torch.arange(n, device=x.device) > slot[:, None], float("-inf"))
        p = torch.cat((past, own), -1).softmax(-1)
        pc, pb = p[..., :s], p[..., s:]
        y = (pc.reshape(b, N_KV, -1, s) @ vc.transpose(1, 2)).view(b, N_KV, a, out * GROUP, HEAD)
        y = y + pb @ vb.permute(0, 3, 1, 2, 4)
        y = (
            y.view(b, N_KV, a, out, GROUP, HEAD).permute(0, 2, 3, 1, 4, 5).reshape(b, a, out, WIDTH)
            @ self.o.T
        )
        if self.attn_conv is not None and side is not None:
            y = self.attn_conv(y, side[1])
        x = x[:, :, first:] + y
        h = rms(x, self.ffn_norm, EPS)
        if self.ffn_conv is not None:
            side = self.ffn_conv.weights(h)
            h = self.ffn_conv(h, side[0])
        y = (F.silu(h @ self.gate.T) * (h @ self.up.T)) @ self.down.T
        if self.ffn_conv is not None and side is not None:
            y = self.ffn_conv(y, side[1])
        return x + y


class Draft(nn.Module):
    """`embed` [vocabulary, 576] is the target's and frozen; `d2t` [draft vocabulary] are target ids."""

    embed: Tensor
    head: Tensor
    d2t: Tensor
    t2d: Tensor

    def __init__(self, config: DraftConfig, embed: Tensor, d2t: Tensor, max_positions: int = 2048) -> None:
        super().__init__()
        self.config = config
        self.fc = nn.Parameter(torch.zeros(WIDTH, len(config.taps) * WIDTH))
        self.enc_norm = nn.Parameter(torch.ones(WIDTH))
        self.output_norm = nn.Parameter(torch.ones(WIDTH))
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.register_buffer("embed", embed, persistent=False)
        self.register_buffer("head", embed[d2t].contiguous(), persistent=False)
        self.register_buffer("d2t", d2t)
        t2d = torch.full((VOCAB,), -1, dtype=torch.int64, device=d2t.device)
        t2d[d2t] = torch.arange(len(d2t), device=d2t.device)
        self.register_buffer("t2d", t2d, persistent=False)
        cos, sin = rope_tables(max_positions)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        if config.kind == "dspark":
            self.markov_w1 = nn.Parameter(torch.randn(VOCAB, config.markov_rank) * 0.01)
            self.markov_w2 = nn.Parameter(torch.randn(config.draft_vocab, config.markov_rank) * 0.01)
            self.conf_weight = nn.Parameter(torch.zeros(1, WIDTH + config.markov_rank))
            self.conf_bias = nn.Parameter(torch.zeros(1))
        if config.kind == "dflash2":
            self.predecessor = nn.Parameter(torch.randn(VOCAB, config.selector_rank) * 0.02)
            self.successor = nn.Parameter(torch.randn(VOCAB, config.selector_rank) * 0.02)
            self.selector_hidden = nn.Parameter(torch.randn(config.selector_rank, WIDTH) * 0.02)

    def fuse(self, features: Tensor) -> Tensor:
        """Fused rows [b, s, width] of tap rows [b, s, taps, width]."""
        return rms(features.flatten(-2) @ self.fc.T, self.enc_norm, EPS)

    def hidden(self, features: Tensor, anchor_tokens: Tensor, anchors: Tensor, slots: int) -> Tensor:
        """Normed last states [b, a, slots - 1, width] of slots 1 .. slots-1."""
        g = self.fuse(features)
        tokens = torch.full((*anchors.shape, slots), MASK_TOKEN, device=anchors.device)
        tokens[..., 0] = anchor_tokens
        x = self.embed[tokens]
        # The convolutions of DFlash2 mix neighbouring slots, so its anchor slot is kept to the end.
        last = 0 if self.config.kind == "dflash2" else 1
        for i, layer in enumerate(self.layers):
            x = layer(x, g, anchors, (self.cos, self.sin), last if i == len(self.layers) - 1 else 0)
        return rms(x[:, :, 1 - last :], self.output_norm, EPS)

    def logits(self, hidden: Tensor) -> Tensor:
        return (hidden @ self.head.T).float()

    def markov_bias(self, previous: Tensor) -> Tensor:
        """DSpark: bias [..., draft vocabulary] by the token before each slot's prediction."""
        return (self.markov_w1[previous] @ self.markov_w2.T).float()

    def confidence(self, hidden: Tensor, previous: Tensor) -> Tensor:
        """DSpark: logit [...] of the chance that the slot's token is accepted.

        Nothing is detached: left to itself the state hardly tells how sure the draft is (see MODEL_CARD.md).
        """
        rows = self.confidence_rows(hidden, previous)
        return (rows @ self.conf_weight.T + self.conf_bias)[..., 0]

    def confidence_rows(self, hidden: Tensor, previous: Tensor) -> Tensor:
        """DSpark: what the confidence is a linear function of, [..., width + rank]."""
        return torch.cat((hidden, self.markov_w1[previous]), -1)

    def pair_scores(self, hidden: Tensor, previous: Tensor, candidates: Tensor) -> Tensor:
        """DFlash2: scores [..., k] of candidates [..., k] (target ids) after `previous`, to add to logits."""
        a = self.predecessor[previous] * (hidden @ self.selector_hidden.T)
        return (self.successor[candidates] @ a[..., None])[..., 0]

    @torch.no_grad()
    def initialise(self, target: Target, tap_rms: Tensor) -> None:
        """Start from the last layers of the target; `tap_rms` [taps] is the usual size of each tap's rows."""
        eye = torch.eye(WIDTH)
        share = torch.tensor([0.25] * (len(tap_rms) - 1) + [1.0])
        self.fc.copy_(torch.cat([eye * (w / r) for w, r in zip(share, tap_rms, strict=True)], 1))
        chosen = target.layers[-self.config.layers :]
        self.enc_norm.copy_(torch.stack([t.attn_norm for t in chosen]).mean(0))
        self.output_norm.copy_(target.final_norm)
        for module, t in zip(self.layers, chosen, strict=True):
            assert isinstance(module, Layer)
            q, k, v = t.qkv.split((WIDTH, N_KV * HEAD, N_KV * HEAD))
            gate, up = t.gate_up.chunk(2)
            for parameter, value in (
                (module.q, q),
                (module.k, k),
                (module.v, v),
                (module.o, t.out),
                (module.gate, gate),
                (module.up, up),
                (module.down, t.down),
                (module.attn_norm, t.attn_norm),
                (module.ffn_norm, t.ffn_norm),
            ):
                parameter.copy_(value)
            module.q_norm.fill_(1.5)
            module.k_norm.fill_(1.5)
