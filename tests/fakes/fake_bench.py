"""A benchmark without a model: rates come from a script, figures and report from the real code.

`FakeBench` keeps the contract of `app.core.ports.Bench`; `MemoryArchive` that of `BenchArchive`.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace

from app.bench.figures import figures
from app.bench.local_bench import LocalBench, record_of
from app.bench.plan import BenchPlan
from app.bench.prompts import BenchPrompt
from app.bench.result import BenchResult, Environment, FileFacts, Prefill
from app.bench.spelling import stage_of
from app.bench.sweep import recommend
from app.core.bench import BenchEntry, BenchProgress, BenchRecord, BenchRequest, entry_of
from app.core.bench_values import Divergence, DraftChoice, Figures, Pair, Point, Run
from app.core.errors import EnvironmentProblem
from app.core.events import LoadedPair
from app.core.ports import Engine
from app.core.rounds import NATIVE, NO_ROLLBACK, ORDINARY, SPECULATIVE, Round, RoundTimings
from app.core.speculation import SpeculativeType
from app.core.wording import say

CATEGORIES = ("coding", "math", "writing", "Q&A", "reasoning", "summarisation", "translation", "copy-edit")
TOKENS = 48


@dataclass
class BenchScript:
    """`speedups` by draft length; `by_category` multiplies them. `hold_at`: stop there until cancelled.

    With `error` nothing is measured. Seconds are slept before each pair.
    """

    ordinary_rate: float = 31.0
    speedups: dict[int, float] = field(
        default_factory=lambda: {1: 1.09, 2: 1.21, 3: 1.32, 4: 1.38, 5: 1.36, 6: 1.29, 7: 1.2}
    )
    by_category: tuple[float, ...] = (1.12, 1.02, 0.85, 0.9, 0.97, 1.04, 0.93, 1.35)
    noise: float = 0.06
    prompts: int = 8
    diverging: tuple[int, ...] = ()
    pair_seconds: float = 0.0
    hold_at: int | None = None
    error: Exception | None = None
    created: float = 1_767_000_000.0


class FakeBench:
    """`requests` and `threads` say what was asked for and in which thread it ran."""

    def __init__(self, script: BenchScript | None = None) -> None:
        self.script = script if script is not None else BenchScript()
        self.requests: list[BenchRequest] = []
        self.threads: list[int] = []
        self.holding = threading.Event()

    def run(self, engine: Engine, request: BenchRequest, report, cancel: threading.Event) -> BenchRecord:  # type: ignore[no-untyped-def]
        self.requests.append(request)
        self.threads.append(threading.get_ident())
        if self.script.error is not None:
            raise self.script.error
        return record_of(self._measure(request, report, cancel))

    def read(self, text: str) -> BenchRecord:
        return LocalBench().read(text)

    def _measure(self, request: BenchRequest, report, cancel: threading.Event) -> BenchResult:  # type: ignore[no-untyped-def]
        script = self.script
        lengths = (request.lengths or tuple(script.speedups)) if request.sweep else (request.draft_n_max,)
        choices = [DraftChoice(n) for n in lengths]
        pairs: dict[DraftChoice, list[Pair]] = {choice: [] for choice in choices}
        total = script.prompts * request.runs * len(choices)
        done, cancelled = 0, False
        report(BenchProgress(say("Warming up"), 0.05))
        for prompt in range(script.prompts):
            for number in range(request.runs):
                for choice in choices:
                    if done == script.hold_at:
                        self.holding.set()
                        cancel.wait()
                    if cancel.is_set():
                        cancelled = True
                        break
                    stage = stage_of(prompt, script.prompts, number, request.runs)
                    time.sleep(script.pair_seconds)
                    fraction = 0.05 + 0.95 * done / total
                    report(BenchProgress(stage, fraction, SPECULATIVE, choice, script.ordinary_rate))
                    pair = self._pair(prompt, number, choice, done)
                    pairs[choice].append(pair)
                    done += 1
                    fraction = 0.05 + 0.95 * done / total
                    report(
                        BenchProgress(stage, fraction, SPECULATIVE, choice, 0.0, pair, CATEGORIES[prompt % 8])
                    )
        points = tuple(self._point(c, found) for c, found in pairs.items() if found)
        ratios = [p.figures.speedup.ratio if p.figures.speedup else 0.0 for p in points]
        return BenchResult(
            created=script.created,
            plan=_plan(request, script.prompts),
            pair=_PAIR,
            environment=_ENVIRONMENT,
            files=(FileFacts("target", "target.gguf", 98_000_000, "0" * 64),),
            target_load_seconds=0.0,
            load_seconds=0.8,
            prefills=tuple(Prefill(i, 30, 0.05, 0.06) for i in range(script.prompts)),
            points=points,
            shown=max(range(len(ratios)), key=ratios.__getitem__, default=0),
            recommendation=recommend(points, cancelled) if request.sweep else None,
            cancelled=cancelled,
            warnings=(),
        )

    def _pair(self, prompt: int, number: int, choice: DraftChoice, index: int) -> Pair:
        script = self.script
        factor = script.by_category[prompt % len(script.by_category)] if script.by_category else 1.0
        base = script.speedups.get(choice.n_max, 1.0)
        unrest = 1 + script.noise * (((index * 7) % 11) - 5) / 5
        rate = script.ordinary_rate * base * factor * unrest
        # Short drafts are accepted more often than long ones.
        tokens, position = [], 0
        rounds: list[Round] = []
        share = max(0.85 - 0.08 * choice.n_max, 0.2)
        while position < TOKENS:
            accepted = min(round(share * choice.n_max), TOKENS - position - 1)
            made = tuple(100 + (position + i) % 77 for i in range(accepted + 1))
            rejected = tuple(range(choice.n_max - accepted))
            seconds = len(made) / rate
            rounds.append(
                Round(
                    SPECULATIVE, position, made, accepted, tuple(range(choice.n_max)), choice.n_max, rejected,
                    NATIVE if rejected else NO_ROLLBACK, (), round(seconds, 6),
                    RoundTimings(round(seconds / 5, 6), round(seconds / 2, 6)), algorithm="DFlash2",
                )
            )  # fmt: skip
            tokens += made
            position += len(made)
        if prompt in script.diverging:
            rounds[-1] = replace(rounds[-1], tokens=(*rounds[-1].tokens[:-1], 7))
        plain = tuple(
            Round(ORDINARY, i, (t,), 0, seconds=round(1 / script.ordinary_rate, 6))
            for i, t in enumerate(tokens)
        )
        return Pair(prompt, number, Run(ORDINARY, "length", plain), Run(SPECULATIVE, "length", tuple(rounds)))

    def _point(self, choice: DraftChoice, pairs: list[Pair]) -> Point:
        groups: dict[str, list[Pair]] = {}
        for pair in pairs:
            groups.setdefault(CATEGORIES[pair.prompt % 8], []).append(pair)
        categories: dict[str, Figures] = {}
        if len(groups) > 1:
            categories = {name: figures(members) for name, members in groups.items()}
        parted = {p.prompt for p in pairs if not p.matches}
        divergences = tuple(Divergence(i, 0, TOKENS - 1, 0.0012, 0.0431, True) for i in sorted(parted))
        return Point(choice, tuple(pairs), divergences, figures(pairs), categories)


class MemoryArchive:
    """`error` makes every call fail."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, BenchEntry, str]] = {}
        self.hidden: set[str] = set()
        self.error: EnvironmentProblem | None = None

    def entries(self, tag: str) -> list[BenchEntry]:
        self._check()
        found = [e for t, e, _ in self.kept.values() if t == tag and e.id not in self.hidden]
        return sorted(found, key=lambda e: e.created, reverse=True)

    def save(self, tag: str, record: BenchRecord) -> BenchEntry:
        self._check()
        entry = entry_of(record, f"entry-{len(self.kept) + 1}")
        self.kept[entry.id] = (tag, entry, record.document)
        return entry

    def read(self, entry_id: str) -> str:
        self._check()
        return self.kept[entry_id][2]

    def delete(self, entry_id: str) -> None:
        self._check()
        self.hidden.add(entry_id)

    def restore(self, entry_id: str) -> None:
        self._check()
        self.hidden.discard(entry_id)

    def _check(self) -> None:
        if self.error is not None:
            raise self.error


