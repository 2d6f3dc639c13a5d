"""Stage `train`: one kind of draft, resumable at any moment, with an average of the weights kept beside them.

The rate warms up, stays, and falls to zero over the last part of the time given. `last.pt` follows every few
minutes; `stable.pt` is what it was before the fall, and is where a later, longer training goes on from.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from batches import Pool
from draft import Draft, DraftConfig
from gguf_files import load_checkpoint, read_sidecar
from losses import loss_of
from paths import STATE, target_file
from shards import Shard, list_shards
from target import VOCAB, Target


@dataclass
class Options:
    kind: str = "dflash"
    minutes: float = 60.0
    rate: float = 1e-3
    decay: float = 0.25  # share of the time in which the rate falls
    sequences: int = 6
    anchors: int = 40
    gamma: float = 3.0
    average: float = 0.998
    seed: int = 1
    start: Path | None = None  # a checkpoint or sidecar to begin from, of this or another kind
    new_vocabulary: bool = False  # choose the draft vocabulary anew when starting
    go_on: str = "last"  # which checkpoint to go on from: last or stable
    device: str = "cpu"
    bf16: bool = False
    backbone_rate: float = 1.0  # factor on everything but a kind's own parts
    warmup: int = 60
    log_every: int = 25


def choose_vocabulary(shards: list[Path], size: int) -> torch.Tensor:
    """The draft vocabulary [size]: the tokens that answers and teachers use most, in order of their ids."""
    counts = np.zeros(VOCAB)
    for path in shards:
        shard = Shard(path)
        for i in range(len(shard)):
            q = shard[i]
            np.add.at(counts, q.tokens[q.prompt_len :], 1.0)
            np.add.at(counts, q.tokens[: q.prompt_len], 0.5)
            np.add.at(counts, q.top_ids[q.prompt_len :, :6].ravel(), 0.1)
    # The first answers come from few templates, so their words say less about what will be asked.
    for path in STATE.glob("answers-v1.npz"):
        with np.load(path) as z:
            counts += 0.3 * np.bincount(z["tokens"], minlength=VOCAB)
    # Among tokens never seen, the tokenizer's early merges are the frequent ones.
    counts += 0.5 / (1 + np.arange(VOCAB) / 1000)
    counts[:17] += 1e6  # special tokens
    return torch.from_numpy(np.sort(np.argsort(-counts)[:size]).astype(np.int64))


def tap_sizes(shards: list[Path]) -> torch.Tensor:
    """Median size (RMS over the width) of each tap's rows, without the first position."""
    rows = Shard(shards[0]).data["features"][100:4000].astype(np.float32)
    return torch.from_numpy(np.median(np.sqrt((rows**2).mean(-1)), 0).astype(np.float32))


def new_draft(options: Options, target: Target, shard_dir: Path) -> Draft:
    """A draft started from the target's last layers, or from `options.start` as far as the names agree."""
    shards = list_shards(shard_dir)
    if options.start is not None:
        if options.start.suffix == ".gguf":
            old = read_sidecar(options.start, target.embed, causal=True)
            config, weights = old.config, old.state_dict()
        else:
            state = torch.load(options.start, map_location="cpu", weights_only=False)
            config, weights = DraftConfig(**state["config"]), state["average"]
        config = replace(config, kind=options.kind)
        d2t = choose_vocabulary(shards, config.draft_vocab) if options.new_vocabulary else weights["d2t"]
        weights = {**weights, "d2t": d2t}  # the head is made of the target's rows, so any vocabulary fits
        draft = Draft(config, target.embed, d2t)
        missing, unexpected = draft.load_state_dict(weights, strict=False)
        print(
            f"started from {options.start.name}: new parts {sorted({m.split('.')[0] for m in missing})}, "
            f"left out {unexpected}",
            flush=True,
        )
        return draft
    config = DraftConfig(kind=options.kind)
    draft = Draft(config, target.embed, choose_vocabulary(shards, config.draft_vocab))
    draft.initialise(target, tap_sizes(shards))
    return draft


