"""Conversations out of a file of ours or of ChatGPT's, one by one."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from app.core.conversation import Conversation
from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.services.transfer import chatgpt_format, json_format
from app.services.transfer.json_stream import JsonStream

UNREADABLE = "import"

# A zip with a password is a RuntimeError, as is one that is packed in a way unknown here.
_UNREADABLE_FILE = (OSError, zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, RuntimeError)


@dataclass(slots=True)
class Source:
    """A file to import from: `conversations()` reads it once. `failed` says what of it could not be read.

    `fraction` is how much of it has been read, from 0 to 1; another thread may look at it.
    """

    path: Path
    fraction: float = 0.0
    failed: list[str] = field(default_factory=list)

    def conversations(self) -> Iterator[Conversation]:
        """EnvironmentProblem when the file is none of those known, or ends in the middle."""
        try:
            for opened in self._files():
                with opened as (file, share):
                    yield from self._read(file, share)
        except _UNREADABLE_FILE as error:
            raise EnvironmentProblem(
                say("{name} cannot be read.", name=self.path.name), str(error), code=UNREADABLE
            ) from error
        self.fraction = 1.0

    def _read(self, file: TextIO, share: Callable[[int], float]) -> Iterator[Conversation]:
        def progress(n_chars: int) -> None:
            self.fraction = min(1.0, self.fraction + share(n_chars))

        head: dict[str, Any] = {}
        stream = JsonStream(file, progress)
        number = 0
        try:
            for element in stream.elements("conversations", head):
                number += 1
                conversation = self._conversation(element, head, number)
                if conversation is not None:
                    yield conversation
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            raise EnvironmentProblem(
                say("{name} is not a file of conversations.", name=self.path.name),
                say("Its JSON is damaged: {reason}.", reason=error),
                say("Choose a file exported by Slipstream, or conversations.json or the zip of ChatGPT."),
                UNREADABLE,
            ) from error
        if not number and head.get("format") != json_format.FORMAT:
            raise self._unknown()

    def _conversation(self, element: Any, head: dict[str, Any], number: int) -> Conversation | None:
        try:
            if chatgpt_format.looks_like(element):
                return _storable(chatgpt_format.conversation_of(element))
            if not isinstance(element, dict):
                raise ValueError("it is not an object")
            if "messages" not in element and number == 1:
                raise self._unknown()
            version = head.get("version", json_format.VERSION)
            if not isinstance(version, int) or version > json_format.VERSION:
                raise EnvironmentProblem(
                    say("{name} was written by a newer version of Slipstream.", name=self.path.name),
                    remedy=say("Update Slipstream to import it."),
                    code=UNREADABLE,
                )
            return _storable(json_format.conversation_of(element))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            # The last three: a value in a foreign tree is of another kind than anybody wrote before.
            title = element.get("title") if isinstance(element, dict) else None
            named = f" (“{title}”)" if isinstance(title, str) and title else ""
            self.failed.append(f"Conversation {number}{named}: {error}.")
            return None

    def _unknown(self) -> EnvironmentProblem:
        return EnvironmentProblem(
            say("{name} is not a file of conversations.", name=self.path.name),
            say("It is JSON, but neither from Slipstream nor from ChatGPT."),
            say("Choose a file exported by Slipstream, or conversations.json or the zip of ChatGPT."),
            UNREADABLE,
        )

    def _files(self) -> Iterator[Any]:
        """The JSON files of it: itself, or those in a zip."""
        if not zipfile.is_zipfile(self.path):
            yield _opened(partial(self.path.open, "rb"), self.path.stat().st_size)
            return
        with zipfile.ZipFile(self.path) as archive:
            names = [
                info
                for info in archive.infolist()
                if Path(info.filename).name.startswith("conversations") and info.filename.endswith(".json")
            ]
            if not names:
                raise EnvironmentProblem(
                    say("{name} holds no conversations.", name=self.path.name),
                    say("There is no conversations.json in it."),
                    code=UNREADABLE,
                )
            total = sum(info.file_size for info in names)
            for info in sorted(names, key=lambda i: i.filename):
                yield _opened(partial(archive.open, info), total)


def _storable(conversation: Conversation) -> Conversation:
    """ValueError for names that no disk takes; texts are mended when they are stored."""
    for message in conversation.messages.values():
        for name in (conversation.summary.id, conversation.summary.leaf_id, message.id, message.parent_id):
            try:
                (name or "").encode()
            except UnicodeEncodeError:
                raise ValueError("an id holds half a character") from None
    return conversation


@contextmanager
def _opened(opener: Callable[[], Any], total: int) -> Iterator[tuple[TextIO, Callable[[int], float]]]:
    with opener() as raw, io.TextIOWrapper(raw, encoding="utf-8-sig") as file:
        yield file, lambda n_chars: n_chars / max(total, 1)
