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
    chance,
    change,
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
from app.core.bench_values import DraftFigures, Figures, ModeFigures, Pair, Point, Row, Rows, Section, Table


def sections(result: BenchResult, per_prompt: bool = False) -> list[Section]:
    """Everything that was measured. `per_prompt` adds a line for every prompt."""
    out: list[Section] = [Rows("", _head(result))]
    point = result.point
    if point is None:
        return out
    if len(result.points) > 1 or result.recommendation is not None:
        out.append(_sweep(result))
    shown = point.figures
    out.append(Rows("ordinary", (("load time", _load_time(result, False)), *_mode_rows(shown.ordinary))))
    out.append(
        Rows(
            algorithm(result),
            (
                ("load time", _load_time(result, True)),
                *_mode_rows(shown.speculative),
                *_draft_rows(shown.draft),
                *_algorithm_rows(result),
            ),
        )
    )
    out.append(Rows("comparison", comparison(result, point)))
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
    target = f"{PurePath(pair.target_path).name} ({pair.target_name}, {pair.target_architecture}, "
    target += f"{pair.target_quantisation}, {size(pair.target_bytes)})"
    draft = NONE
    if pair.draft_path:
        draft = f"{PurePath(pair.draft_path).name} ({pair.draft_name}, {size(pair.draft_bytes)})"
    sampling = "requested" if pair.backend_sampling_requested else "not requested"
    return (
        ("target", target),
        ("draft", draft),
        ("algorithm", f"{algorithm(result)}, draft length {_lengths(result)}"),
        ("prompt", _workload(result)),
        (
            "runs",
            f"{plan.runs} paired, interleaved, up to {plan.max_tokens} tokens each"
            + (" (stopped early)" if result.cancelled else ""),
        ),
        ("warm-up", f"{plan.warmup_tokens} tokens in each mode"),
        ("settings", settings(plan, pair.n_threads)),
        ("backend sampling", f"{sampling}, {'active' if pair.backend_sampling_active else 'not active'}"),
    )


def settings(plan: BenchPlan, n_threads: int) -> str:
    return (
        f"n_ctx {plan.n_ctx}, n_batch {plan.n_batch}, n_ubatch {plan.n_ubatch}, threads {n_threads}, "
        f"GPU layers {plan.n_gpu_layers} and {plan.draft_n_gpu_layers} (draft), "
        f"draft_n_min {plan.draft_n_min}, draft_p_min {plan.draft_p_min:g}, "
        f"temperature {plan.temperature:g}, seed {plan.seed}, ignore_eos {'on' if plan.ignore_eos else 'off'}"
    )


def _lengths(result: BenchResult) -> str:
    point = result.point
    if point is None:
        return NONE
    if len(result.points) > 1:
        return f"{point.choice.label} (the fastest of the {len(result.points)} swept)"
    return point.choice.label


def _workload(result: BenchResult) -> str:
    plan = result.plan
    tokens = sum(p.tokens for p in result.prefills)
    if len(plan.prompts) == 1:
        return f"{plan.workload}, {tokens} tokens"
    categories = {p.category for p in plan.prompts}
    kinds = f" in {len(categories)} categories" if len(categories) > 1 else ""
    measured = len(result.prefills)
    some = f", {measured} of them measured" if measured < len(plan.prompts) else ""
    return f"{plan.workload}: {len(plan.prompts)} prompts{kinds}{some}, {tokens} tokens"


# --- Modes ------------------------------------------------------------------------------------------


def _load_time(result: BenchResult, speculative: bool) -> str:
    if not result.target_load_seconds:
        return f"{seconds(result.load_seconds)} (loaded before, target and draft together)"
    if not speculative:
        return f"{seconds(result.target_load_seconds)} (the target; one load serves both modes)"
    what = "target and draft" if result.pair.draft_path else "nothing besides the target"
    return f"{seconds(result.load_seconds)} ({what})"


def _mode_rows(mode: ModeFigures) -> list[Row]:
    rows = [
        (
            f"run {p.number + 1}",
            f"{rate(p.tokens_per_second)} ({p.generated} tokens; {p.tokens} timed in {seconds(p.seconds)})",
        )
        for p in mode.passes
    ]
    rows += [
        ("aggregate", f"{rate(mode.aggregate)} ({mode.tokens} timed tokens in {seconds(mode.seconds)})"),
        ("median", rate(mode.median)),
        ("spread", f"{percent(mode.spread)} ({number(mode.lowest)} to {rate(mode.highest)})"),
    ]
    return rows


def _draft_rows(draft: DraftFigures) -> list[Row]:
    rows = [
        ("draft proposed", f"{draft.drafted} tokens"),
        ("verified", f"{draft.verified} in {draft.steps} steps"),
        ("accepted", f"{draft.accepted} ({percent(draft.acceptance_rate)})"),
        ("acceptance by position", " ".join(f"{x:.3f}" for x in draft.by_position) or NONE),
        (
            "mean accepted length",
            f"{number(draft.mean_accepted_length, 3)} tokens a step, bonus token included",
        ),
        (
            "rollbacks",
            f"{draft.rollbacks} (native {draft.native_rollbacks}, checkpoint {draft.checkpoint_rollbacks})",
        ),
        ("target decode+sync", seconds(draft.decode_seconds)),
        ("draft", seconds(draft.draft_seconds)),
        ("process", seconds(draft.process_seconds)),
        ("accept", seconds(draft.accept_seconds)),
        ("rollback", seconds(draft.rollback_seconds)),
        (
            "checkpoint",
            f"{seconds(draft.checkpoint_seconds)} ({draft.checkpoint_captures} captured, "
            f"{draft.checkpoint_restores} restored)",
        ),
        ("other", seconds(draft.other_seconds)),
    ]
    if draft.suspended_steps:
        rows.insert(2, ("steps without drafting", str(draft.suspended_steps)))
    return rows


