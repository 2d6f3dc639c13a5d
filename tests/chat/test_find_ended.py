"""A search that ends while it looks: the turn that was asked for finds nothing left to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.conversation import USER, Conversation, ConversationSummary, Message
from tests.ui.window_rig import WindowRig, spin


def searching(rig: WindowRig) -> None:
    """In the middle of looking through a conversation."""
    conversation = Conversation(ConversationSummary(title="Hay", created_at=1.0, updated_at=1.0))
    for i in range(300):
        conversation.add(Message(conversation.summary.id, USER, "hay", conversation.summary.leaf_id))
        conversation.messages[conversation.summary.leaf_id or ""].created_at = float(i)
    rig.store.put(conversation)
    rig.restart()
    rig.session.open(conversation.summary.id)
    assert spin(lambda: len(rig.window.chat.messages.messages) == 300)
    rig.window.actions_by_name["find"].trigger()
    rig.window.chat.finder.find("hay")
    assert rig.window.chat.finder.searching


def test_the_bar_is_closed(rig: WindowRig) -> None:
    searching(rig)
    QTest.keyClick(rig.window.chat.find_bar.field, Qt.Key.Key_Escape)
    rig.settle()
    assert rig.window.chat.finder.count == 0


def test_another_conversation_is_shown(rig: WindowRig) -> None:
    searching(rig)
    rig.session.new_conversation()
    rig.settle()
    assert rig.window.chat.finder.count == 0
