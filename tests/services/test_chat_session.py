"""Sending, streaming, stopping and failing: what was typed or generated is always there afterwards."""

from __future__ import annotations

import json
import time

import pytest

from app.core.conversation import (
    ASSISTANT,
    COMPLETE,
    FAILED,
    STOPPED,
    STREAMING,
    TRUNCATED,
    USER,
    Message,
)
from app.core.errors import EnvironmentProblem
from app.core.events import RoundDone
from app.core.ports import LoadRequest
from app.core.rounds import decode_rounds, settle
from app.core.settings import AppSettings
from app.services.chat_session import ANSWERING, CLOSING, EMPTY, NO_PAIR
from tests.fakes import MemoryStore, Script
from tests.services.conftest import PAIR, Desk, pause, spin

TEXT = "What does a speculative sidecar do for me?"


def path(desk: Desk) -> list[Message]:
    assert desk.session.current is not None
    return desk.session.current.path()


def stored_answer(desk: Desk) -> Message:
    return next(m for m in desk.store.messages.values() if m.role == ASSISTANT)


def test_first_exchange(desk: Desk) -> None:
    assert desk.session.conversations == []
    assert desk.store.summaries == {}, "a conversation without messages is not stored"
    assert desk.session.send(f"  {TEXT}\n\n")
    user, answer = path(desk)
    assert desk.session.streaming is answer
    assert answer.status == STREAMING
    assert answer.id in desk.store.messages, "on its way to the disk before the first word"
    desk.wait_answered()
    assert (user.role, user.text, user.status) == (USER, f"  {TEXT}", COMPLETE)
    assert answer.status == COMPLETE
    assert answer.text.startswith("Speculation proposes several tokens; ")
    assert desk.store.messages[user.id].text == user.text
    saved = desk.store.messages[answer.id]
    assert (saved.text, saved.status) == (answer.text, COMPLETE)
    (summary,) = desk.session.conversations
    assert summary.title == TEXT
    assert desk.store.summaries[summary.id].title == TEXT
    assert desk.state.settings.conversation_id == summary.id
    assert [n for n in desk.names() if n != "message_updated"] == [
        "conversation_opened",
        "message_added",
        "message_added",
        "message_finished",
    ]


def test_the_end_of_a_reply_holds_everything_that_was_measured(desk: Desk) -> None:
    rounds: list[RoundDone] = []
    desk.session.reply_round.connect(rounds.append)
    desk.script.held_back = " The end."
    desk.session.send(TEXT)
    desk.wait_answered()
    saved = stored_answer(desk)
    assert saved.text.endswith(" The end.")
    meta = json.loads(json.dumps(saved.meta))
    assert meta["pair"] == {
        "target_path": "target.gguf",
        "target_name": "Fake target",
        "draft_path": "sidecar.gguf",
        "draft_name": "Fake sidecar",
        "algorithm": "DFlash2",
    }
    assert meta["settings"]["n_ctx"] == 8192
    assert meta["sampling"]["temperature"] == 0.8
    assert (meta["seed"], meta["finish_reason"], meta["mode"]) == (7, "stop", "speculative")
    assert (meta["n_threads"], meta["n_ctx"]) == (4, 8192)
    assert meta["stats"]["verification_steps"] == 8
    assert meta["stats"]["accepted"] == 12
    assert meta["context_used"] == 24 + 20
    assert "waiting" not in meta
    decoded = decode_rounds(saved.rounds)
    assert decoded == settle([r.round for r in rounds], 0, len(saved.text))
    assert sum(sum(r.chars) for r in decoded) == len(saved.text)
    assert sum(len(r.tokens) for r in decoded) == 20


def test_tokens_withdrawn_at_the_end_leave_the_recorded_rounds(desk: Desk) -> None:
    desk.script.withdrawn = 2
    desk.session.send(TEXT)
    desk.wait_answered()
    decoded = decode_rounds(stored_answer(desk).rounds)
    assert sum(len(r.tokens) for r in decoded) == 18
    assert len(decoded) == 8, "the work of the rounds was done"


