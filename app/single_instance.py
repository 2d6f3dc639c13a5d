"""One window per data folder: a second start hands its files to the first one and ends.

The first copy listens on a local socket whose name comes from the folder and the user. What is handed over
is one line of JSON, a list of paths; the answer is one line. A socket that a crashed copy left behind is
replaced: nobody answers there.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

log = logging.getLogger("slipstream.instance")

_ANSWER = b"ok\n"
_CONNECT_MS = 500
_ANSWER_MS = 3000
_LONGEST = 1 << 20  # bytes of one line; a list of paths is far shorter


class SingleInstance(QObject):
    """`hand_over` first; `listen` when it was in vain. `asked` carries what a later start was given."""

    asked = Signal(list)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        """`folder`: the data folder, which only one copy may write."""
        super().__init__(parent)
        self.name = server_name(folder)
        self._server: QLocalServer | None = None
        self._pending: dict[QLocalSocket, bytes] = {}

    def hand_over(self, files: Sequence[str]) -> bool:
        """Whether a running copy took the files. It may take seconds when that copy is busy."""
        socket = QLocalSocket()
        socket.connectToServer(self.name)
        if not socket.waitForConnected(_CONNECT_MS):
            return False
        if sys.platform == "win32":
            import ctypes

            # The copy that is asked may come to the front instead of us.
            ctypes.windll.user32.AllowSetForegroundWindow(-1)
        line = json.dumps([os.path.abspath(file) for file in files]) + "\n"
        socket.write(line.encode())
        # Once connected, a copy is there, though it may be too busy to answer in time.
        if socket.waitForBytesWritten(_ANSWER_MS):
            socket.waitForReadyRead(_ANSWER_MS)
        socket.disconnectFromServer()
        return True

    def listen(self) -> bool:
        """Be the copy that is asked. Only whoever holds the folder's lock may call this."""
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        # A crashed copy leaves its socket behind; a living one would hold the folder.
        QLocalServer.removeServer(self.name)
        if not server.listen(self.name):
            log.warning("later starts cannot be heard: %s", server.errorString())
            return False
        server.newConnection.connect(self._on_connection)
        self._server = server
        return True

    def close(self) -> None:
        """Stop listening; may be called again."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def _on_connection(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            self._pending[socket] = b""
            socket.readyRead.connect(lambda s=socket: self._on_data(s))
            socket.disconnected.connect(lambda s=socket: self._forget(s))
            self._on_data(socket)

    def _on_data(self, socket: QLocalSocket) -> None:
        if socket not in self._pending:
            return
        self._pending[socket] += bytes(socket.readAll().data())
        line, newline, _ = self._pending[socket].partition(b"\n")
        if not newline:
            if len(line) > _LONGEST:
                socket.abort()
            return
        self._pending[socket] = b""
        socket.write(_ANSWER)
        socket.flush()
        try:
            files = json.loads(line)
        except (ValueError, RecursionError):
            log.warning("a later start was not understood")
            return
        if isinstance(files, list):
            self.asked.emit([file for file in files if isinstance(file, str)])

    def _forget(self, socket: QLocalSocket) -> None:
        self._pending.pop(socket, None)
        socket.deleteLater()


def server_name(folder: Path) -> str:
    """The same for every start on this folder by this user, another one for any other."""
    user = os.environ.get("USERNAME", "") if sys.platform == "win32" else str(os.getuid())
    whose = f"{user}\n{os.path.normcase(os.path.realpath(folder))}"
    name = f"slipstream-{hashlib.sha256(whose.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    if sys.platform == "win32":
        return name
    # Sockets have short paths, and a folder of the user's own keeps others out.
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    return os.path.join(own, name) if own and len(own) < 80 and os.path.isdir(own) else name
