"""The sidecars in `resources` keep the file contract and are the files that the checksum list names."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from paths import RESOURCES

SIDECARS = sorted(RESOURCES.glob("smollm2-135m-*.gguf"))
VOCABULARY, WIDTH, LAYERS = 49152, 576, 30


def field(reader: Any, name: str) -> Any:
    found = reader.fields.get(name)
    return None if found is None else found.contents()


@pytest.mark.parametrize("path", SIDECARS, ids=lambda p: p.name)
def test_contract(path: Path) -> None:
    reader = gguf.GGUFReader(str(path))
    shapes = {t.name: tuple(int(n) for n in reversed(t.shape)) for t in reader.tensors}
    assert path.stat().st_size <= 20_000_000
    assert field(reader, "general.architecture") == "dflash"
    assert field(reader, "general.license") == "apache-2.0"
    assert field(reader, "dflash.embedding_length") == WIDTH
    taps = field(reader, "dflash.target_layers")
    assert taps == sorted(set(taps))
    assert 0 <= taps[0] <= taps[-1] < LAYERS
    assert 0 <= field(reader, "tokenizer.ggml.mask_token_id") < VOCABULARY
    assert len(field(reader, "tokenizer.ggml.tokens")) == VOCABULARY
    assert (
        field(reader, "dflash.attention.key_length") == field(reader, "dflash.attention.value_length") == 64
    )
    assert field(reader, "dflash.block_size") >= 8
    assert shapes["fc.weight"] == (WIDTH, WIDTH * len(taps))
    for i in range(field(reader, "dflash.block_count")):
        assert shapes[f"blk.{i}.attn_q.weight"] == (WIDTH, WIDTH)
        assert shapes[f"blk.{i}.ffn_down.weight"] == (WIDTH, field(reader, "dflash.feed_forward_length"))
    d2t = next(t for t in reader.tensors if t.name == "d2t").data
    assert d2t.dtype == np.int64
    assert len(set(d2t.tolist())) == len(d2t) == shapes["output.weight"][0]
    assert 0 <= d2t.min() <= d2t.max() < VOCABULARY
    assert ("markov_w1.weight" in shapes) == ("dspark" in path.name)
    assert ("selector_hidden.weight" in shapes) == ("dflash2" in path.name)
    if "dspark" in path.name:
        check_dspark(reader, shapes)
    if "dflash2" in path.name:
        check_dflash2(reader, shapes)


def check_dspark(reader: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    rank = shapes["markov_w1.weight"][1]
    assert shapes["markov_w1.weight"] == (VOCABULARY, rank)
    assert shapes["markov_w2.weight"] == (shapes["output.weight"][0], rank)
    assert field(reader, "dflash.has_confidence_head") == ("conf_proj.weight" in shapes)
    assert field(reader, "dflash.sample_from_anchor") in (True, False)


def check_dflash2(reader: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    kernel, group = field(reader, "dflash.conv_kernel_size"), field(reader, "dflash.conv_group_size")
    rank, top_k = field(reader, "dflash.selector_rank"), field(reader, "dflash.selector_top_k")
    assert WIDTH % group == 0
    assert top_k * (top_k + 1) <= WIDTH
    assert shapes["blk.0.attn_conv_base"] == (2, kernel, WIDTH)
    assert shapes["blk.0.ffn_conv_proj.weight"] == (2 * kernel * (WIDTH // group), WIDTH)
    assert shapes["selector_predecessor.weight"] == shapes["selector_successor.weight"] == (VOCABULARY, rank)
    assert shapes["selector_hidden.weight"] == (rank, WIDTH)


def test_checksums_name_every_sidecar() -> None:
    lines = (RESOURCES / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(listed) == {p.name for p in SIDECARS}
    for path in SIDECARS:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == listed[path.name], path.name


def test_model_card_names_every_sidecar() -> None:
    card = (RESOURCES / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "Apache-2.0" in card
    for path in SIDECARS:
        assert path.name in card
