"""What a draft is trained for, slot by slot."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from batches import Batch
from draft import Draft
from torch import Tensor
from torch.nn import functional as F

HARD = 0.5  # share of plain cross-entropy with the text, where the text is greedy; the rest is distillation
CONFIDENCE = 8.0  # weight of DSpark's confidence beside the tokens


@dataclass
class Labels:
    """Per block and slot 1 .. slots-1."""

    target: Tensor  # [b, a, k] target id of the token at n + k
    previous: Tensor  # [b, a, k] target id of the token before it
    gold: Tensor  # [b, a, k] draft id of the target, -1 outside the draft vocabulary
    ids: Tensor  # [b, a, k, 16] draft ids of the teacher's candidates, -1 outside
    teacher: Tensor  # [b, a, k, 16] their probabilities, among those in the draft vocabulary
    weight: Tensor  # [b, a, k] 0 where there is no such token


def labels_of(draft: Draft, batch: Batch, slots: int, gamma: float) -> Labels:
    k = torch.arange(1, slots, device=batch.anchors.device)
    place = batch.anchors[..., None] + k
    target = batch.at(batch.tokens, place)
    ids = draft.t2d[batch.at(batch.top_ids, place - 1)]
    scores = batch.at(batch.top_logits, place - 1).masked_fill(ids < 0, float("-inf"))
    known = (ids >= 0).any(-1)
    teacher = scores.masked_fill(~known[..., None], 0.0).softmax(-1)
    weight = (torch.exp(-(k - 1) / gamma) * (place < batch.lengths[:, None, None])).float() * known
    return Labels(target, batch.at(batch.tokens, place - 1), draft.t2d[target], ids, teacher, weight)


def token_loss(logits: Tensor, labels: Labels, greedy: Tensor) -> Tensor:
    """Cross-entropy with the text and with the teacher's distribution, weighted; a scalar."""
    logp = logits.log_softmax(-1)
    soft = -(logp.gather(-1, labels.ids.clamp_min(0)) * labels.teacher).sum(-1)
    hard = -logp.gather(-1, labels.gold.clamp_min(0)[..., None])[..., 0]
    share = HARD * (greedy[:, None, None] & (labels.gold >= 0)).float()
    return ((share * hard + (1 - share) * soft) * labels.weight).sum() / labels.weight.sum()


def confidence_loss(draft: Draft, hidden: Tensor, logits: Tensor, labels: Labels) -> Tensor:
    """DSpark: cross-entropy of the confidence with whether the teacher's best token was proposed.

    Most of the label is the chance the draft itself gives to its choice: it ranks well and has no noise.
    """
    best = labels.ids.gather(-1, labels.teacher.argmax(-1, keepdim=True))[..., 0]
    chance, choice = logits.detach().softmax(-1).max(-1)
    label = 0.25 * (choice == best).float() + 0.75 * chance
    each = F.binary_cross_entropy_with_logits(
        draft.confidence(hidden, labels.previous), label, reduction="none"
    )
    return (each * labels.weight).sum() / labels.weight.sum()


def selector_loss(draft: Draft, hidden: Tensor, logits: Tensor, labels: Labels) -> Tensor:
    """DFlash2: choice among the candidates after the true previous token: variation and cross-entropy."""
    k = draft.config.selector_top_k
    unary, candidates = logits.topk(k, -1)
    missing = (candidates != labels.gold[..., None]).all(-1) & (labels.gold >= 0)
    last = torch.where(missing, labels.gold, candidates[..., -1])
    candidates = torch.cat((candidates[..., :-1], last[..., None]), -1)
    unary = logits.gather(-1, candidates)
    scores = unary + draft.pair_scores(hidden, labels.previous, draft.d2t[candidates])
    p = scores.softmax(-1)
    same = candidates[..., None] == labels.ids[..., None, :]
    teacher = (same * labels.teacher[..., None, :]).sum(-1)
    variation = 0.5 * (p - teacher).abs().sum(-1)
    gold = candidates == labels.gold[..., None]
    plain = -(p.clamp_min(1e-9).log() * gold).sum(-1)
    each = 0.9 * variation + 0.1 * plain
    return (each * labels.weight).sum() / labels.weight.sum()


def loss_of(draft: Draft, batch: Batch, slots: int, gamma: float) -> tuple[Tensor, dict[str, float]]:
    """The loss of one batch and its parts."""
    labels = labels_of(draft, batch, slots, gamma)
    anchor_tokens = batch.at(batch.tokens, batch.anchors)
    hidden = draft.hidden(batch.features, anchor_tokens, batch.anchors, slots)
    logits = draft.logits(hidden)
    kind = draft.config.kind
    if kind == "dspark":
        logits = logits + draft.markov_bias(labels.previous)
    loss = token_loss(logits, labels, batch.greedy)
    parts = {"token": float(loss)}
    if kind == "dspark":
        extra = confidence_loss(draft, hidden, logits, labels)
        parts["confidence"] = float(extra)
        loss = loss + CONFIDENCE * extra
    if kind == "dflash2":
        extra = selector_loss(draft, hidden, logits, labels)
        parts["selector"] = float(extra)
        loss = 0.3 * loss + extra
    with torch.no_grad():
        right = (logits.argmax(-1) == labels.gold) & (labels.weight > 0)
        parts["first"] = float(right[..., 0].float().mean())
    return loss, parts
