"""Opening a drafter that has weights: its model and its context beside a loaded target.

Header checks are done before (`speculation_plan`); what shows only in a loaded file is checked here.
Raises EnvironmentProblem or Cancelled; nothing stays loaded then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpeculativeType
from app.core.wording import say
from app.engine import backend_sampling
from app.engine.draft_settings import DraftSettings
from app.engine.drafters.base import Drafter
from app.engine.drafters.dflash import BlockDrafter, BlockFacts
from app.engine.drafters.draft_model import DraftModel
from app.engine.drafters.eagle3 import Eagle3Drafter
from app.engine.drafters.mtp import MtpDrafter
from app.engine.handles import Context, Model
from app.engine.rollback import prove_context
from app.engine.target import NONE, Target
from app.engine.vocabulary import Vocabulary, check_vocabularies, translation

# A sidecar's batch is also its logits buffer (rows times vocabulary), so it is kept small.
DRAFT_BATCH = 64

# Drafters that go on token by token may be asked for longer drafts while they are loaded, up to this.
LONGEST_CHAIN = 16

_MTP_CONTEXT = 1  # the library's context type for next-token heads

Report = Callable[[float], bool]


@dataclass(frozen=True, slots=True)
class SidecarFacts:
    """What headers say of the drafter: `block` of the DFlash family, `taps` of EAGLE-3, `n_heads` of MTP.

    `path` is the draft's file, empty for heads inside the target.
    """

    kind: SpeculativeType
    path: str = ""
    block: BlockFacts | None = None
    taps: tuple[int, ...] = ()
    n_heads: int = 0
    n_max: int = LONGEST_CHAIN

    @property
    def n_max_limit(self) -> int:
        """The longest draft."""
        if self.block is not None:
            return self.block.n_max_limit
        return self.n_heads if self.n_heads > 1 else self.n_max


def open_drafter(
    facts: SidecarFacts, settings: DraftSettings, target: Target, n_ubatch: int, report: Report | None = None
) -> Drafter:
    """The drafter of `facts`; `n_ubatch` bounds the draft's batches. `report` gets fractions of the load."""
    if facts.kind is SpeculativeType.DRAFT_SIMPLE:
        return open_draft_model(facts.path, settings, target, facts.n_max, n_ubatch, report=report)
    _keep_own_sizes(settings)
    inside = facts.kind is SpeculativeType.DRAFT_MTP and not facts.path
    own: dict[str, Any] = {"load_mtp": True} if facts.kind is SpeculativeType.DRAFT_MTP else {}
    model = target.model if inside else _model(facts.path, settings, report, "sidecar", **own)
    context: Context | None = None
    try:
        block = facts.block.block_size if facts.block is not None else 0
        batch = max(block, min(DRAFT_BATCH, n_ubatch))
        options: dict[str, Any] = {
            "n_ctx": target.context.n_ctx + max(block, facts.n_max_limit),
            "n_batch": batch,
            "n_ubatch": batch,
            **backend_sampling.context_options(max(block, 1)),
            "ctx_other": target.context.handle,
            "no_perf": True,
        }
        if facts.kind is SpeculativeType.DRAFT_MTP:
            # One row at a time is looked at; a head has few layers, so a window need not be cut short.
            options |= {"ctx_type": _MTP_CONTEXT, "n_outputs_max": 1, "swa_full": True}
        context = Context(model, what="sidecar", **{**options, **settings.context})
        if facts.block is not None:
            return BlockDrafter(facts.block, target, model, context, settings.backend_sampling)
        if facts.kind is SpeculativeType.DRAFT_EAGLE3:
            return Eagle3Drafter(facts.taps, target, context, model, facts.n_max, settings.backend_sampling)
        own_model = None if inside else model
        return MtpDrafter(target, context, own_model, facts.n_heads, facts.n_max, settings.backend_sampling)
    except BaseException:
        if context is not None:
            context.close()
        if not inside:
            model.close()
        raise


def _keep_own_sizes(settings: DraftSettings) -> None:
    """A sidecar's context and batches follow from the target's and from its block."""
    for name in ("n_ctx", "n_batch", "n_ubatch"):
        if name in settings.context:
            raise EnvironmentProblem(
                say("draft_model_kwargs “{name}” cannot be done here.", name=name),
                say("A sidecar's sizes follow from the target's."),
                say("Leave it out."),
                code="draft-setting",
            )


def _model(path: str, settings: DraftSettings, report: Report | None, what: str, **own: Any) -> Model:
    return Model(path, settings.n_gpu_layers, report, what=what, **{**settings.model, **own})


def open_draft_model(
    path: str,
    settings: DraftSettings,
    target: Target,
    n_max: int,
    n_ubatch: int = 512,
    checkpoint_on_device: bool = False,
    report: Report | None = None,
) -> DraftModel:
    """A smaller model as DRAFT_SIMPLE; it is proven that it fits and can take drafts back."""
    options: dict[str, Any] = {
        "n_ctx": target.context.n_ctx,
        "n_batch": n_ubatch,
        "n_ubatch": n_ubatch,
        "n_outputs_max": 1,
        "no_perf": True,
        **settings.context,
    }
    model = _model(path, settings, report, "draft model")
    context: Context | None = None
    try:
        ours, theirs = Vocabulary.of(target.model), Vocabulary.of(model)
        problem = check_vocabularies(ours, theirs)
        if problem is not None:
            raise problem
        context = Context(model, what="draft model", **options)
        rollback = prove_context(context)
        if rollback == NONE:
            raise EnvironmentProblem(
                say("The draft model's memory cannot take back rejected drafts."),
                say("Neither removing tokens nor a checkpoint restores its state."),
                say("Choose another draft model, or go on without speculation."),
                code="no-rollback",
            )
        own = translation(ours, theirs)
        return DraftModel(
            model, context, rollback, n_max, own, checkpoint_on_device, settings.backend_sampling
        )
    except BaseException:
        if context is not None:
            context.close()
        model.close()
        raise
