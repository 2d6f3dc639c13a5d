"""Stage `all`: from nothing to files and figures. What is there already is kept, so it can be run again."""

from __future__ import annotations

from pathlib import Path

import evaluate
import features
import gates
import generate
import heads
import starting
import state
import train
from batches import Pool
from draft import KINDS
from gguf_files import export, read_draft
from paths import RESOURCES, STATE, target_file
from target import Target


def run(work: Path, until: int, minutes: float, threads: int) -> None:
    """`until` tokens of data, `minutes` of training, then every kind, its file and its figures."""
    shards, folder = work / "shards", work / "train" / "dflash"
    for path in sorted(STATE.glob("answers-*.npz")):
        features.run(path, shards, path.stem.removeprefix("answers-"))
    generate.run(shards, 128, 1, until, generate.read_passages())
    gates.run(shards, [], 20.0)
    pool = Pool(shards, 1)
    start = state.BACKBONE

    def begin() -> starting.Draft:
        target = Target(target_file())
        if start.exists():
            return starting.draft_from(start, "dflash", target, pool, True)
        return starting.fresh_draft("dflash", target, pool)

    train.run(train.Options(minutes=minutes), pool, begin, folder)
    files = []
    for kind in KINDS:
        checkpoint = folder / "final.pt"
        if kind != "dflash":
            unseen = Pool(shards, 2, check=True, only="gen")
            out = work / "train" / kind / "final.pt"
            heads.run(read_draft(checkpoint), kind, pool, unseen, 12_000, heads.STEPS[kind], out)
            checkpoint = work / "train" / kind / "final.pt"
        files.append(RESOURCES / f"smollm2-135m-{kind}.gguf")
        # As fine as 20 MB allow; four bits cost DFlash 0.04 of mean accepted length.
        export(read_draft(checkpoint), files[-1], "Q8_0" if kind == "dflash" else "Q5_0")
    evaluate.run(work, files, True, threads, evaluate.FIGURES)
    state.run(work, folder / "final.pt")
