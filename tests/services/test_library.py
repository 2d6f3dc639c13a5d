"""Pins, tags, search and copies of the list; everything is on the disk and survives a restart."""

from __future__ import annotations

from typing import Any

from app.core.conversation import ASSISTANT, COMPLETE, STOPPED, STREAMING, USER, Message
from app.core.search import SearchHit
from app.core.settings import AppSettings
from app.services.library import Library
from tests.services.conftest import PAIR, Desk, pause, spin
from tests.services.test_conversations import ids, make, open_and_wait, opened


def library(desk: Desk) -> Library:
    return desk.session.library


def pinned(desk: Desk) -> list[str]:
    return [s.id for s in library(desk).pinned()]


def restarted(desk: Desk) -> Desk:
    assert desk.close()
    store = type(desk.store)(threaded=True)
    store.summaries, store.messages = desk.store.summaries, desk.store.messages
    again = Desk(store)
    again.start()
    return again


def duplicated(desk: Desk, conversation_id: str) -> str:
    """The id of a copy, when it is there."""
    added: list[Any] = []
    library(desk).added.connect(added.append)
    library(desk).duplicate(conversation_id, "Copy")
    assert spin(lambda: bool(added))
    library(desk).added.disconnect(added.append)
    return str(added[0][0].id)


def replies_of(desk: Desk, conversation_id: str) -> list[Message]:
    """As they are on the disk, oldest first."""
    kept = (m for m in desk.store.messages.values() if m.conversation_id == conversation_id)
    return sorted((m for m in kept if m.role == ASSISTANT), key=lambda m: m.created_at)


def test_pins_keep_their_order() -> None:
    desk = make(5)
    told: list[None] = []
    desk.session.conversations_changed.connect(lambda: told.append(None))
    for name in ("c2", "c4", "c1"):
        library(desk).pin(name)
    assert pinned(desk) == ["c2", "c4", "c1"]
    library(desk).pin("c1", 0)
    library(desk).pin("c3", 1)
    assert pinned(desk) == ["c1", "c3", "c2", "c4"]
    library(desk).pin("c1", 2)
    library(desk).unpin("c4")
    library(desk).pin("unknown")
    assert pinned(desk) == ["c3", "c2", "c1"]
    assert len(told) == 7
    desk = restarted(desk)
    assert pinned(desk) == ["c3", "c2", "c1"]
    assert desk.close()


def test_a_pin_survives_an_answer_and_a_deletion_with_undo() -> None:
    desk = make(2)
    library(desk).pin("c1")
    open_and_wait(desk, "c1")
    desk.session.send("more")
    desk.wait_answered()
    desk.session.delete("c1")
    assert pinned(desk) == []
    desk.session.undo_delete()
    assert pinned(desk) == ["c1"]
    assert desk.close()


def test_tags() -> None:
    desk = make(3)
    library(desk).set_tag("c1", "  Work \n notes ", True)
    library(desk).set_tag("c2", "work NOTES", True)
    library(desk).set_tag("c2", "été", True)
    library(desk).set_tag("c3", " ", True)
    assert library(desk).tags() == {"Work notes": 2, "été": 1}
    assert library(desk).find("c2").tags == ("Work notes", "été")
    library(desk).set_tag("c1", "Work notes", False)
    assert library(desk).tags() == {"Work notes": 1, "été": 1}
    library(desk).set_tag("c3", "Summer", True)
    library(desk).rename_tag("été", "Summer")
    library(desk).rename_tag("Work notes", "")
    assert library(desk).tags() == {"Summer": 2}
    desk = restarted(desk)
    assert library(desk).tags() == {"Summer": 2}
    assert desk.close()


def test_only_the_newest_search_is_answered() -> None:
    desk = make(3)
    answers: list[tuple[str, list[SearchHit]]] = []
    library(desk).found.connect(lambda text, hits: answers.append((text, hits)))
    for text in ("ques", "answer", "question 2"):
        library(desk).search(text)
    assert spin(lambda: bool(answers))
    pause(0.05)
    ((text, hits),) = answers
    assert text == "question 2"
    assert hits == [SearchHit("c2", "u2", "question 2")]
    desk.store.refuse_reads = True
    library(desk).search("x")
    assert spin(lambda: any(n == "problem" for n, _ in desk.told))
    assert desk.close()


