"""Files to go with a message: read in the background, and refused with a reason when they are no text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.core import text_file
from app.core.conversation import Attachment
from app.core.events import Problem
from app.services.background import Background

MOST_BYTES = 4_000_000


class AttachmentReader(QObject):
    """`found` carries an `Attachment` and the place it is for, `refused` why a file is none, in words for the
    user.
    """

    found = Signal(object, object)
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self)

    def read(self, paths: Sequence[str], place: object = None) -> None:
        """Results come one by one, in the order of the paths; `place` is handed on with them."""
        for path in paths:
            self._background.run(
                partial(read_file, Path(path)), partial(self._on_read, place), partial(self._on_failed, path)
            )

    def finish(self) -> None:
        """Nothing is read any more."""
        self._background.finish()

    def _on_read(self, place: object, result: Attachment | str) -> None:
        if isinstance(result, Attachment):
            self.found.emit(result, place)
        else:
            self.refused.emit(result)

    def _on_failed(self, path: str, error: BaseException) -> None:
        self.refused.emit(_unreadable(path, error))


def read_file(path: Path) -> Attachment | str:
    """The file as an attachment, or why not. Raises OSError."""
    if path.is_dir():
        return _tr("“{name}” is a folder. Attach the files in it.").format(name=path.name)
    if path.stat().st_size > MOST_BYTES:
        said = _tr("“{name}” is larger than {limit} MB, too much for any conversation.")
        return said.format(name=path.name, limit=MOST_BYTES // 1_000_000)
    text = text_file.decode(path.read_bytes())
    if text is None:
        return _tr("“{name}” is not a text file. Text and source code can be attached.").format(
            name=path.name
        )
    # On its own line in the prompt, whatever the disk allows in a name.
    return Attachment(" ".join(path.name.split()), text.replace("\r\n", "\n").replace("\r", "\n"))


def _unreadable(path: str, error: BaseException) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else Problem.of(error).what
    return _tr("“{name}” could not be read: {reason}").format(name=Path(path).name, reason=reason)


def _tr(text: str) -> str:
    return QCoreApplication.translate("AttachmentReader", text)
