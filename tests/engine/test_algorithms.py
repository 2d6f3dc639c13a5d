"""Which algorithms a name or a file means, for command line, window and benchmark alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.pair_settings import PairSettings
from app.core.speculation import SpeculativeType
from app.engine.algorithms import algorithms, asked_variant
from app.engine.local_engine import spec_config
from tests.models import TargetSpec
from tests.models.eagle3 import make_eagle3
from tests.models.memories import make_memory

T = SpeculativeType


def test_a_file_says_what_it_is(tiny_sidecars: dict[str, Path], tmp_path: Path) -> None:
    heads = make_memory(tmp_path / "heads.gguf", "qwen35", TargetSpec(mtp_heads=1), heads_alone=True)
    for path, kind in (
        (tiny_sidecars["DFlash"], T.DRAFT_DFLASH),
        (tiny_sidecars["DFlash2"], T.DRAFT_DFLASH),
        (tiny_sidecars["DSpark"], T.DRAFT_DSPARK),
        (make_eagle3(tmp_path / "eagle3.gguf"), T.DRAFT_EAGLE3),
        (heads, T.DRAFT_MTP),
    ):
        assert algorithms("auto", str(path)) == (kind,)
        assert spec_config(PairSettings(), str(path)).spec_types == (kind,)


def test_names_go_before_the_file(tiny_target: Path) -> None:
    assert algorithms("auto", "") == ()
    assert algorithms("mtp", "") == (T.DRAFT_MTP,)
    assert algorithms("ngram-k,draft", str(tiny_target)) == (T.NGRAM_MAP_K, T.DRAFT_SIMPLE)
    with pytest.raises(EnvironmentProblem, match="magic"):
        algorithms("magic", "")
    with pytest.raises(EnvironmentProblem):
        algorithms("auto", str(tiny_target))
    assert [asked_variant(name) for name in ("dflash2", "DFlash2", "dflash", "auto")] == [
        "dflash2",
        "dflash2",
        "auto",
        "auto",
    ]


def test_without_a_sidecar_only_what_needs_none_is_left() -> None:
    for name, kinds in (
        ("auto", ()),
        ("dspark", ()),
        ("mtp", (T.DRAFT_MTP,)),
        ("ngram-mod,dflash", (T.NGRAM_MOD,)),
    ):
        spec = spec_config(PairSettings(algorithm=name), "")
        assert spec.spec_types == kinds
        assert spec.draft_model_path is None
