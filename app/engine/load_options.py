"""How a target is loaded: the options of `Llama` that are fixed from then on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from app.core import checks
from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.engine import native

FLASH = {None: -1, False: 0, True: 1}


_MOST_THREADS = 512


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
    backend_sampling: bool = False

    def __post_init__(self) -> None:
        for name in ("n_ctx", "n_batch", "n_ubatch", "ctx_checkpoints", "checkpoint_interval"):
            checks.whole(name, getattr(self, name))
        for name in ("n_threads", "n_threads_batch"):
            if getattr(self, name) is not None:
                checks.whole(name, getattr(self, name))
        _check_layers(self.n_gpu_layers)
        for name in ("type_k", "type_v", "algorithm"):
            checks.text(name, getattr(self, name))
        for name in (self.type_k, self.type_v):
            if name not in native.GGML_TYPES:
                known = ", ".join(native.GGML_TYPES)
                raise EnvironmentProblem(
                    say("{name!r} is no KV cache type.", name=name),
                    remedy=say("Choose one of {known}.", known=known),
                )
        if self.flash_attn not in FLASH:
            raise EnvironmentProblem(
                say("flash_attn is True, False or None, not {flash_attn!r}.", flash_attn=self.flash_attn)
            )
        if self.n_ctx < 0 or not 1 <= self.n_ubatch <= self.n_batch:
            raise EnvironmentProblem(
                say(
                    "n_ctx {n_ctx}, n_batch {n_batch}, n_ubatch {n_ubatch} do not go together.",
                    n_ctx=self.n_ctx,
                    n_batch=self.n_batch,
                    n_ubatch=self.n_ubatch,
                ),
                remedy=say("n_ubatch lies between 1 and n_batch, and n_ctx is not negative."),
                code="batch-too-small",
            )

    @property
    def threads(self) -> int:
        return _possible(self.n_threads or available_cores())

    @property
    def threads_batch(self) -> int:
        return _possible(self.n_threads_batch or self.threads)


def _check_layers(n_gpu_layers: object) -> None:
    if isinstance(n_gpu_layers, str):
        if n_gpu_layers not in ("auto", "all") and not n_gpu_layers.removeprefix("-").isdecimal():
            raise ValueError(f'n_gpu_layers must be "all", "auto" or a whole number, not {n_gpu_layers!r}')
    else:
        checks.whole("n_gpu_layers", n_gpu_layers)


def _possible(n_threads: int) -> int:
    """The native library ends the process when it is given more."""
    return min(max(n_threads, 1), _MOST_THREADS)


def available_cores() -> int:
    """Cores this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
