"""Drafters from a `SpecConfig`: which fields each algorithm takes, and in which order they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.draft_settings import draft_settings
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.drafters.combined import Combined
from app.engine.drafters.draft_model import DraftModel
from app.engine.drafters.ngram_cache import NgramCache
from app.engine.drafters.ngram_map import NgramMap
from app.engine.drafters.ngram_mod import NgramMod
from app.engine.drafters.ngram_simple import NgramSimple
from app.engine.drafters.opening import open_draft_model
from app.engine.target import Target
from app.gguf.header import read_header

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
    """Load `spec.draft_model_path` as DRAFT_SIMPLE and prove that it fits and can take drafts back."""
    path = str(spec.draft_model_path)
    settings = draft_settings(spec, read_header(path), n_threads, n_threads_batch, flash_attn_type)
    return open_draft_model(path, settings, target, spec.draft_n_max, n_batch, checkpoint_on_device, report)


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
