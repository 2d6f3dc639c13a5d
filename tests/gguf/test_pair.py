"""Every pair that cannot work is refused before anything is loaded, with a reason that names the fault."""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.gguf import architectures
from app.gguf.header import read_header
from app.gguf.pair import PairReport, check_pair, check_target, fitting_targets
from tests.gguf.edited import BOOL, F32, I32, STRING, U32, Model, Value
from tests.models import DFLASH, DFLASH2, DSPARK, SidecarSpec, TargetSpec, make_sidecar, make_target


@cache
def load(path: Path) -> Model:
    return Model.of(path)


@pytest.fixture
def target(tiny_target: Path) -> Model:
    return load(tiny_target)


class Bench:
    """Writes models and checks them."""

    def __init__(self, folder: Path, target: Path, sidecars: dict[str, Path]) -> None:
        self.folder, self.target, self.sidecars = folder, target, sidecars

    def sidecar(self, algorithm: str = DFLASH) -> Model:
        return load(self.sidecars[algorithm])

    def report(
        self, draft: Model | Path, target: Model | Path | None = None, asked: str = "auto"
    ) -> PairReport:
        target = target if target is not None else self.target
        paths = [
            item if isinstance(item, Path) else item.write_without_data(self.folder / name)
            for item, name in ((target, "target.gguf"), (draft, "draft.gguf"))
        ]
        return check_pair(read_header(paths[0]), read_header(paths[1]), asked)

    def refusal(
        self, draft: Model | Path, target: Model | Path | None = None, asked: str = "auto"
    ) -> EnvironmentProblem:
        problem = self.report(draft, target, asked).problem
        assert problem is not None
        assert problem.what
        assert problem.why
        assert problem.remedy
        return problem


@pytest.fixture
def bench(tmp_path: Path, tiny_target: Path, tiny_sidecars: dict[str, Path]) -> Bench:
    return Bench(tmp_path, tiny_target, tiny_sidecars)


# --- pairs that fit ----------------------------------------------------------------------------------


@pytest.mark.real
def test_the_default_pair_fits(default_pair: tuple[Path, Path]) -> None:
    report = check_pair(read_header(default_pair[0]), read_header(default_pair[1]))
    assert report.problem is None
    assert report.algorithm in (DFLASH, DFLASH2, DSPARK)
    assert report.block_size >= 4
    assert report.n_embd == 576


@pytest.mark.parametrize("name", [DFLASH, DFLASH2, DSPARK])
def test_the_facts_of_a_fitting_pair(name: str, bench: Bench) -> None:
    report = bench.report(bench.sidecars[name])
    assert report == PairReport(
        algorithm=name,
        block_size=8,
        target_layers=(0, 2, 3),
        mask_token=3,
        selector_top_k=8 if name == DFLASH2 else 0,
        has_confidence_head=name == DSPARK,
        n_embd=128,
        n_layer=3,
        draft_vocab=288,
    )


def test_options_of_a_sidecar_reach_the_report(bench: Bench) -> None:
    spec = SidecarSpec(
        DSPARK,
        causal=True,
        draft_vocab=50,
        own_embeddings=True,
        sample_from_anchor=False,
        confidence=False,
        mrope=True,
        target_layers=(3, 0),
    )
    report = bench.report(make_sidecar(bench.folder / "s.gguf", spec))
    assert report.problem is None
    assert report.target_layers == (3, 0)
    assert (report.causal, report.mrope, report.sample_from_anchor) == (True, True, False)
    assert (report.draft_vocab, report.has_d2t) == (50, True)
    assert (report.own_embeddings, report.own_head, report.has_confidence_head) == (True, True, False)


@pytest.mark.parametrize("asked", ["auto", "", "DSpark", "dspark", "draft-dspark", "draft_dspark"])
def test_asking_for_what_the_file_is(asked: str, bench: Bench) -> None:
    assert bench.report(bench.sidecars[DSPARK], asked=asked).problem is None


@pytest.mark.parametrize("asked", ["dflash", "draft-dflash"])
def test_the_family_name_covers_both_its_members(asked: str, bench: Bench) -> None:
    assert bench.report(bench.sidecars[DFLASH2], asked=asked).problem is None
    assert bench.report(bench.sidecars[DFLASH], asked=asked).problem is None


