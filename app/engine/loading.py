"""From paths to a running pair: check the headers, load, prove the rollback, say what was really loaded.

Everything the native library would abort on is refused here, by name, before it sees the file.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from app.core.errors import Cancelled, EnvironmentProblem
from app.core.events import LoadedPair, Problem
from app.core.speculation import SpecConfig
from app.engine import native
from app.engine.chat_template import ChatTemplate
from app.engine.decoding import Control, Decoder
from app.engine.draft_length import CostModel
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.drafters.build import combine, limits_for, load_draft_model, make_ngram
from app.engine.drafters.dflash import BlockDrafter, BlockFacts
from app.engine.handles import Context, Model
from app.engine.memory import estimate, physical_memory
from app.engine.profile import ProfileCache, measure
from app.engine.rollback import prove_rollback
from app.engine.speculation_plan import Plan, plan_speculation
from app.engine.target import NONE, Target
from app.gguf.header import GgufHeader, read_header
from app.gguf.kinds import classify
from app.gguf.pair import check_target

Report = Callable[[str, float], None]

# A draft's batch is also its logits buffer (rows times vocabulary), so it is kept small.
DRAFT_BATCH = 64

# Drafts that a recurrent memory keeps a state of each, to take them back; longer ones need a checkpoint.
MOST_SNAPSHOTS = 16

_FLASH = {None: -1, False: 0, True: 1}


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load the target; see `Llama`. `algorithm` is "auto" or what the sidecar must be."""

    model_path: str
    n_ctx: int = 512
    n_batch: int = 512
    n_ubatch: int = 512
    n_gpu_layers: int | str = "auto"
    n_threads: int | None = None
    n_threads_batch: int | None = None
    type_k: str = "f16"
    type_v: str = "f16"
    flash_attn: bool | None = None
    ctx_checkpoints: int = 0
    checkpoint_interval: int = 4096
    checkpoint_on_device: bool = False
    algorithm: str = "auto"
    profile: bool = False
    profile_cache: Path | None = None

    def __post_init__(self) -> None:
        for name in (self.type_k, self.type_v):
            if name not in native.GGML_TYPES:
                known = ", ".join(native.GGML_TYPES)
                raise EnvironmentProblem(f"{name!r} is no KV cache type.", remedy=f"Choose one of {known}.")
        if self.flash_attn not in _FLASH:
            raise EnvironmentProblem(f"flash_attn is True, False or None, not {self.flash_attn!r}.")
        if self.n_ctx < 0 or not 1 <= self.n_ubatch <= self.n_batch:
            raise EnvironmentProblem(
                f"n_ctx {self.n_ctx}, n_batch {self.n_batch}, n_ubatch {self.n_ubatch} do not go together.",
                remedy="n_ubatch lies between 1 and n_batch, and n_ctx is not negative.",
                code="batch-too-small",
            )

    @property
    def threads(self) -> int:
        return self.n_threads or available_cores()


@dataclass(frozen=True, slots=True)
class LoadResult:
    decoder: Decoder
    template: ChatTemplate
    pair: LoadedPair
    costs: CostModel | None = None


