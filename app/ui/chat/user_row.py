"""Your message: a raised block on the right. Of a very long one the beginning; all of it on demand."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.core.conversation import Attachment, Message
from app.ui import theme
from app.ui.chat.attachment_chips import AttachmentChips
from app.ui.chat.edit_box import EditBox
from app.ui.chat.long_text import LongText
from app.ui.chat.message_row import MessageRow
from app.ui.chat.pieces import cut
from app.ui.chat.text_view import TextView, clean
from app.ui.icons import IconButton, TextButton
from app.ui.stats import numbers

_BUBBLE_SHARE = 0.85
# Beyond one of these a message is shown folded; folded, so much of it. In UTF-8: scripts and emoji that
# take more bytes take longer to lay out as well.
_LONG_BYTES, _LONG_LINES = 8000, 150
_BEGINNING_BYTES, _BEGINNING_LINES = 2000, 30
_FITTED = 2000


class _BubbleText(TextView):
    """Plain text as wide as it needs to be, up to what there is."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._available = -1  # the width it was fitted to
        super().__init__(theme.READING)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def rerender(self) -> None:
        self._available = -1
        self.document().clear()
        cursor = QTextCursor(self.document())
        form = cursor.blockFormat()
        height = round(self.document().defaultFont().pixelSize() * theme.READING_LINE_HEIGHT / 100)
        form.setLineHeight(height, form.LineHeightTypes.MinimumHeight.value)
        cursor.setBlockFormat(form)
        cursor.insertText(clean(self._text))

    def fit_width(self, available: int) -> None:
        if available == self._available:
            return
        self._available = available
        document = self.document()
        if len(self._text) > _FITTED:
            # It fills its lines anyway, and finding out how wide it would be takes as long as laying it out.
            self.setFixedWidth(max(available, 8))
        else:
            document.setTextWidth(-1)
            self.setFixedWidth(max(min(int(document.idealWidth()) + 1, available), 8))
        document.setTextWidth(self.width())


class UserRow(MessageRow):
    """`edited` carries the new text and attachments; the row shows its message until it is replaced."""

    edited = Signal(str, object)

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(message, parent)
        self.setAccessibleName(self.tr("You wrote"))
        text = message.text
        long = _is_long(text)
        self._text = _BubbleText(_beginning(text) if long else text)
        self._text.setAccessibleName(self.tr("Your message"))
        self._all: LongText | None = None
        self._editor: EditBox | None = None
        self._fold = TextButton("", role="quiet")
        self._bubble = QFrame()
        self._bubble.setProperty("role", "raised")
        self._inner = inner = QVBoxLayout(self._bubble)
        inner.setContentsMargins(theme.MARGIN, theme.GRID + 2, theme.MARGIN, theme.GRID + 2)
        inner.setSpacing(theme.GRID)
        self._chips = AttachmentChips(removable=False)
        self._chips.set_attachments(message.attachments)
        inner.addWidget(self._chips)
        inner.addWidget(self._text)
        self._text.setVisible(bool(text))
        inner.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeft)
        self._fold.setVisible(long)
        self._fold.clicked.connect(self._on_fold)
        self._name_fold()
        self._bubble_row = QWidget()
        row = QHBoxLayout(self._bubble_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch()
        row.addWidget(self._bubble)
        self._layout.addWidget(self._bubble_row)
        self._layout.addWidget(self._tools)
        self.edit_button = IconButton("edit", self.tr("Edit and send again"), role="muted")
        self.edit_button.clicked.connect(self.edit)
        self._tools.add(self.edit_button)
        self._tools.add(self._more)

    @property
    def text_views(self) -> list[TextView]:
        return [self._text]

    @property
    def fold(self) -> TextButton:
        """Shows all of a long message, or its beginning alone."""
        return self._fold

    @property
    def all_text(self) -> LongText | None:
        """The whole of a long message, while it is shown."""
        return self._all

    @property
    def editor(self) -> EditBox | None:
        """The field in the message's place, while it is edited."""
        return self._editor

    def fill_menu(self, menu: QMenu) -> None:
        menu.addAction(self.tr("Edit and send again"), self.edit)
        menu.addSeparator()
        super().fill_menu(menu)

    def edit(self) -> None:
        """Change the message in its place; sending makes another version of it."""
        if self._editor is None:
            self._editor = EditBox(self._message.text, self._message.attachments)
            self._editor.sent.connect(self._on_edited)
            self._editor.cancelled.connect(self.leave_edit)
            self._layout.insertWidget(0, self._editor)
            self._bubble_row.hide()
            self._tools.hide()
        self._editor.setFocus()

    def leave_edit(self) -> None:
        """Show the message as it is."""
        editor, self._editor = self._editor, None
        if editor is None:
            return
        self._layout.removeWidget(editor)
        editor.hide()
        editor.deleteLater()
        self._bubble_row.show()
        self._tools.show()
        self.edit_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def prepare(self, width: int) -> None:
        available = int(width * _BUBBLE_SHARE) - 2 * theme.MARGIN
        if self._all is not None:
            self._all.setFixedWidth(max(available, 8))
        else:
            self._text.fit_width(available)

    @property
    def find_views(self) -> Sequence[QTextEdit | QPlainTextEdit]:
        return [self._all] if self._all is not None else self.text_views

    def unfold_all(self, query: str) -> None:
        if self._all is None and not self._fold.isHidden() and query.lower() in self._message.text.lower():
            self._on_fold()

    def _on_edited(self, text: str, attachments: tuple[Attachment, ...]) -> None:
        self.edited.emit(text, attachments)

    def _on_fold(self) -> None:
        if self._all is None:
            self._all = LongText(self._message.text)
            self._all.setAccessibleName(self.tr("Your message"))
            self._inner.insertWidget(0, self._all)
        else:
            self._inner.removeWidget(self._all)
            self._all.hide()
            self._all.deleteLater()
            self._all = None
        self._text.setVisible(self._all is None)
        self._name_fold()
        self.prepare(self.width())

    def _name_fold(self) -> None:
        if self._all is not None:
            self._fold.setText(self.tr("Show less"))
        else:
            said = self.tr("Show all {n} characters")
            self._fold.setText(said.format(n=numbers.grouped(len(self._message.text))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.prepare(self.width())


def _is_long(text: str) -> bool:
    if len(text) > _LONG_BYTES or text.count("\n") > _LONG_LINES:
        return True
    return len(text.encode("utf-8", "replace")) > _LONG_BYTES


def _beginning(text: str) -> str:
    """What is shown of a long message."""
    start = text[:_BEGINNING_BYTES].encode("utf-8", "replace")[:_BEGINNING_BYTES]
    size = len(start.decode("utf-8", "ignore"))
    at = -1
    for _ in range(_BEGINNING_LINES):
        at = text.find("\n", at + 1, size)
        if at < 0:
            return text[: cut(text, 0, size)]
    return text[:at]
