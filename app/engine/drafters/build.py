"""Drafters from a `SpecConfig`: which fields each algorithm takes, and in which order they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import native
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.drafters.combined import Combined
from app.engine.drafters.draft_model import DraftModel
from app.engine.drafters.ngram_cache import NgramCache
from app.engine.drafters.ngram_map import NgramMap
from app.engine.drafters.ngram_mod import NgramMod
from app.engine.drafters.ngram_simple import NgramSimple
from app.engine.handles import Context, Model
from app.engine.rollback import prove_context
from app.engine.target import NONE, Target
from app.engine.vocabulary import Vocabulary, check_vocabularies, translation

T = SpeculativeType


def make_ngram(kind: SpeculativeType, spec: SpecConfig) -> Drafter:
    """A drafter of one of the n-gram kinds. Raises EnvironmentProblem for a bad lookup cache file."""
    if kind is T.NGRAM_SIMPLE:
        return NgramSimple(spec.ngram_size_n, spec.ngram_size_m, spec.ngram_min_hits)
    if kind in (T.NGRAM_MAP_K, T.NGRAM_MAP_K4V):
        return NgramMap(
            kind,
            spec.ngram_size_n,
            spec.ngram_size_m,
            spec.ngram_min_hits,
            spec.ngram_max_entries_per_key,
        )
    if kind is T.NGRAM_MOD:
        return NgramMod(spec.ngram_mod_n_match, spec.ngram_mod_n_max, spec.ngram_mod_n_min)
    if kind is T.NGRAM_CACHE:
        return NgramCache(spec.lookup_cache_static, spec.lookup_cache_dynamic)
    raise ValueError(f"{kind.to_str()} is not an n-gram kind")


def ngram_n_max(kind: SpeculativeType, spec: SpecConfig) -> int:
    """The longest proposal of an n-gram kind: what the target's `n_outputs_max` must allow, less one."""
    if kind is T.NGRAM_MOD:
        return spec.ngram_mod_n_max
    return NgramCache.N_DRAFT if kind is T.NGRAM_CACHE else spec.ngram_size_m


def load_draft_model(
    spec: SpecConfig,
    target: Target,
    *,
    n_threads: int,
    n_threads_batch: int,
    n_batch: int = 512,
    flash_attn_type: int = -1,
    checkpoint_on_device: bool = False,
    report: Callable[[float], bool] | None = None,
) -> DraftModel:
    """Load `spec.draft_model_path` as DRAFT_SIMPLE and prove that it fits and can take drafts back.

    Entries of `draft_model_kwargs` go to the model or the context, whichever has the option. Raises
    EnvironmentProblem or Cancelled; nothing stays loaded then.
    """
    context_fields = {name for name, *_ in native.context_default_params()._fields_}
    own = dict(spec.draft_model_kwargs)
    options: dict[str, Any] = {
        "n_ctx": target.context.n_ctx,
        "n_batch": n_batch,
        "n_ubatch": n_batch,
        "n_outputs_max": 1,
        "n_threads": spec.draft_n_threads or n_threads,
        "n_threads_batch": spec.draft_n_threads_batch or spec.draft_n_threads or n_threads_batch,
        "flash_attn_type": flash_attn_type,
        "no_perf": True,
    }
    if spec.draft_type_k is not None:
        options["type_k"] = spec.draft_type_k
    if spec.draft_type_v is not None:
        options["type_v"] = spec.draft_type_v
    options.update({name: own.pop(name) for name in list(own) if name in context_fields})
    model = Model(str(spec.draft_model_path), spec.draft_n_gpu_layers, report, what="draft model", **own)
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
                "The draft model's memory cannot take back rejected drafts.",
                "Neither removing tokens nor a checkpoint restores its state.",
                "Choose another draft model, or go on without speculation.",
                code="no-rollback",
            )
        return DraftModel(
            model, context, rollback, spec.draft_n_max, translation(ours, theirs), checkpoint_on_device
        )
    except BaseException:
        if context is not None:
            context.close()
        model.close()
        raise


def in_order(types: Iterable[SpeculativeType]) -> list[SpeculativeType]:
    """The order algorithms are tried in: n-grams before drafters with a model, else as given."""
    return sorted(dict.fromkeys(types), key=lambda kind: not kind.is_ngram())


def combine(drafters: Sequence[Drafter]) -> Drafter:
    """One drafter of several (the same one if it is alone), n-grams tried first."""
    if len(drafters) == 1:
        return drafters[0]
    return Combined(sorted(drafters, key=lambda drafter: not drafter.kind.is_ngram()))


def limits_for(drafter: Drafter, n_max: int, n_min: int = 0, p_min: float = 0.0) -> DraftLimits:
    """Limits as the native library means them: `n_max` is for models, n-gram kinds have their own length."""
    members = drafter.members if isinstance(drafter, Combined) else (drafter,)
    lengths = [m.n_max_limit if m.kind.is_ngram() else min(n_max, m.n_max_limit) for m in members]
    longest = max(lengths)
    return DraftLimits(
        n_max=longest,
        n_min=min(n_min, longest),
        p_min=p_min if drafter.supports_p_min else 0.0,
        model_n_max=n_max if len(members) > 1 else None,
    )