def test_targets_that_fit_are_found(bench: Bench, tmp_path: Path) -> None:
    other = read_header(make_target(tmp_path / "other.gguf", TargetSpec(ends=True)))
    qwen = read_header(make_target(tmp_path / "qwen3.gguf", TargetSpec("qwen3")))
    short = read_header(make_target(tmp_path / "short.gguf", TargetSpec(n_layer=3)))
    draft = read_header(bench.sidecars[DFLASH])
    assert fitting_targets(draft, [short, other, draft, qwen]) == [other, qwen]


# --- the wrong kinds of files ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "asked", "names"),
    [
        (DSPARK, "dflash", ("DSpark", "DFlash or DFlash2")),
        (DFLASH, "DSpark", ("DFlash", "DSpark")),
        (DFLASH, "dflash2", ("DFlash", "DFlash2")),
        (DSPARK, "draft-dflash", ("DSpark", "DFlash or DFlash2")),
        (DFLASH, "eagle3", ("DFlash", "EAGLE-3")),
    ],
)
def test_another_algorithm_than_the_files(
    file: str, asked: str, names: tuple[str, str], bench: Bench
) -> None:
    problem = bench.refusal(bench.sidecars[file], asked=asked)
    assert problem.code == "algorithm-differs"
    assert problem.what == f"The sidecar is {names[0]}, but {names[1]} was asked for."


def test_the_target_as_its_own_draft(bench: Bench) -> None:
    link = bench.folder / "link.gguf"
    link.symlink_to(bench.target)
    for draft in (bench.target, link):
        assert bench.refusal(draft).code == "draft-is-target"


def test_an_ordinary_model_as_sidecar(bench: Bench, target: Model) -> None:
    assert bench.refusal(target).code == "ordinary-model-as-sidecar"


def test_a_sidecar_as_target(bench: Bench, tiny_sidecars: dict[str, Path]) -> None:
    problem = bench.refusal(bench.sidecars[DFLASH], tiny_sidecars[DSPARK])
    assert problem.code == "is-sidecar"
    assert problem.what == "This is a sidecar; choose the target it was trained for."
    alone = check_target(read_header(tiny_sidecars[DFLASH2]))
    assert alone is not None
    assert alone.code == "is-sidecar"
    assert "DFlash2" in alone.why


def test_projectors_adapters_and_the_like(bench: Bench, target: Model) -> None:
    for kind, word in (("mmproj", "Projector"), ("adapter", "LoRA adapter")):
        other = target.with_value("general.type", kind, STRING)
        as_target = bench.refusal(bench.sidecars[DFLASH], other)
        assert as_target.code == "not-a-target"
        assert word in as_target.why
        assert bench.refusal(other).code == "not-a-sidecar"


def test_a_kind_of_head_without_a_drafter_is_refused_by_name(bench: Bench, target: Model) -> None:
    problem = bench.refusal(target.with_value("general.architecture", "gemma4-assistant"))
    assert problem.code == "no-drafter"
    assert "gemma4-assistant" in problem.what


# --- targets -----------------------------------------------------------------------------------------


def test_good_targets_have_no_problem(tiny_target: Path, tmp_path: Path) -> None:
    assert check_target(read_header(tiny_target)) is None
    assert check_target(read_header(make_target(tmp_path / "q.gguf", TargetSpec("qwen3", tied=True)))) is None


def test_a_target_of_a_kind_unknown_here_is_left_to_the_engine(bench: Bench, target: Model) -> None:
    values = {k.replace("llama.", "newer-model."): v for k, v in target.values.items()}
    values["general.architecture"] = Value(STRING, "newer-model")
    path = Model(values, target.tensors).write_without_data(bench.folder / "t.gguf")
    assert check_target(read_header(path)) is None


