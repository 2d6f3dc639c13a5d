"""How a draft is loaded: the settings of a `SpecConfig` in the native library's terms.

What cannot be done on this machine, or with this file, is refused by the setting's name; nothing is
ignored in silence. Knows no algorithms.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpecConfig
from app.core.wording import say
from app.engine import devices, native
from app.gguf.header import GgufHeader

CPU_BUFFER = "CPU"
_EXPERTS = r"\.ffn_(up|down|gate|gate_up)_(ch|)exps"
_QUANTISED = frozenset(number for name, number in native.GGML_TYPES.items() if name.startswith("q"))

# What the program sets itself, or what holds pointers: not to be set from outside.
_OWN = frozenset(
    {
        "abort_callback", "abort_callback_data", "cb_eval", "cb_eval_user_data", "ctx_other", "ctx_type",
        "devices", "embeddings", "kv_overrides", "load_mtp", "n_gpu_layers", "n_outputs_max",
        "n_outputs_max_per_seq", "n_samplers", "n_seq_max", "no_alloc", "pooling_type", "progress_callback",
        "progress_callback_user_data", "samplers", "tensor_buft_overrides", "tensor_split", "vocab_only",
    }
)  # fmt: skip


class _Override(ctypes.Structure):
    _fields_ = [("pattern", ctypes.c_char_p), ("buffer", ctypes.c_void_p)]


@dataclass(frozen=True, slots=True)
class DraftSettings:
    """`model` and `context` are options of the two; `kept` must live until the model is loaded."""

    n_gpu_layers: int | str = "auto"
    model: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    kept: tuple[Any, ...] = ()
    backend_sampling: bool = False


def draft_settings(
    spec: SpecConfig, draft: GgufHeader | None, n_threads: int, n_threads_batch: int, flash_attn: int = -1
) -> DraftSettings:
    """For the file `draft`, or for heads inside the target where it is None.

    Threads are the target's where the draft has none of its own. Raises EnvironmentProblem.
    """
    kept: list[Any] = []
    model: dict[str, Any] = {}
    context: dict[str, Any] = {
        "n_threads": _threads("draft_n_threads", spec.draft_n_threads) or n_threads,
        "n_threads_batch": _threads("draft_n_threads_batch", spec.draft_n_threads_batch)
        or spec.draft_n_threads
        or n_threads_batch,
        "flash_attn_type": flash_attn,
        **_kv_types(spec, flash_attn),
    }
    if draft is None:
        _refuse_for_heads_inside(spec)
    chosen = _devices(spec.draft_devices)
    if chosen is not None:
        model["devices"] = ctypes.addressof(chosen)
        kept.append(chosen)
    overrides = _overrides(spec, draft)
    if overrides:
        array = (_Override * (len(overrides) + 1))(*(_Override(p.encode(), b) for p, b in overrides))
        model["tensor_buft_overrides"] = ctypes.addressof(array)
        kept.append(array)
    for name, value in spec.draft_model_kwargs.items():
        (model if _belongs_to_model(name, value) else context)[name] = value
    layers = _gpu_layers(spec.draft_n_gpu_layers)
    return DraftSettings(layers, model, context, tuple(kept), spec.draft_backend_sampling)


def _refusal(name: str, why: str, remedy: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        say("{name} cannot be done here.", name=name), why, remedy, code="draft-setting"
    )


def _refuse_for_heads_inside(spec: SpecConfig) -> None:
    """Such heads are loaded with the target; what concerns their weights is the target's to say."""
    asked = {
        "draft_devices": bool(spec.draft_devices),
        "draft_n_gpu_layers": spec.draft_n_gpu_layers not in ("auto", "all"),
        "draft_cpu_moe": spec.draft_cpu_moe,
        "draft_n_cpu_moe": spec.draft_n_cpu_moe > 0,
        "draft_tensor_buft_overrides": bool(spec.draft_tensor_buft_overrides),
    }
    for name, is_asked in asked.items():
        if is_asked:
            raise _refusal(
                name, say("The heads are a part of the target."), say("Leave {name} as it is.", name=name)
            )


def _threads(name: str, value: int | None) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise _refusal(
            name, say("{value!r} is no number of threads.", value=value), say("Give 1 or more, or None.")
        )
    return value


def _gpu_layers(value: int | str) -> int | str:
    if value in ("auto", "all"):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _refusal(
            "draft_n_gpu_layers",
            say("{value!r} is no number of layers.", value=value),
            say("Give auto, all or one."),
        )
    if value and not native.supports_gpu():
        raise _refusal(
            f"draft_n_gpu_layers {value}",
            say("This build of the engine has no GPU."),
            say("Give auto, or 0 for none."),
        )
    return value


