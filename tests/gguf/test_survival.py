"""Whatever the checks let through must not end the process: the native library may load it or refuse it.

Headers are changed at random, a value or a tensor at a time; what `check_pair` accepts is loaded in a
process of its own and drafted with.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import EnvironmentProblem
from app.gguf.header import read_header
from app.gguf.heads import check_heads_inside
from app.gguf.pair import check_pair, check_target
from tests.gguf.edited import BOOL, F32, I32, STRING, U32, Model
from tests.models import DFLASH, DFLASH2, DSPARK, SidecarSpec, TargetSpec, make_sidecar
from tests.models.eagle3 import Eagle3Spec, make_eagle3
from tests.models.memories import make_memory

NUMBERS = (0, 1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 32, 33, 64, 96, 128, 129, 512, 2**31 - 1, 2**31, 2**32 - 1)
FLOATS = (0.0, 1e-6, 1.0, -1.0, 1e38, float("nan"), float("inf"))
TEXTS = ("none", "linear", "yarn", "longrope", "magic", "silu", "gelu", "default", "smollm")
FURTHER_KEYS = {
    "rope.dimension_count": U32,
    "rope.dimension_sections": I32,
    "rope.scaling.type": STRING,
    "rope.scaling.factor": F32,
    "rope.scaling.original_context_length": U32,
    "attention.sliding_window": U32,
    "attention.sliding_window_pattern": BOOL,
    "attention.key_length_swa": U32,
    "attention.value_length_swa": U32,
    "attention.causal": BOOL,
    "attention.scale": F32,
    "attention.q_lora_rank": U32,
    "sample_from_anchor": BOOL,
    "embedding_scale": F32,
    "embedding_length_out": U32,
    "logit_scale": F32,
    "final_logit_softcapping": F32,
    "expert_count": U32,
    "expert_used_count": U32,
    "expert_group_count": U32,
    "nextn_predict_layers": U32,
    "hyper_connection.count": U32,
    "pooling_type": U32,
    "vocab_size": U32,
}


def changed(model: Model, architecture: str, rng: random.Random) -> Model:
    own = [key for key in model.values if key.startswith((architecture, "tokenizer"))]
    what = rng.choice(("value", "value", "value", "further", "further", "without", "tensor", "retyped"))
    if what == "value":
        key = rng.choice([key for key in own if not isinstance(model.values[key].value, list)])
        return model.with_value(key, _any_value(model.values[key].type, rng))
    if what == "further":
        name = rng.choice(list(FURTHER_KEYS))
        kind = FURTHER_KEYS[name]
        if name.endswith(("sections", "pattern")):
            choices = (0, 1, 8, 16) if kind == I32 else (True, False)
            values = [rng.choice(choices) for _ in range(rng.choice((3, 4)))]
            return model.with_value(f"{architecture}.{name}", values, kind)
        return model.with_value(f"{architecture}.{name}", _any_value(kind, rng), kind)
    if what == "without":
        return model.without(rng.choice(own))
    name = rng.choice(list(model.tensors))
    if what == "tensor":
        return model.without(name)
    return model.with_tensor(name, model.tensors[name].shape, type=rng.choice((0, 1, 26, 27)))


def _any_value(kind: int, rng: random.Random) -> Any:
    if kind == BOOL:
        return rng.random() < 0.5
    if kind == I32:
        return rng.choice((0, 1, 2))
    return rng.choice({U32: NUMBERS, F32: FLOATS, STRING: TEXTS}[kind])


@pytest.mark.parametrize("seed", range(3))
def test_no_accepted_pair_ends_the_process(seed: int, tiny_target: Path, tmp_path: Path) -> None:
    rng = random.Random(seed)
    specs = [SidecarSpec(a, draft_vocab=vocab) for a in (DFLASH, DSPARK, DFLASH2) for vocab in (0, 100)]
    sidecars = [Model.of(make_sidecar(tmp_path / "made.gguf", spec)) for spec in specs]
    target = Model.of(tiny_target)
    pairs: list[str] = []
    for number in range(60):
        paths = [tiny_target, tmp_path / f"sidecar-{number}.gguf"]
        draft = changed(rng.choice(sidecars), "dflash", rng)
        if number % 3 == 0:
            paths[0] = changed(target, "llama", rng).write(tmp_path / f"target-{number}.gguf")
        draft.write(paths[1])
        try:
            accepted = check_pair(read_header(paths[0]), read_header(paths[1])).problem is None
        except EnvironmentProblem:
            accepted = False
        if accepted:
            pairs += map(str, paths)
        else:
            paths[1].unlink()
    assert len(pairs) >= 2 * 10, "the checks refuse too much to show anything"
    assert_survived(pairs)


@pytest.mark.parametrize("seed", range(2))
def test_no_accepted_head_ends_the_process(seed: int, tiny_target: Path, tmp_path: Path) -> None:
    """EAGLE-3 sidecars, next-token heads inside a target, and in a file of their own."""
    rng = random.Random(seed)
    spec = TargetSpec(mtp_heads=1)
    whole = make_memory(tmp_path / "whole.gguf", "qwen35", spec)
    alone = Model.of(make_memory(tmp_path / "alone.gguf", "qwen35", spec, heads_alone=True))
    eagles = [Model.of(make_eagle3(tmp_path / "made.gguf", Eagle3Spec(draft_vocab=n))) for n in (0, 100)]
    inside = Model.of(whole)
    pairs: list[str] = []
    for number in range(48):
        path = tmp_path / f"changed-{number}.gguf"
        accepted = False
        try:
            if number % 3 == 0:
                pair = [str(changed(inside, "qwen35", rng).write(path)), "-"]
                header = read_header(path)
                accepted = check_target(header) is None and check_heads_inside(header) > 0
            else:
                eagle = number % 3 == 1
                draft = changed(rng.choice(eagles), "eagle3", rng) if eagle else changed(alone, "qwen35", rng)
                pair = [str(tiny_target if eagle else whole), str(draft.write(path))]
                accepted = check_pair(*(read_header(Path(name)) for name in pair)).problem is None
        except EnvironmentProblem:
            pass
        if accepted:
            pairs += pair
        else:
            path.unlink()
    assert len(pairs) >= 2 * 8, "the checks refuse too much to show anything"
    assert_survived(pairs)


def assert_survived(pairs: list[str]) -> None:
    """Load and draft in another process, which must come to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.gguf.load_pairs", *pairs],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=250,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, (lines[-1:], pairs, done.stderr[-1500:])
    assert sum(line.endswith("loaded") for line in lines) >= 5