@pytest.mark.parametrize(
    ("key", "value", "code", "word"),
    [
        ("llama.block_count", Value(U32, 0), "needs-conversion", "block_count"),
        ("llama.block_count", Value(STRING, "4"), "needs-conversion", "block_count"),
        ("llama.block_count", Value(U32, 513), "damaged", "513"),
        ("llama.context_length", Value(U32, 0), "needs-conversion", "context_length"),
        ("llama.embedding_length", Value(F32, 1.0), "needs-conversion", "embedding_length"),
        ("llama.nextn_predict_layers", Value(U32, 4), "damaged", "4"),
        ("llama.expert_count", Value(U32, 8), "damaged", "none of 8"),
        ("llama.expert_used_count", Value(U32, 2), "damaged", "2 of 0"),
        ("llama.expert_used_count", Value(I32, [1, 3]), "damaged", "3 of 0"),
        ("llama.rope.scaling.type", Value(STRING, "magic"), "damaged", "magic"),
        ("llama.attention.value_length", Value(U32, 32), "damaged", "32"),
        ("llama.rope.dimension_count", Value(U32, 0), "damaged", "0 turn"),
        ("llama.expert_group_count", Value(U32, 2), "damaged", "groups"),
        ("llama.embedding_length_out", Value(U32, 2**31), "damaged", "wide"),
        ("llama.rope.freq_base", Value(F32, float("nan")), "damaged", "nan"),
        ("llama.attention.layer_norm_rms_epsilon", Value(F32, -1.0), "damaged", "-1.0"),
        ("tokenizer.ggml.tokens", Value(STRING, []), "needs-conversion", "vocabulary"),
        ("tokenizer.ggml.tokens", Value(I32, [1, 2]), "needs-conversion", "vocabulary"),
        ("tokenizer.ggml.tokens", Value(STRING, ["one", "same", "same"]), "damaged", "“same”"),
        ("tokenizer.ggml.model", Value(I32, 1), "needs-conversion", "tokenizer"),
    ],
)
def test_impossible_targets(
    key: str, value: Value, code: str, word: str, bench: Bench, target: Model
) -> None:
    path = target.with_value(key, value.value, value.type).write_without_data(bench.folder / "t.gguf")
    problem = check_target(read_header(path))
    assert problem is not None
    assert problem.code == code
    assert word in problem.why
    assert bench.refusal(bench.sidecars[DFLASH], path).code == code


@pytest.mark.parametrize("key", ["tokenizer.ggml.tokens", "tokenizer.ggml.model", "llama.block_count"])
def test_targets_without_what_a_conversion_writes(key: str, bench: Bench, target: Model) -> None:
    problem = check_target(read_header(target.without(key).write_without_data(bench.folder / "t.gguf")))
    assert problem is not None
    assert problem.code == "needs-conversion"


# --- vocabularies ------------------------------------------------------------------------------------


def tokens_of(model: Model) -> list[str]:
    return list(model.values["tokenizer.ggml.tokens"].value)


def test_the_first_token_that_differs_is_named(bench: Bench) -> None:
    draft = bench.sidecar()
    tokens = tokens_of(draft)
    tokens[270], tokens[280] = "other", "more\n"
    problem = bench.refusal(draft.with_value("tokenizer.ggml.tokens", tokens))
    assert problem.code == "vocabulary-differs"
    assert problem.what == "The vocabularies differ."
    assert (
        problem.why
        == f"Token 270 is “{tokens_of(bench.sidecar())[270]}” in the target and “other” in the sidecar."
    )
    tokens[270] = tokens_of(bench.sidecar())[270]
    problem = bench.refusal(draft.with_value("tokenizer.ggml.tokens", tokens))
    assert "“more\\u000a” in the sidecar" in problem.why


def test_a_longer_vocabulary_differs_at_its_end(bench: Bench) -> None:
    draft = bench.sidecar()
    more = draft.with_value("tokenizer.ggml.tokens", [*tokens_of(draft), "extra"])
    problem = bench.refusal(more)
    assert problem.code == "vocabulary-differs"
    assert "Token 288, “extra”, is in the sidecar alone." in problem.why
    assert "288 tokens, the sidecar 289" in problem.why
    fewer = draft.with_value("tokenizer.ggml.tokens", tokens_of(draft)[:-1])
    assert "is in the target alone" in bench.refusal(fewer).why


