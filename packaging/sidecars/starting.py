"""How a draft begins: from the target's last layers, or from weights that were trained before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from batches import Pool, TokenPool
from draft import Draft, DraftConfig
from gguf_files import load_checkpoint, read_sidecar
from paths import STATE
from target import VOCAB, Target


def choose_vocabulary(pool: Pool | TokenPool, size: int) -> torch.Tensor:
    """The draft vocabulary [size]: the tokens that occur most, in order of their ids."""
    counts = np.zeros(VOCAB)
    for tokens in pool.texts():
        np.add.at(counts, tokens, 1.0)
    # The first answers come from few templates, so their words say less about what will be asked.
    for path in STATE.glob("answers-v1.npz"):
        with np.load(path) as z:
            counts += 0.3 * np.bincount(z["tokens"], minlength=VOCAB)
    # Among tokens never seen, the tokenizer's early merges are the frequent ones.
    counts += 0.5 / (1 + np.arange(VOCAB) / 1000)
    counts[:17] += 1e6  # special tokens
    return torch.from_numpy(np.sort(np.argsort(-counts)[:size]).astype(np.int64))


def tap_sizes(pool: Pool | TokenPool, device: str) -> torch.Tensor:
    """Median size (RMS over the width) of each tap's rows, without the first position."""
    rows = next(pool.batches(4, 4, device)).features[:, 1:60].flatten(0, 1)
    return rows.pow(2).mean(-1).sqrt().median(0).values.cpu()


def fresh_draft(kind: str, target: Target, pool: Pool | TokenPool) -> Draft:
    """A draft that begins with the target's last layers (on the CPU, as all drafts begin)."""
    config = DraftConfig(kind=kind)
    draft = Draft(config, target.embed.cpu(), choose_vocabulary(pool, config.draft_vocab))
    draft.initialise(target, tap_sizes(pool, target.device.type))
    return draft


def draft_from(path: Path, kind: str, target: Target, pool: Pool | TokenPool, new_vocabulary: bool) -> Draft:
    """A draft with the weights of a checkpoint or sidecar, as far as the kinds have them in common."""
    embed = target.embed.cpu()
    old = (
        read_sidecar(path, embed, causal=True) if path.suffix == ".gguf" else load_checkpoint(path, embed)[0]
    )
    weights = old.state_dict()
    config = replace(old.config, kind=kind)
    # The head is made of the target's rows, so the same weights fit any vocabulary.
    d2t = choose_vocabulary(pool, config.draft_vocab) if new_vocabulary else weights["d2t"]
    draft = Draft(config, embed, d2t)
    missing, unexpected = draft.load_state_dict({**weights, "d2t": d2t}, strict=False)
    new_parts = sorted({name.split(".")[0] for name in missing})
    print(f"started from {path.name}: new parts {new_parts}, left out {unexpected}", flush=True)
    return draft
