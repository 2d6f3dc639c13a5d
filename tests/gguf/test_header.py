"""The header reader against the `gguf` package, against every fault it names, and against fuzzing."""

from __future__ import annotations

import os
import struct
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType, GGUFReader
from gguf.constants import GGML_QUANT_SIZES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import EnvironmentProblem
from app.gguf import ggml_types as gt
from app.gguf.header import GgufHeader, read_header
from app.gguf.kinds import classify
from app.gguf.pair import check_pair, check_target
from tests.gguf.edited import ARRAY, BOOL, F32, I32, STRING, U32, U64, Model, Value, encode, text


def refusal(path: str | Path) -> EnvironmentProblem:
    with pytest.raises(EnvironmentProblem) as caught:
        read_header(path)
    assert caught.value.what
    assert caught.value.remedy
    return caught.value


def small() -> Model:
    values = {
        "general.architecture": Value(STRING, "llama"),
        "llama.block_count": Value(U32, 1),
        "some.list": Value(I32, [1, -2, 3]),
        "some.flags": Value(BOOL, [True, False]),
        "some.words": Value(STRING, ["a", "b"]),
    }
    return Model(values).with_tensor("a", (3, 2)).with_tensor("b", (5,), type=1).with_tensor("c", (4, 1, 2))


# --- against the oracle ------------------------------------------------------------------------------


def compare(path: Path) -> None:
    header, oracle = read_header(path), GGUFReader(path)
    keys = [key for key in oracle.fields if not key.startswith("GGUF.")]
    assert sorted(header.types) == sorted(keys)
    for key in keys:
        entry = oracle.fields[key]
        assert header.types[key] == entry.types[-1], key
        if entry.types[0] != ARRAY:
            assert header.metadata[key] == entry.contents(), key
        elif entry.types[-1] == STRING:
            assert header.strings(key) == [bytes(entry.parts[i]) for i in entry.data], key
        else:
            array = header.arrays[key]
            expected = np.array([entry.parts[i][0] for i in entry.data])
            assert array.count == len(expected), key
            assert header.array_bytes(key) == expected.tobytes(), key
            if key in header.metadata:
                assert header.metadata[key] == tuple(entry.contents()), key
    assert list(header.tensors) == [t.name for t in oracle.tensors]
    for tensor in oracle.tensors:
        found = header.tensors[tensor.name]
        assert found.shape == tuple(int(n) for n in tensor.shape)
        assert found.type == tensor.tensor_type
        assert (found.offset, found.n_bytes) == (tensor.data_offset, tensor.n_bytes)
    assert header.file_bytes == path.stat().st_size


@pytest.mark.real
def test_default_pair_reads_as_the_gguf_package_reads_it(default_pair: tuple[Path, Path]) -> None:
    for path in default_pair:
        compare(path)


def test_tiny_models_read_as_the_gguf_package_reads_them(
    tiny_target: Path, tiny_sidecars: dict[str, Path]
) -> None:
    for path in (tiny_target, *tiny_sidecars.values()):
        compare(path)


def test_sizes_of_tensor_types_are_those_of_the_gguf_package() -> None:
    for kind, (block, size) in GGML_QUANT_SIZES.items():
        known = gt.TENSOR_TYPES[int(kind)]
        assert known.name == kind.name
        # The package counts 8 bytes of scales for Q8_1, a type for sums in memory; the library has 4.
        expected = 36 if kind is GGMLQuantizationType.Q8_1 else size
        assert (known.block, known.size) == (block, expected), kind.name
    assert not set(gt.RETIRED_TENSOR_TYPES) & set(gt.TENSOR_TYPES)


@pytest.mark.real
def test_default_target_reads_in_under_150_ms(default_pair: tuple[Path, Path]) -> None:
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        read_header(default_pair[0])
        seconds.append(time.perf_counter() - began)
    assert min(seconds) < 0.15


