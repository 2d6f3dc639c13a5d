"""Whether verified rows are sampled as ordinary ones: a chi-square test over two-token continuations.

`python -m tests.engine.distribution TARGET.gguf` takes 100,000 samples of every chain; the tests take
fewer through the same code. Every sample has a sampler of its own; samples whose rows are the same share
a decode, which changes nothing of what a sampler sees.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from app.core.sampling import SamplingParams
from app.engine.sampling import Sampler
from app.engine.target import Target
from tests.engine.chains import DRAWN
from tests.engine.support import EXACT, bare_target

PROMPT = [40 + (7 * i) % 90 for i in range(40)]
MOST_CELLS = 1024
LEAST_EXPECTED = 5.0
# Samplers that live at a time.
CHUNK = 4000

Pair = tuple[int, int]


def likely_drafts(target: Target, n: int) -> list[tuple[int, int]]:
    """Drafts of two tokens that the target finds likely, each beginning differently."""
    _at_prompt(target)
    target.decode_rows(PROMPT[-1:])
    best = np.argsort(target.context.logits(1)[0])[::-1][:n]
    drafts = []
    for first in best.tolist():
        _at_prompt(target)
        target.decode_rows([PROMPT[-1], first])
        drafts.append((first, int(target.context.logits(2)[1].argmax())))
    return drafts


def continuations(
    target: Target,
    params: SamplingParams,
    seeds: Sequence[int],
    drafts: Sequence[Sequence[int]] = ((),),
) -> Counter[Pair]:
    """How often each pair of tokens followed the prompt, one sample per seed. The drafts take turns."""
    counts: Counter[Pair] = Counter()
    for turn, draft in enumerate(drafts):
        own = seeds[turn :: len(drafts)]
        for start in range(0, len(own), CHUNK):
            _sample(target, params, own[start : start + CHUNK], draft, counts)
    return counts


def _sample(
    target: Target, params: SamplingParams, seeds: Sequence[int], draft: Sequence[int], counts: Counter[Pair]
) -> None:
    _at_prompt(target)
    target.decode_rows([PROMPT[-1], *draft])
    target.context.synchronize()
    waiting: dict[int, list[Sampler]] = defaultdict(list)
    rows = target.context.logits(len(draft) + 1)
    untouched = rows.copy()
    for seed in seeds:
        sampler = Sampler(target.model, params, seed, target.context.n_ctx)
        sampler.start(PROMPT)
        chosen = sampler.verify(target.context, draft, target.first_row)
        if len(chosen) > 1:
            counts[chosen[0], chosen[1]] += 1
            sampler.close()
        else:
            waiting[chosen[0]].append(sampler)
    assert params.greedy or (rows == untouched).all()
    for first, samplers in waiting.items():
        _at_prompt(target)
        target.decode_quiet(PROMPT[-1:])
        target.decode_rows([first])
        target.context.synchronize()
        for sampler in samplers:
            counts[first, sampler.verify(target.context, (), target.first_row)[0]] += 1
            sampler.close()


def _at_prompt(target: Target) -> None:
    target.cut(len(PROMPT) - 1)
    if not target.cached:
        target.decode_quiet(PROMPT[:-1])


def p_value(a: Counter[Pair], b: Counter[Pair]) -> tuple[float, int]:
    """(chance that two samples of one distribution differ as much, cells). Rare cells are one cell."""
    total_a, total_b = sum(a.values()), sum(b.values())
    both = a + b
    share = min(total_a, total_b) / (total_a + total_b)
    kept = [cell for cell, n in both.most_common(MOST_CELLS - 1) if n * share >= LEAST_EXPECTED]
    table = [(a[cell], b[cell]) for cell in kept]
    table.append((total_a - sum(x for x, _ in table), total_b - sum(y for _, y in table)))
    up, down = math.sqrt(total_b / total_a), math.sqrt(total_a / total_b)
    used = [(x, y) for x, y in table if x + y]
    statistic = sum((up * x - down * y) ** 2 / (x + y) for x, y in used)
    return chi_square_tail(statistic, len(used) - 1), len(used)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """P(chi-square with `freedom` degrees > statistic): the regularised upper incomplete gamma function."""
    if freedom < 1 or statistic <= 0:
        return 1.0
    s, x = freedom / 2, statistic / 2
    scale = math.exp(s * math.log(x) - x - math.lgamma(s))
    if x < s + 1:
        term = total = 1 / s
        for k in range(1, 10_000):
            term *= x / (s + k)
            total += term
            if term < total * 1e-15:
                break
        return max(1.0 - scale * total, 0.0)
    # Lentz's continued fraction.
    b, c, d = x + 1 - s, 1e300, 1 / (x + 1 - s)
    h = d
    for k in range(1, 10_000):
        an = -k * (k - s)
        b += 2
        d = 1 / (an * d + b or 1e-300)
        c = b + an / c or 1e-300
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * h


def compare(target: Target, samples: int, names: Sequence[str]) -> Iterator[tuple[str, float, int]]:
    """(chain, p, cells) of speculative against ordinary sampling; no seed is used twice."""
    drafts = likely_drafts(target, 4)
    for name in names:
        ordinary = continuations(target, DRAWN[name], range(samples))
        speculative = continuations(target, DRAWN[name], range(10**8, 10**8 + samples), drafts)
        yield name, *p_value(ordinary, speculative)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path, help="a GGUF file; a small vocabulary is quickest")
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--chains", nargs="*", default=list(DRAWN), choices=list(DRAWN))
    args = parser.parse_args()
    target = bare_target(args.target, rows_max=4, **EXACT)
    bar = 1e-4 / len(args.chains)
    worst = 1.0
    try:
        began = perf_counter()
        for name, p, cells in compare(target, args.samples, args.chains):
            worst = min(worst, p)
            print(f"{name}: p = {p:.3g} over {cells} cells, after {perf_counter() - began:.0f} s", flush=True)
    finally:
        target.close()
    print(f"smallest p {worst:.3g}, bar {bar:.3g}: {'equal' if worst > bar else 'DIFFERENT'}")
    return 0 if worst > bar else 1


if __name__ == "__main__":
    raise SystemExit(main())
