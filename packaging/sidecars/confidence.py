"""DSpark's confidence: fitted on whole proposals as the draft makes them, on text that is new to it.

`p_min` ends a proposal at the first token whose confidence is too low, so the confidence of a token should
know something of those before it, which also decide whether it is accepted. So it is fitted on every token of
a proposal; those after a wrong one count less, since the meaning stays: the chance of being accepted where
the tokens before are.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from batches import Pool, TokenPool
from draft import Draft
from torch import Tensor
from torch.nn import functional as F

LENGTH = 7
UNREACHED = 0.2  # how much a token after a wrong one counts; with more, cuts are better, calibration worse
DEPTH = (1.0, 1.0, 1.0, 0.5, 0.3, 0.2, 0.1)  # deep tokens are hardly ever reached
PULLS = (0.003, 0.01, 0.03, 0.1, 0.3)  # how strongly the weights are held to what they were


@dataclass
class Chains:
    """Proposals [n, length] and what the confidence sees of each token."""

    rows: Tensor  # [n, length, width + rank] half
    chance: Tensor  # [n, length] that the draft itself gives to its choice
    right: Tensor  # [n, length] bool: this token and all before it are the text's

    @property
    def reached(self) -> Tensor:
        """Whether all tokens before are right."""
        return torch.cat((torch.ones_like(self.right[:, :1]), self.right[:, :-1]), 1)

    @property
    def weight(self) -> Tensor:
        depth = torch.tensor(DEPTH, device=self.right.device)
        return torch.where(self.reached, 1.0, UNREACHED) * depth

    @property
    def label(self) -> Tensor:
        """Half of it is the chance the draft gives its choice, which has no noise."""
        return 0.5 * (self.right + self.chance * self.reached)


@torch.no_grad()
def chains(draft: Draft, pool: Pool | TokenPool, blocks: int) -> Chains:
    """Greedy proposals at random places of greedy answers, where the whole of the text is known."""
    parts: list[Chains] = []
    done = 0
    for batch in pool.batches(4, 48, draft.d2t.device.type):
        place = batch.anchors[..., None] + torch.arange(1, LENGTH + 1, device=batch.anchors.device)
        truth = batch.at(batch.tokens, place)
        previous = batch.at(batch.tokens, batch.anchors)
        hidden = draft.hidden(batch.features, previous, batch.anchors, LENGTH + 1)
        logits = draft.logits(hidden)
        rows, chances, chosen = [], [], []
        for k in range(LENGTH):
            rows.append(draft.confidence_rows(hidden[:, :, k], previous).half())
            scores = logits[:, :, k] + draft.markov_bias(previous)
            chance, choice = scores.softmax(-1).max(-1)
            previous = draft.d2t[choice]
            chances.append(chance)
            chosen.append(previous)
        right = (torch.stack(chosen, -1) == truth).long().cumprod(-1).bool()
        keep = batch.greedy[:, None] & (place[..., -1] < batch.lengths[:, None])
        parts.append(Chains(torch.stack(rows, -2)[keep], torch.stack(chances, -1)[keep], right[keep]))
        done += int(keep.sum())
        if done >= blocks:
            break
    return Chains(
        torch.cat([p.rows for p in parts]),
        torch.cat([p.chance for p in parts]),
        torch.cat([p.right for p in parts]),
    )


def _surprise(logit: Tensor, label: Tensor, weight: Tensor) -> Tensor:
    """Weighted mean cross-entropy of confidences with labels."""
    each = F.binary_cross_entropy_with_logits(logit, label, reduction="none")
    return (each * weight).sum() / weight.sum()


def _regression(start: tuple[Tensor, Tensor], data: Chains, pull: float) -> tuple[Tensor, Tensor]:
    """Weight and bias of a logistic regression that is held to `start`."""
    rows = data.rows.flatten(0, 1).float()
    label, weight, spread = data.label.flatten(), data.weight.flatten(), rows.std(0)
    w, b = (t.clone().requires_grad_() for t in start)
    solver = torch.optim.LBFGS([w, b], max_iter=80, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        solver.zero_grad()
        error = _surprise((rows @ w.T + b)[:, 0], label, weight)
        error = error + pull * ((w - start[0]) * spread).square().sum()
        error.backward()
        return error

    solver.step(closure)
    return w.detach(), b.detach()


def _line(logit: Tensor, data: Chains) -> tuple[float, float]:
    """Scale and offset that calibrate confidences."""
    line = torch.tensor([1.0, 0.0], device=logit.device, requires_grad=True)
    solver = torch.optim.LBFGS([line], max_iter=50)

    def closure() -> Tensor:
        solver.zero_grad()
        error = _surprise(line[0] * logit + line[1], data.right.float(), data.weight)
        error.backward()
        return error

    solver.step(closure)
    scale, offset = line.detach().tolist()
    return scale, offset


def fit(draft: Draft, pool: Pool | TokenPool, unseen: Pool | TokenPool, blocks: int) -> None:
    """Set the draft's confidence from `pool`; `unseen` chooses how far it may go, and calibrates it."""
    data, check = chains(draft, pool, blocks), chains(draft, unseen, blocks // 2)
    start = draft.conf_weight.detach().clone(), draft.conf_bias.detach().clone()
    best = (float("inf"), *start)
    for pull in PULLS:
        w, b = _regression(start, data, pull)
        logit = (check.rows.float() @ w.T + b)[..., 0]
        scale, offset = _line(logit, check)
        error = float(_surprise(scale * logit + offset, check.right.float(), check.weight))
        print(f"confidence: pull {pull}, on unseen text {error:.4f}, scale {scale:.2f}", flush=True)
        best = min(best, (error, w * scale, b * scale + offset), key=lambda found: found[0])
    with torch.no_grad():
        draft.conf_weight.copy_(best[1])
        draft.conf_bias.copy_(best[2])
