"""A benchmark on the loaded pair: what is asked for, what is heard meanwhile, and what comes out of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from app.core.bench_values import DraftChoice, Pair, Point, Recommendation, Section
from app.core.events import Problem
from app.core.pair_settings import PairSettings
from app.core.settings import Pair as ModelPair
from app.core.wording import say

# Where the prompts come from (`BenchRequest.source`).
BUILTIN = "builtin"
COPY_EDIT = "copy-edit"
LONG_PROSE = "long-prose"
PROMPT = "prompt"
FILE = "file"
SOURCES = (BUILTIN, COPY_EDIT, LONG_PROSE, PROMPT, FILE)

# What a record calls workloads that are no set.
USERS_PROMPT = "the user's prompt"
DEFAULT_PROMPT = "default long-form prompt"
FROM_FILE = "file "

LONGEST_DRAFT = 64


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """`prompt` belongs to the source `PROMPT`, `prompt_file` to `FILE`.

    With `sweep` each of `lengths` (empty: all that the sidecar allows) is measured instead of
    `draft_n_max` or, with `automatic`, the length the engine chooses. `settings` are those the pair was
    loaded with. ValueError in words for the user when something does not go together.
    """

    source: str = BUILTIN
    prompt: str = ""
    prompt_file: str = ""
    runs: int = 3
    max_tokens: int = 64
    draft_n_max: int = 7
    automatic: bool = False
    sweep: bool = False
    lengths: tuple[int, ...] = ()
    settings: PairSettings = PairSettings()

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise ValueError(f"prompts come from one of {', '.join(SOURCES)}, not {self.source!r}")
        if self.source == PROMPT and not self.prompt.strip():
            raise ValueError(say("Write a prompt first."))
        if self.source == FILE and not self.prompt_file:
            raise ValueError(say("Choose a file with prompts first."))
        if self.runs < 1 or self.max_tokens < 1:
            raise ValueError(say("Runs and tokens must be at least 1."))
        if not 1 <= self.draft_n_max <= LONGEST_DRAFT or any(
            not 1 <= n <= LONGEST_DRAFT for n in self.lengths
        ):
            raise ValueError(say("Draft lengths lie between 1 and {n}.", n=LONGEST_DRAFT))


@dataclass(frozen=True, slots=True)
class BenchProgress:
    """`fraction` runs from 0 to 1 over the whole benchmark; a rate is 0 while it is not known.

    `finished` is the pair that has just ended, if one has, with the choice and the category it belongs to.
    """

    stage: str
    fraction: float
    mode: str = ""
    choice: DraftChoice | None = None
    tokens_per_second: float = 0.0
    finished: Pair | None = None
    category: str = ""


@dataclass(frozen=True, slots=True)
class BenchRecord:
    """A benchmark that has ended, maybe early. `created` is seconds since the epoch.

    `sections` say everything in words; `document` is the file it is kept as (JSON, every recorded
    round), `report` the same as Markdown, `table` as CSV. `prompts` are texts with their categories,
    `shown` the index of the point whose details are shown.
    """

    created: float
    program: str
    target: str
    draft: str
    algorithm: str
    workload: str
    prompts: tuple[tuple[str, str], ...]
    points: tuple[Point, ...]
    shown: int
    recommendation: Recommendation | None
    advice: str
    cancelled: bool
    warnings: tuple[str, ...]
    errors: tuple[Problem, ...]
    sections: tuple[Section, ...]
    document: str
    report: str
    table: str

    @property
    def point(self) -> Point | None:
        """The point whose details are shown; None when nothing was measured."""
        return self.points[self.shown] if self.points else None


@dataclass(frozen=True, slots=True)
class BenchEntry:
    """An earlier benchmark as it is listed. `verdict` is a word of `bench_values`, or empty."""

    id: str
    created: float
    program: str
    workload: str
    verdict: str = ""
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class BenchDone:
    record: BenchRecord


@dataclass(frozen=True, slots=True)
class BenchFailed:
    """Nothing was measured."""

    problem: Problem


BenchEvent = BenchProgress | BenchDone | BenchFailed


def entry_of(record: BenchRecord, entry_id: str) -> BenchEntry:
    """The line under which a record is listed."""
    point = record.point
    found = point.figures.speedup if point is not None else None
    return BenchEntry(
        entry_id,
        record.created,
        record.program,
        record.workload,
        found.verdict if found is not None else "",
        found.ratio if found is not None else None,
        found.low if found is not None else None,
        found.high if found is not None else None,
        record.cancelled,
    )


def category_name(category: str) -> str:
    """A category of prompts for the user; those of a file of the user's are called what it calls them."""
    names = {
        "": say("(none)"),
        "coding": say("coding"),
        "math": say("math"),
        "writing": say("writing"),
        "Q&A": say("Q&A"),
        "reasoning": say("reasoning"),
        "summarisation": say("summarisation"),
        "translation": say("translation"),
        "copy-edit": say("copy-edit"),
        "long-form": say("long-form"),
        "long prose": say("long prose"),
    }
    return names.get(category, category)


def workload_name(workload: str) -> str:
    """Where prompts came from, for the user, from what a record calls it."""
    names = {
        f"{BUILTIN} set": say("built-in set"),
        f"{COPY_EDIT} set": say("copy-edit set"),
        f"{LONG_PROSE} set": say("long-prose set"),
        USERS_PROMPT: say("the user's prompt"),
        DEFAULT_PROMPT: say("default long-form prompt"),
    }
    file = workload.removeprefix(FROM_FILE)
    return names.get(workload) or (workload if file == workload else say("file {name}", name=file))


def pair_tag(pair: ModelPair) -> str:
    """Names a pair in file names without saying where its files are."""
    return hashlib.sha256(pair.key.encode()).hexdigest()[:12]
