"""EAGLE-3 sidecars: what fits is described, and every fault is refused by name before anything is loaded."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpeculativeType
from app.gguf.header import read_header
from app.gguf.kinds import sidecar_type
from app.gguf.pair import PairReport, check_pair
from tests.gguf.edited import BOOL, F32, I32, U32, Model
from tests.models import TargetSpec, make_target
from tests.models.eagle3 import Eagle3Spec, make_eagle3
from tests.models.memories import make_memory


@pytest.fixture(scope="module")
def sidecar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_eagle3(tmp_path_factory.mktemp("eagle3") / "eagle3.gguf")


@pytest.fixture(scope="module")
def reduced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = Eagle3Spec(draft_vocab=100, own_embeddings=True, norm_before_fc=True)
    return make_eagle3(tmp_path_factory.mktemp("eagle3") / "reduced.gguf", spec)


def refusal(target: Path, draft: Model | Path, folder: Path, asked: str = "auto") -> EnvironmentProblem:
    path = draft if isinstance(draft, Path) else draft.write(folder / "edited.gguf")
    problem = check_pair(read_header(target), read_header(path), asked).problem
    assert problem is not None
    assert problem.why
    assert problem.remedy
    return problem


def test_the_facts_of_a_fitting_pair(tiny_target: Path, sidecar: Path, reduced: Path) -> None:
    assert sidecar_type(sidecar) is SpeculativeType.DRAFT_EAGLE3
    for path, rows, has_own in ((sidecar, 288, False), (reduced, 100, True)):
        for asked in ("auto", "eagle3", "draft-eagle3"):
            assert check_pair(read_header(tiny_target), read_header(path), asked) == PairReport(
                algorithm="EAGLE-3",
                target_layers=(0, 2, 3),
                n_embd=128,
                n_layer=1,
                draft_vocab=rows,
                has_d2t=has_own,
                own_embeddings=has_own,
                own_head=has_own,
            )


@pytest.mark.parametrize(
    ("key", "value", "kind", "said"),
    [
        ("block_count", 2, U32, "2 layers"),
        ("target_layers", [0, 2], I32, "2 layers of the target"),
        ("target_layers", [0, 1, 2, 3], I32, "4 layers of the target"),
        ("target_hidden_size", 0, U32, "target_hidden_size"),
        ("feed_forward_length", 0, U32, "feed_forward_length"),
        ("attention.value_length", 32, U32, "keys are 64 wide and its values 32"),
        ("attention.head_count_kv", 3, U32, "2 heads for queries and 3 for keys"),
        ("rope.dimension_count", 65, U32, "turns 65 of 64"),
        ("norm_before_residual", 1, U32, "norm_before_residual"),
        ("attention.sliding_window", 64, U32, "sliding window"),
        ("attention.layer_norm_rms_epsilon", float("nan"), F32, "layer_norm_rms_epsilon"),
        ("nextn_predict_layers", 1, U32, "next-token heads"),
    ],
)
def test_impossible_values(
    tiny_target: Path, sidecar: Path, tmp_path: Path, key: str, value: object, kind: int, said: str
) -> None:
    edited = Model.of(sidecar).with_value(f"eagle3.{key}", value, kind)
    problem = refusal(tiny_target, edited, tmp_path)
    assert problem.code == "sidecar-unusable"
    assert said in problem.why


@pytest.mark.parametrize("key", ["target_layers", "target_hidden_size", "attention.layer_norm_rms_epsilon"])
def test_missing_values(tiny_target: Path, sidecar: Path, tmp_path: Path, key: str) -> None:
    problem = refusal(tiny_target, Model.of(sidecar).without(f"eagle3.{key}"), tmp_path)
    assert problem.code == "sidecar-unusable"


@pytest.mark.parametrize(
    "name", ["fc.weight", "output_norm.weight", "blk.0.attn_norm_2.weight", "blk.0.attn_q.weight"]
)
def test_missing_and_misshapen_tensors(tiny_target: Path, sidecar: Path, tmp_path: Path, name: str) -> None:
    model = Model.of(sidecar)
    for edited in (model.without(name), model.with_tensor(name, (64,))):
        problem = refusal(tiny_target, edited, tmp_path)
        assert problem.code == "sidecar-unusable"
        assert name in problem.why


def test_a_reduced_head_needs_a_map_that_is_one(tiny_target: Path, reduced: Path, tmp_path: Path) -> None:
    model = Model.of(reduced)
    ids = struct.pack("<100q", *range(99), 288)
    for edited, said in (
        (model.without("d2t"), "output.weight"),
        (model.without("output.weight"), "output.weight"),
        (model.with_tensor("d2t", (100,), 26, struct.pack("<100i", *range(100))), "must be I64"),
        (model.with_tensor("d2t", (100,), 27, ids), "token 288"),
    ):
        problem = refusal(tiny_target, edited, tmp_path)
        assert problem.code == "sidecar-unusable"
        assert said in problem.why


def test_other_targets(sidecar: Path, tmp_path: Path) -> None:
    for target, code in (
        (make_memory(tmp_path / "mamba2.gguf", "mamba2"), "taps-unsupported"),
        (make_target(tmp_path / "short.gguf", TargetSpec(n_layer=3)), "tap-out-of-range"),
    ):
        assert refusal(target, sidecar, tmp_path).code == code
    wide = Model.of(sidecar).with_value("eagle3.target_hidden_size", 256)
    wide = wide.with_tensor("fc.weight", (768, 128))
    target = make_target(tmp_path / "target.gguf")
    problem = refusal(target, wide, tmp_path)
    assert problem.code == "width-differs"
    assert "256" in problem.why


def test_what_leaves_the_last_layer_is_read_where_it_is_kept(tmp_path: Path) -> None:
    last = make_eagle3(tmp_path / "last.gguf", Eagle3Spec(target_layers=(0, 2, 4)))
    kept = make_memory(tmp_path / "qwen35.gguf", "qwen35", TargetSpec(mtp_heads=1))
    assert check_pair(read_header(kept), read_header(last)).problem is None
    llama = make_target(tmp_path / "llama.gguf")
    assert refusal(llama, last, tmp_path).code == "tap-out-of-range"
    past = make_eagle3(tmp_path / "past.gguf", Eagle3Spec(target_layers=(0, 2, 5)))
    assert refusal(kept, past, tmp_path).code == "tap-out-of-range"


def test_another_algorithm_was_asked_for(tiny_target: Path, sidecar: Path, tmp_path: Path) -> None:
    for asked in ("dflash", "mtp", "dspark"):
        problem = refusal(tiny_target, sidecar, tmp_path, asked)
        assert problem.code == "algorithm-differs"
        assert "EAGLE-3" in problem.what


def test_flags_of_another_type(tiny_target: Path, sidecar: Path, tmp_path: Path) -> None:
    edited = Model.of(sidecar).with_value("eagle3.norm_before_fc", True, BOOL)
    assert "enc.output_norm.weight" in refusal(tiny_target, edited, tmp_path).why
