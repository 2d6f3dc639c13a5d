"""Does the automatic draft length come close to the best fixed one? Paired runs on the default pair.

    python -m tests.bench.automatic draft-dspark long-prose --out FILE [--seconds 100]

Every prompt of the set is answered in turn by ordinary decoding, by each fixed length and by the automatic
one. Runs are added to FILE until the time is up, and later calls go on where the file ends; the summary is
of the whole file. A fixed length that is hopeless after some prompts is not run again.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic

from app.bench.prompt_sets import SETS
from app.core.conversation import ChatMessage
from app.core.events import RoundDone
from app.core.locations import default_draft, default_target
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.draft_length import AutomaticLength
from app.engine.drafters.base import DraftLimits
from app.engine.load_options import available_cores

ORDINARY = "ordinary"
AUTO = "auto"
GREEDY = SamplingParams(temperature=0.0, seed=42)
HOPELESS = 0.85  # of the best mode
LOOKS = 6  # prompts before a mode may be called hopeless


@dataclass(frozen=True)
class Run:
    """One reply: tokens a second after the first token."""

    turn: int
    prompt: int
    category: str
    mode: str
    speed: float
    drafted: int
    accepted: int


class Runner:
    def __init__(self, algorithm: str, n_threads: int) -> None:
        kind = SpeculativeType.from_str(algorithm)
        self.lengths = (3, 7, 15) if algorithm.startswith("ngram") else (1, 2, 3, 7)
        draft = default_draft()
        spec = SpecConfig(
            spec_type=kind,
            draft_model_path=None if algorithm.startswith("ngram") else str(draft),
            draft_n_max=max(self.lengths),
        )
        self.llm = Llama(
            str(default_target()),
            n_ctx=4096,
            n_threads=n_threads,
            speculative=spec,
            automatic_length=True,
            verbose=False,
        )
        automatic = self.llm.decoder.length
        assert isinstance(automatic, AutomaticLength)
        self.automatic = automatic

    def speed(self, tokens: list[int], mode: str, max_tokens: int) -> tuple[float, int, int]:
        llm = self.llm
        llm.set_speculation(mode != ORDINARY)
        if mode == AUTO:
            llm.set_draft_limits(max(self.lengths), automatic=True)
            llm.decoder.length = self.automatic  # one conversation after another, as in the window
        elif mode != ORDINARY:
            llm.set_draft_limits(int(mode))
            llm.control.limits = DraftLimits(int(mode))  # n-gram kinds have a length of their own
        # The first decode after a switch builds its graph; a conversation that stays in one mode never does.
        events = llm.generate(tokens, GREEDY, max_tokens, ignore_eos=True)
        rounds = [e.round for e in events if isinstance(e, RoundDone) and e.round.timed]
        made, seconds = sum(len(r.tokens) for r in rounds), sum(r.seconds for r in rounds)
        return made / seconds, sum(len(r.drafted) for r in rounds), sum(r.accepted for r in rounds)


def summary(runs: list[Run]) -> str:
    """Medians over prompts of paired ratios; the first turn of a mode counts as well."""
    by: dict[tuple[int, int], dict[str, Run]] = defaultdict(dict)
    for run in runs:
        by[run.turn, run.prompt][run.mode] = run

    def ratios(mode: str, base: str, category: str = "") -> list[float]:
        return [
            pair[mode].speed / pair[base].speed
            for pair in by.values()
            if mode in pair and base in pair and category in ("", pair[mode].category)
        ]

    lines = []
    modes = sorted({run.mode for run in runs}, key=lambda m: (not m.isalpha(), m))
    medians = {m: statistics.median(ratios(m, ORDINARY)) for m in modes if ratios(m, ORDINARY)}
    for mode, value in medians.items():
        lines.append(f"{mode:>9}: {value:.3f} of ordinary ({len(ratios(mode, ORDINARY))} pairs)")
    fixed = {m: v for m, v in medians.items() if m != AUTO}
    best = max(fixed, key=lambda m: fixed[m])
    against = ratios(AUTO, best)
    lines.append(
        f"automatic / best fixed ({best}): {statistics.median(against):.3f} over {len(against)} pairs"
    )
    for category in dict.fromkeys(run.category for run in runs):
        found = ratios(AUTO, ORDINARY, category)
        lines.append(
            f"  {category}: automatic / ordinary {statistics.median(found):.3f} over {len(found)} pairs"
        )
    return "\n".join(lines)


def hopeless(runs: list[Run], mode: str) -> bool:
    """Whether enough runs say that this fixed length is never the best."""
    speeds: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        speeds[run.mode].append(run.speed)
    best = max(statistics.median(values) for values in speeds.values()) if speeds else 0.0
    mine = speeds.get(mode, [])
    return len(mine) >= LOOKS and statistics.median(mine) < HOPELESS * best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("algorithm")
    parser.add_argument("set", choices=tuple(SETS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--threads", type=int, default=max(available_cores() - 1, 1))
    args = parser.parse_args()
    runs = (
        [Run(**json.loads(line)) for line in args.out.read_text("utf-8").splitlines()]
        if args.out.exists()
        else []
    )
    runner = Runner(args.algorithm, args.threads)
    prompts = SETS[args.set]
    tokens = [runner.llm.chat_tokens([ChatMessage("user", prompt.text)]) for prompt in prompts]
    at = (runs[-1].turn * len(prompts) + runs[-1].prompt + 1) if runs else 0
    runner.speed(tokens[0], ORDINARY, 32)
    deadline = monotonic() + args.seconds
    with runner.llm, args.out.open("a", encoding="utf-8") as file:
        while monotonic() < deadline:
            turn, number = divmod(at, len(prompts))
            modes = [ORDINARY, AUTO, *(str(n) for n in runner.lengths if not hopeless(runs, str(n)))]
            if at % 2:
                modes.reverse()
            for mode in modes:
                speed, drafted, accepted = runner.speed(tokens[number], mode, args.max_tokens)
                run = Run(turn, number, prompts[number].category, mode, speed, drafted, accepted)
                runs.append(run)
                file.write(json.dumps(asdict(run)) + "\n")
                file.flush()
            at += 1
    print(summary(runs))
    print("verify by width, ms:", [round(1000 * v, 1) for v in runner.automatic.costs.verify[:16]])
    print("draft, ms:", round(1000 * runner.automatic.costs.draft, 2))


if __name__ == "__main__":
    main()
