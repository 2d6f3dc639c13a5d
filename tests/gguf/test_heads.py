"""Next-token heads, inside a target and in a file of their own: what cannot be used is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpeculativeType
from app.gguf.header import read_header
from app.gguf.heads import check_heads_inside
from app.gguf.kinds import FileKind, classify, sidecar_type
from app.gguf.pair import check_pair, check_target
from tests.gguf.edited import U32, Model
from tests.models import TargetSpec
from tests.models.memories import make_memory

HEADS = {"qwen35": 1, "qwen3next": 1, "mimo2": 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("heads")


def with_heads(folder: Path, architecture: str, alone: bool = False) -> Path:
    path = folder / f"{architecture}-{alone}.gguf"
    return make_memory(path, architecture, TargetSpec(mtp_heads=HEADS[architecture]), alone)


@pytest.mark.parametrize("architecture", HEADS)
def test_heads_are_recognised(folder: Path, architecture: str) -> None:
    whole, alone = (with_heads(folder, architecture, flag) for flag in (False, True))
    facts = classify(read_header(whole))
    assert facts.kind is FileKind.TARGET
    assert facts.has_mtp_heads
    assert check_target(read_header(whole)) is None
    assert check_heads_inside(read_header(whole)) == HEADS[architecture]
    assert sidecar_type(alone) is SpeculativeType.DRAFT_MTP
    for asked in ("auto", "mtp", "draft-mtp"):
        report = check_pair(read_header(whole), read_header(alone), asked)
        assert report.problem is None
        assert report.algorithm == "MTP"
        assert report.n_heads == HEADS[architecture]


def test_a_target_without_heads(tiny_target: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="carries no next-token heads") as caught:
        check_heads_inside(read_header(tiny_target))
    assert caught.value.code == "no-heads"


@pytest.mark.parametrize("name", ["nextn.eh_proj", "nextn.enorm", "nextn.hnorm", "attn_norm"])
def test_a_head_that_lacks_a_tensor(folder: Path, tmp_path: Path, name: str) -> None:
    for architecture, last in (("qwen35", 4), ("mimo2", 6)):
        model = Model.of(with_heads(folder, architecture)).without(f"blk.{last}.{name}.weight")
        header = read_header(model.write_without_data(tmp_path / "edited.gguf"))
        with pytest.raises(EnvironmentProblem, match=f"has no tensor “{name}.weight”"):
            check_heads_inside(header)


def test_more_heads_than_can_be_chained(tmp_path: Path) -> None:
    path = make_memory(tmp_path / "two.gguf", "qwen35", TargetSpec(mtp_heads=2))
    with pytest.raises(EnvironmentProblem, match="2 next-token heads") as caught:
        check_heads_inside(read_header(path))
    assert caught.value.code == "heads-unsupported"


def test_heads_of_an_architecture_without_a_graph_for_them(tiny_target: Path, tmp_path: Path) -> None:
    model = Model.of(tiny_target).with_value("llama.nextn_predict_layers", 1, U32)
    with pytest.raises(EnvironmentProblem, match="“llama” models") as caught:
        check_heads_inside(read_header(model.write_without_data(tmp_path / "llama.gguf")))
    assert caught.value.code == "heads-unsupported"


def test_heads_of_another_model(folder: Path, tmp_path: Path) -> None:
    target = read_header(with_heads(folder, "qwen35"))
    other = check_pair(target, read_header(with_heads(folder, "mimo2", alone=True))).problem
    assert other is not None
    assert other.code == "architecture-differs"
    assert "mimo2" in other.why
    alone = Model.of(with_heads(folder, "qwen35", alone=True))
    for edited, code in (
        (alone.with_value("qwen35.embedding_length", 256), "width-differs"),
        (alone.without("token_embd.weight"), "sidecar-unusable"),
        (alone.without("blk.4.nextn.hnorm.weight"), "sidecar-unusable"),
        (alone.with_tensor("blk.4.nextn.hnorm.weight", (128,), 1), "sidecar-unusable"),
    ):
        problem = check_pair(target, read_header(edited.write(tmp_path / "edited.gguf"))).problem
        assert problem is not None
        assert problem.code == code
