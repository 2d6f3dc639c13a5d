"""The probe of set-up: what it looks for, and that the program looks for the same."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from slipstream_setup import engine, engine_probe

from app.engine import native

PLAIN = tuple(engine_probe.SYMBOLS)
ITANIUM = tuple(others[0] for others in engine_probe.SYMBOLS.values())
MSVC = tuple(others[1] for others in engine_probe.SYMBOLS.values())


def binding(*symbols: str, fields: tuple[str, ...] = engine_probe.CONTEXT_FIELDS) -> SimpleNamespace:
    """A stand-in for the low-level module of a build that exports `symbols`."""
    library = SimpleNamespace(**dict.fromkeys(symbols))
    params = SimpleNamespace(_fields_=[(name, ctypes.c_void_p) for name in fields])
    return SimpleNamespace(_lib=library, llama_context_params=params)


@pytest.mark.parametrize("names", [PLAIN, ITANIUM, MSVC, (*PLAIN[:2], *ITANIUM[2:])])
def test_any_of_the_names_will_do(names: tuple[str, ...]) -> None:
    assert engine_probe.missing(binding(*names)) == []


@pytest.mark.parametrize("absent", range(len(PLAIN)))
def test_what_is_missing_is_named_plainly(absent: int) -> None:
    names = [name for i, name in enumerate(ITANIUM) if i != absent]
    assert engine_probe.missing(binding(*names)) == [PLAIN[absent]]


def test_a_missing_field_is_named() -> None:
    assert engine_probe.missing(binding(*PLAIN, fields=())) == ["llama_context_params.ctx_other"]


def test_the_program_looks_for_the_same() -> None:
    # Next-token heads need one more; a build without it is kept, and says so when asked for them.
    needed = {name: native._CXX_NAMES[name] for name in native.SIDECAR_FUNCTIONS}
    assert needed == engine_probe.SYMBOLS
    assert native.missing_for_sidecars() == engine_probe.missing(native._binding) == []


def test_the_probe_of_the_installed_build(root: Path) -> None:
    script = root / "packaging" / "slipstream_setup" / "engine_probe.py"
    out = subprocess.run([sys.executable, "-I", str(script)], capture_output=True, text=True, timeout=120)
    said = json.loads(out.stdout.splitlines()[-1])
    assert said["missing"] == []
    assert said["error"] == ""
    assert Path(said["path"]).is_file()


@pytest.mark.parametrize(
    ("build", "objection"),
    [
        (engine.EngineBuild("0.3.36", "x"), ""),
        (engine.EngineBuild("0.3.49+cu124", "x"), ""),
        (engine.EngineBuild(), "none is installed"),
        (engine.EngineBuild("0.3.36", "x", ("llama_f",)), "lacks llama_f"),
        (
            engine.EngineBuild("0.3.36", error="OSError: libcuda.so.1"),
            "does not load (OSError: libcuda.so.1)",
        ),
        (engine.EngineBuild("0.4.0", "x"), "not a version"),
        (engine.EngineBuild("0.3.35", "x"), "not a version"),
    ],
)
def test_which_build_is_kept(build: engine.EngineBuild, objection: str) -> None:
    assert objection in build.objection
    assert bool(build.objection) == bool(objection)
