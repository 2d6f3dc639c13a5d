"""Stage `train`: one kind of draft, resumable at any moment, with an average of the weights kept beside them.

The rate warms up, stays, and falls to zero over the last part of the time given. `last.pt` follows every few
minutes; `stable.pt` is what it was before the fall, and is where a later, longer training goes on from. With
`four_bits` the weights are rounded as in the file while the rate falls, so that the draft gets used to it.
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from batches import Pool, TokenPool
from draft import Draft
from four_bits import AsWritten
from gguf_files import load_checkpoint, target_embeddings
from losses import loss_of
from precision import fast_type

SAVE_SECONDS = 240
LOG_STEPS = 10
WARMUP = 25
OWN_PARTS = ("markov", "conf", "attn_conv", "ffn_conv", "predecessor", "successor", "selector")


@dataclass
class Options:
    minutes: float = 60.0
    rate: float = 6e-4
    decay: float = 0.25  # share of the time in which the rate falls
    sequences: int = 4
    anchors: int = 40
    gamma: float = 3.0
    average: float = 0.998
    backbone_rate: float = 1.0  # factor on everything but a kind's own parts
    go_on: str = "last"  # which checkpoint to go on from: last or stable
    seed: int = 1
    device: str = "cpu"
    four_bits: bool = False  # from where the rate falls, see what IQ4_NL makes of the weights


def parameter_groups(draft: Draft, options: Options) -> list[dict[str, Any]]:
    """Matrices decay, vectors do not; a kind's own parts may learn faster than the backbone."""
    groups: dict[tuple[float, float], list[torch.nn.Parameter]] = {}
    for name, parameter in draft.named_parameters():
        new = any(part in name for part in OWN_PARTS)
        key = (1.0 if new else options.backbone_rate, 0.01 if parameter.dim() > 1 and not new else 0.0)
        groups.setdefault(key, []).append(parameter)
    return [{"params": p, "factor": f, "weight_decay": d} for (f, d), p in groups.items()]


def slots_at(step: int, block: int) -> int:
    """Block lengths of the steps: short ones, where acceptance is decided, now and then the full block."""
    return block if step % 16 == 15 else (3, 4, 3, 5, 3, 4, 6, 3)[step % 8]


class Training:
    """A draft with its optimizer, its averaged weights and its place on disk."""

    def __init__(self, options: Options, begin: Callable[[], Draft], folder: Path) -> None:
        torch.manual_seed(options.seed)
        folder.mkdir(parents=True, exist_ok=True)
        self.options, self.folder = options, folder
        self.step = self.blocks = 0
        path = folder / f"{options.go_on}.pt"
        state: dict[str, Any] = {}
        if path.exists():
            self.draft, state = load_checkpoint(path, target_embeddings(), averaged=False)
            self.step, self.blocks = state["step"], state["blocks"]
            print(f"going on from {path.name}, step {self.step}", flush=True)
        else:
            self.draft = begin()
        self.draft.to(options.device)
        self.optimizer = torch.optim.AdamW(
            parameter_groups(self.draft, options), lr=options.rate, betas=(0.9, 0.98)
        )
        self.average = {n: t.detach().clone() for n, t in self.draft.state_dict().items()}
        self._fresh = not state
        self._bf16 = fast_type(options.device) == torch.bfloat16
        if state:
            self.optimizer.load_state_dict(state["optimizer"])
            self.average = {n: t.to(options.device) for n, t in state["average"].items()}
        self.seen: dict[str, int] = state.get("seen", {})
        self.first_step = self.step
        self._as_written: AsWritten | None = None

    def see_four_bits(self) -> None:
        """From now on the loss is that of the weights as written in four bits."""
        self._as_written = AsWritten(self.draft)

    def save(self, name: str, pool: Pool | TokenPool) -> None:
        """Write `name`.pt, whole or not at all."""
        tmp = self.folder / f".{name}.tmp"
        state = {
            "config": self.draft.config.asdict(),
            "weights": self.draft.state_dict(),
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "blocks": self.blocks,
            "answer_tokens": pool.answer_tokens,
            "seen": dict(pool.seen),
        }
        torch.save(state, tmp)
        tmp.rename(self.folder / f"{name}.pt")

    def one_step(self, batch: Any, factor: float) -> dict[str, float]:
        """One update at `factor` of the rate; the parts of the loss."""
        options = self.options
        for group in self.optimizer.param_groups:
            group["lr"] = options.rate * factor * group["factor"]
        slots = slots_at(self.step, self.draft.config.block)
        self.optimizer.zero_grad(set_to_none=True)
        weights = self._as_written() if self._as_written else nullcontext()
        with weights:
            with torch.autocast(options.device, torch.bfloat16, enabled=self._bf16):
                loss, parts = loss_of(self.draft, batch, slots, options.gamma)
            loss.backward()
        torch.nn.utils.clip_grad_norm_(self.draft.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        self.blocks += batch.anchors.numel()
        # Early weights of a fresh draft are soon forgotten.
        done = self.step - self.first_step
        keep = min(options.average, done / (done + 10)) if self._fresh else options.average
        with torch.no_grad():
            for name, tensor in self.draft.state_dict().items():
                if tensor.is_floating_point():
                    self.average[name].lerp_(tensor, 1 - keep)
        return parts


def run(options: Options, pool: Pool | TokenPool, begin: Callable[[], Draft], folder: Path) -> Draft:
    """Train for `options.minutes` from `folder/<go_on>.pt`, else from `begin()`; the averaged draft."""
    training = Training(options, begin, folder)
    pool.seen.update(training.seen)
    batches = pool.batches(options.sequences, options.anchors, options.device)
    start = saved = time.time()
    seconds, stable_saved = options.minutes * 60, False
    sums: dict[str, float] = {}
    stopped = threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    while (spent := time.time() - start) < seconds and not stopped.is_set():
        left = 1 - spent / seconds
        if left < options.decay and not stable_saved:
            training.save("stable", pool)
            stable_saved = True
            if options.four_bits:
                training.see_four_bits()
        warm = (training.step - training.first_step + 1) / WARMUP
        factor = min(1.0, warm, left / max(options.decay, 1e-6))
        for name, value in training.one_step(next(batches), factor).items():
            sums[name] = sums.get(name, 0.0) + value
        if training.step % LOG_STEPS == 0:
            line = {
                "step": training.step,
                "blocks": training.blocks,
                "minutes": round(spent / 60, 1),
                "rate": round(options.rate * factor, 6),
                "answer_tokens": pool.answer_tokens,
                **{n: round(v / LOG_STEPS, 4) for n, v in sums.items()},
            }
            with (folder / "log.jsonl").open("a") as f:
                f.write(json.dumps(line) + "\n")
            print(f"{time.strftime('%H:%M:%S')} left {(seconds - spent) / 60:.0f} min {line}", flush=True)
            sums = {}
        if time.time() - saved > SAVE_SECONDS:
            training.save("last", pool)
            saved = time.time()
    training.save("last", pool)
    if not stopped.is_set():
        training.save("final", pool)
    training.draft.load_state_dict(training.average)
    return training.draft
