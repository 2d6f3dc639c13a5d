"""What each n-gram kind proposes for texts written by hand, and what it learns from acceptance."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.drafters.build import make_ngram, ngram_n_max
from app.engine.drafters.ngram_cache import NgramCache
from app.engine.drafters.ngram_map import NgramMap
from app.engine.drafters.ngram_mod import NgramMod
from app.engine.drafters.ngram_simple import NgramSimple
from tests.engine.copying import LIMITS, NGRAM_KINDS, follow, repetitive_text, short_config

T = SpeculativeType
FILL = list(range(1000, 1100))


def told(drafter: Drafter, text: list[int]) -> Drafter:
    """The drafter after a prompt that arrived in slices."""
    for start in range(0, len(text), 7):
        drafter.process(text[start : start + 7], start)
    drafter.begin(text)
    return drafter


def draft(drafter: Drafter, last: int, limits: DraftLimits = LIMITS) -> list[int]:
    return drafter.draft(last, drafter.known, limits)


def test_defaults_are_the_familys() -> None:
    spec = SpecConfig()
    lengths = {kind: make_ngram(kind, spec).n_max_limit for kind in NGRAM_KINDS}
    assert lengths == {
        T.NGRAM_SIMPLE: 48, T.NGRAM_MAP_K: 48, T.NGRAM_MAP_K4V: 48, T.NGRAM_MOD: 64, T.NGRAM_CACHE: 8,
    }  # fmt: skip
    assert lengths == {kind: ngram_n_max(kind, spec) for kind in NGRAM_KINDS}
    with pytest.raises(ValueError, match="draft-simple"):
        make_ngram(T.DRAFT_SIMPLE, spec)


@pytest.mark.parametrize("kind", NGRAM_KINDS)
def test_limits_cut_a_proposal_or_discard_it(kind: SpeculativeType) -> None:
    text = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, *FILL] * 3
    whole = draft(told(make_ngram(kind, short_config(kind)), [*text, 5, 6, 7]), 8)
    assert whole[:4] == [9, 10, 11, 12]
    assert len(whole) == {T.NGRAM_MOD: 16, T.NGRAM_CACHE: 8}.get(kind, 12)
    cut = draft(told(make_ngram(kind, short_config(kind)), [*text, 5, 6, 7]), 8, DraftLimits(3))
    assert cut == [9, 10, 11]
    too_few = draft(told(make_ngram(kind, short_config(kind)), [*text, 5, 6, 7]), 8, DraftLimits(3, n_min=4))
    assert too_few == []


@pytest.mark.parametrize("kind", NGRAM_KINDS)
def test_nothing_is_proposed_where_the_text_is_not_known(kind: SpeculativeType) -> None:
    text = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, *FILL] * 3
    drafter = make_ngram(kind, short_config(kind))
    assert draft(drafter, 5) == []
    told(drafter, text[:200])
    # Drafting was off while the target went on: a gap.
    drafter.process(text[250:300], 250)
    assert drafter.known == 200
    assert drafter.draft(text[300], 300, LIMITS) == []
    drafter.begin(text[:300])
    assert drafter.known == 300
    assert drafter.draft(text[300], 300, LIMITS)


def test_simple_takes_the_latest_place() -> None:
    text = [*FILL[:50], 1, 2, 3, 50, 51, 52, 53, *FILL[:50], 1, 2, 3, 60, 61, 62, 63, *FILL[50:], 1, 2]
    assert draft(told(NgramSimple(3, 4), text), 3) == [60, 61, 62, 63]
    # Two earlier places are asked for, and are there; three are not.
    assert draft(told(NgramSimple(3, 4, min_hits=2), text), 3) == [60, 61, 62, 63]
    assert draft(told(NgramSimple(3, 4, min_hits=3), text), 3) == []


def test_simple_wants_as_many_tokens_to_copy_as_it_matched() -> None:
    text = [*FILL, 1, 2, 3, 9, 1, 2]
    # After 1 2 3 only 9 1 2 are known.
    assert draft(told(NgramSimple(3, 8), text), 3) == [9, 1, 2]
    assert draft(told(NgramSimple(3, 8), text[:-2]), 1) == []
    # And a text longer than n + m + 1 tokens.
    assert draft(told(NgramSimple(3, 102), text), 3) == []
    assert draft(told(NgramSimple(3, 101), text), 3) == [9, 1, 2]


def test_map_k_remembers_how_much_was_accepted() -> None:
    text = [*FILL, 1, 2, 3, *range(50, 58), *FILL, 1, 2]
    drafter = told(NgramMap(T.NGRAM_MAP_K, 3, 8), text)
    assert draft(drafter, 3) == list(range(50, 58))
    drafter.accept(2)
    assert draft(drafter, 3) == [50, 51]
    drafter.accept(2)
    assert draft(drafter, 3) == [50, 51]
    drafter.accept(0)
    assert draft(drafter, 3) == []


def test_map_k_does_not_blame_a_proposal_that_a_limit_cut() -> None:
    text = [*FILL, 1, 2, 3, *range(50, 58), *FILL, 1, 2]
    drafter = told(NgramMap(T.NGRAM_MAP_K, 3, 8), text)
    assert draft(drafter, 3, DraftLimits(2)) == [50, 51]
    drafter.accept(2)
    assert draft(drafter, 3) == list(range(50, 58))


def test_map_k_waits_for_hits() -> None:
    text = [*FILL, 1, 2, 3, *range(50, 58), *FILL, 1, 2]
    drafter = told(NgramMap(T.NGRAM_MAP_K, 3, 8, min_hits=3), text)
    assert [draft(drafter, 3) for _ in range(3)] == [[], [], list(range(50, 58))]


def test_map_k4v_proposes_only_what_is_clearly_most_frequent() -> None:
    a, b = [50, 51, 52, 53], [60, 61, 62, 63]

    def text(*continuations: list[int]) -> list[int]:
        out: list[int] = []
        for i, continuation in enumerate(continuations):
            out += [*FILL[10 * i : 10 * i + 10], 1, 2, 3, *continuation]
        return [*out, *FILL, 1, 2]

    def proposal(*continuations: list[int], values: int | None = None) -> list[int]:
        return draft(told(NgramMap(T.NGRAM_MAP_K4V, 3, 4, 1, values), text(*continuations)), 3)

    assert proposal(a) == a
    assert proposal(b, a) == []
    assert proposal(b, a, a) == a
    assert proposal(a, a, b, b) == []
    # With one entry per key, what else follows is not counted.
    assert proposal(a, a, b, b, values=1) == b


def test_mod_chains_its_own_proposals() -> None:
    text = [1, 2, 3, 4, 5, *FILL[:40], 5, 6, 7, 8, 9]
    # Hashes of one token: 5 is followed by 6 last, although 4 5 was followed by something else.
    assert draft(told(NgramMod(1, 6, 2), text), 4) == [5, 6, 7, 8, 9]
    assert draft(told(NgramMod(1, 6, 6), text), 4) == []


def test_mod_forgets_after_five_bad_proposals() -> None:
    text = [*range(10, 40), *FILL[:40], 10]
    drafter = told(NgramMod(2, 16, 4), text)
    for _ in range(4):
        assert len(draft(drafter, 11)) == 16
        drafter.accept(3)
    draft(drafter, 11)
    drafter.accept(4)  # a quarter is enough to begin counting anew
    for _ in range(5):
        draft(drafter, 11)
        drafter.accept(0)
    # The table is empty, and filled again from the text at once.
    assert len(draft(drafter, 11)) == 16
    drafter.begin([*range(500, 540), 500])
    for _ in range(5):
        assert draft(drafter, 501) == list(range(502, 518))
        drafter.accept(0)
    # What another conversation had taught is gone.
    drafter.begin([9, 10])
    assert draft(drafter, 11) == []


def test_mod_keeps_what_other_conversations_taught() -> None:
    drafter = told(NgramMod(2, 16, 4), [*range(10, 40), *FILL])
    drafter.begin([10])
    assert draft(drafter, 11) == []  # shorter than an n-gram
    drafter.begin([9, 10])
    assert draft(drafter, 11) == list(range(12, 28))


def test_mod_starts_anew_when_the_table_is_a_quarter_full() -> None:
    filling = np.random.default_rng(3).integers(0, 65536, 1_500_000).tolist()
    drafter = NgramMod(2, 8, 4)
    drafter.begin([*filling[:800_000], *range(70_010, 70_020)])
    drafter.begin([9, 70_010])
    assert draft(drafter, 70_011) == list(range(70_012, 70_020))
    drafter.begin(filling[800_000:])
    drafter.begin([9, 70_010])
    assert draft(drafter, 70_011) == []


def test_cache_takes_the_longest_ngram_that_is_clear() -> None:
    text = [1, 2, 3, 50, 9, 2, 3, 60, 9, 2, 3, 60, 8, 8]
    drafter = told(NgramCache(), text)
    # 1 2 3 has been followed by 50 alone, though 2 3 mostly was by 60.
    assert draft(told(NgramCache(), [*text, 1, 2]), 3)[0] == 50
    assert draft(told(NgramCache(), [*text, 7, 2]), 3)[0] == 60
    # One token: seen twice at least, and two thirds of the followers the same.
    assert draft(drafter, 8)[:1] == []
    assert draft(told(NgramCache(), [5, 6, 7, 5, 6, 8, 20]), 5)[0] == 6
    assert draft(told(NgramCache(), [5, 6, 7, 5, 9, 8, 20]), 5) == []


@pytest.mark.parametrize("kind", [T.NGRAM_SIMPLE, T.NGRAM_CACHE])
@pytest.mark.parametrize("seed", range(4))
def test_cutting_and_going_on_is_like_a_fresh_start(kind: SpeculativeType, seed: int) -> None:
    first = repetitive_text(700, 30, 0.6, seed)
    second = [*first[:300], *repetitive_text(500, 30, 0.6, seed + 100)]
    changed = told(make_ngram(kind, short_config(kind)), first)
    changed.truncate(300)
    for start in range(300, 500, 40):
        changed.process(second[start : start + 40], start)
    changed.begin(second[:500])
    fresh = told(make_ngram(kind, short_config(kind)), second[:500])
    assert changed.known == fresh.known == 500
    proposals = follow(changed, second, 500, 790)
    assert proposals == follow(fresh, second, 500, 790)
    assert sum(map(bool, proposals)) > 20


@pytest.mark.parametrize("kind", NGRAM_KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_any_course_of_cutting_and_switching_is_survived(kind: SpeculativeType, seed: int) -> None:
    """Proposals made after edits, gaps and new beginnings are of the text that stands then."""
    drafter = make_ngram(kind, short_config(kind))
    text = repetitive_text(400, 12, 0.7, seed)
    for turn in range(12):
        cut = (turn * 97 + seed * 31) % len(text)
        text = [*text[:cut], *repetitive_text(300, 12, 0.7, seed + turn)]
        drafter.truncate(cut)
        known = drafter.known
        for start in range(known, len(text), 60):
            if turn % 3 != 2 or start < known + 120:  # else: off from there on
                drafter.process(text[start : start + 60], start)
        drafter.begin(text)
        assert drafter.known == len(text)
        more = [*text, *repetitive_text(120, 12, 0.7, seed + turn + 50)]
        proposals = follow(drafter, more, len(text), len(more))
        assert all(set(p) <= set(range(12)) for p in proposals)
        text = more
    assert any(proposals)
