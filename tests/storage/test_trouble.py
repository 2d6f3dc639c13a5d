"""Full disks, closed folders, foreign locks and damage: each is a problem with a way out, and no loss."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.conversation import STOPPED, STREAMING, Message
from app.core.errors import EnvironmentProblem
from app.storage import migrations, problems
from app.storage.paths import Paths
from app.storage.store import FileStore
from tests.storage.samples import conversation, load, save, titles
from tests.storage.test_crash import ROOT


def problem_of(future: object) -> EnvironmentProblem:
    problem = future.exception(20)  # type: ignore[attr-defined]
    assert isinstance(problem, EnvironmentProblem)
    assert problem.what
    assert problem.why
    return problem


def set_aside(paths: Paths) -> list[Path]:
    return [p for p in paths.data.glob("conversations.db.damaged-*") if not p.name.endswith(("-wal", "-shm"))]


def test_a_full_disk_is_said_and_passes(store: FileStore) -> None:
    """SQLite's page limit gives the very error of a full disk."""
    save(store, conversation(2))
    store._writer.submit(
        lambda: store._database.open().execute("PRAGMA max_page_count = 1").fetchall()
    ).result(5)
    big = Message("c0", "user", "x" * 1_000_000)
    assert problem_of(store.save_message(big)).code == "disk-full"
    assert load(store, "c0") == conversation(2)
    store._writer.submit(
        lambda: store._database.open().execute("PRAGMA max_page_count = 1000000").fetchall()
    ).result(5)
    store.save_message(big).result(5)
    assert load(store, "c0").messages[big.id] == big