def test_a_vocabulary_of_a_quarter_million_reads_fast_and_lazily(tmp_path: Path) -> None:
    tokens = [f"token {i}" for i in range(250_000)]
    path = small().with_value("tokenizer.ggml.tokens", tokens, STRING).write(tmp_path / "big.gguf")
    began = time.perf_counter()
    header = read_header(path)
    seconds = time.perf_counter() - began
    assert "tokenizer.ggml.tokens" not in header.metadata
    assert header.n_vocab == 250_000
    assert header.strings("tokenizer.ggml.tokens")[249_999] == b"token 249999"
    assert seconds < 0.3


# --- what a file may be instead ----------------------------------------------------------------------


def test_missing_folder_empty_and_other_files(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nothing.gguf").code == "file-missing"
    assert refusal(tmp_path).code == "is-a-folder"
    assert refusal("").code == "is-a-folder"
    assert refusal("a\0b").code == "file-unreadable"
    assert refusal(tmp_path / ("x" * 5000)).code == "file-unreadable"
    path = tmp_path / "file.gguf"
    for data, code, word in (
        (b"", "file-empty", "no bytes"),
        (b"G", "not-gguf", "begin"),
        (b"GGU", "not-gguf", "begin"),
        (b"PK\3\4 zip", "not-gguf", "begin"),
        (b"lmgg" + b"\0" * 90, "not-gguf", "before GGUF"),
        (b"version https://git-lfs.github.com/spec/v1", "not-gguf", "pointer"),
        (b"<!DOCTYPE html>", "not-gguf", "web page"),
        (b"GGUF", "cut-short", ""),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "gguf-big-endian", "big-endian"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "gguf-too-old", "version 1"),
        (b"GGUF" + struct.pack("<IQQ", 0, 0, 0), "gguf-too-old", "version 0"),
        (b"GGUF" + struct.pack("<IQQ", 4, 0, 0), "gguf-too-new", "version 4"),
    ):
        path.write_bytes(data)
        problem = refusal(path)
        assert problem.code == code, data
        assert word in problem.why
        assert "file.gguf" in problem.what


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a Unix matter")
def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gguf")
    assert refusal(tmp_path / "pipe.gguf").code == "not-a-file"


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = small().write(tmp_path / "secret.gguf")

    def deny(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    # Permission bits do not bind the superuser, under whom these tests may run.
    monkeypatch.setattr(Path, "open", deny)
    problem = refusal(path)
    assert problem.code == "file-unreadable"
    assert "Permission denied" in problem.why


def test_names_of_any_script_and_version_2(tmp_path: Path) -> None:
    path = small().write(tmp_path / "модель «é» 日本.gguf")
    assert read_header(path).architecture == "llama"
    data = bytearray(path.read_bytes())
    data[4] = 2
    path.write_bytes(data)
    assert read_header(path).version == 2


def test_an_empty_model_is_a_model(tmp_path: Path) -> None:
    header = read_header(Model().write(tmp_path / "none.gguf"))
    assert (header.architecture, header.n_vocab, header.parameters) == ("", 0, 0)
    assert header.strings("nothing") == []
    assert header.array_bytes("nothing") == b""


# --- cut short and damaged ---------------------------------------------------------------------------


def test_cut_anywhere_it_is_refused(tmp_path: Path) -> None:
    path = small().write(tmp_path / "whole.gguf")
    data = path.read_bytes()
    # The last tensor's padding is not data.
    end = read_header(path).tensors["c"]
    for length in range(4, end.offset + end.n_bytes):
        path.write_bytes(data[:length])
        assert refusal(path).code == "cut-short", length
    path.write_bytes(data[: end.offset + end.n_bytes])
    assert len(read_header(path).tensors) == 3


def test_cut_in_its_weights_it_says_how_much_is_missing(tiny_target: Path, tmp_path: Path) -> None:
    path = tmp_path / "half.gguf"
    data = tiny_target.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    problem = refusal(path)
    assert problem.code == "cut-short"
    assert f"{len(data) // 2:,}" in problem.why
    assert f"{len(data):,}" in problem.why


def raw(pairs: bytes, n_pairs: int, tensors: bytes = b"", n_tensors: int = 0) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, n_tensors, n_pairs) + pairs + tensors + b"\0" * 4096


