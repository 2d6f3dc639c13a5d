"""What a sweep recommends, in a sentence."""

from __future__ import annotations

from app.bench.result import BenchResult
from app.bench.spelling import chance
from app.core.wording import say


def recommendation(result: BenchResult) -> str:
    """What the sweep recommends and how sure it is; empty without a sweep."""
    found = result.recommendation
    if found is None:
        return ""
    if found.length == 0:
        text = say("Ordinary decoding: no draft length was faster")
    elif found.p_min:
        text = say(
            "Draft length {n} with p_min {p_min:g}, {ratio:.3f}x",
            n=found.length,
            p_min=float(found.p_min),
            ratio=found.speedup,
        )
    else:
        text = say("Draft length {n}, {ratio:.3f}x", n=found.length, ratio=found.speedup)
    if found.chance is None:
        text = say("{text}; too few pairs to tell how sure this is", text=text)
    else:
        words = {"sure": say("sure"), "likely": say("likely"), "open": say("open")}
        text = say(
            "{text}; the fastest choice with {chance} probability ({certainty})",
            text=text,
            chance=chance(found.chance),
            certainty=words[found.certainty],
        )
    if found.partial:
        return say("{text}. The sweep was stopped early.", text=text)
    return say("{text}.", text=text)