def test_opening_what_was_found_shows_its_branch() -> None:
    desk = make(2)
    desk.store.messages["other"] = Message("c1", USER, "hidden needle", None, "other", 0.5)
    sought: list[str] = []
    desk.session.message_sought.connect(sought.append)
    desk.session.open("c1", "other")
    assert spin(lambda: sought == ["other"])
    assert desk.session.current is not None
    assert [m.id for m in desk.session.current.path()] == ["other"]
    # Once more while it is on screen, and what is gone by now.
    desk.session.open("c1", "a1")
    assert sought == ["other", "a1"]
    assert [m.id for m in desk.session.current.path()] == ["u1", "a1"]
    desk.session.open("c1", "gone")
    desk.session.open("c2", "a2")
    desk.session.new_conversation()
    pause(0.05)
    assert sought == ["other", "a1"]
    assert desk.close()


def test_a_copy_is_whole_and_independent() -> None:
    desk = make(2)
    library(desk).pin("c1")
    library(desk).set_tag("c1", "work", True)
    open_and_wait(desk, "c1")
    desk.session.regenerate("a1")
    desk.wait_answered()
    added: list[Any] = []
    library(desk).added.connect(added.append)
    library(desk).duplicate("c1", "Chat 1 (copy)")
    assert spin(lambda: bool(added))
    ((copy,),) = added
    assert copy.title == "Chat 1 (copy)"
    assert (copy.pin, copy.tags) == (None, ("work",))
    assert len(desk.session.conversations) == 3
    open_and_wait(desk, copy.id)
    current = desk.session.current
    assert current is not None
    assert [m.role for m in current.path()] == ["user", "assistant"]
    answer = current.path()[-1]
    assert len(desk.session.siblings(answer.id)) == 2
    assert answer.rounds
    desk.session.delete_message(answer.id)
    assert sum(m.conversation_id == "c1" for m in desk.store.messages.values()) == 3
    library(desk).duplicate("gone", "x")
    assert desk.close()


def test_settings_of_an_earlier_run_open_a_conversation_that_is_there() -> None:
    desk = make(1, AppSettings(conversation_id="gone"))
    assert opened(desk) not in ("", "gone")
    assert desk.close()


def test_a_copy_of_a_growing_reply_is_a_stopped_one_now_and_after_a_restart() -> None:
    desk = make(2)
    desk.script.rounds, desk.script.round_seconds = 2000, 0.01
    desk.session.open("c2")
    assert spin(lambda: opened(desk) == "c2")
    assert desk.session.send("A question that takes long")
    growing = desk.session.streaming
    assert growing is not None
    assert spin(lambda: bool(growing.text))
    copy = duplicated(desk, "c2")
    assert growing.status == STREAMING
    assert growing in desk.session.current.messages.values()
    kept = replies_of(desk, copy)
    assert [m.status for m in kept] == [COMPLETE, STOPPED]
    assert kept[-1].text
    assert growing.text.startswith(kept[-1].text)
    leaf = library(desk).find(copy).leaf_id
    assert leaf == kept[-1].id
    desk.session.stop()
    desk.wait_answered()
    # Finished since: the original is in front.
    order = ids(desk)
    desk = restarted(desk)
    assert ids(desk) == order
    assert library(desk).find(copy).leaf_id == leaf
    assert replies_of(desk, copy) == kept
    open_and_wait(desk, copy)
    assert desk.session.current.path()[-1] == kept[-1]
    assert desk.close()


def test_a_copy_of_a_waiting_reply_waits_for_nothing() -> None:
    desk = make(1)
    desk.controller.unload()
    assert spin(lambda: desk.controller.pair is None)
    desk.engine.script.load_steps, desk.engine.script.load_step_seconds = 1000, 0.01
    desk.controller.load(PAIR)
    open_and_wait(desk, "c1")
    assert desk.session.send("Now?")
    assert desk.session.streaming.meta["waiting"] == "model"
    answer = replies_of(desk, duplicated(desk, "c1"))[-1]
    assert (answer.status, answer.text, answer.meta) == (STOPPED, "", {})
    assert desk.session.streaming.meta["waiting"] == "model"
    assert desk.close()


def test_copies_stand_above_what_they_were_made_of_also_after_a_restart() -> None:
    desk = make(3)
    copies = [duplicated(desk, "c2") for _ in range(4)]
    order = ["c3", *reversed(copies), "c2", "c1"]
    assert ids(desk) == order
    desk = restarted(desk)
    assert ids(desk) == order
    assert desk.close()