def _kv_types(spec: SpecConfig, flash_attn: int) -> dict[str, int]:
    types: dict[str, int] = {}
    for name, value in (("type_k", spec.draft_type_k), ("type_v", spec.draft_type_v)):
        if value is None:
            continue
        if value not in native.GGML_TYPES.values():
            known = ", ".join(f"{number} ({kind})" for kind, number in native.GGML_TYPES.items())
            raise _refusal(
                f"draft_{name}",
                say("{value!r} is no KV cache type.", value=value),
                say("Choose one of {known}.", known=known),
            )
        types[name] = value
    if types.get("type_v") in _QUANTISED and flash_attn == 0:
        raise _refusal(
            "draft_type_v",
            say("A quantised cache of values needs flash attention, which is switched off."),
            say("Switch it on, or choose f16."),
        )
    return types


def _devices(names: Sequence[str]) -> Any:
    """A native list of devices, ending in null; None where nothing was asked for."""
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        return None
    if names == ["none"]:
        return (ctypes.c_void_p * 1)(None)
    try:
        known = devices.device_handles()
    except (AttributeError, OSError):
        known = {}
    for name in names:
        if name not in known:
            others = say("It has none besides the CPU.")
            if known:
                others = say("It has {names}.", names=", ".join(known))
            raise _refusal(
                "draft_devices",
                say("This machine has no device “{name}”. {others}", name=name, others=others),
                say("Choose another, or “none”."),
            )
    return (ctypes.c_void_p * (len(names) + 1))(*(known[name] for name in names), None)


def _overrides(spec: SpecConfig, draft: GgufHeader | None) -> list[tuple[str, int]]:
    """Patterns of tensor names and the buffers they are kept in, the first that matches counts."""
    asked: list[tuple[str, str]] = list(_given_overrides(spec.draft_tensor_buft_overrides))
    if isinstance(spec.draft_n_cpu_moe, bool) or spec.draft_n_cpu_moe < 0:
        raise _refusal(
            "draft_n_cpu_moe",
            say("{draft_n_cpu_moe} layers cannot be.", draft_n_cpu_moe=spec.draft_n_cpu_moe),
            say("Give 0 or more."),
        )
    if spec.draft_cpu_moe or spec.draft_n_cpu_moe:
        name = "draft_cpu_moe" if spec.draft_cpu_moe else "draft_n_cpu_moe"
        if draft is not None and not any(re.search(_EXPERTS, tensor) for tensor in draft.tensors):
            raise _refusal(
                name,
                say("“{name}” has no experts.", name=draft.path.name),
                say("Leave {name} as it is.", name=name),
            )
        layers = [""] if spec.draft_cpu_moe else [rf"blk\.{i}" for i in range(spec.draft_n_cpu_moe)]
        asked += [(layer + _EXPERTS, CPU_BUFFER) for layer in layers]
    if not asked:
        return []
    try:
        known = devices.buffer_types()
    except (AttributeError, OSError):
        known = {}
    for _pattern, buffer in asked:
        if buffer not in known:
            raise _refusal(
                "draft_tensor_buft_overrides",
                say(
                    "This machine has no buffer “{buffer}”; it has {x}.",
                    buffer=buffer,
                    x=", ".join(known) or "none",
                ),
                say("Choose one of these."),
            )
    return [(pattern, known[buffer]) for pattern, buffer in asked]


def _given_overrides(given: Any) -> Iterable[tuple[str, str]]:
    """`"pattern=BUFFER,..."` as on the native command line, or pairs of the two."""
    if not given:
        return
    entries = given.split(",") if isinstance(given, str) else given
    for entry in entries:
        pair = entry.rpartition("=")[::2] if isinstance(entry, str) else tuple(entry)
        if len(pair) != 2 or not all(isinstance(part, str) and part for part in pair):
            raise _refusal(
                "draft_tensor_buft_overrides",
                say("{entry!r} is no override.", entry=entry),
                say("Write pattern=BUFFER."),
            )
        try:
            re.compile(pair[0])
        except re.error as error:
            raise _refusal(
                "draft_tensor_buft_overrides",
                say("“{pair}” is no pattern: {error}.", pair=pair[0], error=error),
                say("Correct the pattern."),
            ) from None
        yield pair


def _belongs_to_model(name: str, value: object) -> bool:
    """Whether an entry of `draft_model_kwargs` is the model's; the context's otherwise."""
    for is_model, params in ((True, native.model_default_params()), (False, native.context_default_params())):
        if not hasattr(params, name) or name in _OWN:
            continue
        try:
            setattr(params, name, value)
        except TypeError:
            break
        return is_model
    else:
        why = say("Neither model nor context has such an option.")
        if name in _OWN:
            why = say("The program sets it itself.")
        raise _refusal(f"draft_model_kwargs “{name}”", why, say("Leave it out."))
    raise _refusal(
        f"draft_model_kwargs “{name}”", say("It cannot be {value!r}.", value=value), say("Correct its value.")
    )
