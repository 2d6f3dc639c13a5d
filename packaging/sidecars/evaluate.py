"""Stage `evaluate`: simulated and live acceptance of sidecar files, prompt lookup, DSpark's confidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from draft import Draft
from gguf_files import read_draft
from heldout import make
from paths import HELDOUT, STATE
from prompts import read_heldout
from shards import Sequence, Shard
from simulate import Score, by_category, matches, ngram_proposals, propose

LENGTH = 7
BINS = 10
FIGURES = STATE / "figures.json"


def heldout_sequences(work: Path) -> list[Sequence]:
    """The greedy answers to the held-out prompts, made on first use."""
    path = work / "heldout" / "answers"
    make(path)
    shard = Shard(path)
    return [shard[i] for i in range(len(shard))]


def table(scores: dict[str, Score]) -> dict[str, Any]:
    """What is kept of a run: mean accepted length by category, acceptance by position over all."""
    return {
        "tau": round(scores["all"].tau, 3),
        "by_position": scores["all"].rates(LENGTH),
        "by_category": {c: round(s.tau, 3) for c, s in sorted(scores.items()) if c != "all"},
    }


def expected_calibration_error(confidence: torch.Tensor, right: torch.Tensor) -> float:
    """Mean gap between confidence and frequency over ten equal bins, weighted by their sizes."""
    bins = (confidence * BINS).long().clamp_max(BINS - 1)
    total = 0.0
    for b in range(BINS):
        chosen = bins == b
        if chosen.any():
            total += float((confidence[chosen].mean() - right[chosen].float().mean()).abs()) * int(
                chosen.sum()
            )
    return total / max(len(confidence), 1)


def usefulness(confidence: torch.Tensor, right: torch.Tensor) -> list[dict[str, float]]:
    """For thresholds: acceptance of what is kept, and the share of accepted tokens that is kept.

    [n, length]: a proposal ends at the first slot below the threshold, as in the engine.
    """
    rows = []
    for threshold in (0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8):
        kept = (confidence >= threshold).long().cumprod(1).bool()
        accepted = float((kept & right).sum())
        rows.append(
            {
                "p_min": threshold,
                "acceptance": round(accepted / max(float(kept.sum()), 1.0), 3),
                "share_kept": round(accepted / max(float(right.sum()), 1.0), 3),
            }
        )
    return rows


def cut_at_half(confidence: torch.Tensor, right: torch.Tensor) -> dict[str, float]:
    """The highest threshold that keeps at least half of the accepted tokens, and the acceptance there."""
    reaching = confidence.cummin(1).values  # a token is kept where this is at least the threshold
    accepted = reaching[right].sort(descending=True).values
    threshold = accepted[(len(accepted) + 1) // 2 - 1]
    kept = reaching >= threshold
    return {
        "p_min": round(float(threshold), 3),
        "acceptance": round(float(right[kept].float().mean()), 3),
        "share_kept": round(float(kept[right].float().mean()), 3),
    }


def confidence_figures(confidence: torch.Tensor, accepted: torch.Tensor) -> dict[str, Any]:
    """Calibration of a slot's confidence among rounds that get as far as that slot.

    `confidence` [n, length], `accepted` [n] tokens of each proposal that agree with the text.
    """
    right = torch.arange(1, LENGTH + 1) <= accepted[:, None]
    reached = torch.arange(LENGTH) <= accepted[:, None]
    by_position = [
        round(expected_calibration_error(confidence[:, k][reached[:, k]], right[:, k][reached[:, k]]), 3)
        for k in range(LENGTH)
    ]
    return {
        "ece": round(expected_calibration_error(confidence[reached], right[reached]), 3),
        "ece_by_position": by_position,
        "thresholds": usefulness(confidence, right),
        "half": cut_at_half(confidence, right),
    }


def simulated(draft: Draft, sequences: list[Sequence]) -> dict[str, Any]:
    """Everything that needs no engine; one pass over the answers."""
    proposals = [propose(draft, q, LENGTH) for q in sequences]
    accepted = [matches(ids, q) for (ids, _), q in zip(proposals, sequences, strict=True)]
    figures: dict[str, Any] = {"simulated": table(by_category(sequences, accepted, LENGTH))}
    # The full block is computed and the proposal cut: with causal blocks the same as a shorter block.
    figures["tau_by_length"] = {
        n: round(by_category(sequences, accepted, n)["all"].tau, 3) for n in range(1, LENGTH + 1)
    }
    if draft.config.kind == "dspark":
        confidence = torch.cat([c for _, c in proposals])
        figures["confidence"] = confidence_figures(confidence, torch.cat(accepted))
    return figures


def run(
    work: Path, sidecars: list[Path], live: bool, threads: int, out: Path | None, every: int = 1
) -> dict[str, Any]:
    """Evaluate files on every `every`-th held-out prompt; prints, returns and saves the figures."""
    sequences = heldout_sequences(work)[::every]
    prompts = read_heldout(HELDOUT)[::every]
    lookup = [matches(ngram_proposals(q, LENGTH), q) for q in sequences]
    result: dict[str, Any] = {"prompt-lookup": {"simulated": table(by_category(sequences, lookup, LENGTH))}}
    print("prompt-lookup", json.dumps(result["prompt-lookup"]), flush=True)
    for path in sidecars:
        figures = simulated(read_draft(path), sequences)
        print(path.name, json.dumps(figures), flush=True)
        if live:
            import live as engine

            done = engine.run(path, prompts, LENGTH, threads=threads)
            figures["live"] = {
                **table(done.scores),
                "tokens": done.tokens,
                "ms_per_token": round(1000 * done.seconds / done.tokens, 2),
                "per_prompt": done.per_prompt,
            }
            print(path.name, "live", json.dumps(figures["live"]), flush=True)
        result[path.name] = figures
    save(out, result)
    return result


def cost(sidecars: list[Path], threads: int, out: Path | None) -> None:
    """What a draft costs beside an ordinary step; wants a machine that does nothing else."""
    import live

    prompts = read_heldout(HELDOUT)[::30]
    for path in sidecars:
        found = live.draft_cost(path, prompts, LENGTH, threads)
        print(path.name, json.dumps(found), flush=True)
        save(out, {path.name: {f"draft_cost_{threads}": found}}, add=True)


def save(out: Path | None, figures: dict[str, dict[str, Any]], add: bool = False) -> None:
    """Put the figures of each file into `out`, if there is such a place; `add`: to those it has already."""
    if out is None:
        return
    known = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    for name, more in figures.items():
        known[name] = {**known.get(name, {}), **more} if add else more
    out.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
