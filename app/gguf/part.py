"""Reads the header of one GGUF file, strictly.

Counts and lengths are checked against the size of the file, tensors against the sizes of their types. What
the files of a model say together is `header`.
"""

from __future__ import annotations

import math
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.gguf import ggml_types as gt
from app.gguf.reader import Reader, cut_short, damaged, open_model

_KEY_LIMIT = 1 << 16
_TEXT_LIMIT = 1 << 24
_NAME_LIMIT = 63  # the native library refuses longer names of tensors
_KEPT_ELEMENTS = 4096  # arrays up to this length are values; longer ones are read when asked for
_KEPT_STRINGS = 64


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """`shape` has the fastest dimension first (the reverse of torch). `offset` is from the file's start."""

    name: str
    shape: tuple[int, ...]
    type: int
    offset: int
    n_bytes: int
    shard: int = 0

    @property
    def n_elements(self) -> int:
        return math.prod(self.shape)

    @property
    def type_name(self) -> str:
        return gt.TENSOR_TYPES[self.type].name


@dataclass(frozen=True, slots=True)
class ArrayInfo:
    """Where an array of metadata lies: `offset` and `n_bytes` cover its elements, `type` is theirs."""

    type: int
    count: int
    offset: int
    n_bytes: int


@dataclass(slots=True)
class Part:
    """What one file says."""

    path: Path
    version: int
    metadata: dict[str, Any]
    types: dict[str, int]
    arrays: dict[str, ArrayInfo]
    tensors: list[TensorInfo]
    size: int
    stamp: tuple[int, int]


def stamp_of(status: os.stat_result) -> tuple[int, int]:
    """Size and time of a file, which differ when it has changed."""
    return status.st_size, status.st_mtime_ns


def read_part(path: Path, shard: int = 0) -> Part:
    """The header of one file, the `shard`-th of its model. Raises EnvironmentProblem; see `read_header`."""
    file, status = open_model(path)
    with file:
        reader = Reader(file, path, status.st_size)
        version, n_tensors, n_pairs = _read_preamble(reader)
        part = Part(path, version, {}, {}, {}, [], status.st_size, stamp_of(status))
        for _ in range(n_pairs):
            _read_pair(reader, part)
        _read_tensors(reader, part, n_tensors, shard)
    return part


def _read_preamble(reader: Reader) -> tuple[int, int, int]:
    """Version, number of tensors, number of metadata pairs."""
    path = reader.path
    if reader.size == 0:
        raise EnvironmentProblem(
            say("“{name}” is empty.", name=path.name),
            say("It has no bytes."),
            say("Download or copy the file again."),
            "file-empty",
        )
    magic = reader.take(min(4, reader.size))
    if magic != b"GGUF":
        raise _not_gguf(path, magic)
    version = reader.u32()
    if version & 0xFFFF == 0 and version:
        raise EnvironmentProblem(
            say("“{name}” is for machines of the other byte order.", name=path.name),
            say("It was written big-endian."),
            say("Get the ordinary (little-endian) file of the same model."),
            "gguf-big-endian",
        )
    if version < 2:
        raise EnvironmentProblem(
            say("“{name}” is in an old form of the format.", name=path.name),
            say("It is GGUF version {version}; versions 2 and 3 are read.", version=version),
            say("Convert the model again, or download a newer file."),
            "gguf-too-old",
        )
    if version > 3:
        raise EnvironmentProblem(
            say("“{name}” is newer than this program.", name=path.name),
            say("It is GGUF version {version}; versions 2 and 3 are read.", version=version),
            say("Update Slipstream."),
            "gguf-too-new",
        )
    # A tensor takes at least 24 bytes of header, a pair at least 13; both counts come first.
    n_tensors = reader.count(24)
    n_pairs = reader.count(13)
    return version, n_tensors, n_pairs


def _not_gguf(path: Path, magic: bytes) -> EnvironmentProblem:
    if magic in (b"lmgg", b"fmgg", b"tjgg", b"algg", b"GGML"):
        why, remedy = (
            say("It is in a format from before GGUF."),
            say("Download or convert a GGUF file of the model."),
        )
    elif magic == b"vers":
        why, remedy = (
            say("It is a Git pointer to the model, not the model."),
            say("Download the file itself (with Git LFS)."),
        )
    elif magic[:1] == b"<":
        why, remedy = say("It is a web page, saved under a model's name."), say("Download the file itself.")
    else:
        why, remedy = say("It does not begin as a GGUF file does."), say("Choose a .gguf file.")
    return EnvironmentProblem(say("“{name}” is not a GGUF file.", name=path.name), why, remedy, "not-gguf")