def test_types_of_vocabularies_are_named(bench: Bench) -> None:
    problem = bench.refusal(bench.sidecar().with_value("tokenizer.ggml.model", "llama"))
    assert problem.code == "vocabulary-type-differs"
    assert problem.why == "The target's is BPE, the sidecar's is SentencePiece."
    assert bench.refusal(bench.sidecar().without("tokenizer.ggml.model")).code == "vocabulary-type-differs"


def test_a_sidecar_without_vocabulary(bench: Bench) -> None:
    problem = bench.refusal(bench.sidecar().without("tokenizer.ggml.tokens"))
    assert problem.code == "vocabulary-differs"
    assert "no vocabulary" in problem.why


# --- width and taps ----------------------------------------------------------------------------------


def test_widths_are_named(bench: Bench, target: Model) -> None:
    problem = bench.refusal(bench.sidecars[DFLASH], target.with_value("llama.embedding_length", 64))
    assert problem.code == "width-differs"
    assert "64" in problem.why
    assert "128" in problem.why


def test_a_target_without_taps_is_refused_by_name(bench: Bench, target: Model) -> None:
    values = {k.replace("llama.", "falcon-h1."): v for k, v in target.values.items()}
    other = Model(values | {"general.architecture": Value(STRING, "falcon-h1")}, target.tensors)
    problem = bench.refusal(bench.sidecars[DFLASH], other)
    assert problem.code == "taps-unsupported"
    assert "falcon-h1" in problem.what


@pytest.mark.parametrize("tap", [4, 5, -1, 2**31 - 1])
def test_taps_outside_the_target(tap: int, bench: Bench) -> None:
    draft = bench.sidecar().with_value("dflash.target_layers", [0, 2, tap])
    problem = bench.refusal(draft)
    assert problem.code == "tap-out-of-range"
    assert f"layer {tap}," in problem.what
    assert "4 layers" in problem.why


def test_next_token_heads_have_no_taps(bench: Bench, target: Model) -> None:
    shorter = target.with_value("llama.nextn_predict_layers", 1, U32)
    assert bench.refusal(bench.sidecars[DFLASH], shorter).code == "tap-out-of-range"


def test_some_targets_can_be_tapped_after_their_last_layer(bench: Bench, target: Model) -> None:
    draft = bench.sidecar().with_value("dflash.target_layers", [0, 2, 4])
    for architecture in ("mimo2", "qwen3moe"):
        values = {k.replace("llama.", architecture + "."): v for k, v in target.values.items()}
        other = Model(values | {"general.architecture": Value(STRING, architecture)}, target.tensors)
        problem = bench.report(draft, other).problem
        assert (problem is None) == (architecture == "mimo2")
    assert architectures.TAPPED_AFTER_LAST < architectures.TAPPED


# --- the contents of a sidecar -----------------------------------------------------------------------


