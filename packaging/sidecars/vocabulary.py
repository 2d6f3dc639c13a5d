"""The draft vocabulary: which of the target's tokens a draft can propose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from batches import Pool, TokenPool
from draft import Draft
from paths import STATE
from target import VOCAB


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


@torch.inference_mode()
def smaller(draft: Draft, pool: Pool | TokenPool, size: int, blocks: int = 60_000) -> Draft:
    """The draft with the `size` tokens of its vocabulary that it proposes rightly most often.

    A frequent token that is never foreseen costs time and gives nothing.
    """
    right = torch.zeros(VOCAB)
    done = 0
    for batch in pool.batches(4, 40, draft.d2t.device.type):
        place = batch.anchors[..., None] + torch.arange(1, 4, device=batch.anchors.device)
        truth = batch.at(batch.tokens, place)
        hidden = draft.hidden(batch.features, batch.at(batch.tokens, batch.anchors), batch.anchors, 4)
        chosen = draft.d2t[draft.logits(hidden).argmax(-1)]
        agreed = (chosen == truth) & (place < batch.lengths[:, None, None])
        right += torch.bincount(truth[agreed].cpu(), minlength=VOCAB)
        done += batch.anchors.numel()
        if done >= blocks:
            break
    known = draft.d2t.cpu()
    # Among tokens never foreseen yet, the frequent ones.
    for tokens in pool.texts():
        right += 0.05 * torch.bincount(torch.from_numpy(tokens.astype(np.int64)), minlength=VOCAB)
    foreseen = right.clone()
    right[:17] += 1e6  # special tokens
    keep = right[known].argsort(descending=True)[:size].sort().values
    weights = {**draft.state_dict(), "d2t": draft.d2t[keep]}
    if draft.config.kind == "dspark":
        weights["markov_w2"] = weights["markov_w2"][keep]
    out = Draft(replace(draft.config, draft_vocab=len(keep)), draft.embed, weights["d2t"])
    out.load_state_dict(weights)
    share = float(foreseen[known[keep]].sum() / foreseen[known].sum())
    print(f"vocabulary: {len(keep)} tokens, {share:.4f} of use", flush=True)
    return out
