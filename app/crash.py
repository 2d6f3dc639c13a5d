"""Nothing fails in silence: exceptions, Qt's messages and native crashes are recorded and shown.

A native crash ends the process, so it is read from faulthandler's file at the next start.
"""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

from app.core.events import Problem

log = logging.getLogger("slipstream.crash")

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class CrashHandlers:
    """Installed for the life of the program; `close()` puts everything back (tests need that).

    `on_bug` is called in whichever thread failed; it must only hand the problem over.
    """

    def __init__(self, folder: Path, on_bug: Callable[[Problem], None]) -> None:
        self._on_bug = on_bug
        self._old_hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        self._file: IO[str] | None = None
        self._handler: logging.Handler | None = None
        self._path = folder / "native-crash.txt"
        self.last_crash = self._read_last()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._handler = RotatingFileHandler(
                folder / "slipstream.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8"
            )
            self._file = self._path.open("w", encoding="utf-8")
        except OSError as error:
            # A read-only or full disk must not keep the program from starting.
            log.warning("no log can be written: %s", error)
        if self._handler is not None:
            self._handler.setFormatter(logging.Formatter(_FORMAT))
            logging.getLogger().addHandler(self._handler)
            logging.getLogger("slipstream").setLevel(logging.INFO)
            logging.getLogger("app").setLevel(logging.INFO)
        if self._file is not None:
            faulthandler.enable(self._file)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        sys.unraisablehook = self._on_unraisable

    def write_abort_reason(self, reason: str) -> None:
        """For the native library, which calls this just before it aborts the process."""
        if self._file is not None:
            self._file.write(f"The native library stopped the program: {reason.strip()}\n")
            self._file.flush()

    def close(self) -> None:
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._old_hooks
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            self._path.unlink(missing_ok=True)
            self._file = None
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            self._handler.close()
            self._handler = None

    def _read_last(self) -> str:
        """What the previous run left when it crashed; an orderly end removes the file."""
        try:
            return self._path.read_text("utf-8", "replace").strip()
        except OSError:
            return ""

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.error("unexpected error", exc_info=(kind, error, trace))
        self._on_bug(Problem.of(error))

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)

    def _on_unraisable(self, args: sys.UnraisableHookArgs) -> None:
        # Nobody is waiting for this one; it is a fault all the same.
        log.error("error in %r: %s", args.object, args.exc_value, exc_info=args.exc_value)


def log_qt_messages() -> None:
    """Route Qt's own messages to the log; warnings of Qt are faults of ours to mend."""
    from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

    levels = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
        QtMsgType.QtCriticalMsg: logging.ERROR,
        QtMsgType.QtFatalMsg: logging.CRITICAL,
    }
    qt_log = logging.getLogger("slipstream.qt")

    def handle(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        qt_log.log(levels.get(kind, logging.WARNING), "%s", message)

    qInstallMessageHandler(handle)
