"""The held-out answers: greedy replies of the target to the held-out prompts, with features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from chat import END, Tokenizer, render
from loops import is_looping
from paths import HELDOUT, target_file
from prompts import read_heldout
from shards import TOP_K, Sequence, write_shard
from target import TAPS, WIDTH, Cache, Target

MAX_ANSWER = 160


@torch.inference_mode()
def greedy_answers(target: Target, prompts: list[list[int]], limit: int) -> list[list[int]]:
    """Prompt and greedy answer tokens of every prompt; an answer stops at its end, a loop or the limit."""
    cache = Cache(len(prompts), max(map(len, prompts)) + limit + 1, target.device)
    texts = [[p[0]] for p in prompts]
    live = list(range(len(prompts)))
    position = 0
    while live:
        tokens = torch.tensor([t[position] if len(t) > position else END for t in texts])
        _, hidden = target.step(tokens, torch.full((len(texts),), position), cache, position + 1)
        best = target.head(hidden[live]).argmax(-1).tolist()
        position += 1
        still = []
        for i, token in zip(live, best, strict=True):
            n = len(prompts[i])
            texts[i].append(prompts[i][position] if position < n else token)
            answer = texts[i][n:]
            if answer and (answer[-1] == END or len(answer) >= limit or is_looping(answer[-96:])):
                continue
            still.append(i)
        live = still
    return texts


def make(path: Path) -> None:
    """Write the held-out shard `path` unless it is there."""
    if path.exists():
        return
    target, tokenizer = Target(target_file()), Tokenizer(target_file())
    items = read_heldout(HELDOUT)
    prompts = [tokenizer.encode(render(text)) for _, text in items]
    sequences = []
    for (category, _), prompt, text in zip(
        items, prompts, greedy_answers(target, prompts, MAX_ANSWER), strict=True
    ):
        taps, hidden = target.prefill(torch.tensor([text]))
        logits, ids = target.head(hidden[0]).topk(TOP_K)
        features = taps[0].clamp(-6e4, 6e4).half().numpy().reshape(len(text), len(TAPS), WIDTH)
        sequences.append(
            Sequence(
                np.array(text, np.uint16),
                len(prompt),
                0.0,
                features,
                ids.numpy().astype(np.uint16),
                logits.half().numpy(),
                category,
            )
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_shard(path, sequences)