def available_cores() -> int:
    """Cores this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def load(
    options: LoadOptions,
    spec: SpecConfig,
    speculation_required: bool,
    report: Report | None = None,
    cancel: threading.Event | None = None,
) -> LoadResult:
    """Load a pair. With `speculation_required` a sidecar that cannot be used is an error; otherwise the
    target is loaded without it and the decoder's status says why.

    Raises EnvironmentProblem or Cancelled; nothing stays loaded then.
    """
    return _Loader(options, spec, speculation_required, report, cancel).run()


class _Loader:
    def __init__(
        self,
        options: LoadOptions,
        spec: SpecConfig,
        required: bool,
        report: Report | None,
        cancel: threading.Event | None,
    ) -> None:
        self.options = options
        self.spec = spec
        self.required = required
        self._report = report or _silent
        self._cancel = cancel or threading.Event()
        self._problem: Problem | None = None
        self._warnings: list[str] = []

    def run(self) -> LoadResult:
        began = perf_counter()
        self._say("Reading headers", 0.0)
        header = read_header(self.options.model_path)
        problem = check_target(header)
        if problem is not None:
            raise problem
        plan = self._plan(header)
        draft_header = plan.draft if plan is not None else None
        self._check_memory(header, draft_header)

        draft_bytes = draft_header.file_bytes if draft_header is not None else 0
        share = 0.9 * header.file_bytes / (header.file_bytes + draft_bytes)
        target: Target | None = None
        drafter: Drafter | None = None
        try:
            target = self._load_target(share, plan.rows_max if plan is not None else 1)
            rollback = ""
            if plan is not None or target.model.is_recurrent:
                rollback = self._prove(target, plan)
                if plan is not None and rollback != NONE:
                    drafter = self._load_drafter(target, plan, share)
            control = Control(drafter is not None, self._limits(drafter))
            costs = self._profile(header, target, drafter) if drafter is not None else None
            decoder = Decoder(target, drafter, control, self._problem)
            self._say("Ready", 1.0)
        except BaseException:
            if drafter is not None:
                drafter.close()
            if target is not None:
                target.close()
            raise
        model = target.model
        template = ChatTemplate(
            model.chat_template,
            _text(model, model.bos),
            _text(model, model.eos),
            str(header.metadata.get("general.architecture", "")),
        )
        if template.note:
            self._warnings.append(template.note)
        pair = self._describe(header, plan if drafter else None, drafter, target, rollback, template)
        return LoadResult(decoder, template, replace(pair, load_seconds=perf_counter() - began), costs)

    # --- before anything is loaded ------------------------------------------------------------------

    def _plan(self, header: GgufHeader) -> Plan | None:
        o = self.options
        try:
            return plan_speculation(header, self.spec, o.algorithm, o.n_batch, o.n_ubatch)
        except EnvironmentProblem as problem:
            self._refuse(problem)
            return None

    def _refuse(self, problem: EnvironmentProblem) -> None:
        """Raise where speculation is required, else remember why it is off."""
        if self.required:
            raise problem
        self._problem = Problem.of(problem)

    def _check_memory(self, header: GgufHeader, draft: GgufHeader | None) -> None:
        o = self.options
        n_vocab = header.n_vocab
        need = estimate(
            header.metadata,
            header.file_bytes,
            n_vocab,
            self._n_ctx(header),
            o.n_ubatch,
            64,
            o.type_k,
            o.type_v,
        )
        if draft is not None:
            need += estimate(
                draft.metadata, draft.file_bytes, n_vocab, self._n_ctx(header), DRAFT_BATCH, DRAFT_BATCH
            )
        have = physical_memory()
        if have and need.total > have and not native.supports_gpu():
            raise EnvironmentProblem(
                f"This pair needs about {need.total / 2**30:.1f} GiB of memory.",
                f"The machine has {have / 2**30:.1f} GiB; the context of {self._n_ctx(header)} tokens alone "
                f"takes {need.kv / 2**30:.1f} GiB.",
                "Choose a smaller context or a smaller file.",
                code="no-memory",
            )

    def _n_ctx(self, header: GgufHeader) -> int:
        return self.options.n_ctx or header.context_length

    # --- loading ------------------------------------------------------------------------------------

    def _look(self) -> None:
        if self._cancel.is_set():
            raise Cancelled

    def _say(self, stage: str, fraction: float) -> None:
        self._look()
        self._report(stage, fraction)

    def _progress(self, stage: str, start: float, span: float) -> Callable[[float], bool]:
        def report(fraction: float) -> bool:
            if self._cancel.is_set():
                return False
            self._report(stage, start + span * fraction)
            return True

        return report

    def _load_target(self, share: float, rows_max: int) -> Target:
        o = self.options
        model = Model(o.model_path, o.n_gpu_layers, self._progress("Loading the target", 0.0, share))
        try:
            if 0 < model.n_ctx_train < o.n_ctx:
                self._warnings.append(
                    f"The context of {o.n_ctx} is longer than the {model.n_ctx_train} tokens the model "
                    "was trained for; replies may get worse beyond that."
                )
            snapshots = min(rows_max - 1, MOST_SNAPSHOTS) if model.is_recurrent else 0
            if model.is_recurrent:
                rows_max = max(rows_max, 2)  # a draft of one is what its rollback is proven with
            context = self._target_context(model, rows_max, snapshots)
        except BaseException:
            model.close()
            raise
        return Target(
            model, context, rows_max, o.ctx_checkpoints, o.checkpoint_interval, o.checkpoint_on_device
        )

    def _target_context(self, model: Model, rows_max: int, snapshots: int) -> Context:
        o = self.options
        own: dict[str, Any] = {"n_rs_seq": snapshots} if snapshots and native.has("llama_n_rs_seq") else {}
        try:
            return Context(
                model,
                n_ctx=o.n_ctx,
                n_batch=max(o.n_batch, rows_max),
                n_ubatch=max(min(o.n_ubatch, o.n_batch), rows_max),
                n_outputs_max=rows_max,
                n_threads=o.threads,
                n_threads_batch=o.n_threads_batch or o.threads,
                type_k=native.GGML_TYPES[o.type_k],
                type_v=native.GGML_TYPES[o.type_v],
                flash_attn_type=_FLASH[o.flash_attn],
                no_perf=True,
                **own,
            )
        except EnvironmentProblem:
            if not own:
                raise
            # Every snapshot is a whole state; checkpoints need far less memory.
            return self._target_context(model, rows_max, 0)

    def _prove(self, target: Target, plan: Plan | None) -> str:
        self._say("Checking that drafts can be taken back", 0.9)
        rollback = prove_rollback(target)
        if rollback == NONE and plan is not None:
            self._refuse(
                EnvironmentProblem(
                    "This target's memory cannot take back rejected drafts.",
                    "Neither removing tokens nor a saved state restores it.",
                    "Ordinary decoding works; switch speculation off for this target.",
                    code="no-rollback",
                )
            )
        return rollback

    def _load_drafter(self, target: Target, plan: Plan, share: float) -> Drafter | None:
        made: list[Drafter] = []
        try:
            for kind in plan.kinds:
                if kind.is_ngram():
                    made.append(make_ngram(kind, self.spec))
                elif plan.facts is not None:
                    made.append(self._block_drafter(target, plan.facts, share))
                else:
                    made.append(self._draft_model(target, share))
            return combine(made)
        except BaseException as error:
            for drafter in reversed(made):
                drafter.close()
            if not isinstance(error, EnvironmentProblem):
                raise
            self._refuse(error)
            return None

    def _draft_model(self, target: Target, share: float) -> Drafter:
        o = self.options
        return load_draft_model(
            self.spec,
            target,
            n_threads=o.threads,
            n_threads_batch=o.n_threads_batch or o.threads,
            n_batch=o.n_ubatch,
            flash_attn_type=_FLASH[o.flash_attn],
            report=self._progress("Loading the draft model", share, 0.95 - share),
        )

    def _block_drafter(self, target: Target, facts: BlockFacts, share: float) -> BlockDrafter:
        spec, o = self.spec, self.options
        batch = max(facts.block_size, min(DRAFT_BATCH, o.n_ubatch))
        model = Model(
            str(spec.draft_model_path),
            spec.draft_n_gpu_layers,
            self._progress("Loading the sidecar", share, 0.95 - share),
            what="sidecar",
            **dict(spec.draft_model_kwargs),
        )
        context: Context | None = None
        try:
            context = Context(
                model,
                what="sidecar",
                n_ctx=target.context.n_ctx + facts.block_size,
                n_batch=batch,
                n_ubatch=batch,
                n_threads=spec.draft_n_threads or o.threads,
                n_threads_batch=spec.draft_n_threads_batch or o.n_threads_batch or o.threads,
                flash_attn_type=_FLASH[o.flash_attn],
                ctx_other=target.context.handle,
                no_perf=True,
                **_kv_types(spec),
            )
            return BlockDrafter(facts, target, model, context)
        except BaseException:
            if context is not None:
                context.close()
            model.close()
            raise

    def _profile(self, header: GgufHeader, target: Target, drafter: Drafter) -> CostModel | None:
        """Costs by width for the automatic draft length, measured once per pair, machine and settings."""
        o = self.options
        if not o.profile:
            return None
        self._say("Measuring what a draft costs", 0.95)
        cache = ProfileCache(o.profile_cache) if o.profile_cache is not None else None
        key = ProfileCache.key(
            header.path, header.file_bytes, self.spec.draft_model_path, drafter.name, target.rows_max,
            o.n_ctx, o.n_gpu_layers, self.spec.draft_n_gpu_layers, o.threads, o.type_k, o.type_v,
            o.flash_attn, native.system_info(),
        )  # fmt: skip
        costs = cache.get(key) if cache is not None else None
        if costs is None or len(costs.verify) != target.rows_max:
            costs = measure(target, drafter, self._look)
            if cache is not None:
                cache.put(key, costs)
        return costs

    # --- what was loaded ----------------------------------------------------------------------------

    def _limits(self, drafter: Drafter | None) -> DraftLimits:
        spec = self.spec
        if drafter is None:
            return DraftLimits(spec.draft_n_max, spec.draft_n_min, spec.draft_p_min)
        limits = limits_for(drafter, spec.draft_n_max, spec.draft_n_min, spec.draft_p_min)
        if not drafter.kind.is_ngram() and limits.n_max < spec.draft_n_max:
            self._warnings.append(
                f"The draft length {spec.draft_n_max} was clamped to {limits.n_max}, the trained block."
            )
        return limits

    def _describe(
        self,
        header: GgufHeader,
        plan: Plan | None,
        drafter: Drafter | None,
        target: Target,
        rollback: str,
        template: ChatTemplate,
    ) -> LoadedPair:
        shown = classify(header)
        draft = plan.draft if plan is not None else None
        draft_shown = classify(draft) if draft is not None else None
        facts = plan.facts if plan is not None else None
        return LoadedPair(
            target_path=self.options.model_path,
            target_name=shown.name,
            target_architecture=shown.architecture,
            target_quantisation=shown.quantisation,
            target_bytes=header.file_bytes,
            n_ctx=target.context.n_ctx,
            n_ctx_train=target.model.n_ctx_train,
            n_vocab=target.model.n_vocab,
            n_threads=self.options.threads,
            draft_path=str(self.spec.draft_model_path) if draft is not None else "",
            draft_name=draft_shown.name if draft_shown is not None else "",
            draft_bytes=draft.file_bytes if draft is not None else 0,
            algorithm=drafter.name if drafter is not None else "",
            block_size=facts.block_size if facts is not None else 0,
            draft_n_max_limit=drafter.n_max_limit if drafter is not None else 0,
            rollback=rollback if rollback != NONE else "",
            backend=native.system_info(),
            chat_template=template.name,
            # Block drafters read whole rows on the host; there is nothing for the backend to sample.
            backend_sampling_requested=self.spec.draft_backend_sampling,
            backend_sampling_active=False,
            metadata=plan.metadata(self.spec) if plan is not None else {},
            warnings=tuple(self._warnings),
        )


def _silent(_stage: str, _fraction: float) -> None:
    """Nobody is watching the load."""


def _text(model: Model, token: int) -> str:
    return model.piece(token, special=True).decode("utf-8", "replace") if token >= 0 else ""


def _kv_types(spec: SpecConfig) -> dict[str, int]:
    types = {"type_k": spec.draft_type_k, "type_v": spec.draft_type_v}
    return {name: value for name, value in types.items() if value is not None}
