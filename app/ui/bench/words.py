"""What the benchmark view says about figures, and what it understands of typed draft lengths."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.core.bench import LONGEST_DRAFT, BenchEntry, category_name, workload_name
from app.core.bench_values import FASTER, SLOWER, WITHIN_NOISE, DraftChoice, Speedup
from app.core.events import CANCELLED, LENGTH, STOP
from app.core.rounds import CHECKPOINT, NATIVE, ORDINARY, SPECULATIVE, SUSPENDED
from app.ui.language import translated
from app.ui.stats import numbers

# An interval wider than this, in either direction, tells nothing.
_FAR = 10.0


def tr(text: str) -> str:
    return QCoreApplication.translate("Benchmark", text)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`headline` holds figure and word; `role` is the colour; `note` says how sure it is."""

    headline: str
    role: str
    note: str


def verdict_of(found: Speedup | None) -> Verdict:
    """What may be claimed of a speedup."""
    if found is None:
        return Verdict(tr("No speedup could be measured"), "muted", tr("The replies were too short."))
    headline, role = _headline(found.verdict, found.ratio)
    return Verdict(headline, role, interval_of(found))


def _headline(verdict: str, ratio: float) -> tuple[str, str]:
    figure = numbers.ratio(ratio)
    if verdict == FASTER:
        return tr("{ratio} faster").format(ratio=figure), "good"
    if verdict == SLOWER:
        return tr("{ratio}: slower").format(ratio=figure), "warning"
    if verdict == WITHIN_NOISE:
        return tr("{ratio}: within noise").format(ratio=figure), "text"
    return tr("{ratio}, not certain").format(ratio=figure), "text"


def interval_of(found: Speedup) -> str:
    """The interval in a sentence."""
    pairs = tr("1 pair of runs") if found.pairs == 1 else tr("{n} pairs of runs").format(n=found.pairs)
    if found.low is None or found.high is None:
        return tr("From {pairs}: too few to tell how sure this is. Use more runs.").format(pairs=pairs)
    if not found.ratio / _FAR < found.low <= found.high < found.ratio * _FAR:
        return tr("From {pairs}: they differ too much to tell how sure this is. Use more runs.").format(
            pairs=pairs
        )
    of = tr("for prompts like these") if found.over_prompts else tr("for a repeat")
    text = tr("95 % interval {of}: {low} to {high}, from {pairs}.").format(
        of=of, low=numbers.ratio(found.low), high=numbers.ratio(found.high), pairs=pairs
    )
    if found.verdict == WITHIN_NOISE:
        text += " " + tr("Neither a speedup nor a slowdown is claimed.")
    return text


def entry_verdict(entry: BenchEntry) -> str:
    """The verdict of an earlier benchmark in a few words."""
    if entry.ratio is None:
        return tr("not measured")
    text, _ = _headline(entry.verdict, entry.ratio)
    return tr("{verdict} (stopped early)").format(verdict=text) if entry.cancelled else text


def date_of(created: float) -> str:
    """Local date and time."""
    return datetime.fromtimestamp(created).strftime("%Y-%m-%d %H:%M")


def time_left(seconds: float | None) -> str:
    """`about 2 min left`, or nothing while it is anybody's guess."""
    if seconds is None:
        return ""
    if seconds < 50:
        return tr("about {n} s left").format(n=max(5, 5 * round(seconds / 5)))
    return tr("about {n} min left").format(n=max(1, round(seconds / 60)))


def choice_name(choice: DraftChoice) -> str:
    return tr("length {length}").format(length=choice.label)


def workload_of(name: str) -> str:
    """Where the prompts came from, as a title."""
    return title(translated(workload_name(name)))


def category_of(name: str) -> str:
    """A category of prompts, as a label."""
    return translated(category_name(name))


def title(text: str) -> str:
    """With a capital at the beginning."""
    return text[:1].upper() + text[1:]


def recorded(word: str) -> str:
    """A word of recorded runs and rounds: how one was made, rolled back or ended."""
    words = {
        ORDINARY: tr("ordinary"),
        SPECULATIVE: tr("speculative"),
        SUSPENDED: tr("suspended"),
        NATIVE: tr("native"),
        CHECKPOINT: tr("checkpoint"),
        STOP: tr("stop"),
        LENGTH: tr("length"),
        CANCELLED: tr("cancelled"),
    }
    return words.get(word, word)


def parse_lengths(text: str) -> tuple[int, ...]:
    """`1,2,4`, `1-7`, both mixed; empty for all. ValueError in words for the user."""
    found: list[int] = []
    for part in text.replace(" ", "").replace("–", "-").split(","):
        if not part:
            continue
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ValueError(tr("Write lengths as 1,2,4 or 1-7."))
        low, high = int(first), int(last if dash else first)
        if not 1 <= low <= high <= LONGEST_DRAFT:
            raise ValueError(tr("Draft lengths lie between 1 and {n}.").format(n=LONGEST_DRAFT))
        found += range(low, high + 1)
    return tuple(dict.fromkeys(found))
