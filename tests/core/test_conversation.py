"""The message tree holds together whatever is added, shown, removed and brought back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.core.conversation import ASSISTANT, USER, Attachment, Conversation, ConversationSummary, Message

Steps = list[tuple[str, int]]

_STEPS = st.lists(
    st.tuples(
        st.sampled_from(("add", "add", "branch", "root", "show", "remove", "undo")), st.integers(0, 50)
    ),
    max_size=40,
)


def whole(conversation: Conversation) -> None:
    """What holds at every moment."""
    path = conversation.path()
    leaf = conversation.summary.leaf_id
    assert leaf is None or leaf in conversation.messages
    assert bool(path) == (leaf is not None)
    assert len({m.id for m in path}) == len(path)
    for message in conversation.messages.values():
        siblings = conversation.siblings(message.id)
        assert message in siblings
        assert siblings == sorted(siblings, key=lambda m: m.created_at)
        assert message.parent_id is None or message.parent_id in conversation.messages
        assert conversation.path(message.id)[-1] is message


@given(_STEPS)
def test_any_sequence_of_changes(steps: Steps) -> None:
    conversation = Conversation(ConversationSummary("c"))
    removed: list[tuple[list[Message], str | None]] = []
    for number, (step, choice) in enumerate(steps):
        there = list(conversation.messages.values())
        chosen = there[choice % len(there)] if there else None
        if step == "add" or chosen is None:
            parent = conversation.summary.leaf_id
            conversation.add(Message("c", USER, parent_id=parent, id=str(number), created_at=number))
        elif step in ("branch", "root"):
            parent = chosen.parent_id if step == "branch" else None
            conversation.add(Message("c", ASSISTANT, parent_id=parent, id=str(number), created_at=number))
        elif step == "show":
            before = conversation.path()
            changed = conversation.show(chosen.id)
            assert changed == (chosen not in before)
            assert chosen in conversation.path()
            assert not conversation.children(conversation.summary.leaf_id), "a branch is shown to its end"
        elif step == "remove":
            leaf = conversation.summary.leaf_id
            gone = conversation.remove(chosen.id)
            assert gone[0] is chosen
            assert all(m.id not in conversation.messages for m in gone)
            removed.append((gone, leaf))
        elif removed:
            gone, leaf = removed.pop()
            if gone[0].parent_id is None or gone[0].parent_id in conversation.messages:
                conversation.put(gone)
                assert leaf is not None
                conversation.show(gone[0].id)
        whole(conversation)
    copy = conversation.copied()
    whole(copy)
    assert not copy.messages.keys() & conversation.messages.keys()
    assert [m.created_at for m in copy.path()] == [m.created_at for m in conversation.path()]


def test_a_copy_shares_nothing() -> None:
    conversation = Conversation(ConversationSummary("c", "Title", tags=("a",)))
    message = Message("c", USER, "text")
    message.attach((Attachment("a.txt", "x"),))
    conversation.add(message)
    copy = conversation.copied()
    (twin,) = copy.path()
    twin.meta["attachments"][0]["text"] = "changed"
    assert message.attachments == (Attachment("a.txt", "x"),)
    assert copy.summary.tags == ("a",)
    message.attach(())
    assert message.meta == {}


def test_circles_of_a_foreign_tree_end() -> None:
    messages = {i: Message("c", USER, i, parent, i) for i, parent in (("a", "b"), ("b", "a"))}
    conversation = Conversation(ConversationSummary("c", leaf_id="a"), messages)
    assert [m.id for m in conversation.path()] == ["b", "a"]
    assert {m.id for m in conversation.subtree("a")} == {"a", "b"}
    assert conversation.show("b") is False
