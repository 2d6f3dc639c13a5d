"""Numbers read the same everywhere, and what was not measured is a dash."""

from __future__ import annotations

import pytest

from app.ui.stats import numbers
from app.ui.stats.numbers import DASH
from app.ui.stats.sparkline import nice_ceiling


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, DASH), (0.0, "0 %"), (0.043, "4.3 %"), (0.0996, "10 %"), (0.61, "61 %"), (1.0, "100 %")],
)
def test_percent(value: float | None, text: str) -> None:
    assert numbers.percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, DASH),
        (0.0, "0.00 tok/s"),
        (3.456, "3.46 tok/s"),
        (9.996, "10.0 tok/s"),
        (48.23, "48.2 tok/s"),
        (99.97, "100 tok/s"),
        (142.4, "142 tok/s"),
    ],
)
def test_tokens_per_second(value: float | None, text: str) -> None:
    assert numbers.tokens_per_second(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, DASH),
        (0.0, "0.00 s"),
        (0.0042, "4.2 ms"),
        (0.00996, "0.01 s"),
        (0.352, "0.35 s"),
        (9.996, "10.0 s"),
        (12.44, "12.4 s"),
        (181.6, "182 s"),
    ],
)
def test_seconds(value: float | None, text: str) -> None:
    assert numbers.seconds(value) == text


def test_other_figures() -> None:
    assert numbers.ratio(None) == DASH
    assert numbers.ratio(1.424) == "1.42x"
    assert numbers.per_step(None) == DASH
    assert numbers.per_step(3.14) == "3.1 tok/step"
    assert numbers.count(None) == DASH
    assert numbers.count(11850) == "11850"


@pytest.mark.parametrize(
    ("used", "size", "text"),
    [
        (0, 0, DASH),
        (None, None, DASH),
        (0, 8192, "0 / 8k"),
        (812, 8192, "812 / 8k"),
        (1229, 8192, "1.2k / 8k"),
        (8192, 8192, "8k / 8k"),
        (101_000, 131_072, "98.6k / 128k"),
        (500, 1500, "500 / 1.5k"),
    ],
)
def test_context(used: int | None, size: int | None, text: str) -> None:
    assert numbers.context(used, size) == text


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [(0, "0 kB"), (31_400_000, "31 MB"), (999_600_000, "1.0 GB"), (16_500_000_000, "16.5 GB")],
)
def test_file_size(n_bytes: int, text: str) -> None:
    assert numbers.file_size(n_bytes) == text


@pytest.mark.parametrize(
    ("value", "top"), [(0.0, 1.0), (1.0, 1.0), (14.2, 15.0), (51.3, 80.0), (0.21, 0.3), (812.0, 1000.0)]
)
def test_scale_ends_at_a_round_number(value: float, top: float) -> None:
    assert nice_ceiling(value) == pytest.approx(top)
