"""From paths to a running pair: check the headers, load, prove the rollback, say what was really loaded.

Everything the native library would abort on is refused here, by name, before it sees the file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from app.core.errors import Cancelled, EnvironmentProblem
from app.core.events import LoadedPair, Problem
from app.core.speculation import SpecConfig
from app.core.wording import say
from app.engine import backend_sampling, native
from app.engine.chat_template import ChatTemplate
from app.engine.decoding import Control, Decoder
from app.engine.description import describe
from app.engine.draft_length import CostModel
from app.engine.draft_settings import DraftSettings, draft_settings
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.drafters.build import combine, limits_for, make_ngram
from app.engine.drafters.opening import DRAFT_BATCH, open_drafter
from app.engine.handles import Context, Model
from app.engine.load_options import FLASH, LoadOptions
from app.engine.memory import estimate, physical_memory
from app.engine.profile import ProfileCache, measure
from app.engine.rollback import prove_rollback
from app.engine.speculation_plan import Plan, plan_speculation
from app.engine.target import NONE, Target
from app.gguf.header import GgufHeader, read_header
from app.gguf.pair import check_target

Report = Callable[[str, float], None]

# Drafts that a recurrent memory keeps a state of each, to take them back; longer ones need a checkpoint.
MOST_SNAPSHOTS = 16


@dataclass(frozen=True, slots=True)
class LoadResult:
    decoder: Decoder
    template: ChatTemplate
    pair: LoadedPair
    costs: CostModel | None = None


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
        self._settings = DraftSettings()

    def run(self) -> LoadResult:
        began = perf_counter()
        self._say(say("Reading headers"), 0.0)
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
            target = self._load_target(share, plan)
            rollback = ""
            if plan is not None or target.model.is_recurrent:
                rollback = self._prove(target, plan)
                if plan is not None and rollback != NONE:
                    drafter = self._load_drafter(target, plan, share)
            control = Control(drafter is not None, self._limits(drafter))
            costs = self._profile(header, target, drafter) if drafter is not None else None
            decoder = Decoder(target, drafter, control, self._problem)
            self._say(say("Ready"), 1.0)
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
        pair = describe(
            self.options, self.spec, header, plan if drafter else None, drafter, target, rollback, template
        )
        pair = replace(pair, warnings=tuple(self._warnings), load_seconds=perf_counter() - began)
        return LoadResult(decoder, template, pair, costs)

    # --- before anything is loaded ------------------------------------------------------------------

    def _plan(self, header: GgufHeader) -> Plan | None:
        o = self.options
        try:
            plan = plan_speculation(header, self.spec, o.algorithm, o.n_batch, o.n_ubatch)
            if plan is not None and plan.facts is not None:
                self._settings = draft_settings(
                    self.spec, plan.draft, o.threads, o.threads_batch, FLASH[o.flash_attn]
                )
            return plan
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
                say("This pair needs about {total:.1f} GiB of memory.", total=need.total / 2**30),
                say(
                    "The machine has {have:.1f} GiB; the context of {n_ctx} tokens alone takes {kv:.1f} GiB.",
                    have=have / 2**30,
                    n_ctx=self._n_ctx(header),
                    kv=need.kv / 2**30,
                ),
                say("Choose a smaller context or a smaller file."),
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

    def _load_target(self, share: float, plan: Plan | None) -> Target:
        o = self.options
        rows_max = plan.rows_max if plan is not None else 1
        own: dict[str, Any] = {"load_mtp": True} if plan is not None and plan.heads_inside else {}
        model = Model(
            o.model_path, o.n_gpu_layers, self._progress(say("Loading the target"), 0.0, share), **own
        )
        try:
            if 0 < model.n_ctx_train < o.n_ctx:
                self._warnings.append(
                    say(
                        "The context of {n_ctx} is longer than the {trained} tokens the model was trained "
                        "for; replies may get worse beyond that.",
                        n_ctx=o.n_ctx,
                        trained=model.n_ctx_train,
                    )
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
        rows = backend_sampling.context_options(rows_max) if o.backend_sampling else {}
        try:
            return Context(
                model,
                n_ctx=o.n_ctx,
                n_batch=max(o.n_batch, rows_max),
                n_ubatch=max(min(o.n_ubatch, o.n_batch), rows_max),
                n_outputs_max=rows_max,
                n_threads=o.threads,
                n_threads_batch=o.threads_batch,
                type_k=native.GGML_TYPES[o.type_k],
                type_v=native.GGML_TYPES[o.type_v],
                flash_attn_type=FLASH[o.flash_attn],
                no_perf=True,
                **own,
                **rows,
            )
        except EnvironmentProblem:
            if not own:
                raise
            # Every snapshot is a whole state; checkpoints need far less memory.
            return self._target_context(model, rows_max, 0)

    def _prove(self, target: Target, plan: Plan | None) -> str:
        self._say(say("Checking that drafts can be taken back"), 0.9)
        rollback = prove_rollback(target)
        if rollback == NONE and plan is not None:
            self._refuse(
                EnvironmentProblem(
                    say("This target's memory cannot take back rejected drafts."),
                    say("Neither removing tokens nor a saved state restores it."),
                    say("Ordinary decoding works; switch speculation off for this target."),
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
                    report = self._progress(say("Loading the sidecar"), share, 0.95 - share)
                    made.append(
                        open_drafter(plan.facts, self._settings, target, self.options.n_ubatch, report)
                    )
            return combine(made)
        except BaseException as error:
            for drafter in reversed(made):
                drafter.close()
            if not isinstance(error, EnvironmentProblem):
                raise
            self._refuse(error)
            return None

    def _profile(self, header: GgufHeader, target: Target, drafter: Drafter) -> CostModel | None:
        """Costs by width for the automatic draft length, measured once per pair, machine and settings."""
        o = self.options
        if not o.profile:
            return None
        self._say(say("Measuring what a draft costs"), 0.95)
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
            if drafter.kind.is_mtp():
                longest = say("one for each of its {n} next-token heads", n=limits.n_max)
            else:
                longest = say("{n}, the trained block", n=limits.n_max)
            self._warnings.append(
                say("The draft length {n} was clamped to {longest}.", n=spec.draft_n_max, longest=longest)
            )
        return limits


def _silent(_stage: str, _fraction: float) -> None:
    """Nobody is watching the load."""


def _text(model: Model, token: int) -> str:
    return model.piece(token, special=True).decode("utf-8", "replace") if token >= 0 else ""