def unusable(bench: Bench, draft: Model | Path, *words: str) -> None:
    problem = bench.refusal(draft)
    assert problem.code == "sidecar-unusable"
    for word in words:
        assert word in problem.why


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("dflash.block_size", Value(U32, 1), ("block of 1",)),
        ("dflash.block_size", Value(U32, 0), ("dflash.block_size",)),
        ("dflash.block_size", Value(U32, 100_000), ("100000",)),
        ("dflash.block_size", Value(STRING, "8"), ("dflash.block_size",)),
        ("dflash.block_count", Value(U32, 600), ("600 layers",)),
        ("dflash.block_count", Value(U32, 4), ("blk.3.attn_norm.weight",)),
        ("dflash.context_length", Value(U32, 0), ("context_length",)),
        ("dflash.feed_forward_length", Value(U32, 64), ("ffn_gate", "128 x 96", "128 x 64")),
        ("dflash.attention.head_count", Value(U32, 0), ("head_count",)),
        ("dflash.attention.head_count_kv", Value(U32, 3), ("8 heads", "3 for keys")),
        ("dflash.attention.head_count_kv", Value(U32, 2), ("attn_k",)),
        ("dflash.attention.value_length", Value(U32, 16), ("keys are 32", "values 16")),
        ("dflash.attention.key_length", Value(U32, 16), ("keys are 16", "values 32")),
        ("dflash.rope.dimension_count", Value(U32, 64), ("64 of 32",)),
        ("dflash.rope.dimension_count", Value(U32, 31), ("31 of 32",)),
        ("dflash.rope.dimension_sections", Value(I32, [1, 2]), ("sections",)),
        ("dflash.rope.dimension_sections", Value(I32, [16, 0, 0, -1]), ("sections",)),
        ("dflash.attention.layer_norm_rms_epsilon", Value(U32, 1), ("epsilon",)),
        ("dflash.attention.layer_norm_rms_epsilon", Value(F32, float("inf")), ("epsilon", "inf")),
        ("dflash.attention.sliding_window", Value(U32, 128), ("sliding window",)),
        ("dflash.rope.dimension_count", Value(U32, 0), ("0 of 32",)),
        ("dflash.rope.dimension_sections", Value(I32, [16, 16, 16, 0]), ("sections",)),
        ("dflash.rope.scaling.type", Value(STRING, "magic"), ("magic",)),
        ("dflash.expert_count", Value(U32, 4), ("none of 4 experts",)),
        ("dflash.nextn_predict_layers", Value(U32, 1), ("next-token heads",)),
        ("dflash.embedding_length_out", Value(U32, 64), ("another width",)),
        ("dflash.hidden_activation", Value(STRING, "relu"), ("relu",)),
        ("dflash.target_layers", Value(I32, []), ("empty",)),
        ("dflash.target_layers", Value(I32, 2), ("which layers",)),
        ("dflash.target_layers", Value(F32, [1.0, 2.0, 3.0]), ("which layers",)),
        ("dflash.target_layers", Value(I32, [0, 3]), ("fc.weight", "384 x 128", "256 x 128")),
        ("tokenizer.ggml.mask_token_id", Value(U32, 288), ("288",)),
        ("tokenizer.ggml.mask_token_id", Value(I32, 3), ("mask token",)),
        ("dflash.selector_top_k", Value(U32, 4), ("selector",)),
    ],
)
def test_impossible_values(key: str, value: Value, words: tuple[str, ...], bench: Bench) -> None:
    unusable(bench, bench.sidecar().with_value(key, value.value, value.type), *words)


@pytest.mark.parametrize(
    "key",
    [
        "dflash.block_size",
        "dflash.target_layers",
        "dflash.attention.head_count",
        "dflash.attention.layer_norm_rms_epsilon",
        "tokenizer.ggml.mask_token_id",
    ],
)
def test_missing_values(key: str, bench: Bench) -> None:
    unusable(bench, bench.sidecar().without(key))


OPTIONAL = ("conf_proj.weight", "conf_proj.bias", "blk.0.attn_v.weight")


def test_every_tensor_of_the_contract_is_required_with_its_shape(bench: Bench) -> None:
    for algorithm in (DFLASH, DSPARK, DFLASH2):
        draft = bench.sidecar(algorithm)
        for name, tensor in draft.tensors.items():
            if name.startswith(("blk.1.", "blk.2.")):
                continue
            wrong = (*tensor.shape[:-1], tensor.shape[-1] + 1)
            # The first two tell the kind of file; the others may be absent.
            if name not in ("markov_w1.weight", "selector_hidden.weight", *OPTIONAL):
                unusable(bench, draft.without(name), name)
            unusable(bench, draft.with_tensor(name, wrong), name)


def test_a_sidecar_may_share_values_with_keys(bench: Bench) -> None:
    draft = bench.sidecar().without(*(f"blk.{i}.attn_v.weight" for i in range(3)))
    assert bench.report(draft).problem is None


@pytest.mark.parametrize(
    "name",
    ["blk.0.attn_norm.weight", "output_norm.weight", "blk.2.attn_k_norm.weight", "enc.output_norm.weight"],
)
def test_factors_must_be_32_bit_floats(name: str, bench: Bench) -> None:
    draft = bench.sidecar()
    unusable(bench, draft.with_tensor(name, draft.tensors[name].shape, type=1), name, "F16")


