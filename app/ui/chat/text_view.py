"""Selectable text without scroll bars: as tall as its document. Base of everything a message shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from PySide6.QtCore import QEvent, QMimeData, QPoint, QSize, QSizeF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from app.ui import theme
from app.ui.chat import pieces
from app.ui.chat.markdown import is_web_address
from app.ui.theme import Theme

MEASURE = 72

# Characters with a meaning of their own inside a QTextDocument.
_CLEAN = str.maketrans(
    {
        "\n": "\u2028",
        "\r": None,
        "\u2029": "\u2028",
        "\x00": "\ufffd",
        "\ufdd0": "\ufffd",
        "\ufdd1": "\ufffd",
        "\ufffc": "\ufffd",
    }
)


def clean(text: str) -> str:
    """Text that a document takes as it is; line feeds become breaks inside a paragraph."""
    return text.translate(_CLEAN)


def units(text: str) -> int:
    """Length in UTF-16 code units, in which a document counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def open_address(url: QUrl) -> bool:
    """Open a link in the browser, after the user clicked it; anything but http and https is refused."""
    return is_web_address(url.toString()) and QDesktopServices.openUrl(url)


class Span(Protocol):
    """See `TextSelection`."""

    def begin(self, view: TextView) -> None: ...

    def drag(self, view: TextView, where: QPoint) -> bool: ...

    def select_all(self) -> None: ...

    def mime_data(self) -> QMimeData | None: ...


class TextView(QTextBrowser):
    """Read-only text that fetches nothing and follows no link by itself."""

    copied = Signal()

    def __init__(self, role: str = theme.READING, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self._pressed = False
        self.span: Span | None = None
        """Joins the selections of the texts of one message."""
        self._content_height = 1
        self.setProperty("role", "flow")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size)
        self.anchorClicked.connect(open_address)
        self.highlighted.connect(self._show_address)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    @property
    def selecting(self) -> bool:
        """The user holds the mouse button down in this text."""
        return self._pressed

    @contextmanager
    def keeping_selection(self) -> Iterator[None]:
        """Selection and cursor stay at their offsets while the document changes inside the block."""
        cursor = self.textCursor()
        anchor, position = cursor.anchor(), cursor.position()
        sideways = self.horizontalScrollBar().value()
        yield
        last = self.document().characterCount() - 1
        anchor, position = min(anchor, last), min(position, last)
        cursor = self.textCursor()
        if (cursor.anchor(), cursor.position()) != (anchor, position):
            cursor.setPosition(anchor)
            cursor.setPosition(position, cursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self.horizontalScrollBar().setValue(sideways)

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        """Nothing is ever loaded, from the disk or from elsewhere."""
        return None

    def rerender(self) -> None:
        """Colours or sizes have changed."""

    def limit_to_measure(self) -> None:
        """Lines of at most 72 characters, which is as long as the eye follows easily."""
        metrics = QFontMetricsF(self.document().defaultFont())
        self.setMaximumWidth(round(MEASURE * metrics.horizontalAdvance("0")))

    def prepare(self, width: int) -> None:
        """Lay the text out for a view that will be `width` wide, so that its height is known at once."""
        if self.lineWrapMode() != self.LineWrapMode.NoWrap:
            self.document().setTextWidth(min(width, self.maximumWidth()))
        self._on_size(self.document().size())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._content_height)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._content_height)

    def createMimeDataFromSelection(self) -> QMimeData:
        joined = self.span.mime_data() if self.span is not None else None
        if joined is not None:
            return joined
        data = super().createMimeDataFromSelection()
        if self.has_own_copy():
            data = QMimeData()
            data.setText(self.selected_text())
        return data

    def has_own_copy(self) -> bool:
        """What is copied differs from what is shown."""
        return pieces.is_cut(self.textCursor())

    def selected_text(self) -> str:
        """The selection as it is copied, cut lines whole."""
        return pieces.selected(self.textCursor())

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The conversation scrolls, not the text in it.
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.button() == Qt.MouseButton.LeftButton
        if self._pressed and self.span is not None:
            self.span.begin(self)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        where = event.globalPosition().toPoint()
        if self._pressed and self.span is not None and self.span.drag(self, where):
            return
        super().mouseMoveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll) and self.span is not None:
            self.span.select_all()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = False
        super().mouseReleaseEvent(event)
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu(event.pos())
        address = self.anchorAt(event.pos())
        if not address:
            # "Copy link location" of the standard menu has nothing to copy here.
            for action in menu.actions():
                if action.objectName() == "link-copy":
                    menu.removeAction(action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.document().setDefaultFont(self.font())

    def _restyle(self) -> None:
        self.document().setDefaultFont(Theme.current().font(self._role))
        with self.keeping_selection():
            self.rerender()

    def _on_size(self, size: QSizeF) -> None:
        self._set_content_height(math.ceil(size.height()))

    def _set_content_height(self, height: int) -> None:
        # Told to the layout and not set here: a change of size inside a change of size would be lost.
        height = max(height, 1)
        if height != self._content_height:
            self._content_height = height
            self.updateGeometry()

    def _show_address(self, url: QUrl) -> None:
        self.setToolTip(url.toString())


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
