"""A second start raises the first window and hands over its files; a stale socket is in nobody's way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket

from app.single_instance import SingleInstance, server_name
from tests.ui.window_rig import WindowRig, spin

ROOT = Path(__file__).resolve().parents[2]
SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.single_instance import SingleInstance
app = QCoreApplication([])
sys.exit(0 if SingleInstance(Path(sys.argv[1])).hand_over(sys.argv[2:]) else 3)
"""
CRASHING = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.single_instance import SingleInstance
app = QCoreApplication([])
os._exit(9 if SingleInstance(Path(sys.argv[1])).listen() else 3)
"""


@pytest.fixture
def first(tmp_path: Path, qapp) -> Iterator[SingleInstance]:
    instance = SingleInstance(tmp_path / "data")
    yield instance
    instance.close()


def second_start(folder: Path, *files: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SECOND, str(folder), *files],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )


def test_a_second_start_hands_over_its_files(first: SingleInstance, tmp_path: Path) -> None:
    assert not first.hand_over([])
    assert first.listen()
    heard: list[list[str]] = []
    first.asked.connect(heard.append)
    name = str(tmp_path / "Modell – ünïcode 模型.gguf")
    process = second_start(tmp_path / "data", name)
    assert spin(lambda: process.poll() is not None, 60)
    assert process.returncode == 0
    assert heard == [[name]]


def test_other_folders_are_other_copies(first: SingleInstance, tmp_path: Path) -> None:
    assert first.listen()
    assert not SingleInstance(tmp_path / "other").hand_over(["x"])
    assert server_name(tmp_path / "data") == server_name(tmp_path / "x" / ".." / "data")


def test_a_socket_left_behind_is_replaced(first: SingleInstance, tmp_path: Path) -> None:
    crashed = subprocess.run(
        [sys.executable, "-c", CRASHING, str(tmp_path / "data")], cwd=ROOT, timeout=120, check=False
    )
    assert crashed.returncode == 9
    assert not first.hand_over([])
    assert first.listen()


@pytest.mark.parametrize(
    "line", [b"nonsense\n", b"{}\n", b"[1, null]\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"]
)
def test_nonsense_is_answered_and_ignored(first: SingleInstance, line: bytes) -> None:
    assert first.listen()
    heard: list[list[str]] = []
    first.asked.connect(heard.append)
    socket = QLocalSocket()
    socket.connectToServer(first.name)
    assert socket.waitForConnected(2000)
    socket.write(line)
    assert spin(lambda: socket.bytesAvailable() > 0)
    assert bytes(socket.readAll().data()) == b"ok\n"
    assert heard in ([], [[]])
    socket.disconnectFromServer()
    assert spin(lambda: not first._pending)


def test_a_line_that_never_ends_is_cut_off(first: SingleInstance) -> None:
    assert first.listen()
    socket = QLocalSocket()
    socket.connectToServer(first.name)
    assert socket.waitForConnected(2000)
    socket.write(b"x" * (3 << 20))
    assert spin(lambda: socket.state() == QLocalSocket.LocalSocketState.UnconnectedState)
    assert spin(lambda: not first._pending)


def test_the_window_comes_forward(rig: WindowRig) -> None:
    rig.window.showMinimized()
    rig.window.open_files([])
    assert not rig.window.isMinimized()
    assert rig.window.isVisible()
