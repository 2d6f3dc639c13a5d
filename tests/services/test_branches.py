"""Editing, answering again, going on, switching branches and deleting messages; nothing is overwritten."""

from __future__ import annotations

import pytest

from app.core.conversation import (
    ASSISTANT,
    COMPLETE,
    STOPPED,
    TRUNCATED,
    USER,
    Attachment,
    Message,
    content_of,
)
from app.core.errors import EnvironmentProblem
from app.core.ports import LoadRequest
from app.core.rounds import decode_rounds, encode_rounds
from app.core.sampling import SamplingParams
from app.services.chat_session import ANSWERING, EMPTY, NO_QUESTION, NOT_LAST
from tests.fakes import MemoryStore
from tests.services.conftest import Desk, spin


def path(desk: Desk) -> list[Message]:
    assert desk.session.current is not None
    return desk.session.current.path()


def texts(desk: Desk) -> list[str]:
    return [m.text if m.role == USER else m.role for m in path(desk)]


def exchange(desk: Desk, text: str) -> tuple[Message, Message]:
    assert desk.session.send(text)
    desk.wait_answered()
    user, answer = path(desk)[-2:]
    return user, answer


def stored_leaf(desk: Desk) -> str | None:
    assert desk.session.current is not None
    return desk.store.summaries[desk.session.current.summary.id].leaf_id


@pytest.fixture
def branches(desk: Desk) -> list[None]:
    heard: list[None] = []
    desk.session.branch_changed.connect(lambda: heard.append(None))
    return heard


def test_an_edit_is_another_branch_and_the_old_one_comes_back(desk: Desk, branches: list[None]) -> None:
    first, _ = exchange(desk, "one")
    exchange(desk, "two")
    end = path(desk)[-1]
    assert desk.session.edit_and_resend(first.id, "  one, better\n")
    assert branches == [None]
    assert texts(desk) == ["  one, better", ASSISTANT]
    desk.wait_answered()
    assert [m.content for m in desk.engine.requests[-1].messages] == ["  one, better"]
    better = path(desk)[0]
    assert [m.text for m in desk.session.siblings(better.id)] == ["one", "  one, better"]
    assert desk.session.siblings(first.id) == desk.session.siblings(better.id)
    desk.session.show_branch(first.id)
    assert texts(desk) == ["one", ASSISTANT, "two", ASSISTANT]
    assert stored_leaf(desk) == end.id
    desk.session.show_branch(better.id)
    assert texts(desk) == ["  one, better", ASSISTANT]
    assert len(branches) == 3
    desk.session.show_branch(better.id)
    assert len(branches) == 3, "it is on screen already"
    assert len(desk.store.messages) == 6


def test_a_branch_is_shown_where_it_was_left(desk: Desk) -> None:
    _, answer = exchange(desk, "one")
    assert desk.session.regenerate(answer.id)
    desk.wait_answered()
    other = path(desk)[-1]
    desk.session.show_branch(answer.id)
    exchange(desk, "deep a")
    left = path(desk)[-1]
    assert desk.session.edit_and_resend(path(desk)[-2].id, "deep b")
    desk.wait_answered()
    desk.session.show_branch(left.id)
    desk.session.show_branch(other.id)
    assert path(desk)[-1] is other
    desk.session.show_branch(answer.id)
    assert path(desk)[-1] is left, "where it was left, not its newest end"


def test_regenerate_uses_pair_and_settings_of_now_and_keeps_the_first(desk: Desk) -> None:
    user, answer = exchange(desk, "one")
    before = desk.store.messages[answer.id]
    desk.state.update(sampling=SamplingParams(temperature=0.0, seed=5), max_tokens=3)
    desk.controller.set_speculation(False)
    assert desk.session.regenerate(answer.id)
    desk.wait_answered()
    again = path(desk)[-1]
    assert again is not answer
    assert again.parent_id == user.id
    assert desk.session.siblings(again.id) == [answer, again]
    assert [m.content for m in desk.engine.requests[-1].messages] == ["one"]
    assert again.meta["sampling"]["temperature"] == 0.0
    assert (again.meta["seed"], again.meta["mode"], again.status) == (5, "ordinary", TRUNCATED)
    assert desk.store.messages[answer.id] == before
    assert before.meta["sampling"]["temperature"] == 0.8
    # A question without an answer is answered.
    assert desk.session.regenerate(user.id)
    desk.wait_answered()
    assert len(desk.session.siblings(again.id)) == 3


