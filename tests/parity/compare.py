"""Counts and speed beside the native project's own speculative example: `python tests/parity/compare.py`.

Build the example first (see CMakeLists.txt beside this file), for the same library that the program uses:

    python tests/parity/compare.py --example BUILD/speculative-simple --model TARGET --draft-model DRAFT

With `--cpu` the speeds are tokens a second of processor time, for a machine that does other things besides
(use one thread then: threads that wait for one another count as working).

Both draft at temperature 0 with one thread count, a batch that holds the prompt, and the same draft
length; they are run in turn and the median of the paired ratios counts. Drafted and accepted tokens must be
equal within one round, or within two where the limit ends the reply: the example then writes one token more,
and drafts whole blocks without room for them. The exit code is 1 where they are not, or where the program is
slower.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.core.events import RoundDone
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.algorithms import AUTO, algorithms

PROMPT = "Write a short story about a lighthouse keeper who finds a message in a bottle.\n\n"


@dataclass(frozen=True)
class Run:
    """Tokens of the reply, drafted and accepted ones, and tokens a second."""

    tokens: int
    drafted: int
    accepted: int
    speed: float


def native(args: argparse.Namespace, kind: SpeculativeType, prompt_file: Path) -> Run:
    command = [
        args.example, args.model, args.draft_model or "-", kind.to_str(), str(args.draft_tokens),
        str(args.max_tokens), str(args.threads), str(args.n_ctx), str(prompt_file),
    ]  # fmt: skip
    done, seconds = _timed(command)
    said = done.stdout + done.stderr
    found = {
        name: int(value) for name, value in re.findall(r"(n_predict|n_drafted|n_accept) *= *(\d+)", said)
    }
    speed = re.search(r"decoded +\d+ tokens in +[\d.]+ seconds, speed: +([\d.]+)", said)
    if done.returncode or speed is None or len(found) < 3:
        raise SystemExit(f"the example failed with {done.returncode}:\n{said[-2000:]}")
    rate = float(speed[1])
    if args.cpu:
        # Less what loading and reading the prompt take, which a reply of one round takes as well.
        short, start = _timed([*command[:5], "1", *command[6:]])
        first = int(re.findall(r"n_predict *= *(\d+)", short.stdout + short.stderr)[-1])
        rate = (found["n_predict"] - first) / max(seconds - start, 1e-9)
    # It counts the token that ends the reply; one that is cut off is longer than asked for.
    tokens = found["n_predict"] - (found["n_predict"] <= args.max_tokens)
    return Run(tokens, found["n_drafted"], found["n_accept"], rate * tokens / found["n_predict"])


def _timed(command: list[str]) -> tuple[subprocess.CompletedProcess[str], float]:
    """What it said, and its processor time in seconds."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return done, used


def ours(llm: Llama, tokens: list[int], args: argparse.Namespace) -> Run:
    """A reply of `args.max_tokens` tokens."""
    start = first = 0.0
    for event in llm.generate(tokens, SamplingParams(temperature=0.0), args.max_tokens):
        if isinstance(event, RoundDone) and not start:
            start, first = time.process_time(), event.stats.generation_tokens
    stats = llm.decoder.stats
    speed = stats.generation_tokens / stats.generation_seconds
    if args.cpu:
        speed = (stats.generation_tokens - first) / (time.process_time() - start)
    return Run(stats.generation_tokens, stats.drafted, stats.accepted, speed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--example", required=True, help="the built speculative-simple")
    parser.add_argument("--model", required=True)
    parser.add_argument("--draft-model", default="")
    parser.add_argument("--algorithm", default=AUTO)
    parser.add_argument("--draft-tokens", type=int, default=7)
    parser.add_argument("--max-tokens", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--n-ctx", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--prompt", default=PROMPT)
    parser.add_argument("--cpu", action="store_true", help="compare processor time")
    args = parser.parse_args()
    kinds = algorithms(args.algorithm, args.draft_model)
    spec = SpecConfig(kinds, draft_n_max=args.draft_tokens, draft_model_path=args.draft_model or None)
    theirs: list[Run] = []
    mine: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        prompt_file = Path(folder) / "prompt.txt"
        prompt_file.write_text(args.prompt, "utf-8")
        for _ in range(args.runs):
            theirs.append(native(args, kinds[0], prompt_file))
            # Loaded anew, as the example is: some drafters remember earlier replies.
            with Llama(
                args.model,
                n_ctx=args.n_ctx,
                n_batch=args.n_ctx,
                n_ubatch=args.n_ctx,
                n_threads=args.threads,
                speculative=spec,
                verbose=False,
            ) as llm:
                mine.append(ours(llm, llm.tokenize(args.prompt, add_special=True), args))
            print(theirs[-1], mine[-1], flush=True)
    for name, runs in (("native", theirs), ("ours", mine)):
        one, speed = runs[-1], median(run.speed for run in runs)
        print(
            f"{name}: {one.tokens} tokens, {one.drafted} drafted, {one.accepted} accepted, {speed:.1f} tok/s"
        )
    ratios = sorted(own.speed / other.speed for own, other in zip(mine, theirs, strict=True))
    print(f"{median(ratios):.3f} of the native example's speed ({ratios[0]:.3f} to {ratios[-1]:.3f})")
    same = all(
        abs(getattr(own, name) - getattr(other, name))
        <= args.draft_tokens * (1 + (other.tokens > args.max_tokens))
        for own, other in zip(mine, theirs, strict=True)
        for name in ("drafted", "accepted")
    )
    return 0 if same and median(ratios) >= 1.0 else 1


if __name__ == "__main__":
    sys.exit(main())
