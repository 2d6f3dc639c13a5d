"""Make the sidecars of the default pair: `python packaging/sidecars/make.py STAGE` (see README.md here)."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draft import Draft

sys.path.insert(0, str(Path(__file__).resolve().parent))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, help="folder for checkpoints (tens of gigabytes)")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads of this process (0: all cores)")
    stages = parser.add_subparsers(dest="stage", required=True)
    p = stages.add_parser("features", help="tap rows and teacher candidates of token files")
    p.add_argument("--source", type=Path, required=True)
    p.add_argument("--prefix", required=True)
    p.add_argument("--limit", type=int)
    p = stages.add_parser("data", help="prompts and answers of the target, with features")
    p.add_argument("--rows", type=int, default=128, help="conversations written at the same time")
    p.add_argument("--seed", type=int, default=1, help="one per process; names the shards")
    p.add_argument("--until", type=int, default=1_000_000, help="stop when all shards hold so many tokens")
    p = stages.add_parser("train", help="train one kind of draft")
    p.add_argument("--kind", default="dflash", choices=("dflash", "dspark", "dflash2"))
    p.add_argument("--name", help="name of the run (default: the kind)")
    p.add_argument("--minutes", type=float, default=60.0)
    p.add_argument("--rate", type=float, default=6e-4)
    p.add_argument(
        "--decay", type=float, default=0.25, help="share of the time in which the rate falls to zero"
    )
    p.add_argument(
        "--start",
        type=Path,
        action="append",
        default=[],
        help="checkpoint or sidecar to begin from (another kind, say); given again: for missing parts",
    )
    p.add_argument(
        "--new-vocabulary", action="store_true", help="choose the draft vocabulary anew when starting"
    )
    p.add_argument("--go-on", default="last", choices=("last", "stable"))
    p.add_argument(
        "--backbone-rate", type=float, default=1.0, help="factor on the rate of the shared backbone"
    )
    p.add_argument("--four-bits", action="store_true", help="get used to IQ4_NL while the rate falls")
    p.add_argument("--sequences", type=int, default=4)
    p.add_argument("--anchors", type=int, default=40)
    p = stages.add_parser("heads", help="fit DSpark's or DFlash2's own parts on a trained backbone")
    p.add_argument(
        "backbone",
        type=Path,
        help="checkpoint or sidecar; of a DSpark one only the confidence is fitted",
    )
    p.add_argument("--kind", required=True, choices=("dspark", "dflash2"))
    p.add_argument("--blocks", type=int, default=12_000, help="blocks whose states are cached")
    p.add_argument("--steps", type=int, help="of fitting (default: what suits the kind)")
    p = stages.add_parser("gates", help="leak, teacher, parity with the native library, overfit")
    p.add_argument("--sidecar", type=Path, action="append", default=[], help="also check this file's parity")
    p.add_argument("--files-only", action="store_true", help="nothing but the parity of the given files")
    p.add_argument("--minutes", type=float, default=20.0, help="limit of the overfit gate; 0 leaves it out")
    p = stages.add_parser("export", help="write a checkpoint as a sidecar file")
    p.add_argument("checkpoint", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--quantisation", default="Q4_0", choices=("F16", "Q8_0", "Q5_0", "Q4_0", "IQ4_NL"))
    p.add_argument("--description", default="")
    p.add_argument("--vocabulary", type=int, help="keep only so many tokens of the head, the most useful")
    p = stages.add_parser(
        "evaluate", help="simulated and live acceptance of sidecar files on held-out prompts"
    )
    p.add_argument("sidecars", type=Path, nargs="*")
    p.add_argument("--live", action="store_true", help="also run them through the engine")
    p.add_argument("--every", type=int, default=1, help="use every n-th prompt only")
    p.add_argument("--out", type=Path, help="merge the figures into this JSON file")
    p = stages.add_parser("cost", help="what a draft costs beside an ordinary step, on a quiet machine")
    p.add_argument("sidecars", type=Path, nargs="+")
    p.add_argument("--out", type=Path, help="merge the figures into this JSON file")
    p = stages.add_parser("gpu-pack", help="parts of at most 60 MB for one run on a machine with a GPU")
    p.add_argument("out", type=Path)
    p.add_argument("--prompts", type=int, default=40_000)
    p = stages.add_parser(
        "gpu-run", help="answers, training and kinds in one run; `out` gets files and figures"
    )
    p.add_argument("parts", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--every", type=int, default=1, help="simulate every n-th held-out prompt only")
    p.add_argument("--answer-minutes", type=float, default=2.5)
    p.add_argument("--train-minutes", type=float, default=4.0)
    p.add_argument("--rows", type=int, default=4096)
    p.add_argument("--sequences", type=int, default=64)
    p.add_argument("--anchors", type=int, default=64)
    p.add_argument("--blocks", type=int, default=60_000)
    p.add_argument("--steps", type=int, default=1500)
    p = stages.add_parser("all", help="every stage in order; run it again to go on")
    p.add_argument("--until", type=int, default=1_000_000, help="tokens of data")
    p.add_argument("--minutes", type=float, default=240.0, help="of training")
    p = stages.add_parser("state", help="write what is committed: answers, weights to go on from")
    p.add_argument("--checkpoint", type=Path)
    args = parser.parse_args()

    # On a busy machine two processes of one thread beat one of two threads, which wait for each other.
    threads = args.threads or os.cpu_count() or 1
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    import torch
    from paths import default_work_dir

    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    work: Path = args.work or default_work_dir()
    if args.stage == "features":
        import features

        features.run(args.source, work / "shards", args.prefix, args.limit)
    elif args.stage == "data":
        import generate

        generate.run(work / "shards", args.rows, args.seed, args.until, generate.read_passages())
    elif args.stage == "train":
        import starting
        import train
        from batches import Pool
        from paths import target_file
        from target import Target

        options = train.Options(
            minutes=args.minutes,
            rate=args.rate,
            decay=args.decay,
            sequences=args.sequences,
            anchors=args.anchors,
            backbone_rate=args.backbone_rate,
            go_on=args.go_on,
            four_bits=args.four_bits,
        )
        pool = Pool(work / "shards", time.time_ns() % 10**6)

        def begin() -> Draft:
            target = Target(target_file())
            if not args.start:
                return starting.fresh_draft(args.kind, target, pool)
            return starting.draft_from(args.start, args.kind, target, pool, args.new_vocabulary)

        train.run(options, pool, begin, work / "train" / (args.name or args.kind))
    elif args.stage == "gates":
        import gates

        gates.run(work / "shards", args.sidecar, args.minutes, args.files_only)
    elif args.stage == "heads":
        import heads
        from batches import Pool
        from gguf_files import read_draft

        fit = Pool(work / "shards", 17, "fit", "gen")
        heads.run(
            read_draft(args.backbone),
            args.kind,
            heads.all_tokens(fit),
            fit,
            Pool(work / "shards", 18, "check", "gen"),
            args.blocks,
            args.steps or heads.STEPS[args.kind],
            work / "train" / args.kind / "final.pt",
        )
    elif args.stage == "export":
        from gguf_files import export, read_draft

        draft = read_draft(args.checkpoint)
        if args.vocabulary is not None:
            from batches import Pool
            from vocabulary import smaller

            draft = smaller(draft, Pool(work / "shards", 1), args.vocabulary)
        export(draft, args.out, args.quantisation, args.description)
    elif args.stage == "evaluate":
        import evaluate

        evaluate.run(work, args.sidecars, args.live, threads, args.out, args.every)
    elif args.stage == "cost":
        import evaluate

        evaluate.cost(args.sidecars, threads, args.out)
    elif args.stage == "state":
        import state

        state.run(work, args.checkpoint)
    elif args.stage == "gpu-pack":
        import gpu

        gpu.pack(work, args.out, args.prompts)
    elif args.stage == "gpu-run":
        import gpu

        plan = gpu.Plan(
            answers=args.answer_minutes,
            train=args.train_minutes,
            blocks=args.blocks,
            steps=args.steps,
            rows=args.rows,
            sequences=args.sequences,
            anchors=args.anchors,
            every=args.every,
        )
        gpu.run(args.parts, args.out, plan, "cuda" if torch.cuda.is_available() else "cpu")
    elif args.stage == "all":
        import everything

        everything.run(work, args.until, args.minutes, threads)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
