"""Conversations come back as they were saved."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from app.core.conversation import STOPPED, STREAMING, ConversationSummary, Message
from app.core.errors import Bug
from app.core.rounds import decode_rounds
from app.storage.paths import Paths
from app.storage.store import FileStore
from tests.storage.samples import ROUNDS, conversation, load, save, titles


def test_a_new_store_is_empty(store: FileStore) -> None:
    assert store.conversations().result(5) == []
    assert store.conversation("c0").result(5) is None
    assert store.read_only_reason == ""
    assert store.notices == ()


def test_a_conversation_comes_back_as_it_was(open_store: Callable[..., FileStore]) -> None:
    made = conversation(6)
    first = open_store()
    save(first, made)
    assert load(first, "c0") == made
    first.close()
    loaded = load(open_store(), "c0")
    assert loaded == made
    assert [m.id for m in loaded.path()] == [f"c0m{i}" for i in range(6)]
    assert decode_rounds(loaded.messages["c0m1"].rounds) == decode_rounds(ROUNDS)


def test_branches_are_kept(store: FileStore) -> None:
    made = conversation(2)
    made.add(Message("c0", "assistant", "another reply", "c0m0", "sibling", 5000.0))
    save(store, made)
    loaded = load(store, "c0")
    assert [m.id for m in loaded.children("c0m0")] == ["c0m1", "sibling"]
    assert loaded.summary.leaf_id == "sibling"


def test_the_list_is_newest_first_and_follows_changes(store: FileStore) -> None:
    for number in range(3):
        store.save_conversation(conversation(0, number).summary)
    assert [s.id for s in store.conversations().result(5)] == ["c2", "c1", "c0"]
    oldest = conversation(0, 0).summary
    oldest.updated_at, oldest.title, oldest.draft = 900.0, "renamed", "not sent yet"
    store.save_conversation(oldest)
    assert store.conversations().result(5)[0] == oldest


def test_saving_a_summary_again_keeps_its_messages(store: FileStore) -> None:
    made = conversation()
    save(store, made)
    made.summary.title = "renamed"
    store.save_conversation(made.summary).result(5)
    assert load(store, "c0") == made


def test_a_message_is_copied_when_it_is_saved(store: FileStore) -> None:
    message = Message("c0", "user", "before", meta={"a": [1]})
    future = store.save_message(message)
    message.text = "after"
    message.meta["a"].append(2)
    future.result(5)
    saved = load(store, "c0").messages[message.id]
    assert (saved.text, saved.meta) == ("before", {"a": [1]})


def test_a_growing_reply_is_replaced_and_its_rounds_come_at_the_end(store: FileStore) -> None:
    made = conversation(1)
    save(store, made)
    reply = Message("c0", "assistant", "", "c0m0", "reply", 1001.0, STREAMING)
    for i in range(30):
        reply.text += f"word{i} "
        store.save_message(reply)
    assert load(store, "c0").messages["reply"] == reply
    reply.status, reply.rounds, reply.meta = "complete", ROUNDS, {"finish_reason": "stop"}
    store.save_message(reply).result(5)
    assert load(store, "c0").messages["reply"] == reply
    # A saved message mirrors the one given, so rounds can be taken away as well.
    reply.rounds = b""
    store.save_message(reply).result(5)
    assert load(store, "c0").messages["reply"] == reply


def test_a_message_of_an_unsaved_conversation_is_not_refused(store: FileStore) -> None:
    message = Message("new", "user", "hello", created_at=7.0)
    store.save_message(message).result(5)
    assert load(store, "new").messages == {message.id: message}
    summary = ConversationSummary("new", "Titled", 1.0, 2.0, message.id)
    store.save_conversation(summary).result(5)
    assert load(store, "new").summary == summary


def test_text_that_utf8_cannot_hold_is_kept_as_far_as_possible(store: FileStore) -> None:
    message = Message("c0", "user", "a\ud800b \ud83d\ude00")
    store.save_message(message).result(5)
    assert load(store, "c0").messages[message.id].text == "a\ufffdb 😀"


def test_deleted_conversations_can_be_restored_until_the_end(open_store: Callable[..., FileStore]) -> None:
    store = open_store()
    for number in range(3):
        save(store, conversation(2, number))
    store.delete_conversation("c0")
    store.delete_conversation("c1")
    assert [s.id for s in store.conversations().result(5)] == ["c2"]
    assert store.conversation("c0").result(5) is None
    store.restore_conversation("c0")
    assert load(store, "c0") == conversation(2, 0)
    store.close()
    second = open_store()
    assert [s.id for s in second.conversations().result(5)] == ["c2", "c0"]
    second.restore_conversation("c1").result(5)
    assert second.conversation("c1").result(5) is None


def test_what_is_purged_leaves_no_trace_in_the_file(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    store = open_store()
    store.save_message(Message("c0", "user", "a secret nobody should find")).result(5)
    store.save_message(Message("c1", "user", "something to keep")).result(5)
    store.delete_conversation("c0")
    store.close()
    content = paths.database.read_bytes()
    assert b"something to keep" in content
    assert b"secret" not in content


def test_saving_into_a_deleted_conversation_does_not_bring_it_back(store: FileStore) -> None:
    made = conversation(2)
    save(store, made)
    store.delete_conversation("c0")
    save(store, made)
    assert titles(store) == []


def test_a_reply_that_was_growing_when_the_program_died_is_stopped(
    open_store: Callable[..., FileStore], paths: Paths
) -> None:
    reply = Message("c0", "assistant", "half a", status=STREAMING)
    first = open_store()
    first.save_message(reply).result(5)
    first.close()
    assert load(open_store(), "c0").messages[reply.id].status == STOPPED


def test_flush_and_close_wait_for_everything(open_store: Callable[..., FileStore]) -> None:
    store = open_store()
    futures = [store.save_message(Message(f"c{i}", "user", "x" * 1000)) for i in range(200)]
    store.flush()
    assert all(f.done() for f in futures)
    futures = [store.save_message(Message(f"c{i}", "user", "x" * 1000)) for i in range(200)]
    store.close()
    assert all(f.done() and f.exception() is None for f in futures)
    assert len(open_store().conversations().result(5)) == 200


def test_a_closed_store_says_so(store: FileStore) -> None:
    store.close()
    store.close()
    store.flush()
    assert isinstance(store.save_message(Message("c0", "user", "late")).exception(5), Bug)


def test_one_failing_callback_does_not_stop_the_writer(
    store: FileStore, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise ValueError("in a callback")

    gate = store.save_message(Message("c0", "user", "one"))
    gate.add_done_callback(broken)
    store.save_message(Message("c0", "user", "two")).result(5)
    assert len(load(store, "c0").messages) == 2


def test_a_cancelled_future_is_passed_over(store: FileStore) -> None:
    gate = threading.Event()
    store._writer.submit(gate.wait)
    futures = [store.save_message(Message("c0", "user", str(i))) for i in range(100)]
    assert all(f.cancel() for f in futures[::2])
    gate.set()
    store.flush()
    assert {m.text for m in load(store, "c0").messages.values()} == {str(i) for i in range(1, 100, 2)}


@pytest.mark.benchmark
def test_a_thousand_messages_load_within_a_tenth_of_a_second(store: FileStore) -> None:
    made = conversation(1000)
    store.save_conversation(made.summary)
    for message in made.messages.values():
        store.save_message(message)
    store.flush()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        loaded = load(store, "c0")
        best = min(best, time.perf_counter() - begin)
    assert len(loaded.messages) == 1000
    assert best < 0.1


@pytest.mark.benchmark
@pytest.mark.parametrize("length", [200, 20_000])
def test_saving_a_growing_reply_costs_less_than_a_millisecond(store: FileStore, length: int) -> None:
    reply = Message("c0", "assistant", "", status=STREAMING, meta={"pair": "a\nb", "seed": 1})
    store.save_message(reply)
    store.flush()
    count = 300
    asking = 0.0
    begin = time.perf_counter()
    for i in range(count):
        reply.text = f"{i}" + "é" * length
        before = time.perf_counter()
        last = store.save_message(reply)
        asking += time.perf_counter() - before
    last.result(10)
    assert (time.perf_counter() - begin) / count < 1e-3
    assert asking / count < 0.2e-3
