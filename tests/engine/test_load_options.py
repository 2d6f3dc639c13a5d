"""Options that the native library would not survive are cut before it sees them."""

from __future__ import annotations

import pytest

from app.engine.load_options import LoadOptions, available_cores


@pytest.mark.parametrize(("asked", "used"), [(1, 1), (512, 512), (100_000, 512), (10**9, 512), (-3, 1)])
def test_threads_stay_within_what_the_library_takes(asked: int, used: int) -> None:
    assert LoadOptions("model.gguf", n_threads=asked).threads == used
    assert LoadOptions("model.gguf", n_threads_batch=asked).threads_batch == used


def test_without_a_number_there_is_one_per_core() -> None:
    options = LoadOptions("model.gguf")
    assert options.threads == options.threads_batch == min(available_cores(), 512)
