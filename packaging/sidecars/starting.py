"""How a draft begins: from the target's last layers, or from weights that were trained before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from batches import Pool, TokenPool
from draft import Draft, DraftConfig
from gguf_files import load_checkpoint, read_sidecar
from target import Target
from vocabulary import choose_vocabulary


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


def draft_from(
    paths: list[Path], kind: str, target: Target, pool: Pool | TokenPool, new_vocabulary: bool
) -> Draft:
    """A draft with the weights of checkpoints or sidecars, as far as the kinds have them in common.

    Where several of them have a part, it is the first one's.
    """
    embed = target.embed.cpu()
    olds = [
        read_sidecar(path, embed, causal=True) if path.suffix == ".gguf" else load_checkpoint(path, embed)[0]
        for path in paths
    ]
    weights: dict[str, torch.Tensor] = {}
    for old in reversed(olds):
        weights.update(old.state_dict())
    config = replace(olds[0].config, kind=kind)
    # The head is made of the target's rows, so the same weights fit any vocabulary.
    d2t = choose_vocabulary(pool, config.draft_vocab) if new_vocabulary else weights["d2t"]
    for old in olds:
        # Its rows follow the vocabulary it was made for.
        if "markov_w2" in old.state_dict() and not torch.equal(old.d2t, d2t):
            raise ValueError("a DSpark start keeps its draft vocabulary; the one asked for differs")
    draft = Draft(config, embed, d2t)
    missing, unexpected = draft.load_state_dict({**weights, "d2t": d2t}, strict=False)
    new_parts = sorted({name.split(".")[0] for name in missing})
    names = ", ".join(path.name for path in paths)
    print(f"started from {names}: new parts {new_parts}, left out {unexpected}", flush=True)
    return draft
