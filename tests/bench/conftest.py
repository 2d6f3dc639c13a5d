"""One real benchmark on a tiny pair, shared by the tests that only look at its result."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.bench.result import BenchResult
from app.bench.runner import run
from tests.bench.support import PROMPTS, plan_for


@pytest.fixture(scope="session")
def result(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> BenchResult:
    """Three prompts in two categories, two passes each, DFlash2, files hashed."""
    return run(plan_for(tiny_target, tiny_sidecars["DFlash2"], prompts=PROMPTS, hash_files=True))


@pytest.fixture(scope="session")
def swept(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> BenchResult:
    """One prompt, three passes, draft lengths 1, 3 and 7."""
    return run(plan_for(tiny_target, tiny_sidecars["DFlash"], runs=3, sweep=True, lengths=(1, 3, 7)))
