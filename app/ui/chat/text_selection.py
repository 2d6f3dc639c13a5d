"""One selection across all texts of a message, although each of them is a widget of its own.

Dragging beyond the text in which it began selects to its end, all of those between, and the beginning
of the one under the pointer. Copying takes all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QMimeData, QObject, QPoint
from PySide6.QtGui import QTextCursor

from app.ui.chat.text_view import TextView


class TextSelection(QObject):
    """`views` gives the texts in order, as they are now."""

    def __init__(self, views: Callable[[], Sequence[TextView]], parent: QObject) -> None:
        super().__init__(parent)
        self._views = views
        self._spanned = False

    def watch(self, view: TextView) -> None:
        """Take part in its dragging and copying."""
        view.span = self

    def begin(self, view: TextView) -> None:
        """A press in `view`: what was selected elsewhere is not any more."""
        self._spanned = False
        for other in self._views():
            if other is not view and other.textCursor().hasSelection():
                _select(other, 0, 0)

    def drag(self, view: TextView, where: QPoint) -> bool:
        """The pointer, on screen, while the press in `view` lasts; whether the selection spans texts."""
        views = list(self._views())
        start = views.index(view) if view in views else -1
        if start < 0:
            return False
        end = _at(views, where, start)
        if end == start and not self._spanned:
            return False
        self._spanned = True
        anchor = view.textCursor().anchor()
        low, high = min(start, end), max(start, end)
        for i, other in enumerate(views):
            last = other.document().characterCount() - 1
            inside = other.cursorForPosition(other.viewport().mapFromGlobal(where)).position()
            if i < low or i > high:
                _select(other, 0, 0)
            elif i == start and i == end:
                _select(other, anchor, inside)
            elif i == start:
                _select(other, anchor, last if end > start else 0)
            elif i == end:
                _select(other, 0 if end > start else last, inside)
            else:
                _select(other, 0, last)
        return True

    def select_all(self) -> None:
        """Everything in the message."""
        self._spanned = True
        for view in self._views():
            _select(view, 0, view.document().characterCount() - 1)

    def mime_data(self) -> QMimeData | None:
        """All of it as one; None when a single text has the selection."""
        chosen = [view for view in self._views() if view.textCursor().hasSelection()]
        if len(chosen) < 2:
            return None
        data = QMimeData()
        data.setText("\n\n".join(view.selected_text() for view in chosen))
        return data


def _at(views: Sequence[TextView], where: QPoint, start: int) -> int:
    """The text at the height of the pointer, or the nearest one in between."""
    found = start
    for i, view in enumerate(views):
        y = view.mapFromGlobal(where).y()
        if 0 <= y < view.height():
            return i
        if (i > start and y >= view.height()) or (i < start and y < 0 and i < found):
            found = i
    return found


def _select(view: TextView, anchor: int, position: int) -> None:
    cursor = QTextCursor(view.document())
    cursor.setPosition(anchor)
    cursor.setPosition(position, cursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
