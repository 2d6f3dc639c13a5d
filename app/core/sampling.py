"""How the next token is chosen from the target's logits."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """Sampler settings; `temperature` 0 is greedy and then only the penalty matters.

    `top_k` 0, `top_p` 1, `min_p` 0 and `repeat_penalty` 1 switch the respective step off.
    `seed` None draws a fresh seed per request, which is recorded with the reply.
    """

    temperature: float = 0.8
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    repeat_last_n: int = 64
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < math.inf:
            raise ValueError(f"temperature must be 0 or more, but is {self.temperature}")
        if self.top_k < 0:
            raise ValueError(f"top_k must not be negative, but is {self.top_k}")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must lie in (0, 1], but is {self.top_p}")
        if not 0 <= self.min_p <= 1:
            raise ValueError(f"min_p must lie in [0, 1], but is {self.min_p}")
        if not 0 < self.repeat_penalty < math.inf:
            raise ValueError(f"repeat_penalty must be positive, but is {self.repeat_penalty}")
        if self.repeat_last_n < -1:
            raise ValueError(f"repeat_last_n must be -1 (whole context) or more, but is {self.repeat_last_n}")
        if self.seed is not None and not 0 <= self.seed < 2**32:
            raise ValueError(f"seed must lie in 0..2**32-1, but is {self.seed}")

    @property
    def greedy(self) -> bool:
        # So cold that only the best token has any chance, and dividing by it would overflow.
        return self.temperature < 1e-6
