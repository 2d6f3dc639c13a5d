"""Settings of a draft: each is honoured, or refused by its name before anything is loaded."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama, native
from app.engine.draft_settings import DraftSettings, _Override, draft_settings
from app.engine.drafters.draft_model import DraftModel
from app.gguf.header import read_header
from tests.engine.support import GREEDY
from tests.models import TargetSpec, make_target
from tests.models.memories import make_memory

T = SpeculativeType
Q8_0, F16, F32 = (native.GGML_TYPES[name] for name in ("q8_0", "f16", "f32"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("settings")
    return {
        "target": make_target(folder / "target.gguf"),
        "dense": make_target(folder / "dense.gguf", TargetSpec(drift=0.6)),
        "experts": make_memory(folder / "experts.gguf", "gpt-oss"),
        "heads": make_memory(folder / "heads.gguf", "qwen35", TargetSpec(mtp_heads=1)),
    }


def settings(path: Path | None, flash_attn: int = -1, **options: Any) -> DraftSettings:
    spec = SpecConfig(T.DRAFT_SIMPLE, **options)
    return draft_settings(spec, read_header(path) if path is not None else None, 3, 4, flash_attn)


def refusal(path: Path | None, flash_attn: int = -1, **options: Any) -> EnvironmentProblem:
    with pytest.raises(EnvironmentProblem) as caught:
        settings(path, flash_attn, **options)
    assert caught.value.code == "draft-setting"
    assert caught.value.why
    assert caught.value.remedy
    assert next(iter(options)) in caught.value.what
    return caught.value


def test_threads_follow_the_targets_where_there_are_none_of_its_own(files: dict[str, Path]) -> None:
    for options, threads in (
        ({}, (3, 4)),
        ({"draft_n_threads": 2}, (2, 2)),
        ({"draft_n_threads_batch": 5}, (3, 5)),
        ({"draft_n_threads": 1, "draft_n_threads_batch": 2}, (1, 2)),
    ):
        context = settings(files["dense"], **options).context
        assert (context["n_threads"], context["n_threads_batch"]) == threads
    for name in ("draft_n_threads", "draft_n_threads_batch"):
        for value in (0, -1, 1.5, True):
            refusal(files["dense"], **{name: value})


def test_gpu_layers(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("auto", "all", 0):
        assert settings(files["dense"], draft_n_gpu_layers=value).n_gpu_layers == value
    for value in ("some", -1, True, 1.0):
        refusal(files["dense"], draft_n_gpu_layers=value)
    for has_gpu in (False, True):
        monkeypatch.setattr(native, "supports_gpu", lambda has=has_gpu: has)
        if has_gpu:
            assert settings(files["dense"], draft_n_gpu_layers=7).n_gpu_layers == 7
        else:
            assert "no GPU" in refusal(files["dense"], draft_n_gpu_layers=7).why


def test_devices(files: dict[str, Path]) -> None:
    none = settings(files["dense"], draft_devices=["none"])
    assert ctypes.c_void_p.from_address(none.model["devices"]).value is None
    assert "devices" not in settings(files["dense"]).model
    problem = refusal(files["dense"], draft_devices=["Quantum7"])
    assert "Quantum7" in problem.why


def test_kv_types(files: dict[str, Path]) -> None:
    context = settings(files["dense"], draft_type_k=Q8_0, draft_type_v=F16).context
    assert (context["type_k"], context["type_v"]) == (Q8_0, F16)
    refusal(files["dense"], draft_type_k=99)
    refusal(files["dense"], draft_type_v=-1)
    assert "flash attention" in refusal(files["dense"], flash_attn=0, draft_type_v=Q8_0).why
    assert settings(files["dense"], flash_attn=0, draft_type_v=F32).context["type_v"] == F32


def overrides(found: DraftSettings) -> list[str]:
    """Patterns of the native list, up to the null at its end."""
    patterns: list[str] = []
    address = found.model["tensor_buft_overrides"]
    while True:
        entry = _Override.from_address(address + len(patterns) * ctypes.sizeof(_Override))
        if entry.pattern is None:
            return patterns
        assert entry.buffer
        patterns.append(entry.pattern.decode())


def test_experts_on_the_cpu(files: dict[str, Path]) -> None:
    everything = settings(files["experts"], draft_cpu_moe=True)
    assert overrides(everything) == [r"\.ffn_(up|down|gate|gate_up)_(ch|)exps"]
    two = settings(files["experts"], draft_n_cpu_moe=2)
    assert overrides(two) == [rf"blk\.{i}\.ffn_(up|down|gate|gate_up)_(ch|)exps" for i in (0, 1)]
    assert "no experts" in refusal(files["dense"], draft_cpu_moe=True).why
    refusal(files["dense"], draft_n_cpu_moe=1)
    refusal(files["experts"], draft_n_cpu_moe=-1)


def test_tensor_overrides(files: dict[str, Path]) -> None:
    for given in ("ffn_up=CPU,attn_.*=CPU", [("ffn_up", "CPU"), "attn_.*=CPU"]):
        assert overrides(settings(files["dense"], draft_tensor_buft_overrides=given)) == ["ffn_up", "attn_.*"]
    for given, said in (
        ("ffn_up", "no override"),
        ([("a", "b", "c")], "no override"),
        ("ffn_(=CPU", "no pattern"),
        ("ffn_up=Quantum7", "Quantum7"),
    ):
        assert said in refusal(files["dense"], draft_tensor_buft_overrides=given).why


def test_further_options_go_where_they_belong(files: dict[str, Path]) -> None:
    found = settings(
        files["dense"], draft_model_kwargs={"check_tensors": True, "n_ctx": 256, "rope_freq_base": 2e4}
    )
    assert found.model == {"check_tensors": True}
    assert found.context["n_ctx"] == 256
    assert found.context["rope_freq_base"] == 2e4
    for given in ({"nonsense": 1}, {"ctx_other": 1}, {"n_ctx": "long"}):
        assert next(iter(given)) in refusal(files["dense"], draft_model_kwargs=given).what


@pytest.mark.parametrize(
    "options",
    [
        {"draft_devices": ["none"]},
        {"draft_n_gpu_layers": 0},
        {"draft_cpu_moe": True},
        {"draft_n_cpu_moe": 1},
        {"draft_tensor_buft_overrides": "ffn_up=CPU"},
    ],
)
def test_heads_inside_the_target_have_no_weights_of_their_own_to_place(options: dict[str, Any]) -> None:
    assert "part of the target" in refusal(None, **options).why


def load(files: dict[str, Path], draft: str, kind: SpeculativeType = T.DRAFT_SIMPLE, **options: Any) -> Llama:
    target = files["heads" if kind is T.DRAFT_MTP else "target"]
    path = str(files[draft]) if draft else None
    spec = SpecConfig(kind, draft_model_path=path, **options)
    return Llama(str(target), n_ctx=512, n_threads=1, speculative=spec, verbose=False)


def replies(llm: Llama) -> tuple[list[int], list[int]]:
    """Tokens without and with speculation."""
    found = []
    for on in (False, True):
        llm.set_speculation(on)
        list(llm.generate(list(range(50, 90)), GREEDY, 48, ignore_eos=True))
        found.append([t for r in llm.last_rounds for t in r.tokens])
        llm.reset()
    return found[0], found[1]


@pytest.mark.parametrize(
    ("draft", "options"),
    [
        ("dense", {"draft_type_k": F32, "draft_type_v": F32, "draft_n_threads": 1}),
        ("dense", {"draft_devices": ["none"], "draft_n_gpu_layers": 0}),
        ("experts", {"draft_cpu_moe": True}),
        ("experts", {"draft_n_cpu_moe": 2, "draft_tensor_buft_overrides": "attn_q=CPU"}),
        ("dense", {"draft_model_kwargs": {"check_tensors": True, "n_batch": 64, "n_ubatch": 64}}),
    ],
)
def test_a_draft_so_loaded_drafts(files: dict[str, Path], draft: str, options: dict[str, Any]) -> None:
    with load(files, draft, **options) as llm:
        assert isinstance(llm.decoder.drafter, DraftModel)
        ordinary, speculative = replies(llm)
        assert speculative == ordinary
        assert llm.decoder.stats.drafted > 0


def test_heads_take_threads_and_kv_types(files: dict[str, Path]) -> None:
    with load(files, "", T.DRAFT_MTP, draft_n_threads=1, draft_type_k=F32, draft_type_v=F32) as llm:
        ordinary, speculative = replies(llm)
        assert speculative == ordinary
        assert llm.decoder.stats.accepted > 0


def test_a_refused_setting_does_not_cost_the_target(files: dict[str, Path]) -> None:
    spec = SpecConfig(T.DRAFT_SIMPLE, draft_model_path=str(files["dense"]), draft_devices=["Quantum7"])
    with pytest.raises(EnvironmentProblem, match="draft_devices"):
        Llama(str(files["target"]), n_ctx=512, speculative=spec, verbose=False)
    with Llama(
        str(files["target"]), n_ctx=512, speculative=spec, speculation_required=False, verbose=False
    ) as llm:
        reason = llm.status().reason
        assert reason is not None
        assert "draft_devices" in reason.what


def test_a_sidecars_sizes_are_not_for_sale(files: dict[str, Path], tiny_sidecars: dict[str, Path]) -> None:
    spec = SpecConfig(
        T.DRAFT_DFLASH, draft_model_path=str(tiny_sidecars["DFlash"]), draft_model_kwargs={"n_ctx": 256}
    )
    with pytest.raises(EnvironmentProblem, match="n_ctx"):
        Llama(str(files["target"]), n_ctx=512, speculative=spec, verbose=False)
