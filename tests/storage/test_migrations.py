"""Files of earlier versions, as those versions wrote them, open as they were meant."""

from __future__ import annotations

import base64
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.conversation import Attachment, Conversation, ConversationSummary, Message
from app.core.rounds import decode_rounds
from app.storage import migrations
from app.storage.instance import InstanceLock
from app.storage.paths import Paths
from app.storage.store import FileStore
from tests.storage.samples import conversation, load, save

FIXTURES = Path(__file__).parent / "fixtures"
VERSIONS = range(1, len(migrations.MIGRATIONS) + 1)


def expected(version: int) -> list[Conversation]:
    """What the file holds, newest conversation first."""
    return [_conversation(c) for c in json.loads((FIXTURES / f"version-{version}.json").read_text())]


def _conversation(data: dict[str, Any]) -> Conversation:
    messages = [Message(**{**m, "rounds": base64.b64decode(m["rounds"])}) for m in data["messages"]]
    files = tuple(Attachment(**a) for a in data["summary"].get("draft_files", ()))
    tags = tuple(data["summary"].get("tags", ()))
    summary = {**data["summary"], "tags": tags, "draft_files": files}
    return Conversation(ConversationSummary(**summary), {m.id: m for m in messages})


def use(version: int, paths: Paths) -> None:
    paths.data.mkdir(parents=True)
    shutil.copy(FIXTURES / f"version-{version}.db", paths.database)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_of_every_version_opens_with_all_it_holds(
    version: int, open_store: Callable[..., FileStore], paths: Paths
) -> None:
    use(version, paths)
    store = open_store()
    wanted = expected(version)
    assert store.conversations().result(5) == [c.summary for c in wanted]
    for made in wanted:
        loaded = load(store, made.summary.id)
        assert loaded == made
        for message in loaded.messages.values():
            decode_rounds(message.rounds)
    assert store.notices == ()
    # What is in it can be found, also what an earlier version wrote without an index.
    assert {hit.conversation_id for hit in store.search("nul quotes").result(5)} == {"c1", "c2"}
    assert [hit.conversation_id for hit in store.search("разговор 1").result(5)] == ["c1"]
    # A conversation deleted before a crash stays deleted.
    assert store.conversation("c3").result(5) is None
    save(store, conversation(2, 9))
    store.close()
    assert load(open_store(), "c9") == conversation(2, 9)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_upgraded_file_has_the_schema_of_a_new_one(
    version: int, open_store: Callable[..., FileStore], paths: Paths, tmp_path: Path
) -> None:
    use(version, paths)
    open_store().close()
    new = FileStore(Paths.under(tmp_path / "new"))
    new.close()
    assert _schema(paths.database) == _schema(new.paths.database)


def _schema(path: Path) -> list[tuple[str, ...]]:
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        return [*rows, *connection.execute("PRAGMA user_version")]
    finally:
        connection.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(
    open_store: Callable[..., FileStore], paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(1, paths)
    before = _schema(paths.database)
    broken = ("ALTER TABLE messages ADD COLUMN extra TEXT", "INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(migrations, "MIGRATIONS", (migrations.MIGRATIONS[0], broken))
    connection = sqlite3.connect(paths.database, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrations.migrate(connection)
    connection.close()
    assert _schema(paths.database) == before


def test_steps_are_taken_one_after_the_other_and_once(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    use(1, paths)
    more = (("CREATE TABLE steps (n)", "INSERT INTO steps VALUES (2)"), ("INSERT INTO steps VALUES (3)",))
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS[:1], *more))
    connection = sqlite3.connect(paths.database, isolation_level=None)
    for _ in range(2):
        migrations.migrate(connection)
        assert migrations.version_of(connection) == 3
        assert connection.execute("SELECT n FROM steps").fetchall() == [(2,), (3,)]
    assert connection.execute("SELECT count(*) FROM messages").fetchone()[0] > 0
    connection.close()


def test_files_that_an_earlier_version_attached_are_found(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    use(3, paths)
    connection = sqlite3.connect(paths.database)
    meta = json.dumps({"attachments": [{"name": "straße.csv", "text": "a pomegranate"}]})
    connection.execute("UPDATE messages SET meta = ? WHERE id = 'c1m0'", (meta,))
    connection.execute("UPDATE messages SET meta = '{\"attachments\": damaged' WHERE id = 'c2m0'")
    connection.commit()
    connection.close()
    store = open_store()
    for text in ("pomegranate", "strasse", "csv"):
        hits = store.search(text).result(5)
        assert [(hit.conversation_id, hit.message_id) for hit in hits] == [("c1", "c1m0")]
    assert store.notices == ()


def test_an_older_file_that_may_not_be_written_is_read_and_searched_all_the_same(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    use(1, paths)
    before = paths.database.read_bytes()
    lock = InstanceLock(paths.lock)
    assert lock.acquire()
    try:
        store = open_store()
        assert store.read_only_reason
        wanted = expected(1)
        assert store.conversations().result(60) == [c.summary for c in wanted]
        assert load(store, "c1") == wanted[1]
        assert {hit.conversation_id for hit in store.search("quotes").result(60)} == {"c1", "c2"}
        store.close()
    finally:
        lock.release()
    assert paths.database.read_bytes() == before


def test_a_damaged_file_of_an_earlier_version_is_rescued_into_the_new_schema(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    use(1, paths)
    content = bytearray(paths.database.read_bytes())
    # The schema and the first tables stay readable; the end of the file is garbage.
    content[-8192:] = b"\xff" * 8192
    paths.database.write_bytes(content)
    store = open_store()
    assert [notice.code for notice in store.notices] == ["database-damaged"]
    kept = {summary.id for summary in store.conversations().result(60)}
    assert kept & {"c1", "c2"}
    store.save_conversation(ConversationSummary("new", "Pinned", pin=1.0, tags=("a",))).result(60)
    assert {hit.conversation_id for hit in store.search("pinned").result(60)} == {"new"}
