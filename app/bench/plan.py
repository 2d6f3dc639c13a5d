"""What to measure: a pair, its settings, the workload and the draft lengths. Picklable values, validated."""

from __future__ import annotations

from dataclasses import dataclass

from app.bench.prompts import BenchPrompt
from app.core.speculation import SpeculativeType


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """`draft_path` empty: an algorithm without a sidecar. `variant` is "auto" or what the sidecar must be.

    `workload` names the prompts in reports. With `sweep` the `lengths` (empty: 1 to what the sidecar
    allows) and `p_mins` are measured instead of `draft_n_max` and `draft_p_min`. GPU layers are "all",
    "auto" or a number. `hash_files`: take the SHA-256 of the files at the end.
    """

    model_path: str
    spec_types: tuple[SpeculativeType, ...]
    prompts: tuple[BenchPrompt, ...]
    workload: str
    draft_path: str = ""
    variant: str = "auto"
    max_tokens: int = 512
    runs: int = 3
    warmup_tokens: int = 128
    n_ctx: int = 4096
    n_batch: int = 512
    n_ubatch: int = 512
    n_threads: int = 0
    n_gpu_layers: int | str = "all"
    draft_n_gpu_layers: int | str = "all"
    draft_n_max: int = 7
    draft_n_min: int = 0
    draft_p_min: float = 0.0
    automatic_length: bool = False
    backend_sampling: bool = True
    temperature: float = 0.0
    seed: int = 42
    ignore_eos: bool = False
    sweep: bool = False
    lengths: tuple[int, ...] = ()
    p_mins: tuple[float, ...] = (0.0,)
    hash_files: bool = False
    verbose: bool = False

    def __post_init__(self) -> None:
        if not self.prompts:
            raise ValueError("there must be a prompt")
        if any(not prompt.text.strip() for prompt in self.prompts):
            raise ValueError("a prompt is empty")
        if not self.spec_types:
            raise ValueError("there must be an algorithm to compare with ordinary decoding")
        if self.max_tokens < 1 or self.runs < 1 or self.warmup_tokens < 0:
            raise ValueError("max_tokens and runs must be at least 1 and warmup_tokens at least 0")
        if not 1 <= self.n_ubatch <= self.n_batch:
            raise ValueError(f"n_ubatch must lie in 1..n_batch ({self.n_batch}), but is {self.n_ubatch}")
        if not self.automatic_length and not 0 <= self.draft_n_min <= self.longest:
            raise ValueError(
                f"the shortest draft ({self.draft_n_min}) must not be longer than the draft ({self.longest})"
            )
        if any(n < 1 for n in self.lengths) or any(not 0 <= p <= 1 for p in (*self.p_mins, self.draft_p_min)):
            raise ValueError("draft lengths must be at least 1 and p_min lie in 0..1")

    @property
    def longest(self) -> int:
        """The longest draft that is asked for by number."""
        return max((*self.lengths, self.draft_n_max)) if self.sweep else self.draft_n_max
