"""The environment that is frozen: the program's requirements at their pinned versions, and nothing else.

The native library of `native.py` is put into it; pip only brings the Python side of the binding.
"""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from pathlib import Path

from slipstream_bundle import native
from slipstream_bundle.places import PACKAGING, ROOT, Work
from slipstream_bundle.problem import BuildProblem
from slipstream_bundle.run import output, run

_OLDEST, _NEWEST = (3, 10), (3, 13)


def check_interpreter() -> None:
    """A bundle carries the interpreter that runs this; it must be one that can be carried."""
    if not _OLDEST <= sys.version_info[:2] <= _NEWEST:
        raise BuildProblem("Bundles are built with Python 3.10 to 3.13.")
    if sys.platform.startswith("linux") and not sysconfig.get_config_var("Py_ENABLE_SHARED"):
        raise BuildProblem(
            "This Python has no shared library, which a bundle needs.",
            "Use the system's python3 (with its libpython package), or one built with --enable-shared.",
        )


def requirements() -> list[str]:
    """The program's direct requirements and PyInstaller's, without the binding."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found: list[str] = []
    for name in ("dependencies", "bundle"):
        block = re.search(rf"^{name} = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
        found += re.findall(r'"([^"]+)"', block.group(1)) if block is not None else []
    return [one for one in found if not one.startswith(native.PACKAGE)]


def make(work: Work) -> None:
    """Create or complete the environment, then put the native library of this build into it."""
    check_interpreter()
    if not work.python.is_file():
        run([sys.executable, "-m", "venv", work.environment])
    pip = [work.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--constraint", PACKAGING / "constraints.txt"]
    # What the binding imports comes along with it; its library does not.
    run([*pip, *requirements(), "diskcache", "typing_extensions"])
    library = folder_of_library(work)
    if library is None:
        binding = [*pip, "--no-deps", "--no-cache-dir", str(native.fetch_source(work))]
        run(binding, env={"CMAKE_ARGS": "-DLLAMA_BUILD=OFF -DLLAVA_BUILD=OFF"})
        library = folder_of_library(work)
        assert library is not None
    shutil.rmtree(library, ignore_errors=True)
    library.mkdir(parents=True)
    for path in native.libraries(work):
        shutil.copy2(path, library / path.name)


def folder_of_library(work: Work) -> Path | None:
    """`llama_cpp/lib` of the environment; None before the binding is there."""
    code = "import sysconfig; print(sysconfig.get_path('purelib')); print(sysconfig.get_path('platlib'))"
    for line in output([work.python, "-c", code]).splitlines():
        if (Path(line) / "llama_cpp" / "__init__.py").is_file():
            return Path(line) / "llama_cpp" / "lib"
    return None