def _read_pair(reader: Reader, part: Part) -> None:
    key = reader.string(_KEY_LIMIT).decode("utf-8", "backslashreplace")
    if not key or key in part.types:
        raise damaged(
            reader.path, say("Its header names “{key}” twice.", key=key) if key else say("A key has no name.")
        )
    kind = reader.u32()
    if kind == gt.ARRAY:
        _read_array(reader, part, key)
    elif kind == gt.STRING:
        part.metadata[key] = reader.string(_TEXT_LIMIT).decode("utf-8", "replace")
        part.types[key] = kind
    elif kind in gt.SCALARS:
        part.metadata[key] = reader.scalar(gt.SCALARS[kind])
        part.types[key] = kind
    else:
        raise damaged(reader.path, say("Its value “{key}” is of no known type ({kind}).", key=key, kind=kind))


def _read_array(reader: Reader, part: Part, key: str) -> None:
    kind = reader.u32()
    if kind == gt.STRING:
        count = reader.count(8)
        start = reader.position
        if count <= _KEPT_STRINGS:
            values = (reader.string(_TEXT_LIMIT).decode("utf-8", "replace") for _ in range(count))
            part.metadata[key] = tuple(values)
        else:
            reader.skip_strings(count)
    elif kind in gt.SCALARS:
        scalar = gt.SCALARS[kind]
        count = reader.count(scalar.size)
        start = reader.position
        if count <= _KEPT_ELEMENTS:
            data = reader.take(count * scalar.size)
            part.metadata[key] = struct.unpack(f"<{count}{scalar.format[-1]}", data)
        else:
            reader.skip(count * scalar.size)
    else:
        raise damaged(reader.path, say("Its list “{key}” is of no known type ({kind}).", key=key, kind=kind))
    part.types[key] = kind
    part.arrays[key] = ArrayInfo(kind, count, start, reader.position - start)


def _read_tensors(reader: Reader, part: Part, n_tensors: int, shard: int) -> None:
    path = reader.path
    alignment = part.metadata.get("general.alignment", 32)
    is_number = part.types.get("general.alignment", gt.U32) == gt.U32 and isinstance(alignment, int)
    if not is_number or alignment < 1 or alignment & (alignment - 1):
        raise damaged(path, say("Its alignment of {alignment} is not a power of two.", alignment=alignment))
    found: list[tuple[str, tuple[int, ...], int, int, int]] = []
    names: set[str] = set()
    expected = 0
    for _ in range(n_tensors):
        name = reader.string(_NAME_LIMIT).decode("utf-8", "backslashreplace")
        if name in names:
            raise damaged(path, say("It has the tensor “{name}” twice.", name=name))
        names.add(name)
        n_dims = reader.u32()
        if n_dims > 4:
            raise damaged(path, say("Its tensor “{name}” has {n_dims} dimensions.", name=name, n_dims=n_dims))
        shape = tuple(reader.u64() for _ in range(n_dims))
        kind = reader.u32()
        offset = reader.u64()
        n_bytes = _tensor_bytes(path, name, shape, kind)
        # The native library takes tensors in order, each at the next aligned place.
        if offset != expected:
            raise damaged(path, say("Its tensor “{name}” is not where it should be.", name=name))
        expected += -(-n_bytes // alignment) * alignment
        found.append((name, shape, kind, offset, n_bytes))
    start = -(-reader.position // alignment) * alignment
    if found:
        needed = start + found[-1][3] + found[-1][4]
        if needed > reader.size:
            raise cut_short(path, reader.size, needed)
    part.tensors = [
        TensorInfo(name, shape, kind, start + offset, n_bytes, shard)
        for name, shape, kind, offset, n_bytes in found
    ]


def _tensor_bytes(path: Path, name: str, shape: tuple[int, ...], kind: int) -> int:
    tensor_type = gt.TENSOR_TYPES.get(kind)
    if tensor_type is None:
        if kind in gt.RETIRED_TENSOR_TYPES:
            raise EnvironmentProblem(
                say("“{name}” uses a quantisation that is no longer read.", name=path.name),
                say(
                    "Its tensor “{name}” is {RETIRED_TENSOR_TYPES}.",
                    name=name,
                    RETIRED_TENSOR_TYPES=gt.RETIRED_TENSOR_TYPES[kind],
                ),
                say("Download or make a newer file, for example Q4_0."),
                "tensor-type-retired",
            )
        raise EnvironmentProblem(
            say("“{name}” needs a newer engine.", name=path.name),
            say(
                "Its tensor “{name}” is stored in a way (type {kind}) that this program does not know.",
                name=name,
                kind=kind,
            ),
            say("Update Slipstream, or get the model in another quantisation."),
            "tensor-type-unknown",
        )
    elements = math.prod(shape)
    if elements >= 1 << 63 or (shape and shape[0] % tensor_type.block):
        raise damaged(
            path, say("Its tensor “{name}” has the impossible shape {list}.", name=name, list=list(shape))
        )
    return elements // tensor_type.block * tensor_type.size
