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


@pytest.mark.parametrize("layers", ["all", "auto", 0, 12, -1, "12"])
def test_layers_are_a_number_or_a_word(layers: int | str) -> None:
    assert LoadOptions("model.gguf", n_gpu_layers=layers).n_gpu_layers == layers


@pytest.mark.parametrize(
    ("layers", "error", "said"),
    [
        ("some", ValueError, 'n_gpu_layers must be "all", "auto" or a whole number, not \'some\''),
        (None, TypeError, "n_gpu_layers must be a whole number, not None"),
        (1.5, TypeError, "n_gpu_layers must be a whole number, not float"),
    ],
)
def test_layers_that_are_neither_are_named(layers: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        LoadOptions("model.gguf", n_gpu_layers=layers)  # type: ignore[arg-type]
    assert str(caught.value) == said
