"""The door to the native library: finds its functions, routes its log, says what this build can do.

The only module that imports `llama_cpp`. It knows no models, no contexts and no algorithms; handles
over native objects live in `handles.py`. Functions are looked up by symbol, plain C name first, then
the C++ names that GCC, Clang and MSVC give them; the version string decides nothing.
"""

from __future__ import annotations

import ctypes
import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llama_cpp.llama_cpp as _binding

from app.core.errors import EnvironmentProblem
from app.core.wording import say

log = logging.getLogger("slipstream.native")
logging.getLogger("slipstream").addHandler(logging.NullHandler())

_lib: Any = _binding._lib

Batch: Any = _binding.llama_batch
progress_callback: Any = _binding.llama_progress_callback
model_default_params: Any = _binding.llama_model_default_params
context_default_params: Any = _binding.llama_context_default_params
chain_default_params: Any = _binding.llama_sampler_chain_default_params
LogitBias: Any = _binding.llama_logit_bias

VOID = ctypes.c_void_p
I32 = ctypes.c_int32
U32 = ctypes.c_uint32
BOOL = ctypes.c_bool
F32 = ctypes.c_float
STR = ctypes.c_char_p
SIZE = ctypes.c_size_t

# Exported with C++ names only, so far: Itanium (Linux, macOS), then MSVC.
_CXX_NAMES = {
    "llama_set_embeddings_layer_inp": (
        "_Z30llama_set_embeddings_layer_inpP13llama_contextjb",
        "?llama_set_embeddings_layer_inp@@YAXPEAUllama_context@@I_N@Z",
    ),
    "llama_get_embeddings_layer_inp": (
        "_Z30llama_get_embeddings_layer_inpP13llama_contextj",
        "?llama_get_embeddings_layer_inp@@YAPEAMPEAUllama_context@@I@Z",
    ),
    "llama_set_embeddings_nextn": (
        "_Z26llama_set_embeddings_nextnP13llama_contextbb",
        "?llama_set_embeddings_nextn@@YAXPEAUllama_context@@_N1@Z",
    ),
    "llama_get_embeddings_nextn": (
        "_Z26llama_get_embeddings_nextnP13llama_context",
        "?llama_get_embeddings_nextn@@YAPEAMPEAUllama_context@@@Z",
    ),
    "llama_set_nextn_layer_offset": (
        "_Z28llama_set_nextn_layer_offsetP13llama_contexti",
        "?llama_set_nextn_layer_offset@@YAXPEAUllama_context@@H@Z",
    ),
}


# The same library, called without giving up the interpreter lock. A call that gives it up beside a busy
# window waits to get it back, which costs more than any quick call does.
_quick_lib: Any = ctypes.PyDLL(_lib._name, handle=_lib._handle)


def function(name: str, restype: Any, *argtypes: Any, quick: bool = False) -> Any:
    """A native function of our own prototype; AttributeError when this build does not export it.

    `quick`: it returns within microseconds and calls nothing back, so it keeps the interpreter lock.
    """
    library = _quick_lib if quick else _lib
    for candidate in (name, *_CXX_NAMES.get(name, ())):
        try:
            found = library[candidate]
        except AttributeError:
            continue
        found.restype = restype
        found.argtypes = list(argtypes)
        return found
    raise AttributeError(name)


def has(name: str) -> bool:
    """Whether this build exports `name` under any of its names."""
    try:
        function(name, None)
    except AttributeError:
        return False
    return True


# What sidecars need besides the public interface, and next-token heads besides that.
SIDECAR_FUNCTIONS = tuple(name for name in _CXX_NAMES if name != "llama_set_nextn_layer_offset")


def missing_for_sidecars() -> list[str]:
    """Functions a sidecar needs that this build of the library lacks; empty when it can speculate."""
    missing = [name for name in SIDECAR_FUNCTIONS if not has(name)]
    if "ctx_other" not in _fields(context_default_params()):
        missing.append("llama_context_params.ctx_other")
    return missing


def missing_for_heads() -> list[str]:
    """What next-token heads need that this build of the library lacks."""
    needed = ("llama_set_embeddings_nextn", "llama_get_embeddings_nextn", "llama_set_nextn_layer_offset")
    missing = [name for name in needed if not has(name)]
    if "ctx_type" not in _fields(context_default_params()):
        missing.append("llama_context_params.ctx_type")
    if "load_mtp" not in _fields(model_default_params()):
        missing.append("llama_model_params.load_mtp")
    return missing


def _fields(params: Any) -> set[str]:
    return {field for field, *_ in params._fields_}


def require_sidecar_support() -> None:
    _require(missing_for_sidecars(), "sidecars")


def require_head_support() -> None:
    _require(missing_for_heads(), "next-token heads (MTP)")


