"""The settings of one pair: what is fixed at load and what can change while it is loaded."""

from __future__ import annotations

from dataclasses import dataclass

from app.core import checks
from app.core.templates import TemplateChoice

FLASH_ATTENTION = ("auto", "on", "off")
KV_TYPES = ("f16", "bf16", "f32", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0")


@dataclass(frozen=True, slots=True)
class PairSettings:
    """Layer counts for the GPU are "auto", "all" or a number; `n_threads` 0 means one per core.

    `algorithm` is "auto" (from the sidecar's header) or names an algorithm; asking for another one
    than the file holds is an error. With `automatic_length` each round drafts as much as promises to
    pay, up to `draft_n_max`, or not at all; without, always `draft_n_max`. `backend_sampling` lets the
    target's device choose tokens where it can, `draft_backend_sampling` the draft's.
    """

    n_ctx: int = 8192
    n_batch: int = 512
    n_ubatch: int = 512
    n_gpu_layers: int | str = "all"
    draft_n_gpu_layers: int | str = "all"
    n_threads: int = 0
    type_k: str = "f16"
    type_v: str = "f16"
    flash_attn: str = "auto"
    algorithm: str = "auto"
    draft_backend_sampling: bool = False
    backend_sampling: bool = False
    draft_n_max: int = 7
    draft_n_min: int = 0
    draft_p_min: float = 0.0
    automatic_length: bool = True
    template: TemplateChoice = TemplateChoice()

    # Fields that take effect at the next round or prompt, without a reload.
    LIVE = ("draft_n_max", "draft_n_min", "draft_p_min", "automatic_length", "template")

    def __post_init__(self) -> None:
        for name in ("n_ctx", "n_batch", "n_ubatch", "n_threads", "draft_n_max", "draft_n_min"):
            checks.whole(name, getattr(self, name))
        checks.number("draft_p_min", self.draft_p_min)
        if self.n_ctx < 64:
            raise ValueError(f"n_ctx must be at least 64, but is {self.n_ctx}")
        if self.n_batch < 1 or not 1 <= self.n_ubatch <= self.n_batch:
            raise ValueError("n_ubatch must lie in 1..n_batch")
        for name in ("n_gpu_layers", "draft_n_gpu_layers"):
            value = getattr(self, name)
            if value not in ("auto", "all") and not (isinstance(value, int) and value >= 0):
                raise ValueError(f"{name} must be auto, all or a number of layers, but is {value!r}")
        if self.n_threads < 0:
            raise ValueError(f"n_threads must not be negative, but is {self.n_threads}")
        if self.type_k not in KV_TYPES or self.type_v not in KV_TYPES:
            raise ValueError(f"KV types are {', '.join(KV_TYPES)}")
        if self.flash_attn not in FLASH_ATTENTION:
            raise ValueError(f"flash_attn is one of {', '.join(FLASH_ATTENTION)}")
        if self.draft_n_max < 1 or not 0 <= self.draft_n_min <= self.draft_n_max:
            raise ValueError("draft_n_max must be at least 1 and draft_n_min lie in 0..draft_n_max")
        if not 0.0 <= self.draft_p_min <= 1.0:
            raise ValueError(f"draft_p_min must lie in 0..1, but is {self.draft_p_min}")

    def needs_reload(self, other: PairSettings) -> bool:
        """Whether going from these settings to `other` touches anything that is fixed at load."""
        return any(
            getattr(self, name) != getattr(other, name)
            for name in self.__dataclass_fields__
            if name not in self.LIVE
        )