def test_switch_in_the_middle_is_a_mixed_reply(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 40, 0.01
    desk.session.send(TEXT)
    assert spin(lambda: len(path(desk)[1].text) > 40)
    desk.controller.set_speculation(False)
    desk.wait_answered()
    assert stored_answer(desk).meta["mode"] == "mixed"


def test_the_request_is_the_branch_with_system_prompt_and_settings(desk: Desk) -> None:
    desk.state.update(system_prompt="Be brief.", max_tokens=3)
    desk.session.send("one")
    desk.wait_answered()
    desk.session.send("two")
    desk.wait_answered()
    request = desk.engine.requests[1]
    assert [m.role for m in request.messages] == ["system", "user", "assistant", "user"]
    assert request.max_tokens == 3
    assert path(desk)[1].status == TRUNCATED
    assert request.messages[2].content == path(desk)[1].text
    desk.state.update(max_tokens=0)
    desk.session.send("three")
    desk.wait_answered()
    assert desk.engine.requests[2].max_tokens is None


def test_growing_text_is_on_the_disk_within_a_second(desk: Desk) -> None:
    """Also when the engine falls silent after a word: nothing waits for the next event."""
    desk.script.rounds, desk.script.silent_at, desk.script.silent_seconds = 3, 2, 2.5
    desk.session.send(TEXT)
    answer = path(desk)[1]
    assert spin(lambda: bool(answer.text))
    began = time.monotonic()
    assert spin(lambda: desk.store.messages[answer.id].text == answer.text, 2)
    assert time.monotonic() - began < 1.0
    saved = desk.store.messages[answer.id]
    assert saved.status == STREAMING
    assert len(decode_rounds(saved.rounds)) == 2, "rounds are saved while they come, too"
    desk.wait_answered()


def test_long_reply_is_saved_about_twice_a_second_not_with_every_word(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 200, 0.01
    desk.session.send(TEXT)
    desk.store.saves.clear()
    started = time.monotonic()
    desk.wait_answered()
    elapsed = time.monotonic() - started
    saves = [s for s in desk.store.saves if s[0] == "message"]
    assert elapsed - 1 <= len(saves) <= 2 * elapsed + 2


def test_stop_keeps_the_text_and_the_next_message_works(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 1000, 0.01
    desk.session.send(TEXT)
    answer = path(desk)[1]
    assert spin(lambda: bool(answer.text))
    desk.session.stop()
    desk.wait_answered()
    assert answer.status == STOPPED
    assert answer.text
    assert answer.meta["finish_reason"] == "cancelled"
    assert desk.store.messages[answer.id].text == answer.text
    desk.script.rounds = 2
    assert desk.session.send("Go on.")
    desk.wait_answered()
    assert [m.status for m in path(desk)] == [COMPLETE, STOPPED, COMPLETE, COMPLETE]


def test_stop_before_the_first_word_then_send_joins_the_two_questions(desk: Desk) -> None:
    desk.script.prefill_slices, desk.script.prefill_slice_seconds = 100, 0.02
    desk.session.send("one")
    pause(0.05)
    desk.session.stop()
    desk.wait_answered()
    desk.script.prefill_slice_seconds = 0.0
    assert desk.session.send("two")
    desk.wait_answered()
    assert [(m.role, m.content) for m in desk.engine.requests[-1].messages] == [("user", "one\n\ntwo")]
    assert [m.text for m in path(desk)[:3]] == ["one", "", "two"]


def test_message_sent_right_after_stop_waits_for_the_end_of_the_old_reply(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 1000, 0.05
    desk.session.send("one")
    assert spin(lambda: bool(path(desk)[1].text))
    desk.session.stop()
    assert desk.session.send("two")
    assert path(desk)[3].meta["waiting"] == "reply"
    desk.script.rounds = 2
    desk.wait_answered()
    assert [m.status for m in path(desk)] == [COMPLETE, STOPPED, COMPLETE, COMPLETE]
    assert "waiting" not in path(desk)[3].meta


@pytest.mark.parametrize("phase", ["start_error", "prefill_error", "round_error", "end_error"])
def test_failure_keeps_question_and_partial_answer(desk: Desk, phase: str) -> None:
    problem = EnvironmentProblem(
        "The context is full.", "It holds 8192 tokens.", "Start anew.", "context-full"
    )
    setattr(desk.script, phase, problem)
    desk.session.send(TEXT)
    desk.wait_answered()
    user, answer = path(desk)
    assert desk.store.messages[user.id].text == TEXT
    assert answer.status == FAILED
    assert bool(answer.text) == (phase in ("round_error", "end_error"))
    assert answer.meta["problem"]["code"] == "context-full"
    assert desk.store.messages[answer.id].meta["problem"]["what"] == "The context is full."
    assert desk.store.messages[answer.id].text == answer.text
    assert [p.code for n, p in desk.told if n == "problem"] == ["context-full"]
    setattr(desk.script, phase, None)
    assert desk.session.send("Again.")
    desk.wait_answered()
    assert path(desk)[-1].status == COMPLETE


def test_refusals_say_why_and_keep_nothing(desk: Desk) -> None:
    assert not desk.session.send("  \n ")
    desk.script.rounds, desk.script.round_seconds = 1000, 0.01
    desk.session.send(TEXT)
    assert not desk.session.send("more")
    assert len(path(desk)) == 2
    desk.session.stop()
    desk.wait_answered()
    desk.controller.unload()
    assert not desk.session.send("more")
    desk.session.refuse_work()
    assert not desk.session.send("more")
    assert [v for n, v in desk.told if n == "send_refused"] == [EMPTY, ANSWERING, NO_PAIR, CLOSING]


def test_message_sent_while_the_model_loads_waits_and_is_answered() -> None:
    desk = Desk(script=Script(load_steps=10, load_step_seconds=0.02))
    desk.start()
    desk.controller.load(PAIR)
    assert desk.session.send(TEXT)
    answer = path(desk)[1]
    assert answer.meta == {"waiting": "model"}
    assert desk.session.streaming is answer
    assert not desk.controller.busy
    desk.wait_answered()
    assert answer.status == COMPLETE
    assert "waiting" not in answer.meta
    assert desk.close()


def test_waiting_message_survives_a_failed_load_and_takes_the_next_model() -> None:
    desk = Desk(script=Script(load_error=EnvironmentProblem("Missing.")))
    desk.start()
    desk.controller.load(PAIR)
    assert desk.session.send(TEXT)
    assert spin(lambda: desk.recorder.count("load_failed") == 1)
    assert desk.session.streaming is path(desk)[1]
    desk.script.load_error = None
    desk.controller.load(LoadRequest("other.gguf"))
    desk.wait_answered()
    assert path(desk)[1].status == COMPLETE
    assert path(desk)[1].meta["pair"]["target_path"] == "other.gguf"
    assert desk.close()


def test_waiting_message_can_be_stopped() -> None:
    desk = Desk(script=Script(load_steps=20, load_step_seconds=0.02))
    desk.start()
    desk.controller.load(PAIR)
    assert desk.session.send(TEXT)
    desk.session.stop()
    assert desk.session.streaming is None
    assert path(desk)[1].status == STOPPED
    assert spin(lambda: desk.controller.pair is not None)
    pause(0.05)
    assert desk.engine.requests == []
    assert desk.session.send("Now.")
    desk.wait_answered()
    assert desk.close()


def test_short_question_gets_its_title_from_the_answer(desk: Desk) -> None:
    desk.session.send("Hi")
    assert desk.session.conversations[0].title == "Hi"
    desk.wait_answered()
    assert desk.session.conversations[0].title.startswith("Hi – Speculation proposes")
    desk.session.rename(desk.session.conversations[0].id, "  Mine \n own ")
    assert desk.session.conversations[0].title == "Mine own"
    desk.session.send("Ho")
    desk.wait_answered()
    assert desk.session.conversations[0].title == "Mine own"
    assert desk.store.summaries[desk.session.conversations[0].id].title == "Mine own"


def test_disk_that_refuses_is_told_once_and_everything_is_saved_when_it_recovers(desk: Desk) -> None:
    desk.store.refuse_writes = True
    desk.script.rounds, desk.script.round_seconds = 60, 0.01
    desk.session.send(TEXT)
    desk.wait_answered()
    assert path(desk)[1].status == COMPLETE, "the chat goes on"
    assert [p.code for n, p in desk.told if n == "problem"] == ["disk"]
    assert desk.store.messages == {}
    desk.store.refuse_writes = False
    desk.session.rename(desk.session.conversations[0].id, "Saved now")
    assert spin(lambda: len(desk.store.messages) == 2, 2)
    assert stored_answer(desk).text == path(desk)[1].text


def test_read_only_store_is_said_once_and_chatting_works() -> None:
    store = MemoryStore()
    store.reason = "Another copy of Slipstream is running."
    desk = Desk(store)
    desk.start()
    desk.load()
    desk.session.send(TEXT)
    desk.wait_answered()
    assert [p.code for n, p in desk.told if n == "problem"] == ["read-only"]
    pause(0.05)
    store.saves.clear()
    desk.session.send("More.")
    desk.wait_answered()
    assert [s for s in store.saves if s[0] != "settings"] == [], "not tried again"
    assert [p.code for n, p in desk.told if n == "problem"] == ["read-only"]
    assert desk.close()


def test_reply_of_an_earlier_run_that_was_cut_off_is_shown_as_stopped(desk: Desk) -> None:
    desk.script.rounds, desk.script.round_seconds = 1000, 0.01
    desk.session.send(TEXT)
    assert spin(lambda: bool(stored_answer(desk).text), 2)
    crashed = MemoryStore(AppSettings(conversation_id=desk.session.conversations[0].id))
    crashed.summaries = dict(desk.store.summaries)
    crashed.messages = dict(desk.store.messages)
    again = Desk(crashed)
    again.start()
    user, answer = path(again)
    assert user.text == TEXT
    assert answer.status == STOPPED
    assert answer.text
    assert crashed.messages[answer.id].status == STOPPED
    assert again.session.streaming is None
    assert again.close()


def test_close_in_the_middle_of_a_reply_saves_its_text() -> None:
    desk = Desk(MemoryStore(threaded=True), Script(rounds=1000, round_seconds=0.01))
    desk.start()
    desk.load()
    desk.session.send(TEXT)
    answer = path(desk)[1]
    assert spin(lambda: bool(answer.text))
    assert desk.close()
    saved = desk.store.messages[answer.id]
    assert saved.status == STOPPED
    assert saved.text == answer.text
    assert len(decode_rounds(saved.rounds)) == desk.engine.rounds_made
