"""Simulated speculation on stored greedy answers: what a draft would have got accepted, round by round."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from batches import collate
from draft import Draft
from shards import Sequence
from torch import Tensor


@dataclass
class Score:
    """Counts over rounds; `by_position[i]` rounds that had draft i + 1 accepted."""

    rounds: int = 0
    accepted: int = 0
    by_position: list[int] = field(default_factory=lambda: [0] * 16)

    def add(self, accepted: int) -> None:
        self.rounds += 1
        self.accepted += accepted
        for i in range(accepted):
            self.by_position[i] += 1

    def merge(self, other: Score) -> None:
        self.rounds += other.rounds
        self.accepted += other.accepted
        self.by_position = [a + b for a, b in zip(self.by_position, other.by_position, strict=True)]

    @property
    def tau(self) -> float:
        """Mean accepted length, the target's own token included."""
        return 1 + self.accepted / max(self.rounds, 1)

    def rates(self, n: int = 7) -> list[float]:
        return [round(c / max(self.rounds, 1), 3) for c in self.by_position[:n]]


@torch.inference_mode()
def propose(draft: Draft, sequence: Sequence, length: int, chunk: int = 64) -> tuple[Tensor, Tensor]:
    """Proposed ids [anchors, length] at every anchor of the answer, and confidences (ones for DFlash)."""
    first, last = sequence.prompt_len - 1, len(sequence.tokens) - 1
    drafts, confidences = [], []
    for a in range(first, last, chunk):
        anchors = list(range(a, min(a + chunk, last)))
        batch = collate([sequence], [anchors])
        tokens = batch.at(batch.tokens, batch.anchors)
        slots = length + 1 if draft.config.causal else draft.config.block
        hidden = draft.hidden(batch.features, tokens, batch.anchors, slots)[0]
        ids, confidence = _walk(draft, hidden, tokens[0])
        drafts.append(ids[:, :length])
        confidences.append(confidence[:, :length])
    return torch.cat(drafts), torch.cat(confidences)


def _walk(draft: Draft, hidden: Tensor, previous: Tensor) -> tuple[Tensor, Tensor]:
    """The greedy chain of each kind: ids and confidences [anchors, slots]."""
    logits = draft.logits(hidden)
    if draft.config.kind == "dflash":
        ids = draft.d2t[logits.argmax(-1)]
        return ids, torch.ones(ids.shape)
    chosen, confidences = [], []
    for k in range(hidden.shape[1]):
        h = hidden[:, k]
        if draft.config.kind == "dspark":
            confidences.append(draft.confidence(h, previous).sigmoid())
            previous = draft.d2t[(logits[:, k] + draft.markov_bias(previous)).argmax(-1)]
        else:
            unary, candidates = logits[:, k].topk(draft.config.selector_top_k)
            candidates = draft.d2t[candidates]
            scores = unary + draft.pair_scores(h, previous, candidates)
            confidences.append(scores.softmax(-1).amax(-1))
            previous = candidates.gather(-1, scores.argmax(-1, keepdim=True))[:, 0]
        chosen.append(previous)
    return torch.stack(chosen, 1), torch.stack(confidences, 1)


def matches(drafts: Tensor, sequence: Sequence) -> Tensor:
    """How many tokens of each proposal [anchors, length] agree with the text, from the first on."""
    tokens = torch.from_numpy(sequence.tokens.astype("int64"))
    first, n = sequence.prompt_len - 1, drafts.shape[1]
    place = torch.arange(first, first + len(drafts))[:, None] + torch.arange(1, n + 1)
    right = (drafts == tokens[place.clamp_max(len(tokens) - 1)]) & (place < len(tokens))
    return right.long().cumprod(1).sum(1)


def walk(accepted: list[int]) -> Score:
    """The rounds of one answer, given the accepted length at each of its anchors."""
    score, at = Score(), 0
    while at < len(accepted):
        score.add(accepted[at])
        at += accepted[at] + 1
    return score


def by_category(sequences: list[Sequence], accepted: list[Tensor], length: int) -> dict[str, Score]:
    """Scores by prompt category, and under "all", of drafts cut to `length`; accepted lengths by sequence."""
    scores: dict[str, Score] = {"all": Score()}
    for sequence, lengths in zip(sequences, accepted, strict=True):
        score = walk(lengths.clamp_max(length).tolist())
        scores.setdefault(sequence.category, Score()).merge(score)
        scores["all"].merge(score)
    return scores


def ngram_proposals(sequence: Sequence, length: int, sizes: tuple[int, ...] = (4, 3, 2)) -> Tensor:
    """Prompt lookup: what followed the latest earlier occurrence of the last tokens (longest match first)."""
    tokens = sequence.tokens.astype(int).tolist()
    out = []
    for n in range(sequence.prompt_len - 1, len(tokens) - 1):
        guess: list[int] = []
        for size in sizes:
            tail = tokens[n + 1 - size : n + 1]
            for start in range(n - size, -1, -1):
                if tokens[start : start + size] == tail:
                    guess = tokens[start + size : min(start + size + length, n + 1)]
                    break
            if guess:
                break
        out.append(guess + [-1] * (length - len(guess)))
    return torch.tensor(out)
