"""The lossless matrix: every drafter beside every kind of target, and which pairs are refused, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.decoding import Control, Decoder
from app.engine.draft_settings import draft_settings
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.drafters.build import combine, make_ngram
from app.engine.drafters.opening import open_drafter
from app.engine.speculation_plan import plan_speculation
from app.gguf.header import read_header
from tests.engine.copying import SHORT
from tests.engine.hybrids import CHECKPOINTS, SNAPSHOTS, Memory, hybrid_target
from tests.models import DFLASH, DFLASH2, DSPARK, SidecarSpec, TargetSpec, make_sidecar, make_target
from tests.models.eagle3 import Eagle3Spec, make_eagle3
from tests.models.hybrid import make_lfm2
from tests.models.memories import make_memory

T = SpeculativeType
NATIVE = Memory("native", "native")
WINDOWED = Memory("windowed", "native", windowed=True)

# Longest drafts of the sidecars made here; blocks of 24 tokens and their slots fit into the made heads.
BLOCK = 16
ROWS = 17


@dataclass(frozen=True)
class TargetKind:
    """`heads` next-token heads lie behind the last layer; `taps`: its inner states can be read.

    `steady`: its layers let pass what the made sidecars find the right tap by.
    """

    architecture: str
    memory: Memory = NATIVE
    heads: int = 0
    taps: bool = True
    mrope: bool = False
    steady: bool = False


TARGETS = {
    "llama": TargetKind("llama", steady=True),
    "qwen3": TargetKind("qwen3", steady=True),
    "hunyuan-vl": TargetKind("hunyuan_vl", mrope=True),
    "gpt-oss": TargetKind("gpt-oss"),
    "gpt-oss-windowed": TargetKind("gpt-oss", WINDOWED),
    "gemma3": TargetKind("gemma3", taps=False),
    "gemma3-windowed": TargetKind("gemma3", WINDOWED, taps=False),
    "mimo2": TargetKind("mimo2", heads=3),
    "lfm2": TargetKind("lfm2", SNAPSHOTS),
    "lfm2-checkpoints": TargetKind("lfm2", CHECKPOINTS),
    "qwen35": TargetKind("qwen35", SNAPSHOTS, heads=1, mrope=True),
    "qwen35-checkpoints": TargetKind("qwen35", CHECKPOINTS, heads=1, mrope=True),
    "qwen3next": TargetKind("qwen3next", CHECKPOINTS, heads=1),
    "mamba2": TargetKind("mamba2", CHECKPOINTS, taps=False),
}


@dataclass(frozen=True)
class DrafterKind:
    """`refused(target)` is the code of the refusal where the two do not go together, else empty."""

    types: tuple[SpeculativeType, ...]
    make: Callable[[Path, TargetKind], Path] | None = None
    refused: Callable[[TargetKind], str] = lambda _target: ""


def _needs_taps(target: TargetKind) -> str:
    return "" if target.taps else "taps-unsupported"


def _needs_heads(target: TargetKind) -> str:
    return "" if target.heads else "no-heads"


def _needs_qwen35(target: TargetKind) -> str:
    return "" if target.architecture == "qwen35" else "architecture-differs"


def _sidecar(spec: SidecarSpec) -> Callable[[Path, TargetKind], Path]:
    return lambda path, target: make_sidecar(
        path,
        replace(spec, block_size=BLOCK, mrope=target.mrope, reads_features=target.steady),
    )


def _eagle3(spec: Eagle3Spec) -> Callable[[Path, TargetKind], Path]:
    return lambda path, _target: make_eagle3(path, spec)


def _draft_model(path: Path, _target: TargetKind) -> Path:
    return make_target(path, TargetSpec(drift=0.6))


def _hybrid_draft_model(path: Path, _target: TargetKind) -> Path:
    return make_lfm2(path, TargetSpec(drift=0.6))


def _heads_file(path: Path, _target: TargetKind) -> Path:
    return make_memory(path, "qwen35", TargetSpec(mtp_heads=1), heads_alone=True)


DRAFTERS = {
    "dflash": DrafterKind((T.DRAFT_DFLASH,), _sidecar(SidecarSpec(DFLASH)), _needs_taps),
    "dflash-causal": DrafterKind((T.DRAFT_DFLASH,), _sidecar(SidecarSpec(DFLASH, causal=True)), _needs_taps),
    "dflash-d2t": DrafterKind(
        (T.DRAFT_DFLASH,), _sidecar(SidecarSpec(DFLASH, draft_vocab=100, own_embeddings=True)), _needs_taps
    ),
    "dflash2": DrafterKind((T.DRAFT_DFLASH,), _sidecar(SidecarSpec(DFLASH2)), _needs_taps),
    "dspark": DrafterKind((T.DRAFT_DSPARK,), _sidecar(SidecarSpec(DSPARK)), _needs_taps),
    "dspark-masks": DrafterKind(
        (T.DRAFT_DSPARK,),
        _sidecar(SidecarSpec(DSPARK, sample_from_anchor=False, confidence=False)),
        _needs_taps,
    ),
    "eagle3": DrafterKind((T.DRAFT_EAGLE3,), _eagle3(Eagle3Spec()), _needs_taps),
    "eagle3-d2t": DrafterKind(
        (T.DRAFT_EAGLE3,),
        _eagle3(Eagle3Spec(draft_vocab=100, own_embeddings=True, norm_before_fc=True)),
        _needs_taps,
    ),
    "mtp": DrafterKind((T.DRAFT_MTP,), None, _needs_heads),
    "mtp-file": DrafterKind((T.DRAFT_MTP,), _heads_file, _needs_qwen35),
    "draft-model": DrafterKind((T.DRAFT_SIMPLE,), _draft_model),
    "draft-model-hybrid": DrafterKind((T.DRAFT_SIMPLE,), _hybrid_draft_model),
    **{kind.to_str(): DrafterKind((kind,)) for kind in T if kind.is_ngram()},
    "ngram-map-k,dflash": DrafterKind(
        (T.NGRAM_MAP_K, T.DRAFT_DFLASH), _sidecar(SidecarSpec(DFLASH)), _needs_taps
    ),
}


class Files:
    """Makes each file once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.target = cache(self._target)
        self.draft = cache(self._draft)

    def _target(self, name: str) -> Path:
        kind = TARGETS[name]
        path = self._folder / f"{kind.architecture}.gguf"
        spec = TargetSpec(mtp_heads=kind.heads)
        if kind.architecture in ("llama", "qwen3"):
            return make_target(path, replace(spec, architecture=kind.architecture))
        if kind.architecture == "lfm2":
            return make_lfm2(path, spec)
        return make_memory(path, kind.architecture, spec)

    def _draft(self, name: str, mrope: bool, steady: bool) -> Path | None:
        make = DRAFTERS[name].make
        if make is None:
            return None
        path = self._folder / f"{name.replace(',', '+')}-{mrope}-{steady}.gguf"
        return make(path, TargetKind("any", mrope=mrope, steady=steady))


