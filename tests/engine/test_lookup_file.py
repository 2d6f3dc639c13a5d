"""Lookup cache files: the native project's format, what NGRAM_CACHE makes of them, and bad ones."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.drafters.build import make_ngram
from app.engine.drafters.lookup_file import LookupFile, write_lookup_file
from app.engine.drafters.ngram_cache import NgramCache
from tests.engine.copying import LIMITS

GRAMS = {
    (7,): {1: 3, 2: 1},
    (7, 8): {5: 9},
    (1, 2, 3): {4: 1, 6: 2},
    (1, 2, 3, 4): {100_000: 7},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lookup-кэш.bin"


def test_what_is_written_is_found_again(path: Path) -> None:
    write_lookup_file(path, GRAMS.items())
    found = LookupFile(str(path))
    assert len(found) == len(GRAMS)
    for gram, followers in GRAMS.items():
        assert found.followers(gram) == followers
    assert found.followers((8, 7)) == found.followers((2, 3)) == found.followers((1,)) == {}


def test_the_bytes_are_the_native_projects(path: Path) -> None:
    """Four tokens padded with -1, the number of followers, then (token, count) pairs; native int32."""
    path.write_bytes(
        struct.pack("=9i", 7, 8, -1, -1, 2, 5, 9, 6, 1) + struct.pack("=7i", 7, -1, -1, -1, 1, 3, 2)
    )
    found = LookupFile(str(path))
    assert found.followers((7, 8)) == {5: 9, 6: 1}
    assert found.followers((7,)) == {3: 2}
    written = path.with_suffix(".copy")
    write_lookup_file(written, [((7, 8), {5: 9, 6: 1}), ((7,), {3: 2})])
    assert written.read_bytes() == path.read_bytes()


def test_an_empty_file_holds_nothing(path: Path) -> None:
    path.touch()
    assert LookupFile(str(path)).followers((1,)) == {}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda raw: raw[:-4], id="a count is missing"),
        pytest.param(lambda raw: raw[:-2], id="half a number"),
        pytest.param(lambda raw: raw[:8], id="half an n-gram"),
        pytest.param(lambda raw: raw[:16] + struct.pack("=i", 0) + raw[20:], id="no followers"),
        pytest.param(lambda raw: raw[:16] + struct.pack("=i", -5) + raw[20:], id="negative followers"),
        pytest.param(lambda raw: raw[:16] + struct.pack("=i", 1 << 30) + raw[20:], id="endless followers"),
        pytest.param(lambda raw: raw[:24] + struct.pack("=i", -1) + raw[28:], id="a negative count"),
        pytest.param(lambda raw: struct.pack("=i", -1) + raw[4:], id="no first token"),
        pytest.param(lambda raw: b"GGUF" + bytes(60), id="another file"),
    ],
)
@pytest.mark.parametrize("field", ["lookup_cache_static", "lookup_cache_dynamic"])
def test_a_bad_file_says_so(path: Path, damage: Callable[[bytes], bytes], field: str) -> None:
    write_lookup_file(path, GRAMS.items())
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(EnvironmentProblem) as caught:
        make_ngram(SpeculativeType.NGRAM_CACHE, SpecConfig(**{field: str(path)}))
    assert caught.value.code == "lookup-cache"
    assert path.name in caught.value.what
    assert caught.value.why


@pytest.mark.parametrize("field", ["lookup_cache_static", "lookup_cache_dynamic"])
def test_a_missing_file_says_so(path: Path, field: str) -> None:
    with pytest.raises(EnvironmentProblem, match="No such file"):
        make_ngram(SpeculativeType.NGRAM_CACHE, SpecConfig(**{field: str(path)}))
    with pytest.raises(EnvironmentProblem, match="lookup cache"):
        make_ngram(SpeculativeType.NGRAM_CACHE, SpecConfig(**{field: str(path.parent)}))


def proposal(
    text: list[int], last: int, static: Path | None = None, dynamic: Path | None = None
) -> list[int]:
    drafter = NgramCache(str(static) if static else None, str(dynamic) if dynamic else None)
    drafter.begin(text)
    return drafter.draft(last, len(text), LIMITS)


def test_static_statistics_alone(path: Path) -> None:
    write_lookup_file(path, [((1, 2), {3: 2, 9: 1}), ((2, 3), {4: 1}), ((3, 4), {5: 1, 6: 1})])
    # 2 3 was seen only once, which is too little.
    assert proposal([1], 2, static=path) == [3]
    assert proposal([2], 3, static=path) == []
    assert proposal([3], 4, static=path)[0] in (5, 6)


def test_dynamic_statistics_have_stricter_bounds(path: Path) -> None:
    rows = [((1, 2), {3: 2, 9: 1}), ((5, 6), {7: 3}), ((6, 7), {8: 2}), ((8,), {9: 4}), ((9,), {9: 3})]
    write_lookup_file(path, rows)
    # 1 2: 66 per cent of three. 6 7: seen twice, three times is asked for. 8: four times.
    assert proposal([1], 2, dynamic=path) == [3]
    assert proposal([5], 6, dynamic=path) == [7]
    assert proposal([0], 8, dynamic=path) == [9]
    assert proposal([0], 9, dynamic=path) == []


def test_static_statistics_weigh_those_of_the_text(path: Path) -> None:
    text = [1, 2, 50, 1, 2, 60, 99, 99, 1]
    unweighed = proposal(text, 2)
    for wanted in (50, 60):
        write_lookup_file(path, [((1, 2), {wanted: 1})])
        assert proposal(text, 2, static=path)[0] == wanted
    assert unweighed[0] in (50, 60)
    # What the static file prefers must have been followed often enough in the text itself.
    write_lookup_file(path, [((1, 2), {60: 5})])
    assert proposal([1, 2, 50, 1, 2, 50, 1, 2, 60, 99, 1], 2, static=path)[0] == 60  # the static file alone
    write_lookup_file(path, [((1, 2), {60: 1})])
    assert proposal([1, 2, 50, 1, 2, 50, 1, 2, 60, 99, 1], 2, static=path) == []
