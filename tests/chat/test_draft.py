"""Before a message goes out: files, saved texts, history, its size, and room in the context."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.core.context import is_marked, summary_of
from app.core.conversation import ASSISTANT, USER, Attachment, Conversation, ConversationSummary, Message
from app.core.text_file import decode
from app.services.attachments import read_file
from app.ui.chat.snippets_dialog import SnippetsDialog
from tests.ui.window_rig import WindowRig, spin


def enter(rig: WindowRig) -> None:
    QTest.keyClick(rig.window.chat.composer.field, Qt.Key.Key_Return)


def wait(rig: WindowRig) -> None:
    assert spin(lambda: rig.session.streaming is None and not rig.controller.busy)
    rig.settle()


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße\n".encode(), "Grüße\n"),
        ("\ufeffa".encode("utf-8"), "a"),
        ("Grüße".encode("utf-16"), "Grüße"),
        ("Grüße, Jürgen".encode("cp1252"), "Grüße, Jürgen"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", None),
        (bytes(range(200, 256)), None),
        (b"", ""),
    ],
)
def test_text_is_told_from_binary(data: bytes, text: str | None) -> None:
    assert decode(data) == text


def test_dropped_and_pasted_files_go_with_the_message(rig: WindowRig, tmp_path: Path) -> None:
    source, notes, picture = tmp_path / "a.py", tmp_path / "notes.txt", tmp_path / "p.png"
    source.write_text("x = 1\n")
    notes.write_text("one two three")
    picture.write_bytes(b"\x89PNG\x00\x00")
    composer = rig.window.chat.composer
    dragged = files(source)
    drop = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, dragged, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    rig.window.chat.dropEvent(drop)
    assert spin(lambda: len(composer.attachments) == 1)
    QGuiApplication.clipboard().setMimeData(files(notes))
    composer.field.paste()
    assert spin(lambda: len(composer.attachments) == 2)
    assert spin(lambda: "tokens" in composer.chips.texts[1])
    assert composer.chips.texts[0].startswith("a.py · 0 kB")
    QGuiApplication.clipboard().setMimeData(files(picture))
    composer.field.paste()
    assert spin(lambda: "not a text file" in composer.hint)
    composer.chips.removed.emit(0)
    assert [a.name for a in composer.attachments] == ["notes.txt"]
    composer.set_text("What is this?")
    enter(rig)
    wait(rig)
    [asked] = rig.engine.requests[0].messages
    assert asked.content.index("one two three") < asked.content.index("What is this?")
    assert composer.attachments == ()
    row = rig.window.chat.messages.rows[0]
    assert row.message.attachments == (Attachment("notes.txt", "one two three"),)


def test_models_are_left_to_the_window(rig: WindowRig) -> None:
    data = files(rig.folder / "alpha.gguf")
    assert not rig.window.chat.composer.field.canInsertFromMimeData(data)


def test_up_brings_back_what_was_sent(rig: WindowRig) -> None:
    composer = rig.window.chat.composer
    for text in ("First", "Second"):
        composer.set_text(text)
        enter(rig)
        wait(rig)
    field = composer.field
    field.setFocus()
    for key, text in (
        (Qt.Key.Key_Up, "Second"),
        (Qt.Key.Key_Up, "First"),
        (Qt.Key.Key_Up, "First"),
        (Qt.Key.Key_Down, "Second"),
        (Qt.Key.Key_Down, ""),
    ):
        QTest.keyClick(field, key)
        assert composer.text() == text
    composer.set_text("New")
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert composer.text() == "New"


def test_saved_texts_are_inserted_and_kept(rig: WindowRig) -> None:
    composer = rig.window.chat.composer
    composer.set_text("Explain this to a child: ")
    dialog = rig.window.draft_binder.edit_snippets(composer.text())
    assert isinstance(dialog, SnippetsDialog)
    dialog.accept()
    assert dialog.isVisible()
    dialog.name.setText("Child")
    dialog.name.textEdited.emit("Child")
    dialog.accept()
    assert rig.state.settings.snippets == {"Child": "Explain this to a child: "}
    composer.clear()
    menu = composer.open_snippets()
    menu.actions()[0].trigger()
    menu.close()
    assert composer.text() == "Explain this to a child: "


def test_the_size_of_what_will_be_sent_is_shown(rig: WindowRig) -> None:
    composer = rig.window.chat.composer
    composer.set_text("one two three four")
    assert spin(lambda: composer.tokens_text == "4 tokens")
    meter = rig.window.pair_bar.context_meter
    assert "The next prompt has 4 tokens" in meter.toolTip()
    assert "1024 tokens are reserved" in meter.toolTip()


@pytest.fixture
def full(rig: WindowRig) -> WindowRig:
    """A conversation of six turns of 100 words each, in a context of 640 tokens."""
    rig.script.context_total = 640
    rig.state.update(max_tokens=60)
    rig.window.pair_binder.load()
    rig.ready()
    conversation = Conversation(ConversationSummary(title="Long", created_at=1.0, updated_at=1.0))
    parent = None
    for i in range(12):
        role = ASSISTANT if i % 2 else USER
        message = Message(conversation.summary.id, role, f"m{i} " + "word " * 49, parent, created_at=float(i))
        conversation.add(message)
        parent = message.id
    rig.store.put(conversation)
    rig.restart()
    rig.script.context_total = 640
    rig.ready()
    rig.session.open(conversation.summary.id)
    assert spin(lambda: rig.session.current is not None and len(rig.session.current.messages) == 12)
    rig.settle()
    return rig


def ask_too_much(rig: WindowRig) -> None:
    rig.window.chat.composer.set_text("And now? " + "more " * 30)
    enter(rig)
    assert spin(lambda: rig.window.chat.context_choice.isVisible())
    assert rig.engine.requests == []


def test_before_overflow_the_user_chooses_to_leave_out(full: WindowRig) -> None:
    ask_too_much(full)
    full.window.chat.context_choice.trim_button.click()
    assert spin(lambda: bool(full.engine.requests))
    wait(full)
    sent = full.engine.requests[-1].messages
    assert sent[0].role == USER
    assert not sent[0].content.startswith("m0 ")
    assert sum(len(m.content.split()) for m in sent) + 60 <= 640
    current = full.session.current
    assert current is not None
    assert len(current.messages) == 14
    [marked] = [m for m in current.path() if is_marked(m)]
    row = full.window.chat.messages.row(marked.id)
    assert row is not None
    assert row.marker is not None
    assert row.marker.text == "Left out up to here"
    row.marker.undo_button.click()
    assert not is_marked(marked)
    assert row.marker is None


def test_the_choice_shows_all_that_it_says_in_a_narrow_window(full: WindowRig) -> None:
    full.window.resize(960, 640)
    choice = full.window.chat.context_choice
    title, *_ = choice.findChildren(QLabel)
    # As long as it is in other languages.
    title.setText("This conversation no longer fits into the context " * 4)
    ask_too_much(full)
    for label in choice.findChildren(QLabel):
        assert label.height() >= label.heightForWidth(label.width()) > 0
    for button in (choice.trim_button, choice.summary_button, choice.stop_button):
        around = button.parentWidget()
        assert around is not None
        assert around.rect().contains(button.geometry())
    QTest.keyClick(choice.trim_button, Qt.Key.Key_Escape)


def test_or_has_it_summarised(full: WindowRig) -> None:
    ask_too_much(full)
    full.window.chat.context_choice.summary_button.click()
    assert spin(lambda: len(full.engine.requests) >= 2)
    assert spin(lambda: full.session.streaming is None and not full.controller.busy)
    current = full.session.current
    assert current is not None
    assert spin(lambda: len(current.messages) == 14)
    wait(full)
    assert "m0 " in full.engine.requests[0].messages[0].content
    last = full.engine.requests[-1].messages
    [marked] = [m for m in current.path() if is_marked(m)]
    assert summary_of(marked)
    assert last[0].role == "system"
    assert summary_of(marked) in last[0].content


def test_or_does_not_send(full: WindowRig) -> None:
    ask_too_much(full)
    text = full.window.chat.composer.text()
    QTest.keyClick(full.window.chat.context_choice.trim_button, Qt.Key.Key_Escape)
    assert not full.window.chat.context_choice.isVisible()
    assert full.window.chat.composer.text() == text
    assert full.engine.requests == []
    assert full.session.current is not None
    assert len(full.session.current.messages) == 12


def test_a_message_that_does_not_fit_alone_is_refused(full: WindowRig) -> None:
    full.window.chat.composer.set_text("much " * 700)
    enter(full)
    assert spin(lambda: "Too long for the model's context" in full.window.chat.composer.hint)
    assert full.engine.requests == []


def test_what_is_written_while_the_choice_is_shown_is_what_goes_out(full: WindowRig) -> None:
    ask_too_much(full)
    full.window.chat.composer.set_text("Something else instead")
    full.window.chat.context_choice.trim_button.click()
    assert spin(lambda: bool(full.engine.requests))
    wait(full)
    assert full.engine.requests[-1].messages[-1].content == "Something else instead"
    assert full.window.chat.composer.text() == ""


def test_what_is_written_during_a_summary_stays_in_the_field(full: WindowRig) -> None:
    ask_too_much(full)
    full.script.round_seconds = 0.02
    full.window.chat.context_choice.summary_button.click()
    assert spin(lambda: "Summarising" in full.window.chat.composer.hint)
    full.window.chat.composer.set_text("Something else, half")
    assert spin(lambda: "Summarising" not in full.window.chat.composer.hint)
    wait(full)
    current = full.session.current
    assert current is not None
    assert any(map(is_marked, current.path()))
    assert len(current.messages) == 12
    assert full.window.chat.composer.text() == "Something else, half"


def test_an_example_is_added_to_what_is_written_and_sends_nothing(rig: WindowRig) -> None:
    composer = rig.window.chat.composer
    composer.set_text("Mine. ")
    composer.attach(Attachment("a.txt", "a"))
    example = rig.window.chat.empty.prompts[0]
    example.click()
    rig.settle()
    assert composer.text() == f"Mine. {example.prompt}"
    assert composer.attachments == (Attachment("a.txt", "a"),)
    assert rig.engine.requests == []


def test_a_name_of_two_lines_is_one_line_in_the_prompt(tmp_path: Path) -> None:
    path = tmp_path / "a\n```\nb.txt"
    try:
        path.write_text("text")
    except OSError:
        # Windows has no such names.
        return
    assert read_file(path) == Attachment("a ``` b.txt", "text")