def spec_of(files: Files, drafter: str, target: str) -> SpecConfig:
    """Drafts of up to `BLOCK - 1` tokens; n-grams that find short copies."""
    draft = files.draft(drafter, TARGETS[target].mrope, TARGETS[target].steady)
    path = str(draft) if draft is not None else None
    types = DRAFTERS[drafter].types
    return SpecConfig(types, draft_n_max=BLOCK - 1, draft_model_path=path, **SHORT)  # type: ignore[arg-type]


def open_pair(files: Files, drafter: str, target: str) -> Decoder:
    """Planned and opened as a load does, on a target whose memory is of the chosen kind.

    Raises the refusal of a pair that does not go together.
    """
    kind, path = TARGETS[target], files.target(target)
    spec = spec_of(files, drafter, target)
    plan = plan_speculation(read_header(path), spec, "auto", 512, 512)
    assert plan is not None
    loaded = hybrid_target(path, kind.memory, ROWS, load_mtp=plan.heads_inside)
    made: list[Drafter] = []
    try:
        for algorithm in plan.kinds:
            if algorithm.is_ngram():
                made.append(make_ngram(algorithm, spec))
            else:
                assert plan.facts is not None
                made.append(open_drafter(plan.facts, draft_settings(spec, plan.draft, 1, 1), loaded, 512))
    except BaseException:
        for opened in reversed(made):
            opened.close()
        loaded.close()
        raise
    return Decoder(loaded, combine(made), Control(True, DraftLimits(BLOCK - 1)))
