"""The bars of the chat: long conversations and long replies stay quick, and small in memory."""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from app.core.conversation import ASSISTANT, STREAMING, USER, Message
from app.ui.chat.message_list import MessageList

pytestmark = pytest.mark.benchmark

OPEN_SECONDS = 0.300
STALL_SECONDS = 0.032
FLUSH_MEDIAN_SECONDS = 0.008
FLUSH_MOST_SECONDS = 0.050
BYTES_PER_TOKEN = 1024
LONG_REPLY_TOKENS = 100_000
FLUSH_TOKENS = 25  # what a fast model writes between two flushes

PARAGRAPH = (
    "The draft **proposes** several tokens and the target checks all of them in one pass, so that a round "
    "never brings nothing. Reading weights costs more than computing with them.\n\n"
)
CODE = "```python\ndef accept(draft, target):\n    return draft[: agreed(draft, target)]\n```\n\n"
LIST = "- one thing, and `another`\n- a second one\n- a third one\n\n"


def talk(n_messages: int) -> list[Message]:
    """Questions and answers such as people keep: prose, now and then a list or code."""
    out: list[Message] = []
    for i in range(n_messages):
        if i % 2:
            text = PARAGRAPH * 2 + (CODE if i % 6 == 1 else LIST if i % 6 == 3 else "")
            out.append(Message("c", ASSISTANT, f"Answer {i}. {text}"))
        else:
            out.append(Message("c", USER, f"Question {i}: how does it get faster without changing a token?"))
    return out


@pytest.fixture
def messages(qtbot) -> MessageList:
    messages = MessageList()
    qtbot.addWidget(messages)
    messages.resize(800, 700)
    messages.show()
    # The first rows of a run load fonts, icons and the highlighter.
    messages.set_messages(talk(12))
    turn(40)
    messages.clear()
    turn(5)
    return messages


def turn(n: int = 1) -> float:
    """The longest of `n` turns of the event loop, in seconds."""
    most = 0.0
    for _ in range(n):
        started = time.perf_counter()
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        most = max(most, time.perf_counter() - started)
    return most


def test_a_thousand_messages_open_and_scroll(messages: MessageList) -> None:
    conversation = talk(1000)
    started = time.perf_counter()
    messages.set_messages(conversation)
    turn()
    opened = time.perf_counter() - started
    assert messages.rows[-1].message is conversation[-1]
    bar = messages.verticalScrollBar()
    turn(60)
    stalls = []
    for _ in range(400):
        started = time.perf_counter()
        # A turn of the wheel, and what it asks for.
        bar.setValue(bar.value() - 120)
        spent = time.perf_counter() - started
        stalls.append(max(spent, turn(2)))
    print(f"opened in {1000 * opened:.0f} ms; scrolling: median {1000 * median(stalls):.1f} ms, ", end="")
    print(f"longest {1000 * max(stalls):.1f} ms, {len(messages.rows)} rows")
    assert opened < OPEN_SECONDS
    assert max(stalls) < STALL_SECONDS


def test_a_hundred_thousand_tokens_stay_smooth(messages: MessageList) -> None:
    reply = Message("c", ASSISTANT, "", status=STREAMING)
    messages.add(reply)
    unit = PARAGRAPH * 3 + LIST + CODE
    tokens_per_unit = len(unit) / 4
    words = (unit * (int(LONG_REPLY_TOKENS / tokens_per_unit) + 1))[: 4 * LONG_REPLY_TOKENS]
    size = 4 * FLUSH_TOKENS
    flushes = []
    for end in range(size, len(words) + size, size):
        started = time.perf_counter()
        reply.text = words[:end]
        messages.update_message(reply)
        QCoreApplication.processEvents()
        flushes.append(time.perf_counter() - started)
    tenth = len(flushes) // 10
    first, last = median(flushes[tenth : 2 * tenth]), median(flushes[-tenth:])
    print(f"flush: median {1000 * median(flushes):.2f} ms, longest {1000 * max(flushes):.1f} ms; ", end="")
    print(f"second tenth {1000 * first:.2f} ms, last tenth {1000 * last:.2f} ms")
    assert median(flushes) < FLUSH_MEDIAN_SECONDS
    assert max(flushes) < FLUSH_MOST_SECONDS
    assert last < 1.5 * first + 0.001


MEMORY = """
import gc, sys, time
import psutil
from PySide6.QtWidgets import QApplication
from app.core.conversation import ASSISTANT, Message
from app.ui.chat.message_list import MessageList
from tests.chat.test_chat_bars import CODE, LIST, PARAGRAPH, talk, turn
app = QApplication(sys.argv)
messages = MessageList()
messages.resize(800, 700)
messages.show()
messages.set_messages(talk(12))
turn(40)
messages.clear()
turn(5)
process = psutil.Process()
gc.collect()
before = process.memory_info().rss
code = CODE.replace("def", "x = compute(1, 2, 3)  # as before\\n" * 20 + "def")
text = (PARAGRAPH * 40 + LIST * 3 + code) * 20
messages.set_messages([Message("c", ASSISTANT, text)])
row = messages.rows[0]
until = time.monotonic() + 40
while any(getattr(s, "pending", False) for s in row.body.sections) and time.monotonic() < until:
    app.processEvents()
turn(20)
gc.collect()
print((process.memory_info().rss - before) / (len(text) / 4))
"""


def test_memory_of_what_is_shown() -> None:
    """Of one long reply, all of which is laid out; in a process that has shown nothing like it before."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, timeout=120, check=True
    )
    per_token = float(done.stdout)
    print(f"{per_token:.0f} bytes per token")
    assert 0 < per_token < BYTES_PER_TOKEN
