"""Writes conversations to files in the background."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.conversation import Conversation
from app.core.errors import Cancelled, EnvironmentProblem
from app.core.events import Problem
from app.core.ports import Store
from app.core.wording import say
from app.services.background import Background
from app.services.saving import Saver
from app.services.transfer import html_format, json_format, markdown_format

MARKDOWN = "md"
HTML = "html"
JSON = "json"

_PATIENCE = 60.0


class Exporter(QObject):
    """`done` carries the path that was written; `problem` why nothing was."""

    done = Signal(str)
    problem = Signal(object)

    def __init__(self, store: Store, saver: Saver, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._saver = saver
        self._background = Background(self)
        self._closing = threading.Event()

    def export(self, conversation_ids: Iterable[str], path: str) -> None:
        """The format goes by the ending of `path`; Markdown and HTML take one conversation."""
        # What is on its way to the disk comes first; the store answers in order.
        self._saver.flush()
        ids = list(conversation_ids)
        self._background.run(
            lambda: write(Path(path), self._read(ids)), lambda _: self.done.emit(path), self._on_failed
        )

    def close(self) -> None:
        """What is half written is given up."""
        self._closing.set()
        self._background.finish()

    def _read(self, ids: Iterable[str]) -> Iterator[Conversation]:
        """One after the other, so that only one of them is in memory."""
        for conversation_id in ids:
            if self._closing.is_set():
                raise Cancelled
            conversation = self._store.conversation(conversation_id).result(_PATIENCE)
            if conversation is not None:
                yield conversation

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self.problem.emit(Problem.of(error))


def write(path: Path, conversations: Iterator[Conversation]) -> None:
    """Write the file beside its place and put it there whole. Raises EnvironmentProblem."""
    kind = path.suffix.lower().lstrip(".")
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            if kind in (MARKDOWN, HTML):
                written = markdown_format.written if kind == MARKDOWN else html_format.written
                for conversation in conversations:
                    file.writelines(written(conversation))
                    break
            else:
                file.writelines(json_format.written(conversations))
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        _forget(part)
        raise EnvironmentProblem(
            say("{name} could not be written.", name=path.name),
            error.strerror or str(error),
            say("Choose another folder."),
            "export",
        ) from error
    except BaseException:
        _forget(part)
        raise


def _forget(part: Path) -> None:
    # Where it could not be made (a name too long, a file instead of a folder), it cannot be removed either.
    with suppress(OSError):
        part.unlink(missing_ok=True)
