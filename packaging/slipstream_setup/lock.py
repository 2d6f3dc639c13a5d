"""One set-up at a time in one source tree."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slipstream_setup.console import Console

if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # a file system without locks: better an unguarded set-up than none
        return True


@contextmanager
def only_one(path: Path, console: Console) -> Iterator[int]:
    """Hold the lock file, waiting for another set-up to end; yields its descriptor.

    The system drops the lock when the last holder of the descriptor ends: a child that is given it keeps
    the lock alive, so that a killed set-up whose pip still writes does not let a second one in.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+b") as file:
        waiting = False
        while not _try_lock(file.fileno()):
            if not waiting:
                console.say("Another set-up of this folder is running; waiting for it to finish.")
                waiting = True
            time.sleep(0.2)
        yield file.fileno()
