"""What the native library says of itself and of the machine: version, commit, CPU and other devices.

Asked of the ggml libraries by symbol; a build that does not export them gives empty answers.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from app.engine import native

_CPU = 0


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """`memory` in bytes, 0 when the library does not tell."""

    name: str
    description: str
    memory: int
    is_cpu: bool


def binding_version() -> str:
    """Name and version of the installed Python binding."""
    for name in ("llama-cpp-python", "llama_cpp_python"):
        try:
            return f"llama-cpp-python {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            continue
    return "llama-cpp-python (version unknown)"


def library_version() -> str:
    """The library's own version, empty when it does not tell."""
    return _text("ggml_version")


def library_commit() -> str:
    """The source commit the library was built from, empty when it does not tell."""
    commit = _text("ggml_commit")
    return "" if commit == "unknown" else commit


def devices() -> list[DeviceFacts]:
    """Every compute device of this build, the CPU among them."""
    try:
        registry, base = native.ggml_libraries()
        name = _bind(base, "ggml_backend_dev_name", ctypes.c_char_p, ctypes.c_void_p)
        description = _bind(base, "ggml_backend_dev_description", ctypes.c_char_p, ctypes.c_void_p)
        kind = _bind(base, "ggml_backend_dev_type", ctypes.c_int, ctypes.c_void_p)
        size = ctypes.POINTER(ctypes.c_size_t)
        memory = _bind(base, "ggml_backend_dev_memory", None, ctypes.c_void_p, size, size)
        handles = _all_devices(registry)
    except (AttributeError, OSError):
        return []
    found = []
    for device in handles:
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        memory(device, ctypes.byref(free), ctypes.byref(total))
        found.append(
            DeviceFacts(
                _decoded(name(device)), _decoded(description(device)), total.value, kind(device) == _CPU
            )
        )
    return found


def device_handles() -> dict[str, int]:
    """The native device of every name that is not a CPU's."""
    registry, base = native.ggml_libraries()
    name = _bind(base, "ggml_backend_dev_name", ctypes.c_char_p, ctypes.c_void_p)
    kind = _bind(base, "ggml_backend_dev_type", ctypes.c_int, ctypes.c_void_p)
    return {_decoded(name(dev)): dev for dev in _all_devices(registry) if kind(dev) != _CPU}


def buffer_types() -> dict[str, int]:
    """The native type of buffer of every name that weights may be kept in."""
    registry, base = native.ggml_libraries()
    of_device = _bind(base, "ggml_backend_dev_buffer_type", ctypes.c_void_p, ctypes.c_void_p)
    name = _bind(base, "ggml_backend_buft_name", ctypes.c_char_p, ctypes.c_void_p)
    found = [of_device(dev) for dev in _all_devices(registry)]
    return {_decoded(name(buffer)): buffer for buffer in found if buffer}


def _all_devices(registry: ctypes.CDLL) -> list[int]:
    count = _bind(registry, "ggml_backend_dev_count", ctypes.c_size_t)
    get = _bind(registry, "ggml_backend_dev_get", ctypes.c_void_p, ctypes.c_size_t)
    return [get(i) for i in range(count())]


def _text(function: str) -> str:
    try:
        return _decoded(_bind(native.ggml_libraries()[1], function, ctypes.c_char_p)())
    except (AttributeError, OSError):
        return ""


def _bind(library: ctypes.CDLL, name: str, restype: Any, *argtypes: Any) -> Any:
    function = library[name]
    function.restype = restype
    function.argtypes = list(argtypes)
    return function


def _decoded(text: bytes | None) -> str:
    return (text or b"").decode("utf-8", "replace").strip()