def _plan(request: BenchRequest, prompts: int) -> BenchPlan:
    return BenchPlan(
        model_path="/models/target.gguf",
        draft_path="/models/sidecar.gguf",
        spec_types=(SpeculativeType.DRAFT_DFLASH,),
        prompts=tuple(BenchPrompt(f"Prompt number {i + 1}.", CATEGORIES[i % 8]) for i in range(prompts)),
        workload=f"{request.source} set",
        max_tokens=request.max_tokens,
        runs=request.runs,
        draft_n_max=request.draft_n_max,
        sweep=request.sweep,
        lengths=request.lengths,
    )


_PAIR = LoadedPair(
    "/models/target.gguf", "SmolLM2-135M-Instruct", "llama", "Q4_1", 98_000_000, 8192, 8192, 49152, 2,
    "/models/sidecar.gguf", "smollm2-135m-dflash2", 31_000_000, "DFlash2", 8, 7, NATIVE, "CPU",
)  # fmt: skip
_ENVIRONMENT = Environment(
    "Slipstream 0.1.0", "llama-cpp-python 0.3.36", "a1b2c3d", "Linux", "CPython 3.12.3", "x86_64",
    "A CPU of the tests", 2, 8 * 2**30, "CPU : AVX2 = 1",
)  # fmt: skip
