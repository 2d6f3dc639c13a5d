"""A program that saves a growing reply until it is killed: `python -m tests.storage.growing_reply HOME`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from app.core.conversation import STREAMING, ConversationSummary, Message
from app.storage.paths import Paths
from app.storage.store import FileStore


def main() -> None:
    store = FileStore(Paths.under(Path(sys.argv[1])))
    store.save_conversation(ConversationSummary("c0", "Growing", 1.0, 1.0, "reply"))
    store.save_message(Message("c0", "user", "go on", None, "question", 1.0))
    reply = Message("c0", "assistant", "", "question", "reply", 2.0, STREAMING)
    for i in range(100_000):
        reply.text += f"{i} "
        store.save_message(reply)
        # Said before it is known to be on disk, as the window shows it before.
        print(i, flush=True)
        time.sleep(0.01)


if __name__ == "__main__":
    main()