def info(name: str, shape: tuple[int, ...], kind: int, offset: int) -> bytes:
    shape_bytes = struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
    return text(name) + shape_bytes + struct.pack("<IQ", kind, offset)


PAIR = text("key") + encode(Value(U32, 1))
HUGE = 2**63


@pytest.mark.parametrize(
    ("data", "code", "word"),
    [
        (raw(PAIR, HUGE), "cut-short", ""),
        (raw(PAIR, 1, b"", HUGE), "cut-short", ""),
        (raw(PAIR * 2, 2), "damaged", "twice"),
        (raw(text("") + encode(Value(U32, 1)), 1), "damaged", "no name"),
        (raw(struct.pack("<Q", 2**64 - 1) + b"key", 1), "cut-short", ""),
        (raw(text("k" * 70_000) + encode(Value(U32, 1)), 1), "damaged", "70,000"),
        (raw(text("key") + struct.pack("<I", 13), 1), "damaged", "known type"),
        (raw(text("key") + struct.pack("<IQ", STRING, HUGE), 1), "cut-short", ""),
        (raw(text("key") + struct.pack("<IIQ", ARRAY, ARRAY, 1), 1), "damaged", "known type"),
        (raw(text("key") + struct.pack("<IIQ", ARRAY, 99, 1), 1), "damaged", "known type"),
        (raw(text("key") + struct.pack("<IIQ", ARRAY, U64, HUGE), 1), "cut-short", ""),
        (raw(text("key") + struct.pack("<IIQ", ARRAY, STRING, 600), 1), "cut-short", ""),
        (raw(text("key") + struct.pack("<IIQQ", ARRAY, STRING, 400, 2**64 - 9), 1), "cut-short", ""),
        (raw(text("key") + struct.pack("<IIQQ", ARRAY, STRING, 400, 2**40), 1), "cut-short", ""),
        (raw(text("general.alignment") + encode(Value(U32, 24)), 1), "damaged", "alignment"),
        (raw(text("general.alignment") + encode(Value(U32, 0)), 1), "damaged", "alignment"),
        (raw(text("general.alignment") + encode(Value(F32, 32.0)), 1), "damaged", "alignment"),
        (raw(b"", 0, info("a", (1,) * 5, 0, 0), 1), "damaged", "5 dimensions"),
        (raw(b"", 0, info("a", (1,), 0, 0) + info("a", (1,), 0, 32), 2), "damaged", "twice"),
        (raw(b"", 0, info("n" * 64, (1,), 0, 0), 1), "damaged", "64"),
        (raw(b"", 0, info("a", (1,), 0, 32), 1), "damaged", "should be"),
        (raw(b"", 0, info("a", (33,), 2, 0), 1), "damaged", "shape"),
        (raw(b"", 0, info("a", (2**32, 2**32), 0, 0), 1), "damaged", "shape"),
        (raw(b"", 0, info("a", (2**40,), 0, 0), 1), "cut-short", ""),
        (raw(b"", 0, info("a", (32,), 43, 0), 1), "tensor-type-unknown", "type 43"),
        (raw(b"", 0, info("a", (32,), 2**31, 0), 1), "tensor-type-unknown", ""),
        (raw(b"", 0, info("a", (32,), 4, 0), 1), "tensor-type-retired", "Q4_2"),
    ],
)
def test_absurd_values_are_refused_quickly(data: bytes, code: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(data)
    began = time.perf_counter()
    problem = refusal(path)
    assert time.perf_counter() - began < 1.0
    assert problem.code == code
    assert word in problem.why


def test_an_unknown_tensor_type_asks_for_a_newer_engine(tmp_path: Path) -> None:
    path = tmp_path / "new.gguf"
    path.write_bytes(raw(b"", 0, info("weights", (32,), 77, 0), 1))
    problem = refusal(path)
    assert "needs a newer engine" in problem.what
    assert "weights" in problem.why


def test_undecodable_texts_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "latin.gguf"
    path.write_bytes(raw(text(b"na\xefve") + struct.pack("<I", STRING) + text(b"caf\xe9"), 1))
    assert read_header(path).metadata == {"na\\xefve": "caf\ufffd"}


def test_a_file_that_changes_between_two_looks_is_noticed(tmp_path: Path) -> None:
    words = Value(STRING, [str(i) for i in range(100)])
    path = Model({"tokenizer.ggml.tokens": words}).write(tmp_path / "model.gguf")
    header = read_header(path)
    assert header.strings("tokenizer.ggml.tokens")[99] == b"99"
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(EnvironmentProblem) as caught:
        header.strings("tokenizer.ggml.tokens")
    assert caught.value.code == "file-changed"
    path.unlink()
    with pytest.raises(EnvironmentProblem) as caught:
        header.strings("tokenizer.ggml.tokens")
    assert caught.value.code == "file-missing"


def test_small_tensors_can_be_read(tmp_path: Path) -> None:
    path = (
        small()
        .with_tensor("d2t", (3,), type=27, data=struct.pack("<3q", 7, -1, 2))
        .write(tmp_path / "m.gguf")
    )
    header = read_header(path)
    assert struct.unpack("<3q", header.tensor_bytes("d2t", limit=24)) == (7, -1, 2)
    with pytest.raises(EnvironmentProblem):
        header.tensor_bytes("d2t", limit=23)


# --- shards ------------------------------------------------------------------------------------------


def shard(number: int, count: int, **tensors: tuple[int, ...]) -> Model:
    values = {} if number else {"general.architecture": Value(STRING, "llama")}
    model = Model(values | {"split.no": Value(2, number), "split.count": Value(2, count)})
    for name, shape in tensors.items():
        model = model.with_tensor(name, shape)
    return model


def test_a_model_in_three_files_is_one_model(tmp_path: Path) -> None:
    paths = [tmp_path / f"big-model-{i:05d}-of-00003.gguf" for i in (1, 2, 3)]
    for number, path in enumerate(paths):
        shard(number, 3, **{f"t{number}": (8,), f"u{number}": (2, 2)}).write(path)
    header = read_header(paths[0])
    assert header.architecture == "llama"
    assert list(header.tensors) == ["t0", "u0", "t1", "u1", "t2", "u2"]
    assert header.file_bytes == sum(p.stat().st_size for p in paths)
    assert header.shards == tuple(paths)
    assert header.tensors["u2"].shard == 2
    assert header.tensor_bytes("u2", 16) == bytes(16)

    problem = refusal(paths[1])
    assert problem.code == "not-first-shard"
    assert "big-model-00001-of-00003.gguf" in problem.remedy

    paths[2].unlink()
    problem = refusal(paths[0])
    assert problem.code == "shard-missing"
    assert "big-model-00003-of-00003.gguf" in problem.what

    shard(1, 3, t1=(8,)).write(paths[2])
    assert refusal(paths[0]).code == "damaged"
    shard(2, 3, t1=(8,)).write(paths[2])
    assert "more than one" in refusal(paths[0]).why
    paths[2].write_bytes(paths[1].read_bytes()[:40])
    problem = refusal(paths[0])
    assert problem.code == "cut-short"
    assert "00003" in problem.what

    paths[0].rename(tmp_path / "other.gguf")
    problem = refusal(tmp_path / "other.gguf")
    assert problem.code == "shard-renamed"
    assert "-00001-of-00003.gguf" in problem.remedy


def test_shard_counts_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "m-00001-of-00002.gguf"
    shard(0, 60_000).write(path)
    assert refusal(path).code == "damaged"
    Model({"split.count": Value(STRING, "2")}).write(path)
    assert refusal(path).code == "damaged"
    shard(0, 1, a=(2,)).write(path)
    assert read_header(path).shards == (path,)


# --- fuzzing -----------------------------------------------------------------------------------------


def exercise(path: Path, other: GgufHeader) -> None:
    """Everything that is done with a header before a model is loaded; nothing but refusals may come out."""
    try:
        header = read_header(path)
        header.strings("tokenizer.ggml.tokens")
    except EnvironmentProblem:
        return
    facts = classify(header)
    assert facts.label
    check_target(header)
    check_pair(other, header)
    check_pair(header, other)


@settings(max_examples=300, deadline=2000, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mutated_headers_are_read_or_refused(
    data: st.DataObject,
    tiny_target: Path,
    tiny_sidecars: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    name = data.draw(st.sampled_from(["target", "DFlash", "DSpark", "DFlash2"]))
    source = tiny_target if name == "target" else tiny_sidecars[name]
    size = source.stat().st_size
    last = next(iter(read_header(source).tensors.values())).offset
    mutated = bytearray(source.read_bytes()[:last])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(4, last - 1))
        match data.draw(st.sampled_from(["byte", "huge", "cut", "insert"])):
            case "byte":
                mutated[min(at, len(mutated) - 1)] = data.draw(st.integers(0, 255))
            case "huge":
                edge = st.sampled_from([0, 1, 2**31, 2**32 - 1, 2**62, 2**63, 2**64 - 1])
                mutated[at : at + 8] = struct.pack("<Q", data.draw(edge))
            case "cut":
                del mutated[at : at + data.draw(st.integers(1, 64))]
            case _:
                mutated[at:at] = data.draw(st.binary(min_size=1, max_size=16))
    path = tmp_path_factory.mktemp("fuzz") / "mutated.gguf"
    path.write_bytes(mutated)
    os.truncate(path, size)
    exercise(path, read_header(tiny_target))


@settings(max_examples=200, deadline=2000, suppress_health_check=list(HealthCheck))
@given(junk=st.binary(max_size=400))
def test_junk_is_refused_or_empty(
    junk: bytes, tiny_target: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "junk.gguf"
    path.write_bytes(b"GGUF\3\0\0\0" + junk)
    exercise(path, read_header(tiny_target))


@cache
def load(path: Path) -> Model:
    return Model.of(path)


_scalars = st.one_of(
    st.builds(Value, st.just(U32), st.integers(0, 2**32 - 1)),
    st.builds(Value, st.just(I32), st.integers(-(2**31), 2**31 - 1)),
    st.builds(Value, st.just(U64), st.integers(0, 2**64 - 1)),
    st.builds(Value, st.just(F32), st.floats(width=32)),
    st.builds(Value, st.just(BOOL), st.booleans()),
    st.builds(Value, st.just(STRING), st.text(max_size=20)),
    st.builds(Value, st.just(I32), st.lists(st.integers(-5, 5), max_size=6)),
    st.builds(Value, st.just(STRING), st.lists(st.text(max_size=5), max_size=80)),
    st.builds(Value, st.just(BOOL), st.lists(st.booleans(), max_size=6)),
)


@settings(max_examples=300, deadline=2000, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_value_under_any_known_key_is_checked(
    data: st.DataObject,
    tiny_target: Path,
    tiny_sidecars: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    name = data.draw(st.sampled_from(["target", "DFlash", "DSpark", "DFlash2"]))
    model = load(tiny_target if name == "target" else tiny_sidecars[name])
    for _ in range(data.draw(st.integers(1, 3))):
        key = data.draw(st.sampled_from(sorted(model.values)))
        value = data.draw(_scalars)
        model = model.with_value(key, value.value, value.type)
    path = model.write_without_data(tmp_path_factory.mktemp("fuzz") / "typed.gguf")
    exercise(path, read_header(tiny_target))


def test_enumeration_of_types_is_that_of_the_gguf_package() -> None:
    assert {int(kind) for kind in GGMLQuantizationType} <= set(gt.TENSOR_TYPES)
