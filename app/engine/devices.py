"""What the native library says of itself and of the machine: version, commit, CPU and other devices.

Asked of the ggml libraries by symbol; a build that does not export them gives empty answers.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
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


def cpu_variant() -> str:
    """Which build of the CPU code was chosen for this machine, e.g. `haswell`; empty if there is only one.

    A build for any machine has a file for each generation of processors, and the library loads the best one.
    """
    found = re.search(r"ggml-cpu-([\w.]+?)\.(?:so|dylib|dll)", _cpu_library())
    return found[1] if found else ""


def backend_summary() -> str:
    """What computes and how it was built, for people: `CPU (haswell): AVX2 = 1 | …`."""
    others = [device.name for device in devices() if not device.is_cpu]
    variant = cpu_variant()
    cpu = f"CPU ({variant})" if variant else "CPU"
    features = native.system_info().strip().strip("|").strip()
    features = features.removeprefix("CPU :").strip()
    return f"{', '.join([*others, cpu])}: {features}" if features else ", ".join([*others, cpu])


def _cpu_library() -> str:
    """The file name of the library with the CPU code; empty when the system does not tell."""
    try:
        registry, base = native.ggml_libraries()
        by_name = _bind(registry, "ggml_backend_reg_by_name", ctypes.c_void_p, ctypes.c_char_p)
        address_of = _bind(
            base, "ggml_backend_reg_get_proc_address", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p
        )
        cpu = by_name(b"CPU")
        address = address_of(cpu, b"ggml_backend_set_n_threads") if cpu else None
        return _library_at(address) if address else ""
    except (AttributeError, OSError):
        return ""


def _library_at(address: int) -> str:
    """The file name of the library that holds a function; asked of the system's loader."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32")
        module, path = ctypes.c_void_p(), ctypes.create_unicode_buffer(4096)
        from_address_unchanged = 4 | 2
        if not kernel.GetModuleHandleExW(
            from_address_unchanged, ctypes.c_void_p(address), ctypes.byref(module)
        ):
            return ""
        kernel.GetModuleFileNameW(module, path, len(path))
        return os.path.basename(path.value)
    info = _LoadedFrom()
    process = ctypes.CDLL(None)
    process.dladdr.argtypes = [ctypes.c_void_p, ctypes.POINTER(_LoadedFrom)]
    if not process.dladdr(address, ctypes.byref(info)) or not info.file:
        return ""
    return os.path.basename(os.fsdecode(info.file))


class _LoadedFrom(ctypes.Structure):
    """`Dl_info` of dlfcn.h."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("symbol_address", ctypes.c_void_p),
    )


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
