"""Stage `features`: tap rows and teacher candidates for token files that come without them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import torch
from answers import Answers, read_answers
from loops import loop_end
from paths import target_file
from precision import fast_type
from progress import Progress
from shards import TOP_K, Sequence, write_shard
from target import Target

PER_SHARD = 128  # sequences
ROWS = 4  # sequences of like length in one forward
MAX_TOKENS = 640


def top_candidates(target: Target, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits and ids [n, 16] of the teacher's best tokens for the last layer's outputs [n, 576]."""
    return target.head(hidden).topk(TOP_K, dim=-1)


@torch.inference_mode()
def sequences_of(target: Target, answers: Answers, indices: list[int]) -> list[Sequence]:
    """Feature rows of the named conversations; answers are cut where they start to loop."""
    cut = {}
    for i in indices:
        t, p = answers.tokens[i], answers.prompt_len[i]
        cut[i] = t[: min(p + loop_end(t[p:].tolist()), MAX_TOKENS)]
    order = sorted(indices, key=lambda i: len(cut[i]))
    done: dict[int, Sequence] = {}
    for start in range(0, len(order), ROWS):
        group = order[start : start + ROWS]
        batch = torch.zeros(len(group), max(len(cut[i]) for i in group), dtype=torch.int64)
        for row, i in enumerate(group):
            batch[row, : len(cut[i])] = torch.from_numpy(cut[i].astype(np.int64))
        taps, hidden = target.prefill(batch.to(target.device))
        for row, i in enumerate(group):
            n, first = len(cut[i]), answers.prompt_len[i] - 1
            ids = np.zeros((n, TOP_K), np.uint16)
            logits = np.zeros((n, TOP_K), np.float16)
            best, which = top_candidates(target, hidden[row, first:n])
            ids[first:], logits[first:] = which.cpu().numpy(), best.cpu().numpy()
            features = taps[row, :n].clamp(-6e4, 6e4).half().cpu().numpy()
            done[i] = Sequence(
                cut[i],
                answers.prompt_len[i],
                answers.temperature[i],
                features,
                ids,
                logits,
                answers.category[i],
            )
    return [done[i] for i in indices]


def run(source: Path, shard_dir: Path, prefix: str, limit: int | None = None) -> None:
    """Make the missing shards of `source`; several processes may work on the same folder."""
    answers = read_answers(source)
    order = np.random.default_rng(7).permutation(len(answers.tokens))[:limit]
    target = Target(target_file(), dtype=fast_type())
    shard_dir.mkdir(parents=True, exist_ok=True)
    chunks = [order[a : a + PER_SHARD].tolist() for a in range(0, len(order), PER_SHARD)]
    progress = Progress("features", len(chunks))
    for number, chunk in enumerate(chunks):
        path = shard_dir / f"{prefix}-{number:04d}"
        claim = shard_dir / f".{path.name}.claim"
        if path.exists() or not _claim(claim):
            progress.skip()
            continue
        start = time.time()
        sequences = sequences_of(target, answers, chunk)
        write_shard(path, sequences)
        claim.unlink(missing_ok=True)
        n = sum(len(s.tokens) for s in sequences)
        progress.step(f"{path.name}: {n} tokens, {n / (time.time() - start):.0f} tokens/s")


def _claim(path: Path) -> bool:
    """Take a shard for this process; a claim whose process is gone is taken over."""
    try:
        with path.open("x") as f:
            f.write(str(os.getpid()))
        return True
    except FileExistsError:
        owner = path.read_text() or "0"
        if Path("/proc").is_dir() and not Path(f"/proc/{owner}").exists():
            path.write_text(str(os.getpid()))
            return True
        return False
