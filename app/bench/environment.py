"""The machine, the software and the files of a benchmark, as far as a stranger may see them."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import threading

from app import __version__
from app.bench.result import Device, Environment, FileFacts
from app.core.errors import Cancelled
from app.engine import devices
from app.engine.load_options import available_cores
from app.engine.memory import physical_memory

_CHUNK = 1 << 22


def environment() -> Environment:
    """Facts about this machine. No host name, no user name."""
    found = devices.devices()
    cpu = next((d.description for d in found if d.is_cpu), "") or platform.processor()
    version = devices.library_version()
    return Environment(
        program=f"Slipstream {__version__}",
        engine=devices.binding_version() + (f", ggml {version}" if version else ""),
        engine_commit=devices.library_commit(),
        system=system_name(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        machine=platform.machine(),
        cpu=cpu,
        cores=available_cores(),
        memory=physical_memory(),
        backend=devices.backend_summary(),
        devices=tuple(Device(d.name, d.description, d.memory) for d in found if not d.is_cpu),
    )


def system_name() -> str:
    """The operating system with its version, e.g. `Debian GNU/Linux 12, Linux 6.1`."""
    kernel = f"{platform.system()} {platform.release()}"
    if sys.platform == "darwin":
        return f"macOS {platform.mac_ver()[0]}, {kernel}"
    if sys.platform == "win32":
        return f"{platform.system()} {platform.release()} ({platform.version()})"
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        name = ""
    return f"{name}, {kernel}" if name else kernel


def file_facts(role: str, path: str, hashed: bool, cancel: threading.Event) -> FileFacts:
    """Name and size of a file and, with `hashed`, its SHA-256; Cancelled between two chunks."""
    name, size = os.path.basename(path), os.path.getsize(path)
    if not hashed:
        return FileFacts(role, name, size)
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            if cancel.is_set():
                raise Cancelled
            digest.update(chunk)
    return FileFacts(role, name, size, digest.hexdigest())
