"""Stage `heads`: DSpark's and DFlash2's own parts fitted on a trained backbone, for minutes instead of hours.

The backbone stays as it is, so its states and best candidates are computed once and kept; a step of fitting
then touches a few candidates per slot instead of the whole head. The pair matrices start from counts of
neighbouring tokens in all answers, which know far more pairs than the cached slots.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, fields, replace
from pathlib import Path

import confidence
import numpy as np
import torch
from answers import read_answers
from batches import Pool, TokenPool
from draft import Draft
from losses import labels_of
from paths import STATE
from target import VOCAB
from torch import Tensor

CANDIDATES, OTHERS = 48, 24
ABSENT = -1e9  # the logit of a place that holds no candidate
SHRINK = 20.0  # how many sightings a pair needs to be believed
BATCH = 3072
STEPS = {"dspark": 200, "dflash2": 80}  # more of them learn the cached conversations by heart


@dataclass
class Slots:
    """Cached slots [n]; candidates are draft ids, best first, with the true token among them where known."""

    hidden: Tensor  # [n, width] half
    previous: Tensor  # [n] target ids
    candidates: Tensor  # [n, c]
    base: Tensor  # [n, c] logits of the backbone
    teacher: Tensor  # [n, c] probabilities
    gold: Tensor  # [n] place of the teacher's best token among the candidates, -1 if missing
    depth: Tensor  # [n] 0 for the first slot of a block

    def at(self, index: Tensor) -> Slots:
        return Slots(*(getattr(self, f.name)[index] for f in fields(self)))


@torch.inference_mode()
def cache_slots(draft: Draft, pool: Pool | TokenPool, blocks: int) -> Slots:
    """Run the backbone over random blocks of the pool."""
    slots = 6 if draft.config.causal else draft.config.block
    parts: list[Slots] = []
    done, start = 0, time.time()
    device = draft.d2t.device.type
    for batch in pool.batches(4, 48, device):
        labels = labels_of(draft, batch, slots, 1e9)
        hidden = draft.hidden(batch.features, batch.at(batch.tokens, batch.anchors), batch.anchors, slots)
        logits = draft.logits(hidden)
        candidates = logits.topk(CANDIDATES, -1)[1]
        best = labels.ids.gather(-1, labels.teacher.argmax(-1, keepdim=True))
        # What other slots ask for: without such company, the true token would stand out by being unlikely.
        others = best.flatten()[
            torch.randint(best.numel(), (*best.shape[:-1], OTHERS), device=best.device)
        ].clamp_min(0)
        added = torch.cat((others, best), -1)
        known = (candidates[..., None, :] == added[..., None]).any(-1) | (added < 0)
        repeated = torch.cat((others == best, torch.zeros_like(best, dtype=torch.bool)), -1)
        candidates = torch.cat((candidates, added.clamp_min(0)), -1)
        base = logits.gather(-1, candidates)
        base[..., CANDIDATES:].masked_fill_(known | repeated, ABSENT)
        same = candidates[..., None] == labels.ids[..., None, :]
        teacher = (same * labels.teacher[..., None, :]).sum(-1) * (base > ABSENT)
        right = (candidates == best) & (base > ABSENT)
        gold = torch.where(right.any(-1), right.long().argmax(-1), -1)
        depth = torch.arange(slots - 1, device=gold.device).expand(gold.shape)
        keep = labels.weight > 0
        part = (hidden.half(), labels.previous, candidates, base, teacher, gold, depth)
        parts.append(Slots(*(t[keep] for t in part)))
        done += batch.anchors.numel()
        if done >= blocks:
            break
    print(f"cached {done} blocks in {time.time() - start:.0f} s", flush=True)
    return Slots(*(torch.cat([getattr(p, f.name) for p in parts]) for f in fields(Slots)))


def pair_factors(draft: Draft, tokens: list[np.ndarray], rank: int) -> tuple[Tensor, Tensor]:
    """Factors [vocabulary, rank] and [draft vocabulary, rank] of how much a token favours its successor."""
    device = draft.d2t.device
    before = torch.from_numpy(np.concatenate([t[:-1] for t in tokens]).astype(np.int64)).to(device)
    after = draft.t2d[torch.from_numpy(np.concatenate([t[1:] for t in tokens]).astype(np.int64)).to(device)]
    before, after = before[after >= 0], after[after >= 0]
    n = len(draft.d2t)
    pairs, counts = torch.unique(before * n + after, return_counts=True)
    share = (torch.bincount(after, minlength=n).float() + 1) / (len(after) + n)
    rows, columns = pairs // n, pairs % n
    values = torch.log1p(counts / (SHRINK * share[columns]).clamp_min(1.0))
    # Weighted by how often the first token occurs, so that the rank is spent where it counts.
    weight = torch.bincount(before, minlength=VOCAB).float().sqrt().clamp_min(1.0)
    weight = weight / weight.max()
    matrix = torch.sparse_coo_tensor(
        torch.stack((rows, columns)), values * weight[rows], (VOCAB, n)
    ).coalesce()
    u, s, v = torch.svd_lowrank(matrix, q=rank, niter=3)
    return u * s.sqrt() / weight[:, None], v * s.sqrt()


def all_tokens(pool: Pool | TokenPool) -> list[np.ndarray]:
    """Every conversation at hand, of all parts, from the pool and from the committed token files."""
    tokens = pool.texts()
    for path in sorted(STATE.glob("answers-*.npz")):
        tokens += read_answers(path).tokens
    return tokens


def _choice_loss(scores: Tensor, part: Slots) -> Tensor:
    """Mean over slots of cross-entropy with the teacher and with its best token."""
    logp = scores.log_softmax(-1)
    soft = -(part.teacher * logp).sum(-1)
    hard = -logp.gather(-1, part.gold.clamp_min(0)[:, None])[:, 0]
    known = (part.gold >= 0).float()
    weight = known * torch.exp(-part.depth / 3.0)
    return (0.5 * (soft + hard) * weight).sum() / weight.sum()


def scores_of(draft: Draft, part: Slots) -> Tensor:
    """Scores [n, c] of the candidates with the kind's own part (DFlash2: of its few best only)."""
    if draft.config.kind == "dspark":
        bias = draft.markov_w2[part.candidates] @ draft.markov_w1[part.previous][..., None]
        return part.base + bias[..., 0]
    return part.base + draft.pair_scores(part.hidden.float(), part.previous, draft.d2t[part.candidates])


