"""Files that wait in the composer: each conversation has its own, as it has its own text."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.conversation import USER, Attachment, Conversation, ConversationSummary, Message
from app.services import attachments
from tests.ui.window_rig import WindowRig, spin

A, B, NEW = Attachment("a.txt", "for a"), Attachment("b.txt", "for b"), Attachment("new.txt", "for a new one")


@pytest.fixture
def two(rig: WindowRig) -> WindowRig:
    """Conversations a and b beside the empty one on screen."""
    for number, name in enumerate("ab"):
        conversation = Conversation(ConversationSummary(name, name, float(number), float(number)))
        conversation.add(Message(name, USER, f"In {name}", id=f"m-{name}", created_at=float(number)))
        rig.store.put(conversation)
    rig.restart()
    rig.ready()
    return rig


def show(rig: WindowRig, conversation_id: str) -> None:
    rig.session.open(conversation_id)
    assert spin(lambda: shown(rig) == conversation_id)
    rig.settle()


def shown(rig: WindowRig) -> str:
    return rig.session.current.summary.id if rig.session.current is not None else ""


def waiting(rig: WindowRig) -> tuple[Attachment, ...]:
    return rig.window.chat.composer.attachments


def test_files_stay_with_their_conversation_over_a_restart(two: WindowRig) -> None:
    two.window.chat.composer.attach(NEW)
    show(two, "a")
    assert waiting(two) == ()
    assert two.window.chat.composer.chips.isHidden()
    two.window.chat.composer.attach(A)
    show(two, "b")
    assert waiting(two) == ()
    two.window.chat.composer.attach(B)
    two.session.new_conversation()
    assert waiting(two) == (NEW,)
    show(two, "a")
    assert waiting(two) == (A,)
    two.restart()
    two.ready()
    assert spin(lambda: shown(two) == "a")
    assert waiting(two) == (A,)
    assert two.window.chat.composer.chips.texts[0].startswith("a.txt")
    show(two, "b")
    assert waiting(two) == (B,)
    two.session.new_conversation()
    assert waiting(two) == (NEW,)


def test_what_was_sent_or_taken_off_waits_no_longer(two: WindowRig) -> None:
    two.window.chat.composer.attach(NEW)
    show(two, "b")
    two.window.chat.composer.attach(B)
    two.window.chat.composer.chips.removed.emit(0)
    show(two, "a")
    two.window.chat.composer.attach(A)
    QTest.keyClick(two.window.chat.composer.field, Qt.Key.Key_Return)
    assert spin(lambda: bool(two.engine.requests) and two.session.streaming is None)
    assert "for a" in two.engine.requests[0].messages[-1].content
    two.session.new_conversation()
    two.window.chat.composer.submit()
    assert spin(lambda: len(two.engine.requests) == 2 and two.session.streaming is None)
    two.session.new_conversation()
    assert waiting(two) == ()
    for conversation_id in "ab":
        show(two, conversation_id)
        assert waiting(two) == ()
    two.restart()
    assert two.store.settings.unsent_files == ()
    assert [s.draft_files for s in two.store.summaries.values()] == [(), (), ()]


def test_a_file_that_is_read_slowly_goes_where_it_was_attached(
    two: WindowRig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "slow.txt"
    path.write_text("slow")
    released = threading.Event()
    read = attachments.read_file

    def read_later(given: Path) -> Attachment | str:
        assert released.wait(10)
        return read(given)

    monkeypatch.setattr(attachments, "read_file", read_later)
    show(two, "a")
    two.window.chat.composer.files_given.emit([str(path)])
    show(two, "b")
    released.set()
    assert spin(lambda: any(s.draft_files for s in two.session.conversations))
    assert waiting(two) == ()
    show(two, "a")
    assert waiting(two) == (Attachment("slow.txt", "slow"),)
