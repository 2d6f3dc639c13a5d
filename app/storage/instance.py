"""Only one copy of the program writes: whoever holds the lock of the data folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Beyond the text in the file, because a locked region cannot be read on Windows.
_REGION = 1024


class InstanceLock:
    """A lock file. The system lets go of the lock when its holder dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def acquire(self) -> bool:
        """False when another copy holds it. OSError when the file cannot be made at all.

        A file system that knows no locks counts as locked by us: refusing to save there would help nobody.
        """
        if self._handle is not None:
            return True
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(handle)
        except BlockingIOError:
            os.close(handle)
            return False
        except OSError:
            pass
        self._handle = handle
        return True

    def release(self) -> None:
        """May be called again. The file stays: removing it would let two others lock two files."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, _REGION, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from error

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