def test_continue_goes_on_in_the_same_message(desk: Desk) -> None:
    desk.state.update(max_tokens=3)
    _, answer = exchange(desk, "one")
    assert answer.status == TRUNCATED
    first, rounds = answer.text, decode_rounds(answer.rounds)
    first_stats = dict(answer.meta["stats"])
    desk.state.update(max_tokens=4, sampling=SamplingParams(temperature=0.0))
    started: list[str] = []
    desk.session.message_updated.connect(lambda m: started.append(m.status))
    assert desk.session.continue_reply(answer.id)
    assert started[0] == "streaming"
    assert desk.session.streaming is answer
    desk.wait_answered()
    request = desk.engine.requests[-1]
    assert request.continue_text == first
    assert request.continue_tokens == tuple(t for r in rounds for t in r.tokens)
    assert [m.content for m in request.messages] == ["one"]
    assert path(desk)[-1] is answer
    assert answer.text.startswith(first)
    assert len(answer.text) > len(first)
    decoded = decode_rounds(answer.rounds)
    assert decoded[: len(rounds)] == rounds
    assert sum(sum(r.chars) for r in decoded) == len(answer.text)
    assert answer.meta["stats"]["generation_tokens"] == 7
    for name in ("prompt_tokens", "reused_tokens", "request_ttft_seconds"):
        assert answer.meta["stats"][name] == first_stats[name]
    assert answer.meta["sampling"]["temperature"] == 0.8, "the first part was made so"
    (part,) = answer.meta["continuations"]
    assert part["at"] == [len(first), len(rounds)]
    assert part["sampling"]["temperature"] == 0.0
    assert part["stats"]["generation_tokens"] == 4
    assert desk.store.messages[answer.id] == answer
    desk.state.update(max_tokens=0)
    assert desk.session.continue_reply(answer.id)
    desk.wait_answered()
    assert answer.status == COMPLETE
    assert len(answer.meta["continuations"]) == 2
    assert not desk.session.continue_reply(answer.id), "it ended by itself"
    assert desk.told[-1] == ("send_refused", NOT_LAST)


def test_continue_a_failed_reply_takes_its_problem_away(desk: Desk) -> None:
    desk.script.round_error = EnvironmentProblem("Out of memory.")
    _, answer = exchange(desk, "one")
    text = answer.text
    assert text
    assert answer.meta["problem"]["what"] == "Out of memory."
    desk.script.round_error = None
    assert desk.session.continue_reply(answer.id)
    desk.wait_answered()
    assert answer.status == COMPLETE
    assert "problem" not in answer.meta
    assert sum(sum(r.chars) for r in decode_rounds(answer.rounds)) == len(answer.text)


def test_continue_that_is_stopped_before_it_begins_leaves_the_reply_as_it_was(desk: Desk) -> None:
    desk.state.update(max_tokens=3)
    _, answer = exchange(desk, "one")
    meta = dict(answer.meta)
    desk.controller.load(desk.engine.loads[-1])
    assert desk.session.continue_reply(answer.id)
    desk.session.stop()
    assert answer.status == TRUNCATED
    assert answer.meta == meta
    assert desk.store.messages[answer.id] == answer


def test_continue_a_reply_without_recorded_rounds_records_none(desk: Desk) -> None:
    desk.state.update(max_tokens=3)
    _, answer = exchange(desk, "one")
    answer.rounds = encode_rounds(())
    assert desk.session.continue_reply(answer.id)
    desk.wait_answered()
    assert desk.engine.requests[-1].continue_tokens == ()
    assert decode_rounds(answer.rounds) == [], "offsets of the second part alone would be wrong"
    assert answer.meta["stats"]["generation_tokens"] == 3


def test_tokens_of_another_target_are_not_taken_over(desk: Desk) -> None:
    desk.state.update(max_tokens=3)
    _, answer = exchange(desk, "one")
    desk.load(LoadRequest("other.gguf"))
    assert spin(lambda: desk.controller.pair is not None)
    assert desk.session.continue_reply(answer.id)
    desk.wait_answered()
    for _ in range(2):
        request = desk.engine.requests[-1]
        assert request.continue_tokens == ()
        assert request.continue_text
        assert answer.text.startswith(request.continue_text)
        assert desk.session.continue_reply(answer.id)
        desk.wait_answered()
    assert [p["pair"]["target_path"] for p in answer.meta["continuations"]] == 3 * ["other.gguf"]


def test_a_reply_in_the_middle_cannot_go_on(desk: Desk) -> None:
    desk.state.update(max_tokens=3)
    _, answer = exchange(desk, "one")
    exchange(desk, "two")
    assert not desk.session.continue_reply(answer.id)
    assert desk.told[-1] == ("send_refused", NOT_LAST)


def test_refusals(desk: Desk) -> None:
    user, answer = exchange(desk, "one")
    assert not desk.session.edit_and_resend(user.id, "  ")
    assert not desk.session.edit_and_resend(answer.id, "not a question")
    assert not desk.session.edit_and_resend("unknown", "text")
    assert not desk.session.regenerate("unknown")
    desk.script.rounds, desk.script.round_seconds = 1000, 0.01
    assert desk.session.regenerate(answer.id)
    assert not desk.session.regenerate(answer.id)
    assert not desk.session.edit_and_resend(user.id, "other")
    desk.session.stop()
    desk.wait_answered()
    current = desk.session.current
    assert current is not None
    current.put((Message(current.summary.id, ASSISTANT, "Hello, I am here.", id="root"),))
    assert not desk.session.regenerate("root")
    refused = [v for n, v in desk.told if n == "send_refused"]
    assert refused == [EMPTY, ANSWERING, ANSWERING, NO_QUESTION]


