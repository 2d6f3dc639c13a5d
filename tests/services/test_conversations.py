"""The list of conversations: opening, drafts, renaming, deleting with undo, and replies in the background."""

from __future__ import annotations

from app.core.conversation import (
    ASSISTANT,
    COMPLETE,
    STOPPED,
    USER,
    Conversation,
    ConversationSummary,
    Message,
)
from app.core.settings import AppSettings
from app.services.conversation_list import ConversationList
from tests.fakes import MemoryStore
from tests.services.conftest import Desk, pause, spin


def stored(number: int) -> Conversation:
    conversation = Conversation(
        ConversationSummary(id=f"c{number}", title=f"Chat {number}", created_at=number, updated_at=number)
    )
    user = Message(f"c{number}", USER, f"question {number}", id=f"u{number}", created_at=number)
    conversation.add(user)
    conversation.add(
        Message(f"c{number}", ASSISTANT, f"answer {number}", user.id, f"a{number}", created_at=number)
    )
    return conversation


def store_with(count: int, settings: AppSettings | None = None) -> MemoryStore:
    store = MemoryStore(settings, threaded=True)
    for number in range(1, count + 1):
        store.put(stored(number))
    return store


def opened(desk: Desk) -> str:
    return desk.session.current.summary.id if desk.session.current is not None else ""


def ids(desk: Desk) -> list[str]:
    return [s.id for s in desk.session.conversations]


def open_and_wait(desk: Desk, conversation_id: str) -> None:
    desk.session.open(conversation_id)
    assert spin(lambda: opened(desk) == conversation_id)


def make(count: int, settings: AppSettings | None = None) -> Desk:
    desk = Desk(store_with(count, settings))
    desk.start()
    desk.load()
    return desk


def test_the_last_conversation_is_open_after_a_restart() -> None:
    desk = make(3, AppSettings(conversation_id="c2"))
    assert ids(desk) == ["c3", "c2", "c1"]
    assert opened(desk) == "c2"
    assert desk.session.current is not None
    assert [m.text for m in desk.session.current.path()] == ["question 2", "answer 2"]
    assert desk.close()


def test_without_a_last_one_a_new_one_is_open() -> None:
    desk = make(2)
    assert opened(desk) not in ("", "c1", "c2")
    assert desk.session.current is not None
    assert desk.session.current.messages == {}
    assert ids(desk) == ["c2", "c1"]
    assert desk.close()
    assert set(desk.store.summaries) == {"c1", "c2"}


def test_answering_moves_a_conversation_to_the_front() -> None:
    desk = make(3)
    open_and_wait(desk, "c1")
    desk.session.send("more")
    desk.wait_answered()
    assert ids(desk) == ["c1", "c3", "c2"]
    assert desk.close()
    assert desk.store.summaries["c1"].updated_at > 3


def test_quick_clicks_show_the_last_one_clicked() -> None:
    desk = make(3)
    desk.told.clear()
    for conversation_id in ("c1", "c2", "c3", "c1"):
        desk.session.open(conversation_id)
    assert spin(lambda: opened(desk) == "c1")
    pause(0.05)
    assert opened(desk) == "c1"
    assert desk.names() == ["conversation_opened"]
    desk.session.open("c2")
    desk.session.new_conversation()
    pause(0.05)
    assert opened(desk) not in ("c1", "c2"), "what was asked for last is shown"
    assert desk.close()


def test_conversation_that_vanished_from_the_disk_leaves_the_list() -> None:
    desk = make(2)
    desk.store.summaries.pop("c1")
    desk.session.open("c1")
    assert spin(lambda: ids(desk) == ["c2"])
    assert desk.session.current is not None
    assert desk.close()


def test_disk_that_cannot_be_read_is_told_and_typing_works() -> None:
    store = store_with(2)
    store.refuse_reads = True
    desk = Desk(store)
    desk.start()
    assert [p.code for n, p in desk.told if n == "problem"] == ["disk"]
    desk.load()
    assert desk.session.send("still here")
    desk.wait_answered()
    assert desk.close()