def parameter_groups(draft: Draft, options: Options) -> list[dict[str, Any]]:
    """Matrices decay, vectors do not; a kind's own parts may learn faster than the backbone."""
    own = ("markov", "conf", "attn_conv", "ffn_conv", "predecessor", "successor", "selector")
    groups: dict[tuple[float, float], list[torch.nn.Parameter]] = {}
    for name, parameter in draft.named_parameters():
        new = any(part in name for part in own)
        key = (1.0 if new else options.backbone_rate, 0.01 if parameter.dim() > 1 and not new else 0.0)
        groups.setdefault(key, []).append(parameter)
    return [{"params": p, "factor": f, "weight_decay": d} for (f, d), p in groups.items()]


def slots_at(step: int, block: int) -> int:
    """Block lengths of the steps: short ones, where acceptance is decided, now and then the full block."""
    return block if step % 16 == 15 else (3, 4, 3, 3, 5, 3, 4, 3)[step % 8]


def run(options: Options, shard_dir: Path, folder: Path) -> None:
    """Train for `options.minutes`; goes on from `folder/<go_on>.pt` when it is there."""
    torch.manual_seed(options.seed)
    folder.mkdir(parents=True, exist_ok=True)
    target = Target(target_file())
    path = folder / f"{options.go_on}.pt"
    state: dict[str, Any] = {}
    if path.exists():
        draft, state = load_checkpoint(path, target.embed, averaged=False)
        print(f"going on from {path.name}, step {state['step']}", flush=True)
    else:
        draft = new_draft(options, target, shard_dir)
    draft.to(options.device)
    optimizer = torch.optim.AdamW(parameter_groups(draft, options), lr=options.rate, betas=(0.9, 0.98))
    average = {n: t.detach().clone() for n, t in draft.state_dict().items()}
    step = blocks = 0
    if state:
        optimizer.load_state_dict(state["optimizer"])
        average = {n: t.to(options.device) for n, t in state["average"].items()}
        step, blocks = state["step"], state["blocks"]
    pool = Pool(shard_dir, options.seed * 7919 + step)
    batches = pool.batches(options.sequences, options.anchors, options.device)
    start = saved = time.time()
    seconds, first_step, stable_saved = options.minutes * 60, step, False
    sums: dict[str, float] = {}

    def save(name: str) -> None:
        tmp = folder / f".{name}.tmp"
        torch.save(
            {
                "config": draft.config.asdict(),
                "weights": draft.state_dict(),
                "average": average,
                "optimizer": optimizer.state_dict(),
                "step": step,
                "blocks": blocks,
                "answer_tokens": pool.answer_tokens,
            },
            tmp,
        )
        tmp.rename(folder / f"{name}.pt")

    while (spent := time.time() - start) < seconds:
        left = 1 - spent / seconds
        if left < options.decay and not stable_saved:
            save("stable")
            stable_saved = True
        factor = min(1.0, (step - first_step + 1) / options.warmup, left / max(options.decay, 1e-6))
        for group in optimizer.param_groups:
            group["lr"] = options.rate * factor * group["factor"]
        batch = next(batches)
        with torch.autocast(options.device, torch.bfloat16, enabled=options.bf16):
            loss, parts = loss_of(draft, batch, slots_at(step, draft.config.block), options.gamma)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(draft.parameters(), 1.0)
        optimizer.step()
        step += 1
        blocks += batch.anchors.numel()
        keep = (
            min(options.average, (step - first_step + 1) / (step - first_step + 10))
            if not state
            else options.average
        )
        with torch.no_grad():
            for name, tensor in draft.state_dict().items():
                if tensor.is_floating_point():
                    average[name].lerp_(tensor, 1 - keep)
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + value
        if step % options.log_every == 0:
            line = {
                "step": step,
                "blocks": blocks,
                "minutes": round(spent / 60, 1),
                "rate": round(options.rate * factor, 6),
                "answer_tokens": pool.answer_tokens,
                **{n: round(v / options.log_every, 4) for n, v in sums.items()},
            }
            with (folder / "log.jsonl").open("a") as f:
                f.write(json.dumps(line) + "\n")
            left_minutes = (seconds - spent) / 60
            print(
                f"{time.strftime('%H:%M:%S')} train {options.kind} (left {left_minutes:.0f} min) {line}",
                flush=True,
            )
            sums = {}
        if time.time() - saved > 240:
            save("last")
            saved = time.time()
    save("last")
    save("final")
