"""How figures are written: digits, units, words. The same in the terminal and in the report."""

from __future__ import annotations

from app.core.bench_values import WITHIN_NOISE, Divergence, Speedup

NONE = "—"


def speedup(found: Speedup | None) -> str:
    """The ratio with its interval, and what may be said about it."""
    if found is None:
        return NONE
    pairs = f"{found.pairs} pair{'s' if found.pairs > 1 else ''}"
    if found.low is None or found.high is None:
        return f"{found.ratio:.3f}x from {pairs}: too few to tell how sure this is"
    if too_wide(found):
        return f"{found.ratio:.3f}x, within noise: the runs ({pairs}) differ too much to claim anything"
    of = "for prompts like these" if found.over_prompts else "of a repeat"
    text = f"{found.ratio:.3f}x (95 % interval {of} {found.low:.3f} to {found.high:.3f}, {pairs})"
    if found.verdict == WITHIN_NOISE:
        return f"{text}: within noise, no speedup or slowdown is claimed"
    return f"{text}: {found.verdict}"


def too_wide(found: Speedup) -> bool:
    """Whether the runs differ so much that the interval's ends mean nothing any more."""
    return found.verdict == WITHIN_NOISE and (found.high or 0.0) > 10 * (found.low or 0.0)


def gap(found: Divergence) -> str:
    if found.gap is None or found.noise is None:
        return NONE
    return f"{found.gap:.4g} (rounding between widths: {found.noise:.4g})"


def verdict(found: Divergence) -> str:
    """Whether the texts parted where two tokens were equally good."""
    if found.tie is None:
        return "not judged, the text was sampled"
    return "tie" if found.tie else "not a tie"


def number(value: float | None, digits: int = 1) -> str:
    return NONE if value is None else f"{value:.{digits}f}"


def rate(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f} tok/s"


def percent(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.1f} %"


def change(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:+.1f} %"


def chance(value: float) -> str:
    """A probability from a thousand draws: never quite certain."""
    return "more than 99 %" if value > 0.99 else "less than 1 %" if value < 0.01 else f"{100 * value:.0f} %"


def seconds(value: float) -> str:
    return f"{value:.3f} s"


def size(value: float) -> str:
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit != "MB" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


def yes(value: bool | None) -> str:
    return "not known (one run)" if value is None else "yes" if value else "no"


def short(text: str, limit: int = 40) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 3].rstrip() + "..."