def test_message_sent_before_the_list_was_read_is_not_lost() -> None:
    desk = Desk(store_with(2, AppSettings(conversation_id="c1")))
    desk.load()
    desk.store.pause()
    desk.session.start()
    assert desk.session.current is None
    assert desk.session.send("early")
    mine = opened(desk)
    desk.store.resume()
    desk.wait_answered()
    pause(0.05)
    assert opened(desk) == mine
    assert ids(desk) == [mine, "c2", "c1"]
    assert desk.close()


def test_unsent_text_belongs_to_its_conversation_and_survives_a_restart() -> None:
    desk = make(2)
    desk.session.set_unsent("for a new one")
    open_and_wait(desk, "c1")
    assert desk.session.unsent() == ""
    desk.session.set_unsent("for c1")
    open_and_wait(desk, "c2")
    assert desk.session.unsent() == ""
    desk.session.new_conversation()
    assert desk.session.unsent() == "for a new one"
    order = ids(desk)
    assert order == ["c2", "c1"], "typing is not an answer: the order stays"
    assert desk.close()
    again = Desk(desk_store(desk))
    again.start()
    assert again.session.unsent() == "for a new one"
    open_and_wait(again, "c1")
    assert again.session.unsent() == "for c1"
    again.load()
    assert again.session.send("for c1")
    assert again.session.unsent() == ""
    again.wait_answered()
    again.session.new_conversation()
    assert again.session.send("for a new one")
    again.session.new_conversation()
    assert again.session.unsent() == ""
    assert again.close()
    assert again.store.settings.unsent == ""
    assert again.store.summaries["c1"].draft == ""


def desk_store(desk: Desk) -> MemoryStore:
    """What a restart would find."""
    store = MemoryStore(desk.store.settings)
    store.summaries, store.messages = desk.store.summaries, desk.store.messages
    return store


def test_refused_text_stays_unsent(desk: Desk) -> None:
    desk.controller.unload()
    desk.session.set_unsent("hello")
    assert not desk.session.send("hello")
    assert desk.session.unsent() == "hello"


def test_new_conversation_twice_is_one(desk: Desk) -> None:
    desk.session.new_conversation()
    first = opened(desk)
    desk.session.new_conversation()
    assert opened(desk) == first


def test_rename_keeps_the_title_when_nothing_is_left_of_it() -> None:
    desk = make(1)
    desk.session.rename("c1", "   ")
    assert desk.session.conversations[0].title == "Chat 1"
    desk.session.rename("c1", "Better")
    desk.session.rename("nobody", "x")
    assert desk.close()
    assert desk.store.summaries["c1"].title == "Better"


def test_delete_and_undo_at_its_place() -> None:
    desk = make(3, AppSettings(conversation_id="c2"))
    desk.session.delete("c2")
    assert ids(desk) == ["c3", "c1"]
    assert [s.id for n, s in desk.told if n == "deleted"] == ["c2"]
    assert spin(lambda: opened(desk) == "c1"), "the neighbour is shown"
    desk.store.flush()
    assert desk.store.hidden == {"c2"}
    desk.session.undo_delete()
    assert ids(desk) == ["c3", "c2", "c1"]
    assert spin(lambda: opened(desk) == "c2")
    desk.session.undo_delete()
    assert desk.close()
    assert desk.store.hidden == set()


def test_delete_another_one_leaves_the_screen_alone() -> None:
    desk = make(3, AppSettings(conversation_id="c2"))
    desk.session.delete("c3")
    pause(0.05)
    assert opened(desk) == "c2"
    desk.session.undo_delete()
    assert opened(desk) == "c2"
    assert ids(desk) == ["c3", "c2", "c1"]
    assert desk.close()


def test_deleting_the_last_one_opens_a_new_one() -> None:
    desk = make(1, AppSettings(conversation_id="c1"))
    desk.session.delete("c1")
    assert spin(lambda: desk.session.current is not None)
    assert desk.session.conversations == []
    assert desk.close()
    assert desk.store.settings.conversation_id == ""


