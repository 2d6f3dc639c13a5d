"""How figures are written: digits, units, words. The same in the terminal and in the report."""

from __future__ import annotations

from app.core.bench_values import FASTER, SLOWER, WITHIN_NOISE, Divergence, Speedup
from app.core.wording import decimal, say

NONE = "—"


def speedup(found: Speedup | None) -> str:
    """The ratio with its interval, and what may be said about it."""
    if found is None:
        return NONE
    pairs = say("1 pair") if found.pairs == 1 else say("{n} pairs", n=found.pairs)
    if found.low is None or found.high is None:
        return say(
            "{ratio:.3f}x from {pairs}: too few to tell how sure this is", ratio=found.ratio, pairs=pairs
        )
    if too_wide(found):
        return say(
            "{ratio:.3f}x, within noise: the runs ({pairs}) differ too much to claim anything",
            ratio=found.ratio,
            pairs=pairs,
        )
    text = say(
        "{ratio:.3f}x (95 % interval {of} {low:.3f} to {high:.3f}, {pairs})",
        ratio=found.ratio,
        of=say("for prompts like these") if found.over_prompts else say("of a repeat"),
        low=found.low,
        high=found.high,
        pairs=pairs,
    )
    if found.verdict == WITHIN_NOISE:
        return say("{text}: within noise, no speedup or slowdown is claimed", text=text)
    return say("{text}: {verdict}", text=text, verdict=claim(found.verdict))


def claim(verdict: str) -> str:
    """A verdict of `bench_values` as a word."""
    words = {
        FASTER: say("faster"),
        SLOWER: say("slower"),
        WITHIN_NOISE: say("within noise"),
    }
    return words.get(verdict, say("unknown"))


def too_wide(found: Speedup) -> bool:
    """Whether the runs differ so much that the interval's ends mean nothing any more."""
    return found.verdict == WITHIN_NOISE and (found.high or 0.0) > 10 * (found.low or 0.0)


def gap(found: Divergence) -> str:
    if found.gap is None or found.noise is None:
        return NONE
    return say(
        "{gap:.4g} (rounding between widths: {noise:.4g})", gap=float(found.gap), noise=float(found.noise)
    )


def verdict(found: Divergence) -> str:
    """Whether the texts parted where two tokens were equally good."""
    if found.tie is None:
        return say("not judged, the text was sampled")
    return say("tie") if found.tie else say("not a tie")


def number(value: float | None, digits: int = 1) -> str:
    return NONE if value is None else decimal(value, f".{digits}f")


def rate(value: float | None) -> str:
    return NONE if value is None else say("{n:.1f} tok/s", n=float(value))


def percent(value: float | None) -> str:
    return NONE if value is None else say("{n:.1f} %", n=100.0 * value)


def change(value: float | None) -> str:
    return NONE if value is None else say("{n:+.1f} %", n=100.0 * value)


def chance(value: float) -> str:
    """A probability from a thousand draws: never quite certain."""
    if value > 0.99:
        return say("more than 99 %")
    return say("less than 1 %") if value < 0.01 else f"{100 * value:.0f} %"


def seconds(value: float) -> str:
    return say("{n:.3f} s", n=float(value))


def size(value: float) -> str:
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return say("{n:.1f} MB", n=float(value)) if unit == "MB" else f"{value:.0f} {unit}"
        value /= 1000
    return say("{n:.1f} GB", n=float(value))


def yes(value: bool | None) -> str:
    if value is None:
        return say("not known (one run)")
    return say("yes") if value else say("no")


def short(text: str, limit: int = 40) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 3].rstrip() + "..."


def stage_of(prompt: int, prompts: int, run: int, runs: int) -> str:
    """What is being measured; the numbers of prompt and run count from 0."""
    if prompts == 1:
        return say("run {run} of {runs}", run=run + 1, runs=runs)
    return say(
        "prompt {prompt} of {prompts}, run {run} of {runs}",
        prompt=prompt + 1,
        prompts=prompts,
        run=run + 1,
        runs=runs,
    )