def test_delete_a_message_and_undo(desk: Desk, branches: list[None]) -> None:
    exchange(desk, "one")
    second, answer = exchange(desk, "two")
    told: list[Message] = []
    desk.session.deleted_message.connect(told.append)
    before = dict(desk.store.messages)
    desk.session.delete_message(second.id)
    assert texts(desk) == ["one", ASSISTANT]
    assert told == [second]
    assert set(desk.store.messages) == {m.id for m in path(desk)}
    assert stored_leaf(desk) == path(desk)[-1].id
    desk.session.undo_delete()
    assert texts(desk) == ["one", ASSISTANT, "two", ASSISTANT]
    assert desk.store.messages == before
    assert stored_leaf(desk) == answer.id
    assert len(branches) == 2
    desk.session.undo_delete()
    assert len(branches) == 2


def test_deleting_one_of_several_replies_shows_its_neighbour(desk: Desk) -> None:
    user, answer = exchange(desk, "one")
    for _ in range(2):
        desk.session.regenerate(answer.id)
        desk.wait_answered()
    first, second, third = desk.session.siblings(answer.id)
    desk.session.show_branch(second.id)
    desk.session.delete_message(second.id)
    assert path(desk) == [user, first]
    desk.session.delete_message(first.id)
    assert path(desk) == [user, third]
    desk.session.delete_message(user.id)
    assert path(desk) == []
    assert desk.session.send("anew")
    desk.wait_answered()
    assert texts(desk) == ["anew", ASSISTANT]


def test_undo_takes_the_last_deletion_of_either_kind(desk: Desk) -> None:
    exchange(desk, "one")
    mine = desk.session.conversations[0].id
    second, _ = exchange(desk, "two")
    desk.session.delete_message(second.id)
    desk.session.delete(mine)
    assert desk.session.conversations == []
    desk.session.undo_delete()
    assert spin(lambda: desk.session.current is not None and desk.session.current.summary.id == mine)
    assert texts(desk) == ["one", ASSISTANT]
    desk.session.undo_delete()
    assert texts(desk) == ["one", ASSISTANT, "two", ASSISTANT]


def test_undo_after_a_switch_of_conversation_shows_the_message_again(desk: Desk) -> None:
    exchange(desk, "one")
    mine = desk.session.conversations[0].id
    second, _ = exchange(desk, "two")
    desk.session.delete_message(second.id)
    desk.session.new_conversation()
    desk.session.undo_delete()
    assert spin(lambda: desk.session.current is not None and desk.session.current.summary.id == mine)
    assert texts(desk) == ["one", ASSISTANT, "two", ASSISTANT]


def test_deleting_a_growing_reply_stops_it_and_does_not_save_it_again(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 1000, 0.01
    desk.session.send("one")
    user, answer = path(desk)
    assert spin(lambda: bool(answer.text))
    desk.session.delete_message(answer.id)
    assert path(desk) == [user]
    desk.wait_answered()
    assert set(desk.store.messages) == {user.id}
    desk.session.undo_delete()
    assert path(desk) == [user, answer]
    assert desk.store.messages[answer.id].status == STOPPED
    assert desk.store.messages[answer.id].text == answer.text


def test_a_message_that_the_disk_does_not_delete_comes_back() -> None:
    desk = Desk(MemoryStore(threaded=True))
    desk.start()
    desk.load()
    _, answer = exchange(desk, "one")
    assert spin(lambda: answer.id in desk.store.messages)
    desk.store.refuse_writes = True
    desk.session.delete_message(answer.id)
    assert spin(lambda: len(path(desk)) == 2)
    desk.store.refuse_writes = False
    assert desk.close()


def test_a_reply_goes_on_while_another_branch_is_shown(desk: Desk) -> None:
    _, answer = exchange(desk, "one")
    desk.script.rounds, desk.script.round_seconds = 60, 0.01
    desk.session.regenerate(answer.id)
    growing = path(desk)[-1]
    desk.session.show_branch(answer.id)
    heard: list[Message] = []
    desk.session.message_updated.connect(heard.append)
    assert spin(lambda: len(growing.text) > 40)
    assert heard == [], "it is not on screen"
    desk.session.show_branch(growing.id)
    assert spin(lambda: bool(heard))
    desk.wait_answered()
    assert growing.status == COMPLETE


def test_attachments_are_kept_and_come_before_the_text(desk: Desk) -> None:
    files = (Attachment("notes.md", "A ``` fence"), Attachment("a.py", "print(1)\n"))
    assert desk.session.send("Explain.", files)
    desk.wait_answered()
    user = path(desk)[0]
    assert user.text == "Explain."
    assert desk.store.messages[user.id].attachments == files
    sent = desk.engine.requests[-1].messages[0].content
    assert sent == "notes.md\n````\nA ``` fence\n````\n\na.py\n```\nprint(1)\n```\n\nExplain."
    assert sent == content_of(user)
    assert desk.session.edit_and_resend(user.id, "Shorter.", files[1:])
    desk.wait_answered()
    assert path(desk)[0].attachments == files[1:]
    assert desk.session.send("", files[:1]), "a file alone is a message"
    desk.wait_answered()
    assert desk.engine.requests[-1].messages[-1].content.startswith("notes.md")
