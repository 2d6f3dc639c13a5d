"""Kinds of files are told by their headers, with the facts that lists and the panel show."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpeculativeType
from app.gguf.header import read_header
from app.gguf.kinds import FileFacts, FileKind, classify, sidecar_type
from tests.gguf.edited import BOOL, F32, I32, STRING, U32, Model, Value
from tests.models import DFLASH, DFLASH2, DSPARK, SidecarSpec, make_sidecar


def facts_of(model: Model, tmp_path: Path, name: str = "file.gguf") -> FileFacts:
    return classify(read_header(model.write(tmp_path / name)))


def model(architecture: str, **values: Value) -> Model:
    base = {
        "general.architecture": Value(STRING, architecture),
        f"{architecture}.block_count": Value(U32, 2),
        f"{architecture}.context_length": Value(U32, 512),
        "tokenizer.ggml.tokens": Value(STRING, ["a", "b"]),
    }
    named = {key.replace("__", "."): value for key, value in values.items()}
    return (
        Model(base | named)
        .with_tensor("token_embd.weight", (8, 2))
        .with_tensor("blk.0.attn_norm.weight", (8,))
    )


@pytest.mark.real
def test_default_pair(default_pair: tuple[Path, Path]) -> None:
    target, draft = (classify(read_header(path)) for path in default_pair)
    assert target.kind is FileKind.TARGET
    assert (target.label, target.architecture, target.quantisation) == (
        "SmolLM2-135M-Instruct",
        "llama",
        "Q4_1",
    )
    assert (target.n_layer, target.n_embd, target.n_vocab, target.context_length) == (30, 576, 49152, 8192)
    assert 134e6 < target.parameters < 136e6
    assert target.file_bytes == default_pair[0].stat().st_size
    assert draft.kind.is_sidecar
    assert draft.block_size >= 4
    assert draft.target_layers
    assert draft.mask_token is not None


def test_tiny_sidecars_by_their_tensors(tiny_sidecars: dict[str, Path]) -> None:
    for name, path in tiny_sidecars.items():
        facts = classify(read_header(path))
        assert facts.kind.value == name
        assert facts.kind.is_sidecar
        assert (facts.block_size, facts.target_layers, facts.mask_token) == (8, (0, 2, 3), 3)
        assert facts.why_not == ""
        assert facts.quantisation == "F32"
        assert (facts.sample_from_anchor, facts.has_confidence_head) == (
            (True, True) if name == DSPARK else (None, False)
        )
        assert facts.selector_top_k == (8 if name == DFLASH2 else 0)
    assert sidecar_type(tiny_sidecars[DFLASH]) is SpeculativeType.DRAFT_DFLASH
    assert sidecar_type(tiny_sidecars[DFLASH2]) is SpeculativeType.DRAFT_DFLASH
    assert sidecar_type(str(tiny_sidecars[DSPARK])) is SpeculativeType.DRAFT_DSPARK


def test_options_of_a_sidecar_show(tmp_path: Path) -> None:
    spec = SidecarSpec(
        DSPARK, sample_from_anchor=False, confidence=False, draft_vocab=50, causal=True, mrope=True
    )
    facts = classify(read_header(make_sidecar(tmp_path / "s.gguf", spec)))
    assert facts.sample_from_anchor is False
    assert not facts.has_confidence_head
    assert facts.draft_vocab == 50
    assert facts.causal
    assert facts.has_mrope


@pytest.mark.parametrize(
    ("made", "kind", "word"),
    [
        (model("llama"), FileKind.TARGET, ""),
        (model("some-future-model"), FileKind.TARGET, ""),
        (model("clip"), FileKind.PROJECTOR, "pictures"),
        (model("llama", general__type=Value(STRING, "mmproj")), FileKind.PROJECTOR, "pictures"),
        (model("llama", general__type=Value(STRING, "adapter")), FileKind.ADAPTER, "another model"),
        (model("llama", adapter__type=Value(STRING, "lora")), FileKind.ADAPTER, "another model"),
        (model("controlvector"), FileKind.UNKNOWN, "control vector"),
        (model("imatrix"), FileKind.UNKNOWN, "statistics"),
        (model("bert"), FileKind.EMBEDDING, "vectors"),
        (model("qwen3", qwen3__pooling_type=Value(U32, 3)), FileKind.EMBEDDING, "vectors"),
        (model("qwen3").with_tensor("cls.output.weight", (8, 1)), FileKind.EMBEDDING, "vectors"),
        (model("qwen3", qwen3__pooling_type=Value(U32, 0)), FileKind.TARGET, ""),
        (model("t5"), FileKind.UNKNOWN, "encoder-decoder"),
        (model("llada"), FileKind.UNKNOWN, "diffusion"),
        (model("flux"), FileKind.UNKNOWN, "pictures"),
        (model("eagle3"), FileKind.EAGLE3, ""),
        (model("gemma4-assistant"), FileKind.MTP, ""),
        (Model({"general.architecture": Value(STRING, "llama")}), FileKind.VOCABULARY, "vocabulary"),
        (Model().with_tensor("x", (2,)), FileKind.UNKNOWN, "does not say"),
        (
            Model({"general.architecture": Value(I32, 3)}).with_tensor("x", (2,)),
            FileKind.UNKNOWN,
            "does not say",
        ),
    ],
)
def test_kinds(made: Model, kind: FileKind, word: str, tmp_path: Path) -> None:
    facts = facts_of(made, tmp_path)
    assert facts.kind is kind
    assert word in facts.why_not
    if kind is FileKind.TARGET or kind.is_sidecar:
        assert facts.why_not == ""
    else:
        assert facts.why_not
        with pytest.raises(EnvironmentProblem) as caught:
            sidecar_type(tmp_path / "file.gguf")
        assert caught.value.code == "not-a-sidecar"
        assert caught.value.why == facts.why_not


def test_next_token_heads_in_the_target_and_alone(tmp_path: Path) -> None:
    heads = model("qwen35", qwen35__nextn_predict_layers=Value(U32, 1)).with_tensor(
        "blk.1.nextn.eh_proj.weight", (2,)
    )
    whole = facts_of(heads, tmp_path)
    assert whole.kind is FileKind.TARGET
    assert whole.has_mtp_heads
    assert whole.n_layer == 1
    alone = facts_of(heads.without("blk.0.attn_norm.weight"), tmp_path)
    assert alone.kind is FileKind.MTP
    assert sidecar_type(tmp_path / "file.gguf") is SpeculativeType.DRAFT_MTP


def test_an_ordinary_model_is_no_sidecar(tiny_target: Path) -> None:
    with pytest.raises(EnvironmentProblem) as caught:
        sidecar_type(tiny_target)
    assert caught.value.code == "ordinary-model-as-sidecar"


@pytest.mark.parametrize(
    ("file_type", "shown"), [(15, "Q4_K_M"), (1024 + 7, "Q8_0"), (32, "BF16"), (999, "F16"), (None, "F16")]
)
def test_quantisation_is_declared_or_counted(file_type: int | None, shown: str, tmp_path: Path) -> None:
    made = model("llama").with_tensor("big", (64, 8), type=1)
    if file_type is not None:
        made = made.with_value("general.file_type", file_type, U32)
    assert facts_of(made, tmp_path).quantisation == shown


@pytest.mark.parametrize(
    ("file_name", "label"),
    [
        ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct"),
        ("Qwen3-8B-Q4_K_M.gguf", "Qwen3-8B"),
        ("gpt-oss-20b-mxfp4.gguf", "gpt-oss-20b"),
        ("Llama-70B-IQ2_XXS-00001-of-00002.gguf", "Llama-70B"),
        ("plain.gguf", "plain"),
        ("Qwen3.gguf", "Qwen3"),
    ],
)
def test_labels(file_name: str, label: str, tmp_path: Path) -> None:
    assert facts_of(model("llama"), tmp_path, file_name).label == label


def test_odd_values_do_not_disturb(tmp_path: Path) -> None:
    odd = model(
        "dflash",
        dflash__target_layers=Value(STRING, ["one"]),
        dflash__block_size=Value(F32, 1.5),
        dflash__attention__causal=Value(BOOL, [True]),
        tokenizer__ggml__mask_token_id=Value(STRING, "<mask>"),
        general__name=Value(U32, 7),
        general__file_type=Value(BOOL, True),
    )
    facts = facts_of(odd, tmp_path)
    assert facts.kind is FileKind.DFLASH
    assert (facts.block_size, facts.target_layers, facts.mask_token, facts.causal) == (0, (), None, False)
    assert facts.name == "file"
