"""The speculative algorithms and their settings, by the names and defaults of the llama.cpp family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from app.core import checks
from app.core.wording import say


class SpeculativeType(IntEnum):
    """Which algorithm proposes the draft. DFlash2 is a `DRAFT_DFLASH` file with a selector."""

    NONE = 0
    DRAFT_SIMPLE = 1
    DRAFT_EAGLE3 = 2
    DRAFT_MTP = 3
    DRAFT_DFLASH = 4
    DRAFT_DSPARK = 5
    NGRAM_SIMPLE = 6
    NGRAM_MAP_K = 7
    NGRAM_MAP_K4V = 8
    NGRAM_MOD = 9
    NGRAM_CACHE = 10

    def is_none(self) -> bool:
        return self is SpeculativeType.NONE

    def is_draft(self) -> bool:
        """Needs weights of its own (a sidecar, a draft model, or heads inside the target)."""
        return SpeculativeType.DRAFT_SIMPLE <= self <= SpeculativeType.DRAFT_DSPARK

    def is_ngram(self) -> bool:
        """Proposes from the text so far, without a second model."""
        return self >= SpeculativeType.NGRAM_SIMPLE

    def is_mtp(self) -> bool:
        return self is SpeculativeType.DRAFT_MTP

    def to_str(self) -> str:
        """The native library's name, e.g. `draft-dflash` or `ngram-map-k4v`."""
        return _NATIVE_NAMES[self]

    @classmethod
    def from_str(cls, name: str) -> SpeculativeType:
        """Accepts native names and short aliases (`dflash`, `ngram-k`); ValueError names the known ones."""
        key = name.strip().lower().replace("_", "-")
        for kind, native in _NATIVE_NAMES.items():
            if key == native:
                return kind
        if key in _ALIASES:
            return _ALIASES[key]
        known = ", ".join([*_NATIVE_NAMES.values(), *_ALIASES])
        raise ValueError(
            say("unknown speculative algorithm {name!r}; known are {known}", name=name, known=known)
        )


_NATIVE_NAMES = {
    SpeculativeType.NONE: "none",
    SpeculativeType.DRAFT_SIMPLE: "draft-simple",
    SpeculativeType.DRAFT_EAGLE3: "draft-eagle3",
    SpeculativeType.DRAFT_MTP: "draft-mtp",
    SpeculativeType.DRAFT_DFLASH: "draft-dflash",
    SpeculativeType.DRAFT_DSPARK: "draft-dspark",
    SpeculativeType.NGRAM_SIMPLE: "ngram-simple",
    SpeculativeType.NGRAM_MAP_K: "ngram-map-k",
    SpeculativeType.NGRAM_MAP_K4V: "ngram-map-k4v",
    SpeculativeType.NGRAM_MOD: "ngram-mod",
    SpeculativeType.NGRAM_CACHE: "ngram-cache",
}

_ALIASES = {
    "draft": SpeculativeType.DRAFT_SIMPLE,
    "eagle3": SpeculativeType.DRAFT_EAGLE3,
    "mtp": SpeculativeType.DRAFT_MTP,
    "dflash": SpeculativeType.DRAFT_DFLASH,
    "dflash2": SpeculativeType.DRAFT_DFLASH,
    "dspark": SpeculativeType.DRAFT_DSPARK,
    "ngram": SpeculativeType.NGRAM_SIMPLE,
    "ngram-k": SpeculativeType.NGRAM_MAP_K,
    "ngram-k4v": SpeculativeType.NGRAM_MAP_K4V,
}


_WHOLE = (
    "draft_n_max", "draft_n_min", "ngram_size_n", "ngram_size_m", "ngram_min_hits",
    "ngram_mod_n_match", "ngram_mod_n_max", "ngram_mod_n_min",
)  # fmt: skip


@dataclass(slots=True)
class SpecConfig:
    """How to speculate. Validated at construction; lengths are in tokens.

    `spec_type` is one algorithm or a sequence tried in order. `draft_p_min` is the probability
    below which a proposal ends; fewer than `draft_n_min` proposed tokens are discarded.
    """

    spec_type: SpeculativeType | Sequence[SpeculativeType] = SpeculativeType.NONE
    draft_n_max: int = 3
    draft_n_min: int = 0
    draft_p_split: float = 0.1
    draft_p_min: float = 0.0
    draft_model_path: str | None = None
    draft_n_gpu_layers: int | str = "auto"
    draft_n_threads: int | None = None
    draft_n_threads_batch: int | None = None
    draft_cpu_moe: bool = False
    draft_n_cpu_moe: int = 0
    draft_tensor_buft_overrides: Any = None
    draft_type_k: int | None = None
    draft_type_v: int | None = None
    draft_devices: Sequence[str] = ()
    draft_backend_sampling: bool = True
    ngram_size_n: int = 12
    ngram_size_m: int = 48
    ngram_min_hits: int = 1
    ngram_max_entries_per_key: int | None = None
    ngram_mod_n_match: int = 24
    ngram_mod_n_max: int = 64
    ngram_mod_n_min: int = 48
    lookup_cache_dynamic: str | None = None
    lookup_cache_static: str | None = None
    draft_model_kwargs: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _WHOLE:
            checks.whole(name, getattr(self, name))
        if self.ngram_max_entries_per_key is not None:
            checks.whole("ngram_max_entries_per_key", self.ngram_max_entries_per_key)
        checks.number("draft_p_min", self.draft_p_min)
        checks.number("draft_p_split", self.draft_p_split)
        if self.draft_n_max < 1:
            raise ValueError(f"draft_n_max must be at least 1, not {self.draft_n_max}")
        if not 0 <= self.draft_n_min <= self.draft_n_max:
            raise ValueError(f"draft_n_min must lie in 0..draft_n_max, not {self.draft_n_min}")
        if not 0.0 <= self.draft_p_min <= 1.0:
            raise ValueError(f"draft_p_min must lie in 0..1, not {self.draft_p_min}")
        if self.ngram_size_n < 1 or self.ngram_size_m < 1:
            raise ValueError("ngram_size_n and ngram_size_m must be at least 1")
        if isinstance(self.spec_type, str) or not isinstance(self.spec_type, (int, Iterable)):
            given = type(self.spec_type).__name__
            raise TypeError(f"spec_type must be a SpeculativeType or a list of them, not {given}")
        self.spec_type = (
            SpeculativeType(self.spec_type)
            if isinstance(self.spec_type, int)
            else tuple(SpeculativeType(t) for t in self.spec_type)
        )

    @property
    def spec_types(self) -> tuple[SpeculativeType, ...]:
        """The algorithms in order, without NONE."""
        types = (self.spec_type,) if isinstance(self.spec_type, SpeculativeType) else tuple(self.spec_type)
        return tuple(t for t in types if not t.is_none())
