"""The Bench port on this machine: measures the pair that the engine has loaded, in the engine's thread."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.bench import prompt_sets
from app.bench.plan import BenchPlan
from app.bench.prompts import BenchPrompt, read_prompts
from app.bench.reading import read_result
from app.bench.recommendation import recommendation
from app.bench.record import scrubber, to_document
from app.bench.report import everything, markdown
from app.bench.result import BenchResult
from app.bench.rows_file import csv_text
from app.core.bench import (
    FILE,
    FROM_FILE,
    LONGEST_DRAFT,
    PROMPT,
    USERS_PROMPT,
    BenchProgress,
    BenchRecord,
    BenchRequest,
)
from app.core.errors import Bug, EnvironmentProblem
from app.core.ports import Engine
from app.core.speculation import SpeculativeType
from app.core.wording import say

if TYPE_CHECKING:
    from app.engine.llm import Llama

WARMUP_TOKENS = 32


class LocalBench:
    """See `app.core.ports.Bench`. Imports the engine only when it runs, in the engine's own thread."""

    def run(
        self,
        engine: Engine,
        request: BenchRequest,
        report: Callable[[BenchProgress], None],
        cancel: threading.Event,
    ) -> BenchRecord:
        from app.bench import runner
        from app.engine.local_engine import LocalEngine

        if not isinstance(engine, LocalEngine):
            raise Bug("a benchmark needs the engine of this process")
        llm = engine.loaded()
        return record_of(runner.run(plan_for(request, llm), report, cancel, llm))

    def read(self, text: str) -> BenchRecord:
        return record_of(read_result(text), text)


def plan_for(request: BenchRequest, llm: Llama) -> BenchPlan:
    """The plan of a request on a loaded pair. EnvironmentProblem when the prompts cannot be read."""
    prompts, workload = _prompts(request)
    pair, settings = llm.pair, request.settings
    return BenchPlan(
        model_path=pair.target_path,
        draft_path=pair.draft_path,
        spec_types=_types(request, llm),
        prompts=prompts,
        workload=workload,
        max_tokens=request.max_tokens,
        runs=request.runs,
        warmup_tokens=min(WARMUP_TOKENS, request.max_tokens),
        n_ctx=pair.n_ctx,
        n_batch=settings.n_batch,
        n_ubatch=settings.n_ubatch,
        n_threads=pair.n_threads,
        n_gpu_layers=settings.n_gpu_layers,
        draft_n_gpu_layers=settings.draft_n_gpu_layers,
        draft_n_max=LONGEST_DRAFT if request.automatic else request.draft_n_max,
        draft_n_min=0 if request.sweep else min(settings.draft_n_min, request.draft_n_max),
        draft_p_min=settings.draft_p_min,
        automatic_length=request.automatic and not request.sweep,
        backend_sampling=pair.backend_sampling_requested,
        sweep=request.sweep,
        lengths=request.lengths,
        p_mins=(settings.draft_p_min,),
        hash_files=True,
    )


def record_of(result: BenchResult, document: str = "") -> BenchRecord:
    """What the window shows; `document` is the file it was read from, if it was."""
    scrub, pair = scrubber(result), result.pair
    return BenchRecord(
        created=result.created,
        program=result.environment.program,
        target=pair.target_name,
        draft=pair.draft_name,
        algorithm=pair.algorithm,
        workload=result.plan.workload,
        prompts=tuple((p.text, p.category) for p in result.plan.prompts),
        points=result.points,
        shown=result.shown,
        recommendation=result.recommendation,
        advice=recommendation(result),
        cancelled=result.cancelled,
        warnings=tuple(scrub(w) for w in result.warnings),
        errors=result.errors,
        sections=tuple(everything(result)),
        document=document or json.dumps(to_document(result), ensure_ascii=False, separators=(",", ":")),
        report=markdown(result),
        table=csv_text(result),
    )


def _prompts(request: BenchRequest) -> tuple[tuple[BenchPrompt, ...], str]:
    if request.source == PROMPT:
        return (BenchPrompt(request.prompt),), USERS_PROMPT
    if request.source == FILE:
        path = Path(request.prompt_file)
        return read_prompts(path), f"{FROM_FILE}{path.name}"
    return prompt_sets.SETS[request.source], f"{request.source} set"


def _types(request: BenchRequest, llm: Llama) -> tuple[SpeculativeType, ...]:
    from app.engine.local_engine import spec_config

    types = spec_config(request.settings, llm.pair.draft_path).spec_types
    if llm.decoder.drafter is None or not types:
        raise EnvironmentProblem(
            say("There is nothing to compare: this pair does not speculate."),
            remedy=say("Choose a sidecar that fits the target."),
            code="no-drafter",
        )
    return types
