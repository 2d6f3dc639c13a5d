"""Stage `all`: from nothing to files and figures. What is there already is kept, so it can be run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
from draft import KINDS, Draft
from gguf_files import export, read_draft
from paths import RESOURCES, STATE, target_file
from target import Target
from vocabulary import smaller


def _from(path: Path, kind: str, pool: Pool) -> Callable[[], Draft]:
    """How a training begins: with the weights of `path`, if there is such a file."""

    def begin() -> Draft:
        target = Target(target_file())
        if path.exists():
            return starting.draft_from([path], kind, target, pool, new_vocabulary=kind == "dflash")
        return starting.fresh_draft(kind, target, pool)

    return begin


def run(work: Path, until: int, minutes: float, threads: int) -> None:
    """`until` tokens of data, `minutes` of training, then every kind, its file and its figures."""
    shards, folder = work / "shards", work / "train" / "dflash"
    for path in sorted(STATE.glob("answers-*.npz")):
        features.run(path, shards, path.stem.removeprefix("answers-"))
    generate.run(shards, 128, 1, until, generate.read_passages())
    gates.run(shards, [], 20.0)
    pool = Pool(shards, 1)
    options = train.Options(minutes=minutes, decay=0.4, four_bits=True)
    train.run(options, pool, _from(state.BACKBONE, "dflash", pool), folder)
    files = []
    fit, check = Pool(shards, 2, "fit"), Pool(shards, 3, "check")
    texts = heads.all_tokens(pool)
    for kind in KINDS:
        files.append(RESOURCES / f"smollm2-135m-{kind}.gguf")
        checkpoint = folder / "final.pt"
        if kind != "dflash":
            parts, joint = work / "train" / kind / "final.pt", work / "train" / f"{kind}-joint"
            heads.run(read_draft(checkpoint), kind, texts, fit, check, 12_000, heads.STEPS[kind], parts)
            half = replace(options, minutes=minutes / 2)
            train.run(half, pool, _from(parts, kind, pool), joint)
            checkpoint = joint / "final.pt"
        draft = read_draft(checkpoint)
        if kind == "dflash2":
            # Its convolutions and its selector take the time that a smaller head gives back.
            draft = smaller(draft, pool, 4096)
        export(draft, files[-1], "IQ4_NL")
        if kind == "dspark":
            # The confidence is calibrated with the weights as they are in the file.
            heads.run(read_draft(files[-1]), kind, texts, fit, check, 24_000, 0, parts)
            export(read_draft(parts), files[-1], "IQ4_NL")
    evaluate.run(work, files, True, threads, evaluate.FIGURES)
    state.run(work, folder / "final.pt")
