"""GGUF files with chosen faults: a small writer that takes any value and type, and edits of real files.

The writer of the `gguf` package refuses most of what must be tested, so this one writes what it is told.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader, GGUFValueType

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
_FORMATS = {U8: "B", I8: "b", U16: "H", I16: "h", U32: "I", I32: "i", F32: "f", BOOL: "?"}
_FORMATS |= {U64: "Q", I64: "q", F64: "d"}


@dataclass(frozen=True)
class Value:
    """`type` of a scalar, or of the elements of a list."""

    type: int
    value: Any


@dataclass(frozen=True)
class Tensor:
    """`shape` with the fastest dimension first."""

    shape: tuple[int, ...]
    type: int
    data: bytes


@dataclass(frozen=True)
class Model:
    """A whole file. Change it with `with_value`, `without`, `with_tensor`; write it with `write`."""

    values: dict[str, Value] = field(default_factory=dict)
    tensors: dict[str, Tensor] = field(default_factory=dict)
    alignment: int = 32

    @classmethod
    def of(cls, path: Path) -> Model:
        reader = GGUFReader(path)
        values: dict[str, Value] = {}
        for key, entry in reader.fields.items():
            if not key.startswith("GGUF."):
                kind = int(entry.types[-1])
                value = entry.contents()
                values[key] = Value(kind, value)
                assert kind != GGUFValueType.ARRAY
        tensors = {
            t.name: Tensor(tuple(int(n) for n in t.shape), int(t.tensor_type), np.asarray(t.data).tobytes())
            for t in reader.tensors
        }
        return cls(values, tensors)

    def with_value(self, key: str, value: Any, type: int | None = None) -> Model:
        kind = type if type is not None else self.values[key].type
        return replace(self, values=self.values | {key: Value(kind, value)})

    def without(self, *names: str) -> Model:
        values = {k: v for k, v in self.values.items() if k not in names}
        tensors = {k: v for k, v in self.tensors.items() if k not in names}
        assert len(values) + len(tensors) == len(self.values) + len(self.tensors) - len(names)
        return replace(self, values=values, tensors=tensors)

    def with_tensor(self, name: str, shape: tuple[int, ...], type: int = 0, data: bytes = b"") -> Model:
        size = int(np.prod(shape)) * {0: 4, 1: 2, 26: 4, 27: 8}[type]
        tensor = Tensor(shape, type, data.ljust(size, b"\0"))
        return replace(self, tensors=self.tensors | {name: tensor})

    def header(self) -> bytes:
        out = bytearray(b"GGUF" + struct.pack("<IQQ", 3, len(self.tensors), len(self.values)))
        for key, value in self.values.items():
            out += text(key) + encode(value)
        offset = 0
        for name, tensor in self.tensors.items():
            out += text(name) + struct.pack("<I", len(tensor.shape))
            out += struct.pack(f"<{len(tensor.shape)}Q", *tensor.shape) + struct.pack(
                "<IQ", tensor.type, offset
            )
            offset += self._padded(len(tensor.data))
        return bytes(out)

    def write(self, path: Path) -> Path:
        out = bytearray(self.header())
        out += b"\0" * (self._padded(len(out)) - len(out))
        for tensor in self.tensors.values():
            out += tensor.data.ljust(self._padded(len(tensor.data)), b"\0")
        path.write_bytes(out)
        return path

    def write_without_data(self, path: Path) -> Path:
        """The same file with zeros for weights: a hole that takes neither time nor space."""
        size = self._padded(len(self.header())) + sum(
            self._padded(len(t.data)) for t in self.tensors.values()
        )
        path.write_bytes(self.header())
        os.truncate(path, size)
        return path

    def _padded(self, n: int) -> int:
        return -(-n // self.alignment) * self.alignment


def text(value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(data)) + data


def encode(value: Value) -> bytes:
    """Type and value as they stand in a file."""
    if isinstance(value.value, (list, tuple)):
        items = b"".join(_scalar(value.type, item) for item in value.value)
        return struct.pack("<IIQ", ARRAY, value.type, len(value.value)) + items
    return struct.pack("<I", value.type) + _scalar(value.type, value.value)


def _scalar(kind: int, value: Any) -> bytes:
    return text(value) if kind == STRING else struct.pack("<" + _FORMATS[kind], value)
