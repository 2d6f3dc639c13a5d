"""The native library of a bundle: made from the pinned source of llama-cpp-python, for any machine.

Never the developer's own build. On x86-64 the CPU code is built once per generation of processors and the
best one is chosen at run time, so nothing here says `-march=native`. GPU backends are files beside it that
are loaded where a driver is found.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

from slipstream_bundle.places import PACKAGING, Work
from slipstream_bundle.problem import BuildProblem
from slipstream_bundle.run import output, run

PACKAGE = "llama-cpp-python"
GPU_FLAGS: dict[str, list[str]] = {
    "cpu": [],
    "vulkan": ["-DGGML_VULKAN=ON"],
    # Code for each generation from Turing on; newer ones compile the last one's when first started.
    "cuda": [
        "-DGGML_CUDA=ON",
        "-DCMAKE_CUDA_ARCHITECTURES=75-real;80-real;86-real;89-real;90-real;90-virtual",
    ],
    "metal": ["-DGGML_METAL=ON", "-DGGML_METAL_EMBED_LIBRARY=ON"],
}
_COMMON = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=ON",
    "-DGGML_NATIVE=OFF",
    "-DGGML_CCACHE=OFF",
    "-DLLAMA_BUILD_COMMON=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_TOOLS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_SERVER=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
    "-DCMAKE_INSTALL_LIBDIR=lib",
    "-DCMAKE_INSTALL_BINDIR=lib",
    # One file per library: names with versions would be copies of it in the bundle.
    "-DCMAKE_PLATFORM_NO_VERSIONED_SONAME=ON",
]


def cmake_flags(backend: str, platform: str = sys.platform, machine: str = "x86_64") -> list[str]:
    """The options of one build. `platform` as in `sys.platform`, `machine` as `uname -m` says it."""
    flags = [*_COMMON, *GPU_FLAGS[backend]]
    if platform == "darwin":
        # One library for every Apple processor; what differs between them is Metal's business.
        return [*flags, "-DCMAKE_INSTALL_RPATH=@loader_path;@loader_path/../..", "-DGGML_OPENMP=OFF"]
    if platform == "win32":
        # The DFlash family calls functions that are exported with their C++ names.
        flags.append("-DCMAKE_WINDOWS_EXPORT_ALL_SYMBOLS=ON")
    else:
        flags.append("-DCMAKE_INSTALL_RPATH=$ORIGIN:$ORIGIN/../..")
    if machine.lower() in ("x86_64", "amd64", "aarch64", "arm64"):
        flags += ["-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON"]
    return flags


def pinned_version() -> str:
    """The version of llama-cpp-python that set-up installs, too."""
    text = (PACKAGING / "constraints.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{PACKAGE}==(\S+)$", text, re.MULTILINE)
    if found is None:
        raise BuildProblem(f"packaging/constraints.txt pins no {PACKAGE}.")
    return found.group(1)


def fetch_source(work: Work) -> Path:
    """The unpacked source distribution, fetched by pip once."""
    version = pinned_version()
    folder = work.downloads / f"llama_cpp_python-{version}"
    if (folder / "vendor" / "llama.cpp" / "CMakeLists.txt").is_file():
        return folder
    work.downloads.mkdir(parents=True, exist_ok=True)
    fetch = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"]
    run([*fetch, "--dest", work.downloads, f"{PACKAGE}=={version}"])
    with tarfile.open(work.downloads / f"llama_cpp_python-{version}.tar.gz") as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(work.downloads, filter="data")
        else:
            archive.extractall(work.downloads)
    return folder


def build(work: Work, jobs: int) -> None:
    """Compile and install into `work.native`; what is compiled already is kept."""
    source = fetch_source(work)
    machine = (
        os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "AMD64")
    )
    configure = ["cmake", "-S", source / "vendor" / "llama.cpp", "-B", work.objects]
    if shutil.which("ninja"):
        configure += ["-G", "Ninja"]
    run([*configure, *cmake_flags(work.backend, sys.platform, machine)])
    run(["cmake", "--build", work.objects, "--config", "Release", "--parallel", str(jobs)])
    shutil.rmtree(work.native, ignore_errors=True)
    install = ["cmake", "--install", work.objects, "--config", "Release", "--prefix", work.native]
    run(install if sys.platform == "win32" else [*install, "--strip"])
    found = libraries(work)
    if not any("llama" in path.name for path in found):
        raise BuildProblem(f"No library came out of the build in {work.objects}.")
    print("built:", ", ".join(path.name for path in found), flush=True)


def libraries(work: Work) -> list[Path]:
    """The files that go beside the Python binding."""
    endings = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    return sorted(path for path in (work.native / "lib").glob(f"*{endings}") if not path.is_symlink())


def compiler() -> str:
    """The compiler's own line, for the list of what is inside."""
    return output([os.environ.get("CC", "cc"), "--version"]).splitlines()[0]