def test_deleting_a_conversation_that_streams_stops_it_first(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 1000, 0.01
    desk.session.send("A question that takes long")
    deleted = opened(desk)
    assert spin(lambda: desk.recorder.count("RoundDone") > 2)
    desk.store.saves.clear()
    desk.session.delete(deleted)
    assert ids(desk) == []
    assert desk.store.hidden == set(), "not before the reply has ended"
    desk.wait_answered()
    assert desk.store.hidden == {deleted}
    whats = [what for what, _, _ in desk.store.saves]
    assert whats[-1] == "delete"
    assert ids(desk) == []
    desk.session.undo_delete()
    assert spin(lambda: opened(desk) == deleted)
    assert desk.session.current is not None
    assert [m.status for m in desk.session.current.path()] == [COMPLETE, STOPPED]
    assert desk.session.current.path()[1].text


def test_undo_before_the_stopped_reply_has_ended(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 1000, 0.1
    desk.session.send("A question that takes long")
    deleted = opened(desk)
    assert spin(lambda: desk.recorder.count("RoundDone") > 0)
    desk.session.delete(deleted)
    desk.session.undo_delete()
    assert opened(desk) == deleted
    desk.wait_answered()
    assert desk.store.hidden == set()
    assert ids(desk) == [deleted]


def test_delete_that_the_disk_refuses_comes_back() -> None:
    desk = make(2)
    desk.store.refuse_writes = True
    desk.session.delete("c1")
    assert spin(lambda: ids(desk) == ["c2", "c1"])
    assert [p.code for n, p in desk.told if n == "problem"] == ["disk"]
    desk.store.refuse_writes = False
    assert desk.close()


def test_reply_goes_on_while_another_conversation_is_on_screen() -> None:
    desk = make(1)
    desk.script.rounds, desk.script.round_seconds = 60, 0.01
    desk.session.send("A question that takes long")
    streaming = opened(desk)
    answer = desk.session.streaming
    assert answer is not None
    assert spin(lambda: bool(answer.text))
    open_and_wait(desk, "c1")
    desk.told.clear()
    seen = len(answer.text)
    assert spin(lambda: len(answer.text) > seen)
    assert desk.names() == [], "the other conversation hears nothing of it"
    assert not desk.session.send("now"), "one reply at a time"
    desk.session.open(streaming)
    assert opened(desk) == streaming
    assert desk.session.current is not None
    assert desk.session.current.messages[answer.id] is answer
    desk.wait_answered()
    assert "message_finished" in desk.names()
    assert desk.close()
    assert desk.store.messages[answer.id].text == answer.text


def test_list_fill_keeps_what_began_before() -> None:
    shelf = ConversationList()
    early = ConversationSummary(id="early")
    shelf.touch(early, 99.0)
    shelf.fill(
        [ConversationSummary(id="old", updated_at=1.0), ConversationSummary(id="early", updated_at=2.0)]
    )
    assert shelf.items[0] is early
    assert [s.id for s in shelf.items] == ["early", "old"]


def test_what_comes_back_stands_where_its_date_puts_it() -> None:
    shelf = ConversationList()
    made = [ConversationSummary(f"c{n}", f"Title {n}", n, n) for n in range(6)]
    shelf.fill(made)
    assert [s.id for s in shelf.items] == ["c5", "c4", "c3", "c2", "c1", "c0"]
    first, second = shelf.delete("c3", False), shelf.delete("c1", False)
    assert first is not None
    assert second is not None
    # One goes for good, one moves to the front, one is new.
    shelf.remove("c4")
    shelf.touch(made[0], 10.0)
    shelf.touch(ConversationSummary("new", "New", 11.0, 11.0), 11.0)
    assert shelf.put_back(second)
    assert shelf.put_back(first)
    assert [s.id for s in shelf.items] == ["new", "c0", "c5", "c3", "c2", "c1"]
    assert not shelf.put_back(first)
    # It was written into while it was away.
    again = shelf.delete("c2", False)
    assert again is not None
    shelf.touch(made[2], 12.0)
    assert shelf.put_back(again)
    assert [s.id for s in shelf.items] == ["c2", "new", "c0", "c5", "c3", "c1"]
