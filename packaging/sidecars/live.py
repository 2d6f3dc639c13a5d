"""Speculation as it happens: held-out prompts through the program's own engine, greedy, at a fixed length."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from loops import loop_end
from paths import REPO, target_file
from simulate import Score

sys.path.insert(0, str(REPO))

from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.llm import Llama


@dataclass
class LiveRun:
    scores: dict[str, Score] = field(default_factory=dict)  # by category, and "all"
    per_prompt: list[tuple[str, float, int]] = field(default_factory=list)  # category, tau, tokens counted
    tokens: int = 0
    seconds: float = 0.0  # of generation, prefill left out
    draft_seconds: float = 0.0  # of drafts of the whole length: the last ones of a reply are shorter
    drafts: int = 0


def spec_config(sidecar: Path | None, length: int, p_min: float, threads: int) -> SpecConfig | None:
    """None for ordinary decoding."""
    if sidecar is None:
        return None
    kind = SpeculativeType.DRAFT_DSPARK if "dspark" in sidecar.name else SpeculativeType.DRAFT_DFLASH
    return SpecConfig(
        spec_type=kind,
        draft_model_path=str(sidecar),
        draft_n_max=length,
        draft_p_min=p_min,
        draft_n_threads=threads,
        draft_backend_sampling=False,
    )


def run(
    sidecar: Path | None,
    prompts: list[tuple[str, str]],
    length: int = 7,
    p_min: float = 0.0,
    max_tokens: int = 160,
    threads: int = 2,
) -> LiveRun:
    """Answer (category, prompt) pairs; rounds that begin after a loop's third turn are not counted."""
    out = LiveRun({"all": Score()})
    with Llama(
        str(target_file()),
        n_ctx=1024,
        n_threads=threads,
        n_gpu_layers="all",
        verbose=False,
        speculative=spec_config(sidecar, length, p_min, threads),
    ) as llm:
        for category, prompt in prompts:
            llm.create_chat_completion(
                [{"role": "user", "content": prompt}], temperature=0.0, max_tokens=max_tokens
            )
            rounds = llm.last_rounds
            text = [t for r in rounds for t in r.tokens]
            keep, score, seen = loop_end(text), Score(), 0
            for r in rounds:
                if seen >= keep:
                    break
                seen += len(r.tokens)
                out.tokens += len(r.tokens)
                out.seconds += r.seconds
                if len(r.drafted) == length:
                    out.draft_seconds += r.timings.draft
                    out.drafts += 1
                if r.drafted:
                    score.add(r.accepted)
            out.scores.setdefault(category, Score()).merge(score)
            out.scores["all"].merge(score)
            out.per_prompt.append((category, round(score.tau, 3), seen))
    return out


def draft_cost(
    sidecar: Path, prompts: list[tuple[str, str]], length: int = 7, threads: int = 1, repeats: int = 9
) -> dict[str, Any]:
    """What a draft costs beside one ordinary step: medians over pairs of runs that follow each other.

    `ratios` are those of the pairs, in order of size.
    """
    pairs = []
    for _ in range(repeats):
        plain = run(None, prompts, threads=threads, max_tokens=64)
        drafted = run(sidecar, prompts, length, threads=threads, max_tokens=64)
        pairs.append((1000 * drafted.draft_seconds / drafted.drafts, 1000 * plain.seconds / plain.tokens))
    return {
        "draft_ms": round(median(d for d, _ in pairs), 2),
        "step_ms": round(median(s for _, s in pairs), 2),
        "ratio": round(median(d / s for d, s in pairs), 3),
        "ratios": sorted(round(d / s, 3) for d, s in pairs),
        "threads": threads,
    }