def test_a_foreign_lock_is_waited_for_and_then_said(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    store = open_store(busy_timeout=0.2)
    save(store, conversation(2))
    other = sqlite3.connect(paths.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    message = Message("c0", "user", "blocked")
    problem = problem_of(store.save_message(message))
    assert problem.code == "database-locked"
    assert problem.remedy
    other.execute("ROLLBACK")
    other.close()
    store.save_message(message).result(5)
    assert load(store, "c0").messages[message.id] == message


@pytest.mark.parametrize("index", ["titles", "words", "files"])
def test_an_index_that_somebody_locked_is_not_damaged(tmp_path: Path, index: str) -> None:
    """SQLite has the same words for an index that it may not read now and for one that is broken."""
    path = tmp_path / "conversations.db"
    own = sqlite3.connect(path, isolation_level=None)
    migrations.migrate(own)
    own.close()
    own = sqlite3.connect(path, timeout=0, isolation_level=None)
    assert own.execute("SELECT count(*) FROM sqlite_master").fetchone()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.Error) as caught:
        own.execute(f"SELECT * FROM {index} WHERE {index} MATCH 'x'").fetchall()
    assert "vtable" in str(caught.value)
    assert problems.code_of(caught.value) == problems.LOCKED
    other.close()
    own.execute(f"DELETE FROM {index}_data")
    own.close()
    own = sqlite3.connect(path, isolation_level=None)
    with pytest.raises(sqlite3.Error) as caught:
        own.execute(f"SELECT * FROM {index} WHERE {index} MATCH 'x'").fetchall()
    assert problems.code_of(caught.value) == problems.DAMAGED
    own.close()


def test_a_file_locked_at_start_is_opened_later(open_store: Callable[..., FileStore], paths: Paths) -> None:
    first = open_store()
    save(first, conversation(2))
    first.close()
    other = sqlite3.connect(paths.database, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    store = open_store(busy_timeout=0.1)
    assert problem_of(store.conversations()).code == "database-locked"
    other.execute("ROLLBACK")
    other.close()
    assert titles(store) == [conversation().summary.title]
    assert store.read_only_reason == ""
    assert not set_aside(paths)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = FileStore(Paths.under(tmp_path / "file"))
    try:
        assert "may not write" in store.read_only_reason
        assert store.conversations().result(5) == []
        assert problem_of(store.save_message(Message("c0", "user", "x"))).code == "read-only"
        assert problem_of(store.save_settings(store.load_settings())).remedy
        store.flush()
    finally:
        store.close()


def run_in_a_read_only_folder(paths: Paths, script: str) -> str:
    """Run `script` (given `store`) as a user who may not write there."""
    program = textwrap.dedent(
        """
        import os, sys
        from pathlib import Path
        from app.core.conversation import Message
        from app.storage.paths import Paths
        from app.storage.store import FileStore
        # Imported as whoever may read the program; root may write anywhere, so it becomes somebody else.
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            os.setuid(65534)
        store = FileStore(Paths.under(Path(sys.argv[1])))
        """
    ) + textwrap.dedent(script)
    home = paths.data.parent
    folders = [home, *(p for p in home.rglob("*") if p.is_dir())]
    files = [p for p in home.rglob("*") if p.is_file()]
    for path in files:
        path.chmod(0o444)
    for path in folders:
        path.chmod(0o555)
    above = [p for p in home.parents if p.stat().st_uid == os.geteuid() and not p.stat().st_mode & 0o001]
    modes = [p.stat().st_mode for p in above]
    for path in above:
        path.chmod(0o711)
    try:
        done = subprocess.run(
            [sys.executable, "-c", program, str(home)],
            capture_output=True,
            encoding="utf-8",
            cwd=ROOT,
            timeout=60,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
    finally:
        for path, mode in zip(above, modes, strict=True):
            path.chmod(mode)
        for path in folders:
            path.chmod(0o755)
        for path in files:
            path.chmod(0o644)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_read_only_folder_is_read_and_said(open_store: Callable[..., FileStore], paths: Paths) -> None:
    store = open_store()
    save(store, conversation(2))
    store.save_settings(store.load_settings()).result(5)
    store.close()
    said = run_in_a_read_only_folder(
        paths,
        """
        print(store.read_only_reason)
        print([s.id for s in store.conversations().result(5)])
        print(len(store.conversation("c0").result(5).messages))
        print(store.save_message(Message("c0", "user", "x")).exception(5).code)
        print(store.save_settings(store.load_settings()).exception(5).code)
        print(len(store.notices))
        store.close()
        """,
    ).splitlines()
    assert "may not write to" in said[0]
    assert str(paths.data) in said[0]
    assert said[1:] == ["['c0']", "2", "read-only", "read-only", "0"]


def test_garbage_is_set_aside_and_a_new_file_begun(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    paths.data.mkdir(parents=True)
    paths.database.write_bytes(b"this is no database " * 500)
    store = open_store()
    assert store.read_only_reason == ""
    assert [n.code for n in store.notices] == ["database-damaged"]
    (aside,) = set_aside(paths)
    assert aside.read_bytes().startswith(b"this is no database")
    assert str(aside) in store.notices[0].why
    save(store, conversation(2))
    assert load(store, "c0") == conversation(2)


def test_damage_found_at_start_is_said_and_what_can_be_read_is_kept(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    store = open_store()
    made = conversation(4)
    save(store, made)
    store.save_message(Message("c0", "assistant", "half", "c0m3", "half", 2000.0, STREAMING)).result(5)
    store.close()
    connection = sqlite3.connect(paths.database)
    query = "SELECT rootpage FROM sqlite_master WHERE name = 'messages_streaming'"
    (page,) = connection.execute(query).fetchone()
    connection.close()
    overwrite(paths.database, (page - 1) * 4096, 4096)

    store = open_store()
    assert [n.code for n in store.notices] == ["database-damaged"]
    assert "5 of its messages" in store.notices[0].why
    loaded = load(store, "c0")
    assert loaded.messages.pop("half").status == STOPPED
    assert loaded == made


def make_damaged(open_store: Callable[..., FileStore], paths: Paths) -> None:
    """Many conversations, and rubbish over a fifth of the file's pages, the schema spared."""
    store = open_store()
    for number in range(40):
        save(store, conversation(6, number))
    store.close()
    size = paths.database.stat().st_size
    overwrite(paths.database, size // 2, size // 5)


def overwrite(path: Path, start: int, length: int) -> None:
    with path.open("r+b") as file:
        file.seek(start // 4096 * 4096)
        file.write(b"\xa5" * (length // 4096 * 4096))


def test_damage_found_while_running_is_said_and_what_can_be_read_is_kept(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    make_damaged(open_store, paths)
    store = open_store()
    store.conversations().exception(20)
    problems = []
    for number in range(40):
        error = store.conversation(f"c{number}").exception(20)
        if error is not None:
            problems.append(error)
    assert [p.code for p in problems] == ["database-damaged"]
    (aside,) = set_aside(paths)
    assert str(aside) in problems[0].why
    kept = [load(store, s.id) for s in store.conversations().result(5)]
    assert sum(len(c.messages) for c in kept) >= 60
    for loaded in kept:
        for message in loaded.messages.values():
            assert message.text == conversation(6).messages[f"c0m{message.id[-1]}"].text
    # Everything works on the new file.
    save(store, conversation(3, 99))
    assert load(store, "c99") == conversation(3, 99)
    store.close()
    assert open_store().notices == ()


def test_the_write_that_met_the_damage_is_not_lost(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    store = open_store()
    for number in range(40):
        save(store, conversation(6, number))
    store.close()
    store = open_store()
    assert store.conversations().result(5)
    overwrite(paths.database, 8192, paths.database.stat().st_size - 8192)
    reply = Message("c1", "assistant", "precious", status=STREAMING)
    problem = problem_of(store.save_message(reply))
    assert problem.code == "database-damaged"
    assert "new file" in problem.remedy
    # The damage happened while this copy ran: its growing reply is still growing.
    assert load(store, "c1").messages[reply.id] == reply


def test_a_newer_versions_file_is_read_but_not_touched(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    first = open_store()
    save(first, conversation(2))
    first.close()
    with sqlite3.connect(paths.database) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    store = open_store()
    assert "newer version" in store.read_only_reason
    assert load(store, "c0") == conversation(2)
    assert "newer version" in problem_of(store.delete_conversation("c0")).why
    assert not set_aside(paths)


def test_a_file_removed_while_running_is_said_and_begun_again(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    store = open_store()
    save(store, conversation(2))
    for path in paths.data.glob("conversations.db*"):
        path.unlink()
    message = Message("c0", "user", "after")
    assert "was removed" in problem_of(store.save_message(message)).what
    assert load(store, "c0").messages == {message.id: message}
    store.close()
    assert load(open_store(), "c0").messages == {message.id: message}


def test_a_folder_that_disappears_and_comes_back_is_said_and_nothing_is_made_in_its_place(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    store = open_store()
    save(store, conversation(2))
    away = paths.data.with_name("away")
    paths.data.rename(away)
    message = Message("c0", "user", "after")
    for _ in range(2):
        assert problem_of(store.save_message(message)).code == "disk-problem"
    assert not paths.data.exists()
    assert store.read_only_reason == ""
    away.rename(paths.data)
    store.save_message(message).result(5)
    assert set(load(store, "c0").messages) == {"c0m0", "c0m1", message.id}


def test_an_sqlite_that_cannot_search_is_named(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    wanting = ("CREATE VIRTUAL TABLE words USING nosuch (text)",)
    monkeypatch.setattr(migrations, "MIGRATIONS", (wanting,))
    store = FileStore(paths)
    problem = problem_of(store.conversations())
    assert problem.code == "no-full-text-search"
    assert "FTS5" in problem.remedy
    assert not set_aside(paths)
    store.close()
