"""What was really loaded, as a value for window, log and reports."""

from __future__ import annotations

from app.core.events import LoadedPair
from app.core.speculation import SpecConfig
from app.engine import devices
from app.engine.chat_template import ChatTemplate
from app.engine.drafters.base import Drafter
from app.engine.load_options import LoadOptions
from app.engine.speculation_plan import Plan
from app.engine.target import NONE, Target
from app.gguf.header import GgufHeader
from app.gguf.kinds import classify


def describe(
    options: LoadOptions,
    spec: SpecConfig,
    header: GgufHeader,
    plan: Plan | None,
    drafter: Drafter | None,
    target: Target,
    rollback: str,
    template: ChatTemplate,
) -> LoadedPair:
    """Of the pair just loaded; `plan` and `drafter` None where it does not speculate."""
    shown = classify(header)
    draft = plan.draft if plan is not None else None
    draft_shown = classify(draft) if draft is not None else None
    block = plan.facts.block if plan is not None and plan.facts is not None else None
    return LoadedPair(
        target_path=options.model_path,
        target_name=shown.name,
        target_architecture=shown.architecture,
        target_quantisation=shown.quantisation,
        target_bytes=header.file_bytes,
        n_ctx=target.context.n_ctx,
        n_ctx_train=target.model.n_ctx_train,
        n_vocab=target.model.n_vocab,
        n_threads=options.threads,
        draft_path=str(spec.draft_model_path) if draft is not None else "",
        draft_name=draft_shown.name if draft_shown is not None else "",
        draft_bytes=draft.file_bytes if draft is not None else 0,
        algorithm=drafter.name if drafter is not None else "",
        block_size=block.block_size if block is not None else 0,
        draft_n_max_limit=drafter.n_max_limit if drafter is not None else 0,
        rollback=rollback if rollback != NONE else "",
        backend=devices.backend_summary(),
        chat_template=template.name,
        backend_sampling_requested=spec.draft_backend_sampling,
        backend_sampling_active=drafter is not None and drafter.samples_on_backend,
        target_backend_sampling=options.backend_sampling,
        metadata=plan.metadata(spec) if plan is not None else {},
    )