def _few(part: Slots, k: int) -> Slots:
    """The `k` best candidates only; slots whose true token is not among them teach a chooser nothing."""
    return replace(
        part,
        candidates=part.candidates[:, :k],
        base=part.base[:, :k],
        teacher=part.teacher[:, :k],
        gold=torch.where(part.gold < k, part.gold, -1),
    )


def _accuracy(draft: Draft, part: Slots) -> list[float]:
    """Share of slots, by depth, whose best score is the teacher's best token (0 where it is unknown)."""
    right = _right(draft, part)
    return [round(float(right[part.depth == d].mean()), 3) for d in range(int(part.depth.max()) + 1)]


def fit_pairs(draft: Draft, slots: Slots, check: Slots, steps: int, rate: float = 2e-3) -> None:
    """Fit the matrices of the kind; prints how often the choice is right before and after, by depth."""
    if draft.config.kind == "dflash2":
        slots, check = (_few(s, draft.config.selector_top_k) for s in (slots, check))
        slots = slots.at((slots.gold >= 0).nonzero()[:, 0])
    names = ("markov_w1", "markov_w2", "predecessor", "successor", "selector_hidden")
    parameters = [p for n, p in draft.named_parameters() if n in names]
    optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=0.2)
    with torch.no_grad():
        plain = check.base.argmax(-1) == check.gold
        bare = [
            round(float(plain[check.depth == d].float().mean()), 3) for d in range(int(check.depth.max()) + 1)
        ]
        print(f"right by depth: backbone {bare}, from counts {_accuracy(draft, check)}", flush=True)
    for step in range(steps):
        part = slots.at(torch.randint(len(slots.gold), (BATCH,), device=slots.gold.device))
        loss = _choice_loss(scores_of(draft, part), part)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 20, (steps - step) / (0.5 * steps))
        optimizer.step()
        if (step + 1) % 50 == 0:
            print(
                f"pairs {step + 1}/{steps}: loss {float(loss):.3f}, right {_accuracy(draft, check)}",
                flush=True,
            )


def start_pairs(draft: Draft, slots: Slots, tokens: list[np.ndarray], scale: float = 0.5) -> None:
    """Set the pair matrices from counts."""
    config = draft.config
    dspark = config.kind == "dspark"
    first, second = pair_factors(draft, tokens, config.markov_rank if dspark else config.selector_rank)
    with torch.no_grad():
        if dspark:
            draft.markov_w1.copy_(first * scale**0.5)
            draft.markov_w2.copy_(second * scale**0.5)
            return
        draft.predecessor.copy_(first * scale**0.5)
        draft.successor[draft.d2t] = second * scale**0.5
        # The pair score is gated by the slot's state: begin with a gate of about one everywhere.
        h = slots.hidden[:8000].float()
        gram = h.T @ h + 1e-2 * len(h) * torch.eye(h.shape[1], device=h.device) * h.pow(2).mean()
        draft.selector_hidden.copy_(torch.linalg.solve(gram, h.sum(0)).expand_as(draft.selector_hidden))


def _right(draft: Draft, slots: Slots) -> Tensor:
    """1.0 where the chosen token is the teacher's best."""
    with torch.no_grad():
        return (scores_of(draft, slots).argmax(-1) == slots.gold).float()


def run(
    backbone: Draft,
    kind: str,
    texts: list[np.ndarray],
    fit: Pool | TokenPool,
    check: Pool | TokenPool,
    blocks: int,
    steps: int,
    out: Path,
) -> Draft:
    """Fit one kind's own parts and write a checkpoint.

    `backbone` is a DFlash draft, or one that was trained as this kind: then only DSpark's confidence is
    fitted. `fit` and `check` must be new to it: on what it was trained on, a backbone is too sure.
    """
    torch.manual_seed(2)
    draft = Draft(replace(backbone.config, kind=kind), backbone.embed, backbone.d2t)
    draft.load_state_dict(backbone.state_dict(), strict=False)
    draft.to(backbone.d2t.device)
    if backbone.config.kind != kind:
        unseen = cache_slots(backbone, check, blocks // 2)
        slots = cache_slots(backbone, fit, blocks)
        start_pairs(draft, slots, texts)
        fit_pairs(draft, slots, unseen, steps)
    if kind == "dspark":
        confidence.fit(draft, fit, check, blocks)
    out.parent.mkdir(parents=True, exist_ok=True)
    state = {n: t.detach() for n, t in draft.state_dict().items()}
    torch.save(
        {
            "config": draft.config.asdict(),
            "weights": state,
            "average": state,
            "step": 0,
            "blocks": blocks,
            "answer_tokens": fit.answer_tokens,
        },
        out,
    )
    return draft