def _algorithm_rows(result: BenchResult) -> list[Row]:
    """What only some algorithms have."""
    top_k = result.pair.metadata.get("selector_top_k")
    if not isinstance(top_k, int) or top_k <= 0:
        return []
    return [
        ("selector top-k", str(top_k)),
        (
            "nextn layout",
            f"a row per slot: {top_k} candidate ids, then {top_k} x {top_k} scores by predecessor",
        ),
    ]


# --- Comparison -------------------------------------------------------------------------------------


def comparison(result: BenchResult, point: Point) -> tuple[Row, ...]:
    shown = point.figures
    ordinary, speculative = shown.ordinary.deterministic, shown.speculative.deterministic
    matches = "yes" if shown.matching_pairs == shown.pairs else "no"
    return (
        ("output tokens match", f"{matches} ({shown.matching_pairs} of {shown.pairs} pairs)"),
        ("runs deterministic", f"ordinary {yes(ordinary)}, speculative {yes(speculative)}"),
        *_divergence_rows(result, point),
        ("speedup", speedup(shown.speedup)),
        ("throughput change", change(shown.throughput_change)),
    )


def _divergence_rows(result: BenchResult, point: Point) -> list[Row]:
    found = point.divergences
    if not found:
        matching = point.figures.matching_pairs == point.figures.pairs
        return [("first divergence", "none" if matching else "not examined, the run was stopped")]
    first = found[0]
    where = f"token {first.index + 1} of run {first.number + 1}"
    if len(result.plan.prompts) > 1:
        where += f", prompt {first.prompt + 1}"
    rows = [
        ("first divergence", where),
        ("logit gap at the divergence", gap(first)),
        ("verdict", verdict(first)),
    ]
    if len(found) > 1:
        kinds = Counter(verdict(d) for d in found)
        counted = ", ".join(f"{n} x {name}" for name, n in kinds.items())
        rows.append(("divergences", f"{len(found)} prompts ({counted})"))
    return rows


# --- Tables -----------------------------------------------------------------------------------------


def _figures_row(name: str, f: Figures) -> tuple[str, ...]:
    ratio, interval = f.speedup, NONE
    if ratio is not None and ratio.low is not None and not too_wide(ratio):
        interval = f"{ratio.low:.3f} to {number(ratio.high, 3)}"
    return (
        name,
        number(f.ordinary.median),
        number(f.speculative.median),
        f"{ratio.ratio:.3f}" if ratio is not None else NONE,
        interval,
        ratio.verdict if ratio is not None else NONE,
        percent(f.draft.acceptance_rate),
        number(f.draft.mean_accepted_length, 3),
    )


_FIGURE_COLUMNS = (
    "ordinary tok/s", "speculative tok/s", "speedup", "95 % interval", "verdict", "accepted", "mean length",
)  # fmt: skip


def _categories(categories: dict[str, Figures]) -> Table:
    rows = tuple(_figures_row(name or "(none)", f) for name, f in categories.items())
    return Table("by category", ("category", *_FIGURE_COLUMNS), rows)


def _sweep(result: BenchResult) -> Table:
    rows = tuple(_figures_row(p.choice.label, p.figures) for p in result.points)
    return Table("sweep", ("draft length", *_FIGURE_COLUMNS), rows)


def _prompts(result: BenchResult, point: Point) -> Table:
    """Mean accepted length per prompt, with and without what follows a loop."""
    by_prompt: dict[int, list[Pair]] = {}
    for pair in point.pairs:
        by_prompt.setdefault(pair.prompt, []).append(pair)
    rows = []
    for index, pairs in by_prompt.items():
        prompt = result.plan.prompts[index]
        rows.append((str(index + 1), prompt.category or NONE, *_length_cells(pairs), short(prompt.text)))
    for name in sorted({result.plan.prompts[i].category for i in by_prompt} - {""}):
        members = [
            p for i, pairs in by_prompt.items() for p in pairs if result.plan.prompts[i].category == name
        ]
        rows.append(("all", name, *_length_cells(members), ""))
    rows.append(("all", "", *_length_cells(list(point.pairs)), ""))
    columns = ("prompt", "category", "tokens", "after loops", "mean length", "without loops", "text")
    return Table("mean accepted length by prompt", columns, tuple(rows))


def _length_cells(pairs: list[Pair]) -> tuple[str, ...]:
    draft = draft_figures([pair.speculative for pair in pairs])
    tokens = sum(len(pair.speculative.tokens) for pair in pairs)
    lengths = (draft.mean_accepted_length, draft.loop_free_length)
    return (str(tokens), str(draft.left_out), *(number(x, 3) for x in lengths))


def recommendation(result: BenchResult) -> str:
    """What the sweep recommends and how sure it is; empty without a sweep."""
    found = result.recommendation
    if found is None:
        return ""
    if found.length == 0:
        text = "Ordinary decoding: no draft length was faster"
    else:
        p_min = f" with p_min {found.p_min:g}" if found.p_min else ""
        text = f"Draft length {found.length}{p_min}, {found.speedup:.3f}x"
    if found.chance is None:
        text += "; too few pairs to tell how sure this is"
    else:
        text += f"; the fastest choice with {chance(found.chance)} probability ({found.certainty})"
    return f"{text}. The sweep was stopped early." if found.partial else f"{text}."
