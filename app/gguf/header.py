"""Reads the header of a GGUF file, strictly and without its weights.

Of a model in several shards, all of them. Long arrays (a vocabulary) are stepped over and read only when
asked for. One file of it is read by `part`; what kind of model it is says `kinds`, whether two fit `pair`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.gguf import ggml_types as gt
from app.gguf.part import ArrayInfo, TensorInfo, read_part, stamp_of
from app.gguf.reader import cut_short, damaged, open_model, read_bytes
from app.gguf.shards import ShardSet

# The latest headers: the list of models, the check of the pair and the load read the same files.
_RECENT_LIMIT = 8
_recent: dict[Path, GgufHeader] = {}
_recent_lock = threading.Lock()
_SETTLED_NS = 2 * 10**9  # a file written less long ago may change without a new time stamp


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """One model, of one file or of several shards.

    `metadata` holds numbers, texts, booleans and short arrays (as tuples); `types` the type of every
    key, for arrays that of the elements; `arrays` every array, long ones too. `file_bytes` counts all
    shards.
    """

    path: Path
    version: int
    metadata: Mapping[str, Any]
    types: Mapping[str, int]
    arrays: Mapping[str, ArrayInfo]
    tensors: Mapping[str, TensorInfo]
    file_bytes: int
    shards: tuple[Path, ...]
    _stamps: tuple[tuple[int, int], ...]

    @property
    def architecture(self) -> str:
        """Empty when the file does not say."""
        value = self.metadata.get("general.architecture", "")
        return value if isinstance(value, str) else ""

    def hparam(self, name: str, default: Any = None) -> Any:
        """A value of the architecture's own keys, e.g. `hparam("block_count")`."""
        return self.metadata.get(f"{self.architecture}.{name}", default)

    def number(self, name: str) -> int:
        """A whole number of the architecture's own keys; 0 when it is absent or something else."""
        value = self.hparam(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    @property
    def n_vocab(self) -> int:
        """Tokens of the vocabulary; 0 without one."""
        tokens = self.arrays.get("tokenizer.ggml.tokens")
        return tokens.count if tokens is not None else self.number("vocab_size")

    @property
    def context_length(self) -> int:
        return self.number("context_length")

    @property
    def n_embd(self) -> int:
        return self.number("embedding_length")

    @property
    def n_layer(self) -> int:
        """Layers that the ordinary pass runs: without appended next-token heads."""
        return self.number("block_count") - self.number("nextn_predict_layers")

    @property
    def parameters(self) -> int:
        return sum(tensor.n_elements for tensor in self.tensors.values())

    def is_current(self) -> bool:
        """Whether size and time of every file are still those that were read."""
        try:
            found = (stamp_of(os.stat(path)) for path in self.shards)
            return all(stamp == old for stamp, old in zip(found, self._stamps, strict=True))
        except OSError:
            return False

    def is_settled(self) -> bool:
        """Whether the files were at rest for long enough that a change would show in their time stamps."""
        return all(time.time_ns() - changed > _SETTLED_NS for _, changed in self._stamps)

    def array_bytes(self, key: str) -> bytes:
        """The elements of an array as they stand in the file; empty when there is no such array."""
        array = self.arrays.get(key)
        return b"" if array is None else self._read(0, array.offset, array.n_bytes)

    def strings(self, key: str) -> list[bytes]:
        """The elements of an array of strings, undecoded; empty when there is no such array."""
        array = self.arrays.get(key)
        if array is None or array.type != gt.STRING:
            return []
        data = self.array_bytes(key)
        unpack, position = gt.SCALARS[gt.U64].unpack_from, 0
        strings: list[bytes] = []
        for _ in range(array.count):
            start = position + 8
            position = start + unpack(data, position)[0]
            strings.append(data[start:position])
        return strings

    def tensor_bytes(self, name: str, limit: int) -> bytes:
        """The data of a small tensor of at most `limit` bytes."""
        tensor = self.tensors[name]
        if tensor.n_bytes > limit:
            raise damaged(self.path, say("Its tensor “{name}” is larger than any model needs.", name=name))
        return self._read(tensor.shard, tensor.offset, tensor.n_bytes)

    def _read(self, shard: int, offset: int, n: int) -> bytes:
        path = self.shards[shard]
        file, status = open_model(path)
        with file:
            if stamp_of(status) != self._stamps[shard]:
                raise EnvironmentProblem(
                    say("“{name}” has changed while it was being read.", name=path.name),
                    "",
                    say("Choose the file again."),
                    "file-changed",
                )
            file.seek(offset)
            data = read_bytes(file, path, n)
        if len(data) != n:
            raise cut_short(path, status.st_size)
        return data


def read_header(path: str | Path) -> GgufHeader:
    """Read the header at `path`, of all shards when the model has several.

    Raises EnvironmentProblem, whatever the file holds: `file-missing`, `is-a-folder`, `not-a-file`,
    `file-unreadable`, `file-empty`, `not-gguf`, `gguf-big-endian`, `gguf-too-old`, `gguf-too-new`,
    `cut-short`, `damaged`, `tensor-type-unknown`, `tensor-type-retired`, `not-first-shard`,
    `shard-missing`, `shard-renamed`.
    """
    path = Path(path)
    with _recent_lock:
        known = _recent.pop(path, None)
    header = known if known is not None and known.is_current() else _read(path)
    if header.is_settled():
        with _recent_lock:
            _recent[path] = header
            if len(_recent) > _RECENT_LIMIT:
                del _recent[next(iter(_recent))]
    return header


def _read(path: Path) -> GgufHeader:
    first = read_part(path)
    parts = [first]
    shards = ShardSet.of(path, first.metadata)
    if shards is not None:
        shards.require_first(path)
        shards.require_all()
        for number, other in enumerate(shards.paths[1:], start=1):
            part = read_part(other, number)
            shards.require_number(other, part.metadata, number)
            parts.append(part)
    tensors = {tensor.name: tensor for tensor in chain.from_iterable(part.tensors for part in parts)}
    if len(tensors) != sum(len(part.tensors) for part in parts):
        raise damaged(path, say("A tensor is in more than one of its parts."))
    return GgufHeader(
        path,
        first.version,
        MappingProxyType(first.metadata),
        MappingProxyType(first.types),
        MappingProxyType(first.arrays),
        MappingProxyType(tensors),
        sum(part.size for part in parts),
        tuple(part.path for part in parts),
        tuple(part.stamp for part in parts),
    )
