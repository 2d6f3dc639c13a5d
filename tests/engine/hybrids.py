"""Targets whose memory cannot simply forget, in each way of taking drafts back, on one tiny hybrid."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.engine.decoding import Control, Decoder
from app.engine.drafters.base import DraftLimits
from app.engine.handles import Context, Model
from app.engine.rollback import prove_rollback
from app.engine.target import Target


@dataclass(frozen=True)
class Memory:
    """`snapshots` asked of the memory; `on_device` keeps checkpoints there; `windowed` cuts its cache down
    to the model's window."""

    name: str
    rollback: str
    snapshots: int = 0
    on_device: bool = False
    windowed: bool = False


SNAPSHOTS = Memory("snapshots", "snapshots", 15)
FEW_SNAPSHOTS = Memory("few-snapshots", "snapshots", 4)  # longer drafts need checkpoints
CHECKPOINTS = Memory("checkpoints", "checkpoint")
ON_DEVICE = Memory("on-device", "checkpoint", on_device=True)
MEMORIES = (SNAPSHOTS, FEW_SNAPSHOTS, CHECKPOINTS)


def hybrid_target(
    path: Path,
    memory: Memory,
    rows_max: int = 16,
    n_states: int = 4,
    interval: int = 4096,
    n_ctx: int = 2048,
    n_batch: int = 512,
    load_mtp: bool = False,
) -> Target:
    """Proven as at load; fails where the memory does not allow what `memory` says."""
    model = Model(str(path), load_mtp=load_mtp)
    context = Context(
        model,
        n_ctx=n_ctx,
        n_batch=n_batch,
        n_ubatch=n_batch,
        n_outputs_max=rows_max,
        n_threads=1,
        n_threads_batch=1,
        n_rs_seq=memory.snapshots,
        swa_full=not memory.windowed,
    )
    target = Target(model, context, rows_max, n_states, interval, memory.on_device)
    assert context.n_rs_seq == memory.snapshots
    assert prove_rollback(target) == memory.rollback
    return target


def hybrid_decoder(path: Path, memory: Memory, n_max: int = 15, **options: int) -> Decoder:
    target = hybrid_target(path, memory, n_max + 1, **options)
    return Decoder(target, None, Control(False, DraftLimits(n_max)))
