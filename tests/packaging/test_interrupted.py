"""Interrupted set-up: whatever ends it, the same command again makes it whole. Signals as POSIX has them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable

import psutil
import pytest

from tests.packaging.small_tree import SmallTree


def wait_for(what: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Return as soon as `what` holds; fail when the process ends before."""
    while not what():
        assert process.poll() is None, "set-up ended before it could be interrupted"
        time.sleep(0.002)


def test_killed_while_making_the_environment(small_tree: SmallTree) -> None:
    process = small_tree.start("setup")
    wait_for(lambda: any(small_tree.venv.glob("lib/*/site-packages/pip/*")), process)
    process.kill()
    process.communicate()
    assert "making it was interrupted" in small_tree.set_up()
    assert small_tree.run("run")[0] == 7


def test_killed_while_pip_installs(small_tree: SmallTree) -> None:
    process = small_tree.start("setup")
    wait_for(lambda: any(small_tree.venv.glob("lib/*/site-packages/PySide6/data/*")), process)
    children = psutil.Process(process.pid).children(recursive=True)
    for victim in (process.pid, *(child.pid for child in children)):
        os.kill(victim, signal.SIGKILL)
    process.communicate()
    assert not small_tree.stamp.exists()
    small_tree.set_up()
    assert len(list(small_tree.venv.rglob("PySide6/data/*.txt"))) == 1500


def test_a_killed_set_up_whose_pip_lives_is_waited_for(small_tree: SmallTree) -> None:
    first = small_tree.start("setup")
    wait_for(lambda: any(small_tree.venv.glob("lib/*/site-packages/PySide6/data/*")), first)
    (running,) = psutil.Process(first.pid).children()
    running.suspend()
    first.kill()
    first.wait()
    second = small_tree.start("setup")
    assert first.stdout is not None
    assert second.stdout is not None
    first.stdout.close()
    assert "waiting for it to finish" in second.stdout.readline()
    running.resume()
    out, _ = second.communicate(timeout=120)
    assert second.returncode == 0, out
    assert not running.is_running() or running.status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_by_a_signal_leaves_no_child(
    small_tree: SmallTree, number: signal.Signals, status: int
) -> None:
    process = small_tree.start("setup")
    wait_for(lambda: any(small_tree.venv.glob("lib/*/site-packages/pip/*")), process)
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == status
    assert psutil.wait_procs(children, timeout=30)[1] == []
    if number == signal.SIGINT:
        assert "Run the same command again" in out