@pytest.mark.parametrize("kind", ["target", DFLASH])
def test_weights_must_be_of_a_type_that_can_be_multiplied(kind: str, bench: Bench, target: Model) -> None:
    model = target if kind == "target" else bench.sidecar()
    name = "blk.1.ffn_up.weight"
    odd = model.with_tensor(name, model.tensors[name].shape, type=26)
    problem = bench.refusal(*((bench.sidecars[DFLASH], odd) if kind == "target" else (odd,)))
    assert problem.code == ("damaged" if kind == "target" else "sidecar-unusable")
    assert name in problem.why
    assert "I32" in problem.why


def test_sliding_windows(bench: Bench) -> None:
    draft = bench.sidecar().with_value("dflash.attention.sliding_window", 64, U32)
    key = "dflash.attention.sliding_window_pattern"
    windowed = draft.with_value(key, [True, False, True], BOOL)
    assert bench.report(windowed).problem is None
    unusable(bench, draft.with_value(key, [False, False, False, True], BOOL), "sliding window")
    unusable(bench, windowed.with_value("dflash.attention.key_length_swa", 16, U32), "16 wide")


def test_token_maps(bench: Bench) -> None:
    made = load(make_sidecar(bench.folder / "d2t.gguf", SidecarSpec(draft_vocab=50)))

    def with_map(ids: list[int]) -> Path:
        data = struct.pack(f"<{len(ids)}q", *ids)
        return made.with_tensor("d2t", (len(ids),), 27, data).write(bench.folder / "mapped.gguf")

    good = list(range(50))
    assert bench.report(with_map(good)).problem is None
    unusable(bench, with_map([*good[:-1], 288]), "row 49 to token 288")
    unusable(bench, with_map([-1, *good[1:]]), "row 0 to token -1")
    unusable(bench, with_map([0] * 50), "several rows", "differences")
    unusable(bench, with_map(good[:-1]), "output.weight", "128 x 49")
    unusable(bench, made.with_tensor("d2t", (50,), type=26), "I32")
    unusable(bench, made.with_tensor("d2t", (25, 2), type=27), "d2t")
    unusable(bench, made.with_tensor("d2t", (0,), type=27))
    unusable(bench, made.without("output.weight").write(bench.folder / "headless.gguf"), "output.weight")
    unusable(bench, made.without("d2t"), "output.weight")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("dflash.selector_top_k", 11, ("128", "132")),
        ("dflash.selector_top_k", 0, ("selector_top_k",)),
        ("dflash.selector_rank", 16, ("selector_predecessor",)),
        ("dflash.selector_rank", 0, ("selector_rank",)),
        ("dflash.conv_kernel_size", 3, ("conv_base",)),
        ("dflash.conv_kernel_size", 0, ("conv_kernel_size",)),
        ("dflash.conv_group_size", 24, ("multiple", "24")),
        ("dflash.conv_group_size", 32, ("conv_proj",)),
    ],
)
def test_selectors(key: str, value: int, words: tuple[str, ...], bench: Bench) -> None:
    unusable(bench, bench.sidecar(DFLASH2).with_value(key, value), *words)


def test_more_candidates_than_tokens(bench: Bench) -> None:
    draft = make_sidecar(bench.folder / "few.gguf", SidecarSpec(DFLASH2, draft_vocab=6))
    unusable(bench, draft, "8 candidates of 6")


def test_an_anchor_first_block_of_one_token_drafts_one(bench: Bench) -> None:
    assert bench.report(bench.sidecar(DSPARK).with_value("dflash.block_size", 1)).problem is None


def test_a_file_that_vanishes_meanwhile_is_a_problem_not_a_crash(bench: Bench) -> None:
    tokens = tokens_of(bench.sidecar())
    draft = read_header(
        bench.sidecar().with_value("tokenizer.ggml.tokens", tokens).write(bench.folder / "d.gguf")
    )
    target = read_header(bench.target)
    (bench.folder / "d.gguf").unlink()
    problem = check_pair(target, draft).problem
    assert problem is not None
    assert problem.code == "file-missing"
