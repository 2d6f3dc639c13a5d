"""What is left when the program is killed, and what a second copy may do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.core.conversation import STOPPED, STREAMING, Message
from app.core.errors import EnvironmentProblem
from app.core.settings import AppSettings
from app.storage.instance import InstanceLock
from app.storage.paths import Paths
from app.storage.store import FileStore
from tests.storage.samples import conversation, load, save, titles

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def another_copy(paths: Paths) -> Iterator[subprocess.Popen[str]]:
    """A second process that keeps saving; killed at the end, if not before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.storage.growing_reply", str(paths.data.parent)],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=20)


def read_until(process: subprocess.Popen[str], number: int) -> int:
    """The number said when at least `number` was reached."""
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= number:
            return int(line)
    raise AssertionError("the other copy ended by itself")


@pytest.mark.parametrize("moment", [110, 170, 230])
def test_a_kill_in_the_middle_of_writing_loses_next_to_nothing(
    moment: int, open_store: Callable[..., FileStore], paths: Paths
) -> None:
    with another_copy(paths) as process:
        read_until(process, moment)
        process.kill()
        rest, _ = process.communicate(timeout=20)
        said = max([moment, *map(int, rest.split())])
    store = open_store()
    assert store.read_only_reason == ""
    assert store.notices == ()
    reply = load(store, "c0").messages["reply"]
    assert reply.status == STOPPED
    numbers = [int(n) for n in reply.text.split()]
    assert numbers == list(range(len(numbers)))
    # Saying a hundred takes at least a second.
    assert numbers[-1] >= said - 100
    assert load(store, "c0").messages["question"].text == "go on"


def test_a_second_copy_reads_and_says_why_it_does_not_write(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    with another_copy(paths) as process:
        read_until(process, 20)
        second = open_store()
        assert "already running" in second.read_only_reason
        reply = load(second, "c0").messages["reply"]
        assert reply.status == STREAMING
        # It goes on seeing what the first one writes.
        read_until(process, 100)
        assert len(load(second, "c0").messages["reply"].text) > len(reply.text)
        for future in (
            second.save_message(Message("c0", "user", "mine")),
            second.save_conversation(conversation(0).summary),
            second.delete_conversation("c0"),
            second.restore_conversation("c0"),
            second.save_settings(AppSettings(theme="dark")),
        ):
            problem = future.exception(5)
            assert isinstance(problem, EnvironmentProblem)
            assert problem.code == "read-only"
            assert "already running" in problem.why
        second.flush()
        second.close()
        # Closing the second one takes nothing from the first.
        assert process.poll() is None
        read_until(process, 120)
        third = open_store()
        assert third.read_only_reason
        third.close()
    store = open_store()
    assert store.read_only_reason == ""
    assert titles(store) == ["Growing"]


def test_a_second_copy_leaves_damaged_settings_to_the_first(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    open_store()
    paths.settings.parent.mkdir(parents=True)
    paths.settings.write_text("{")
    second = open_store()
    assert second.load_settings() == AppSettings()
    assert len(second.notices) == 1
    assert paths.settings.read_text() == "{"


def test_the_lock_is_free_again_after_closing(open_store: Callable[..., FileStore]) -> None:
    first = open_store()
    save(first, conversation(2))
    assert open_store().read_only_reason
    first.close()
    third = open_store()
    assert third.read_only_reason == ""
    assert titles(third) == [conversation().summary.title]


def test_a_lock_can_be_taken_once(paths: Paths) -> None:
    one, two = InstanceLock(paths.lock), InstanceLock(paths.lock)
    assert one.acquire()
    assert one.acquire()
    assert not two.acquire()
    one.release()
    one.release()
    assert two.acquire()
    two.release()
