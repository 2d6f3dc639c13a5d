"""Which algorithm a name or a file means, and that a pair without a sidecar may draft with n-grams."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.core.conversation import ChatMessage
from app.core.errors import EnvironmentProblem
from app.core.events import ReplyDone
from app.core.pair_settings import PairSettings
from app.core.ports import GenerateRequest, LoadRequest
from app.core.sampling import SamplingParams
from app.core.speculation import SpeculativeType
from app.engine import LocalEngine
from app.engine.algorithms import algorithms, asked_variant

T = SpeculativeType


def test_names_and_files(tiny_pair: tuple[Path, Path]) -> None:
    sidecar = str(tiny_pair[1])
    own = algorithms("auto", sidecar)
    assert len(own) == 1
    assert own[0].is_draft()
    assert algorithms("auto", "") == ()
    assert algorithms("ngram-map-k,auto", sidecar) == (T.NGRAM_MAP_K, *own)
    assert algorithms("ngram-map-k,auto", "") == (T.NGRAM_MAP_K,)
    assert algorithms("NGRAM-K, draft", "") == (T.NGRAM_MAP_K, T.DRAFT_SIMPLE)
    assert asked_variant(" DFlash2") == "dflash2"
    with pytest.raises(EnvironmentProblem, match="unknown"):
        algorithms("ngram-map-k,magic", sidecar)


@pytest.mark.parametrize("with_sidecar", [False, True])
def test_a_pair_drafts_with_ngrams_when_asked(tiny_pair: tuple[Path, Path], with_sidecar: bool) -> None:
    target, sidecar = (str(path) for path in tiny_pair)
    asked = "ngram-map-k,auto" if with_sidecar else "ngram-map-k"
    settings = PairSettings(n_ctx=256, n_threads=1, algorithm=asked, automatic_length=False)
    engine = LocalEngine()
    try:
        request = LoadRequest(target, sidecar if with_sidecar else "", settings, speculation_on=True)
        pair, status = engine.load(request, lambda event: None, threading.Event())
        assert "N-gram" in status.algorithm
        assert status.draft_n_max > 7
        assert ("+" in pair.algorithm) == with_sidecar
        asked_for = GenerateRequest(
            "r", (ChatMessage("user", "abcabcabc"),), SamplingParams(temperature=0.0), max_tokens=48
        )
        done = list(engine.generate(asked_for, threading.Event()))[-1]
        assert isinstance(done, ReplyDone)
    finally:
        engine.close()