def _require(missing: list[str], what: str) -> None:
    if missing:
        raise EnvironmentProblem(
            say("This build of llama-cpp-python cannot run {what}.", what=what),
            say("It lacks {missing}.", missing=", ".join(missing)),
            say("Install llama-cpp-python 0.3.36 or newer, or go on without speculation."),
            code="engine-too-old",
        )


# --- The library's log ------------------------------------------------------------------------------

_LEVELS = {1: logging.DEBUG, 2: logging.INFO, 3: logging.WARNING, 4: logging.ERROR}
# Warnings about what loading has checked and, where it matters, said in words the user can act on: contexts
# have room for a block of drafts beyond what a conversation may use.
_CHECKED_HERE = ("possible training context overflow",)
_recent: deque[tuple[int, str]] = deque(maxlen=200)
_log_lock = threading.Lock()
_partial = ""
_partial_level = logging.DEBUG


def _on_log(level: int, text: bytes | None, _user: Any) -> None:
    # Level 5 continues the previous line; lines arrive in pieces.
    global _partial, _partial_level
    with _log_lock:
        if level != 5:
            _partial_level = _LEVELS.get(level, logging.DEBUG)
        _partial += (text or b"").decode("utf-8", "replace")
        *lines, _partial = _partial.split("\n")
        for line in lines:
            if line.strip(" ."):
                _recent.append((_partial_level, line.strip()))
                # The library logs its every step as INFO; that is detail to us.
                quiet = _partial_level < logging.WARNING or any(words in line for words in _CHECKED_HERE)
                log.log(logging.DEBUG if quiet else _partial_level, line)


_log_callback = _binding.llama_log_callback(_on_log)  # referenced for the life of the process


def forget_log() -> None:
    """Start collecting the lines that explain the next failure."""
    with _log_lock:
        _recent.clear()


def recent_errors() -> list[str]:
    """Error lines since `forget_log()`, oldest first."""
    with _log_lock:
        return [line for level, line in _recent if level >= logging.ERROR]


# --- Aborts -----------------------------------------------------------------------------------------

_abort_callback: Any = None


def on_abort(write: Callable[[str], None]) -> None:
    """Have the reason written before the library aborts the process; at most one handler."""
    global _abort_callback
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
    try:
        set_callback = ctypes.CDLL(str(_ggml_base()))["ggml_set_abort_callback"]
    except (AttributeError, OSError):
        log.debug("this build cannot report the reason of an abort")
        return
    _abort_callback = prototype(lambda message: write((message or b"").decode("utf-8", "replace")))
    set_callback.restype = VOID
    set_callback.argtypes = [prototype]
    set_callback(_abort_callback)


def library_folder() -> Path:
    """Where the loaded native library lies."""
    return Path(_lib._name).resolve().parent


def _ggml_base() -> Path:
    for pattern in ("libggml-base.so", "libggml-base.dylib", "ggml-base.dll", "libggml-base.dll"):
        path = library_folder() / pattern
        if path.is_file():
            return path
    raise OSError("ggml-base not found beside the library")


# --- Start ------------------------------------------------------------------------------------------

_started = False


def start() -> None:
    """Initialise the library once. Backends are loaded from its own folder only.

    Left to itself, a build with loadable backends searches the executable's folder and the current
    directory, where a planted library would be loaded.
    """
    global _started
    if _started:
        return
    _binding.llama_log_set(_log_callback, VOID(0))
    try:
        load_all = ctypes.CDLL(str(_ggml()))["ggml_backend_load_all_from_path"]
        load_all.restype = None
        load_all.argtypes = [STR]
        load_all(os.fsencode(library_folder()))
    except (AttributeError, OSError):
        log.debug("backends are built in")
    _binding.llama_backend_init()
    _started = True


def _ggml() -> Path:
    for pattern in ("libggml.so", "libggml.dylib", "ggml.dll", "libggml.dll"):
        path = library_folder() / pattern
        if path.is_file():
            return path
    raise OSError("ggml not found beside the library")


def ggml_libraries() -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """The libraries beneath: backend registry and base; OSError where this build has none apart."""
    return ctypes.CDLL(str(_ggml())), ctypes.CDLL(str(_ggml_base()))


def system_info() -> str:
    """The library's one-line description of its backends and CPU features."""
    return str(_binding.llama_print_system_info().decode("utf-8", "replace"))


def supports_gpu() -> bool:
    return bool(_binding.llama_supports_gpu_offload())


# `ggml_type` numbers of the KV cache types in `core.pair_settings.KV_TYPES`.
GGML_TYPES = {"f32": 0, "f16": 1, "q4_0": 2, "q4_1": 3, "q5_0": 6, "q5_1": 7, "q8_0": 8, "bf16": 30}

start()
