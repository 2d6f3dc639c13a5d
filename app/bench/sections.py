"""What a report says, in order and in words: named rows and tables, rendered by `printed` and `report`.

Every number here is a figure of the result; nothing is computed but its spelling.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath

from app.bench.figures import draft_figures
from app.bench.plan import BenchPlan
from app.bench.result import BenchResult
from app.bench.spelling import (
    NONE,
    change,
    claim,
    gap,
    number,
    percent,
    rate,
    seconds,
    short,
    size,
    speedup,
    too_wide,
    verdict,
    yes,
)
from app.core.bench import category_name, workload_name
from app.core.bench_values import DraftFigures, Figures, ModeFigures, Pair, Point, Row, Rows, Section, Table
from app.core.wording import decimal, listed, say


def sections(result: BenchResult, per_prompt: bool = False) -> list[Section]:
    """Everything that was measured. `per_prompt` adds a line for every prompt."""
    out: list[Section] = [Rows("", _head(result))]
    point = result.point
    if point is None:
        return out
    if len(result.points) > 1 or result.recommendation is not None:
        out.append(_sweep(result))
    shown = point.figures
    out.append(
        Rows(say("ordinary"), ((say("load time"), _load_time(result, False)), *_mode_rows(shown.ordinary)))
    )
    out.append(
        Rows(
            algorithm(result),
            (
                (say("load time"), _load_time(result, True)),
                *_mode_rows(shown.speculative),
                *_draft_rows(shown.draft),
                *_algorithm_rows(result),
            ),
        )
    )
    out.append(Rows(say("comparison"), comparison(result, point)))
    if point.categories:
        out.append(_categories(point.categories))
    if per_prompt:
        out.append(_prompts(result, point))
    return out


# --- The head ---------------------------------------------------------------------------------------


def algorithm(result: BenchResult) -> str:
    """The name of what drafts, e.g. DFlash2."""
    return result.pair.algorithm or ", ".join(t.to_str() for t in result.plan.spec_types)


def _head(result: BenchResult) -> tuple[Row, ...]:
    plan, pair = result.plan, result.pair
    target = say(
        "{file} ({name}, {architecture}, {quantisation}, {size})",
        file=PurePath(pair.target_path).name,
        name=pair.target_name,
        architecture=pair.target_architecture,
        quantisation=pair.target_quantisation,
        size=size(pair.target_bytes),
    )
    draft = NONE
    if pair.draft_path:
        draft = say(
            "{file} ({name}, {size})",
            file=PurePath(pair.draft_path).name,
            name=pair.draft_name,
            size=size(pair.draft_bytes),
        )
    sampling = (
        say("requested") if pair.backend_sampling_requested else say("not requested"),
        say("active") if pair.backend_sampling_active else say("not active"),
    )
    runs = say("{n} paired, interleaved, up to {tokens} tokens each", n=plan.runs, tokens=plan.max_tokens)
    return (
        (say("target"), target),
        (say("draft"), draft),
        (
            say("algorithm"),
            say("{algorithm}, draft length {length}", algorithm=algorithm(result), length=_lengths(result)),
        ),
        (say("prompt"), _workload(result)),
        (say("runs"), say("{runs} (stopped early)", runs=runs) if result.cancelled else runs),
        (say("warm-up"), say("{n} tokens in each mode", n=plan.warmup_tokens)),
        (say("settings"), settings(plan, pair.n_threads)),
        (say("backend sampling"), listed(sampling)),
    )


def settings(plan: BenchPlan, n_threads: int) -> str:
    return say(
        "n_ctx {n_ctx}, n_batch {n_batch}, n_ubatch {n_ubatch}, threads {threads}, GPU layers {layers} and "
        "{draft_layers} (draft), draft_n_min {n_min}, draft_p_min {p_min:g}, temperature {temperature:g}, "
        "seed {seed}, ignore_eos {ignore_eos}",
        n_ctx=plan.n_ctx,
        n_batch=plan.n_batch,
        n_ubatch=plan.n_ubatch,
        threads=n_threads,
        layers=plan.n_gpu_layers,
        draft_layers=plan.draft_n_gpu_layers,
        n_min=plan.draft_n_min,
        p_min=plan.draft_p_min,
        temperature=plan.temperature,
        seed=plan.seed,
        ignore_eos=say("on") if plan.ignore_eos else say("off"),
    )


def _lengths(result: BenchResult) -> str:
    point = result.point
    if point is None:
        return NONE
    if len(result.points) > 1:
        return say("{length} (the fastest of the {n} swept)", length=point.choice.label, n=len(result.points))
    return point.choice.label


def _workload(result: BenchResult) -> str:
    plan, name = result.plan, workload_name(result.plan.workload)
    tokens = say("{n} tokens", n=sum(p.tokens for p in result.prefills))
    if len(plan.prompts) == 1:
        return listed((name, tokens))
    kinds, measured = len({p.category for p in plan.prompts}), len(result.prefills)
    prompts = say("{n} prompts", n=len(plan.prompts))
    if kinds > 1:
        prompts = say("{n} prompts in {kinds} categories", n=len(plan.prompts), kinds=kinds)
    parts = [say("{workload}: {prompts}", workload=name, prompts=prompts)]
    if measured < len(plan.prompts):
        parts.append(say("{n} of them measured", n=measured))
    return listed((*parts, tokens))


# --- Modes ------------------------------------------------------------------------------------------


def _load_time(result: BenchResult, speculative: bool) -> str:
    if not result.target_load_seconds:
        return say("{time} (loaded before, target and draft together)", time=seconds(result.load_seconds))
    if not speculative:
        return say(
            "{time} (the target; one load serves both modes)", time=seconds(result.target_load_seconds)
        )
    if result.pair.draft_path:
        return say("{time} (target and draft)", time=seconds(result.load_seconds))
    return say("{time} (nothing besides the target)", time=seconds(result.load_seconds))


def _mode_rows(mode: ModeFigures) -> list[Row]:
    rows = [
        (
            say("run {n}", n=p.number + 1),
            say(
                "{rate} ({generated} tokens; {timed} timed in {time})",
                rate=rate(p.tokens_per_second),
                generated=p.generated,
                timed=p.tokens,
                time=seconds(p.seconds),
            ),
        )
        for p in mode.passes
    ]
    rows += [
        (
            say("aggregate"),
            say(
                "{rate} ({n} timed tokens in {time})",
                rate=rate(mode.aggregate),
                n=mode.tokens,
                time=seconds(mode.seconds),
            ),
        ),
        (say("median"), rate(mode.median)),
        (
            say("spread"),
            say(
                "{spread} ({lowest} to {highest})",
                spread=percent(mode.spread),
                lowest=number(mode.lowest),
                highest=rate(mode.highest),
            ),
        ),
    ]
    return rows


def _draft_rows(draft: DraftFigures) -> list[Row]:
    rows = [
        (say("draft proposed"), say("{n} tokens", n=draft.drafted)),
        (say("verified"), say("{n} in {steps} steps", n=draft.verified, steps=draft.steps)),
        (
            say("accepted"),
            say("{n} ({share})", n=draft.accepted, share=percent(draft.acceptance_rate)),
        ),
        (
            say("acceptance by position"),
            listed([decimal(x, ".3f") for x in draft.by_position], " ") if draft.by_position else NONE,
        ),
        (
            say("mean accepted length"),
            say("{n} tokens a step, bonus token included", n=number(draft.mean_accepted_length, 3)),
        ),
        (
            say("rollbacks"),
            say(
                "{n} (native {native}, checkpoint {checkpoint})",
                n=draft.rollbacks,
                native=draft.native_rollbacks,
                checkpoint=draft.checkpoint_rollbacks,
            ),
        ),
        (say("target decode+sync"), seconds(draft.decode_seconds)),
        (say("draft"), seconds(draft.draft_seconds)),
        (say("process"), seconds(draft.process_seconds)),
        (say("accept"), seconds(draft.accept_seconds)),
        (say("rollback"), seconds(draft.rollback_seconds)),
        (
            say("checkpoint"),
            say(
                "{time} ({captured} captured, {restored} restored)",
                time=seconds(draft.checkpoint_seconds),
                captured=draft.checkpoint_captures,
                restored=draft.checkpoint_restores,
            ),
        ),
        (say("other"), seconds(draft.other_seconds)),
    ]
    if draft.suspended_steps:
        rows.insert(2, (say("steps without drafting"), str(draft.suspended_steps)))
    return rows


def _algorithm_rows(result: BenchResult) -> list[Row]:
    """What only some algorithms have."""
    top_k = result.pair.metadata.get("selector_top_k")
    if not isinstance(top_k, int) or top_k <= 0:
        return []
    return [
        (say("selector top-k"), str(top_k)),
        (
            say("nextn layout"),
            say("a row per slot: {k} candidate ids, then {k} x {k} scores by predecessor", k=top_k),
        ),
    ]


# --- Comparison -------------------------------------------------------------------------------------


def comparison(result: BenchResult, point: Point) -> tuple[Row, ...]:
    shown = point.figures
    ordinary, speculative = shown.ordinary.deterministic, shown.speculative.deterministic
    matches = say(
        "{yes} ({n} of {pairs} pairs)",
        yes=yes(shown.matching_pairs == shown.pairs),
        n=shown.matching_pairs,
        pairs=shown.pairs,
    )
    same = say(
        "ordinary {ordinary}, speculative {speculative}", ordinary=yes(ordinary), speculative=yes(speculative)
    )
    return (
        (say("output tokens match"), matches),
        (say("runs deterministic"), same),
        *_divergence_rows(result, point),
        (say("speedup"), speedup(shown.speedup)),
        (say("throughput change"), change(shown.throughput_change)),
    )


def _divergence_rows(result: BenchResult, point: Point) -> list[Row]:
    found = point.divergences
    if not found:
        matching = point.figures.matching_pairs == point.figures.pairs
        none = say("none") if matching else say("not examined, the run was stopped")
        return [(say("first divergence"), none)]
    first = found[0]
    where = say("token {n} of run {run}", n=first.index + 1, run=first.number + 1)
    if len(result.plan.prompts) > 1:
        where = say("{where}, prompt {n}", where=where, n=first.prompt + 1)
    rows = [
        (say("first divergence"), where),
        (say("logit gap at the divergence"), gap(first)),
        (say("verdict"), verdict(first)),
    ]
    if len(found) > 1:
        kinds = Counter(verdict(d) for d in found)
        counted = listed([say("{n} x {name}", n=n, name=name) for name, n in kinds.items()])
        rows.append((say("divergences"), say("{n} prompts ({counted})", n=len(found), counted=counted)))
    return rows


# --- Tables -----------------------------------------------------------------------------------------


def _figures_row(name: str, f: Figures) -> tuple[str, ...]:
    ratio, interval = f.speedup, NONE
    if ratio is not None and ratio.low is not None and not too_wide(ratio):
        interval = say("{low} to {high}", low=number(ratio.low, 3), high=number(ratio.high, 3))
    return (
        name,
        number(f.ordinary.median),
        number(f.speculative.median),
        number(ratio.ratio, 3) if ratio is not None else NONE,
        interval,
        claim(ratio.verdict) if ratio is not None else NONE,
        percent(f.draft.acceptance_rate),
        number(f.draft.mean_accepted_length, 3),
    )


_FIGURE_COLUMNS = (
    say("ordinary tok/s"), say("speculative tok/s"), say("speedup"), say("95 % interval"), say("verdict"),
    say("accepted"), say("mean length"),
)  # fmt: skip


def _categories(categories: dict[str, Figures]) -> Table:
    rows = tuple(_figures_row(category_name(name), f) for name, f in categories.items())
    return Table(say("by category"), (say("category"), *_FIGURE_COLUMNS), rows)


def _sweep(result: BenchResult) -> Table:
    rows = tuple(_figures_row(p.choice.label, p.figures) for p in result.points)
    return Table(say("sweep"), (say("draft length"), *_FIGURE_COLUMNS), rows)


def _prompts(result: BenchResult, point: Point) -> Table:
    """Mean accepted length per prompt, with and without what follows a loop."""
    by_prompt: dict[int, list[Pair]] = {}
    for pair in point.pairs:
        by_prompt.setdefault(pair.prompt, []).append(pair)
    rows = []
    for index, pairs in by_prompt.items():
        prompt = result.plan.prompts[index]
        rows.append((str(index + 1), _category(prompt.category), *_length_cells(pairs), short(prompt.text)))
    for name in sorted({result.plan.prompts[i].category for i in by_prompt} - {""}):
        members = [
            p for i, pairs in by_prompt.items() for p in pairs if result.plan.prompts[i].category == name
        ]
        rows.append((say("all"), category_name(name), *_length_cells(members), ""))
    rows.append((say("all"), "", *_length_cells(list(point.pairs)), ""))
    columns = (
        say("prompt"), say("category"), say("tokens"), say("after loops"), say("mean length"),
        say("without loops"), say("text"),
    )  # fmt: skip
    return Table(say("mean accepted length by prompt"), columns, tuple(rows))


def _category(name: str) -> str:
    return category_name(name) if name else NONE


def _length_cells(pairs: list[Pair]) -> tuple[str, ...]:
    draft = draft_figures([pair.speculative for pair in pairs])
    tokens = sum(len(pair.speculative.tokens) for pair in pairs)
    lengths = (draft.mean_accepted_length, draft.loop_free_length)
    return (str(tokens), str(draft.left_out), *(number(x, 3) for x in lengths))
