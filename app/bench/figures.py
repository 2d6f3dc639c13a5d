"""Every figure of a report, derived from pairs of runs. Definitions are in `core.stats` and `measure`."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from app.bench.loops import loop_end
from app.bench.measure import speedup
from app.core.bench_values import DraftFigures, Figures, ModeFigures, Pair, PairTimes, PassFigures, Run
from app.core.rounds import SUSPENDED, Round
from app.core.stats import ratio, recount


def figures(pairs: Sequence[Pair]) -> Figures:
    """Figures of one draft choice. Prompts with fewer passes than others (a stopped run) do not count."""
    groups = complete_groups(pairs)
    counted = [pair for group in groups for pair in group]
    timed = timed_groups(pairs)
    ordinary = _mode([[pair.ordinary for pair in group] for group in groups])
    speculative = _mode([[pair.speculative for pair in group] for group in groups])
    change = None
    if ordinary.aggregate and speculative.aggregate:
        change = speculative.aggregate / ordinary.aggregate - 1
    return Figures(
        pairs=len(counted),
        prompts=len(timed),
        matching_pairs=sum(pair.matches for pair in counted),
        ordinary=ordinary,
        speculative=speculative,
        draft=draft_figures([pair.speculative for pair in counted]),
        speedup=speedup(timed) if timed else None,
        throughput_change=change,
    )


def complete_groups(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Pairs by prompt, for the prompts that have as many passes as any."""
    groups: dict[int, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.prompt, []).append(pair)
    most = max(map(len, groups.values()), default=0)
    return [group for group in groups.values() if len(group) == most]


def timed_groups(pairs: Iterable[Pair]) -> list[list[PairTimes]]:
    """Times by prompt, without prompts whose replies are too short to give a rate."""
    groups = [[pair.times for pair in group] for group in complete_groups(pairs)]
    return [group for group in groups if all(times.usable for times in group)]


def _mode(groups: Sequence[Sequence[Run]]) -> ModeFigures:
    passes = []
    for number, runs in enumerate(zip(*groups, strict=True)):
        tokens, seconds = sum(r.timed_tokens for r in runs), sum(r.timed_seconds for r in runs)
        generated = sum(len(r.tokens) for r in runs)
        passes.append(PassFigures(number, generated, tokens, seconds, ratio(tokens, seconds)))
    rates = [p.tokens_per_second for p in passes if p.tokens_per_second]
    tokens, seconds = sum(p.tokens for p in passes), sum(p.seconds for p in passes)
    median = statistics.median(rates) if rates else None
    same = all(run.tokens == group[0].tokens for group in groups for run in group)
    return ModeFigures(
        passes=tuple(passes),
        tokens=tokens,
        seconds=seconds,
        aggregate=ratio(tokens, seconds),
        median=median,
        lowest=min(rates, default=None),
        highest=max(rates, default=None),
        spread=(max(rates) - min(rates)) / median if median else None,
        deterministic=same if len(passes) > 1 else None,
    )


def draft_figures(runs: Sequence[Run]) -> DraftFigures:
    rounds = [r for run in runs for r in run.rounds]
    stats = recount(rounds)
    kept = [r for run in runs for r in before_loop(run.rounds)]
    steps = stats.drafting_steps
    width = len(stats.reached_at)
    accepted_at = stats.accepted_at + (0,) * (width - len(stats.accepted_at))
    phases = (
        stats.target_decode_seconds + stats.target_sync_seconds,
        stats.draft_seconds,
        stats.process_seconds,
        stats.accept_seconds,
        stats.rollback_seconds,
    )
    return DraftFigures(
        drafted=stats.drafted,
        verified=stats.verified,
        steps=stats.verification_steps,
        drafting_steps=steps,
        suspended_steps=sum(r.mode == SUSPENDED for r in rounds),
        accepted=stats.accepted,
        acceptance_rate=ratio(stats.accepted, stats.verified),
        by_position=tuple(a / steps for a in accepted_at),
        mean_accepted_length=mean_length(rounds),
        loop_free_length=mean_length(kept),
        left_out=stats.generation_tokens - sum(len(r.tokens) for r in kept),
        rollbacks=stats.rollbacks,
        native_rollbacks=stats.native_rollbacks,
        checkpoint_rollbacks=stats.checkpoint_rollbacks,
        decode_seconds=phases[0],
        draft_seconds=phases[1],
        process_seconds=phases[2],
        accept_seconds=phases[3],
        rollback_seconds=phases[4],
        other_seconds=max(stats.generation_seconds - sum(phases), 0.0),
        checkpoint_captures=sum(run.checkpoint_captures for run in runs),
        checkpoint_restores=sum(run.checkpoint_restores for run in runs),
        checkpoint_seconds=sum(run.checkpoint_seconds for run in runs),
    )


def mean_length(rounds: Iterable[Round]) -> float | None:
    """1 + accepted drafts per step that submitted any."""
    drafting = [r.accepted for r in rounds if r.verified]
    return 1 + sum(drafting) / len(drafting) if drafting else None


def before_loop(rounds: Sequence[Round]) -> Sequence[Round]:
    """The rounds that begin before the text has gone round its first loop three times."""
    tokens = [t for r in rounds for t in r.tokens]
    end, begun = loop_end(tokens), 0
    if end == len(tokens):
        return rounds  # the last round may have delivered nothing but the end
    for i, r in enumerate(rounds):
        if begun >= end:
            return rounds[:i]
        begun += len(r.tokens)
    return rounds
