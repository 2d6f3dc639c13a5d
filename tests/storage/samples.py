"""Conversations to save."""

from __future__ import annotations

from app.core.conversation import ASSISTANT, USER, Conversation, ConversationSummary, Message
from app.core.rounds import Round, RoundTimings, encode_rounds
from app.storage.store import FileStore

ROUNDS = encode_rounds(
    [
        Round(
            mode="speculative",
            position=30 + 4 * i,
            tokens=(1, 2, 3 + i),
            accepted=2,
            drafted=(1, 2, 9, 9),
            verified=4,
            rejected=(9, 9),
            rollback="native",
            chars=(3, 0, 5),
            seconds=0.031,
            timings=RoundTimings(draft=0.01, decode=0.02),
            algorithm="DFlash2",
        )
        for i in range(50)
    ]
)


def conversation(n_messages: int = 4, number: int = 0) -> Conversation:
    """Alternating user and assistant messages; replies carry rounds and figures."""
    made = Conversation(
        ConversationSummary(f"c{number}", f"Разговор {number} 語", 100.0 + number, 200.0 + number)
    )
    parent = None
    for i in range(n_messages):
        reply = i % 2 == 1
        message = Message(
            made.summary.id,
            ASSISTANT if reply else USER,
            f"Text {i}: \"quotes\" 'and' \x00 NUL, é, 👩\u200d💻\n" * 3,
            parent,
            f"c{number}m{i}",
            1000.0 + i / 8,
            "complete",
            {"pair": "a\nb", "rates": [0.5, None], "nested": {"é": True}} if reply else {},
            ROUNDS if reply else b"",
        )
        made.add(message)
        parent = message.id
    return made


def save(store: FileStore, made: Conversation) -> None:
    """Everything of it, waiting for each part."""
    store.save_conversation(made.summary).result(10)
    for message in made.messages.values():
        store.save_message(message).result(10)


def load(store: FileStore, conversation_id: str) -> Conversation:
    loaded = store.conversation(conversation_id).result(10)
    assert loaded is not None
    return loaded


def titles(store: FileStore) -> list[str]:
    return [summary.title for summary in store.conversations().result(10)]
