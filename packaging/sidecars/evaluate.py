"""Stage `evaluate`: simulated and live acceptance of sidecar files, prompt lookup, DSpark's confidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from gguf_files import read_sidecar
from heldout import make
from paths import HELDOUT, STATE, target_file
from prompts import read_heldout
from shards import Sequence, Shard
from simulate import Score, by_category, calibration_pairs, ngram_proposals, propose
from target import Target

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
    for threshold in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
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


def confidence_figures(draft: Any, sequences: list[Sequence]) -> dict[str, Any]:
    """Calibration of a slot's confidence among rounds that get as far as that slot."""
    confidence, right = calibration_pairs(draft, sequences, LENGTH)
    reached = torch.cat((torch.ones(len(right), 1, dtype=torch.bool), right[:, :-1]), 1)
    by_position = [
        round(expected_calibration_error(confidence[:, k][reached[:, k]], right[:, k][reached[:, k]]), 3)
        for k in range(LENGTH)
    ]
    return {
        "ece": round(expected_calibration_error(confidence[reached], right[reached]), 3),
        "ece_by_position": by_position,
        "thresholds": usefulness(confidence, right),
    }


def run(work: Path, sidecars: list[Path], live: bool, threads: int, out: Path | None) -> dict[str, Any]:
    """Evaluate files; prints and returns the figures, and merges them into `out`."""
    target = Target(target_file())
    sequences = heldout_sequences(work)
    result: dict[str, Any] = {
        "prompt_lookup": {"simulated": table(by_category(sequences, lambda q: ngram_proposals(q, LENGTH)))}
    }
    print("prompt lookup", json.dumps(result["prompt_lookup"]), flush=True)
    prompts = read_heldout(HELDOUT)
    for path in sidecars:
        draft = read_sidecar(path, target.embed)
        figures: dict[str, Any] = {
            "simulated": table(by_category(sequences, lambda q, d=draft: propose(d, q, LENGTH)[0]))
        }
        figures["simulated_by_length"] = {
            n: round(by_category(sequences, lambda q, d=draft, n=n: propose(d, q, n)[0])["all"].tau, 3)
            for n in (1, 2, 3, 5)
        }
        if draft.config.kind == "dspark":
            figures["confidence"] = confidence_figures(draft, sequences)
        if live:
            from live import run as run_live

            done = run_live(path, prompts, LENGTH, threads=threads)
            figures["live"] = {
                **table(done.scores),
                "tokens": done.tokens,
                "ms_per_token": round(1000 * done.seconds / done.tokens, 2),
                "draft_ms": round(1000 * done.draft_seconds / done.rounds, 2),
                "per_prompt": done.per_prompt,
            }
        result[path.name] = figures
        print(path.name, json.dumps(figures), flush=True)
    if out is not None:
        known = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
        out.write_text(json.dumps({**known, **result}, indent=1) + "\n", encoding="utf-8")
    return result
