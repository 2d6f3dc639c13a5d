"""A cursor over the beginning of a file that grows what it holds and never goes past the file's end.

It knows numbers, strings and counts; it does not know what a GGUF header contains.
"""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path
from typing import BinaryIO

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.gguf import ggml_types as gt

_FIRST_READ = 1 << 16
_LARGEST_READ = 1 << 24
# The largest vocabularies take about 20 MB; a header beyond this is not one.
_HEADER_LIMIT = 1 << 27

_U32, _U64 = gt.SCALARS[gt.U32], gt.SCALARS[gt.U64]


class Reader:
    """Reads little-endian values from the start of `file`; `position` is in bytes from the start.

    Raises EnvironmentProblem when the file ends too early or a count cannot be true.
    """

    def __init__(self, file: BinaryIO, path: Path, size: int) -> None:
        self.path = path
        self.size = size
        self.position = 0
        self._file = file
        self._data = bytearray()

    def take(self, n: int) -> bytes:
        """The next `n` bytes."""
        self._require(n)
        start = self.position
        self.position += n
        return bytes(self._data[start : self.position])

    def u32(self) -> int:
        return int(self.scalar(_U32))

    def u64(self) -> int:
        return int(self.scalar(_U64))

    def scalar(self, kind: struct.Struct) -> int | float | bool:
        self._require(kind.size)
        value: int | float | bool = kind.unpack_from(self._data, self.position)[0]
        self.position += kind.size
        return value

    def string(self, limit: int) -> bytes:
        """A string with its length before it; one longer than `limit` bytes is taken for damage."""
        length = self.u64()
        if length > limit:
            self._check_room(length)
            raise damaged(
                self.path, say("A text of {length:,} bytes stands where a short one belongs.", length=length)
            )
        return self.take(length)

    def count(self, smallest: int) -> int:
        """A number of things that follow, each of at least `smallest` bytes."""
        n = self.u64()
        self._check_room(n * smallest)
        return n

    def skip(self, n: int) -> None:
        self._check_room(n)
        self.position += n

    def skip_strings(self, count: int) -> None:
        """Step over `count` strings. Hundreds of thousands are usual, so the loop does nothing else."""
        unpack, done = _U64.unpack_from, 0
        position = self.position
        while done < count:
            data = self._data
            try:
                for done in range(done, count):  # noqa: B007, B020 - goes on where the data ran out
                    position += 8 + unpack(data, position)[0]
                done = count
            except (struct.error, OverflowError):
                if position + 8 > self.size:
                    raise cut_short(self.path, self.size) from None
                self._hold(position + 8)
        self.position = position
        self._check_room(0)

    def _require(self, n: int) -> None:
        self._check_room(n)
        if self.position + n > len(self._data):
            self._hold(self.position + n)

    def _check_room(self, n: int) -> None:
        if self.position + n > self.size:
            raise cut_short(self.path, self.size)

    def _hold(self, end: int) -> None:
        """Read on until the first `end` bytes are held, ahead in growing steps."""
        if end > _HEADER_LIMIT:
            raise damaged(self.path, say("Its header claims to be larger than any model's."))
        while len(self._data) < end:
            step = min(max(len(self._data), _FIRST_READ), _LARGEST_READ)
            more = read_bytes(self._file, self.path, max(step, end - len(self._data)))
            if not more:
                raise cut_short(self.path, self.size)
            self._data += more


def open_model(path: Path) -> tuple[BinaryIO, os.stat_result]:
    """Open a regular file for reading; EnvironmentProblem says why it cannot be."""
    name = path.name or str(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise EnvironmentProblem(
                say("“{name}” is a folder.", name=name),
                say("A model is one file."),
                say("Choose a .gguf file in it."),
                "is-a-folder",
            )
        # Opening a pipe or a device would wait for ever.
        if not stat.S_ISREG(status.st_mode):
            raise EnvironmentProblem(
                say("“{name}” is not a file.", name=name), "", say("Choose a .gguf file."), "not-a-file"
            )
        return path.open("rb"), status
    except FileNotFoundError:
        raise EnvironmentProblem(
            say("“{name}” is not there.", name=name),
            say("There is no file at {path}.", path=path),
            say("It may have been moved or deleted, or its drive is not connected. Choose the file again."),
            "file-missing",
        ) from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def read_bytes(file: BinaryIO, path: Path, n: int) -> bytes:
    """Up to `n` bytes from where `file` stands."""
    try:
        return file.read(n)
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> EnvironmentProblem:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return EnvironmentProblem(
        say("“{name}” cannot be read.", name=path.name),
        say("The system says: {reason}.", reason=reason),
        say("Check that you may read the file and that its drive is connected."),
        "file-unreadable",
    )


def cut_short(path: Path, size: int, needed: int = 0) -> EnvironmentProblem:
    """`needed` is the size that the header speaks of, where it is known."""
    return EnvironmentProblem(
        say("“{name}” is cut short.", name=path.name),
        say(
            "It has {size:,} bytes, its header speaks of {x}; the download or copy did not finish.",
            size=size,
            x=say("{count:,}", count=needed) if needed else say("more"),
        ),
        say("Download or copy the file again."),
        "cut-short",
    )


def damaged(path: Path, why: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        say("“{name}” is damaged.", name=path.name), why, say("Download or copy the file again."), "damaged"
    )
