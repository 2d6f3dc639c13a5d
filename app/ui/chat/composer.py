"""Where messages are written: sends with Enter, takes files along, and says why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QVBoxLayout, QWidget

from app.core.conversation import Attachment
from app.ui import theme
from app.ui.chat.attachment_chips import AttachmentChips, ScrolledChips
from app.ui.chat.composer_text import ComposerText
from app.ui.chat.sent_history import SentHistory
from app.ui.icons import IconButton, TextButton

_HINT_LINES = 2


class _Hint(QLabel):
    """Goes on in a second line where there is no room; longer ones end with dots. The tooltip has it all."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _HINT_LINES * self.fontMetrics().lineSpacing())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        room, metrics = self.contentsRect(), self.fontMetrics()
        lines = broken(self.text(), metrics, room.width(), max(room.height() // metrics.lineSpacing(), 1))
        height = metrics.lineSpacing()
        top = room.top() + (room.height() - len(lines) * height) // 2
        painter = QPainter(self)
        for i, line in enumerate(lines):
            box = QRect(room.left(), top + i * height, room.width(), height)
            where = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            self.style().drawItemText(
                painter, box, where, self.palette(), self.isEnabled(), line, self.foregroundRole()
            )
        painter.end()


def broken(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """`text` in at most so many lines of `width` px, broken between words; the last one may end with dots."""
    lines: list[str] = []
    words = text.split(" ")
    while words:
        if len(lines) + 1 == most:
            return [*lines, metrics.elidedText(" ".join(words), Qt.TextElideMode.ElideRight, width)]
        fits = len(words)
        while fits > 1 and metrics.horizontalAdvance(" ".join(words[:fits])) > width:
            fits -= 1
        lines.append(metrics.elidedText(" ".join(words[:fits]), Qt.TextElideMode.ElideRight, width))
        words = words[fits:]
    return lines


class Composer(QFrame):
    """`sent` carries the text, which stays in the field with the files until `clear` is called.

    `draft_changed` tells of text and files; `attach_requested` asks for a choice of files, `files_given`
    carries the paths of dropped or pasted ones.
    """

    sent = Signal(str)
    stopped = Signal()
    text_changed = Signal(str)
    draft_changed = Signal()
    attach_requested = Signal()
    files_given = Signal(list)
    scrolled = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        self._streaming = False
        self._elsewhere = False
        self._reason = ""
        self._refusal = ""
        self._busy = ""
        self._blank = True
        self.fill_snippets: Callable[[QMenu], None] = lambda _menu: None
        """Puts the saved texts into the menu of their button."""
        outer = QHBoxLayout(self)
        outer.setContentsMargins(theme.MARGIN, 0, theme.MARGIN, theme.GAP)
        outer.addStretch(1)
        column = QWidget()
        column.setMaximumWidth(theme.COLUMN_WIDTH)
        outer.addWidget(column, 100000)
        outer.addStretch(1)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.HALF)
        self._box = QFrame()
        self._box.setProperty("role", "composer")
        layout.addWidget(self._box)
        inner = QVBoxLayout(self._box)
        inner.setContentsMargins(theme.GAP, theme.GRID, theme.GRID, theme.GRID)
        inner.setSpacing(theme.HALF)
        self.chips = AttachmentChips(removable=True)
        self.chips.removed.connect(self._remove)
        inner.addWidget(ScrolledChips(self.chips))
        self._text = ComposerText()
        self._text.setPlaceholderText(self.tr("Write a message"))
        self._text.setAccessibleName(self.tr("Message"))
        inner.addWidget(self._text)
        inner.addLayout(self._make_row())
        self.history = SentHistory(self._text)
        self._text.submitted.connect(self.submit)
        self._text.escaped.connect(self._on_escape)
        self._text.scrolled.connect(self.scrolled)
        self._text.files_given.connect(self.files_given)
        self._text.focused.connect(lambda on: theme.set_look(self._box, "focused", on))
        self._text.textChanged.connect(self._on_text)
        for first, second in pairwise((self._text, self._button, self.attach_button, self.snippet_button)):
            QWidget.setTabOrder(first, second)
        self._show()

    def _make_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.HALF)
        self.attach_button = IconButton("attach", self.tr("Attach text files"), role="muted")
        self.attach_button.clicked.connect(self.attach_requested)
        self.snippet_button = IconButton("snippet", self.tr("Insert a saved text"), role="muted")
        self.snippet_button.clicked.connect(self.open_snippets)
        for button in (self.attach_button, self.snippet_button):
            row.addWidget(button)
        self._hint = _Hint()
        self._hint.setObjectName("hint")
        self._hint.setProperty("role", "label")
        self._hint.setContentsMargins(2, 0, 0, 0)
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self._hint, 1)
        self._tokens = QLabel()
        self._tokens.setProperty("role", "label")
        self._tokens.setContentsMargins(0, 0, theme.HALF, 0)
        row.addWidget(self._tokens)
        self._button = TextButton("", role="primary", icon_name="send")
        self._button.clicked.connect(self._on_button)
        row.addWidget(self._button)
        return row

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """To the text. A focus proxy would take part in the Tab order and close it to a loop."""
        self._text.setFocus(reason)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    @property
    def field(self) -> ComposerText:
        return self._text

    @property
    def button(self) -> TextButton:
        """Send, or Stop while a reply is on its way."""
        return self._button

    @property
    def hint(self) -> str:
        return self._hint.text()

    @property
    def tokens_text(self) -> str:
        return self._tokens.text()

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        return self.chips.attachments

    def text(self) -> str:
        return self._text.text()

    def set_text(self, text: str) -> None:
        """Put `text` in the field, with the cursor behind it; nothing happens if it is there already."""
        if text != self.text():
            self._text.set_text(text)

    def insert(self, text: str) -> None:
        """Put `text` where the cursor is, in the place of the selection."""
        self._text.insert_text(text)
        self.setFocus()

    def attach(self, attachment: Attachment) -> None:
        """One more file; the same one twice is one."""
        if attachment not in self.attachments:
            self._set_attachments([*self.attachments, attachment])

    def set_attachments(self, attachments: Sequence[Attachment]) -> None:
        """These files and no others; nothing happens if they are there already."""
        if tuple(attachments) != self.attachments:
            self._set_attachments(attachments)

    def clear(self) -> None:
        self._text.set_text("")
        self._set_attachments(())

    def set_streaming(self, streaming: bool, elsewhere: bool = False) -> None:
        """A reply is on its way, maybe in another conversation."""
        self._streaming, self._elsewhere = streaming, elsewhere
        self._show()

    def set_reason(self, reason: str) -> None:
        """Why nothing can be sent now; empty when it can."""
        self._reason = reason
        self._show()

    def set_busy(self, doing: str) -> None:
        """What is being done before the message goes out, e.g. a summary; empty when nothing is."""
        self._busy = doing
        self._show()

    def refuse(self, reason: str) -> None:
        """Say why the text was not sent, until it changes. The text stays."""
        self._refusal = reason
        self._show()

    def set_tokens(self, message: int, prompt: int) -> None:
        """What would be sent: tokens that are new, of a prompt of so many; 0 while nothing is known."""
        blank = self._blank and not self.attachments
        if blank or not prompt:
            self._tokens.setText("")
            self._tokens.setToolTip("")
            return
        self._tokens.setText(self.tr("{n} tokens").format(n=message))
        tip = self.tr("{n} tokens are new to the model; the whole prompt has {total}.")
        self._tokens.setToolTip(tip.format(n=message, total=prompt))

    def open_snippets(self) -> QMenu:
        """Saved texts to insert."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(self.tr("Saved texts"))
        self.fill_snippets(menu)
        above = QPoint(0, -menu.sizeHint().height())
        menu.popup(self.snippet_button.mapToGlobal(above))
        return menu

    def _remove(self, index: int) -> None:
        self._set_attachments([a for i, a in enumerate(self.attachments) if i != index])
        self.setFocus()

    def _set_attachments(self, attachments: Sequence[Attachment]) -> None:
        self.chips.set_attachments(attachments)
        self._refusal = ""
        self._show()
        self.draft_changed.emit()

    def submit(self) -> None:
        """What Enter does: `sent`, or why not."""
        if self._streaming:
            self.refuse(self.tr("The model is still answering. Stop it with Esc, or wait."))
        elif self._reason:
            self.refuse(self._reason)
        elif not self._busy and (self.text().strip() or self.attachments):
            self.sent.emit(self.text())

    def _on_button(self) -> None:
        if self._streaming or self._busy:
            self.stopped.emit()
        else:
            self.submit()

    def _on_escape(self) -> None:
        if self._streaming or self._busy:
            self.stopped.emit()

    def _on_text(self) -> None:
        text = self.text()
        self._refusal = ""
        self._blank = not text.strip()
        self._show()
        self.text_changed.emit(text)
        self.draft_changed.emit()

    def _show(self) -> None:
        stop = self._streaming or bool(self._busy)
        if stop:
            label = self.tr("Stop")
            enabled, tip = True, self.tr("Stop the reply (Esc)")
        else:
            label = self.tr("Send")
            enabled = not self._reason and (not self._blank or bool(self.attachments))
            tip = self._reason or self.tr("Send (Enter)")
        self._button.setText(label)
        self._button.setEnabled(enabled)
        self._button.setToolTip(tip)
        self._button.setAccessibleName(label)
        hint = self._refusal or self._reason or self._busy
        role = "warning" if self._refusal else "label"
        if not hint:
            hint = self.tr("Enter sends, Shift+Enter breaks the line")
            if self._streaming:
                hint = (
                    self.tr("Answering in another chat; Esc stops it")
                    if self._elsewhere
                    else self.tr("Esc stops")
                )
        self._hint.setText(hint)
        self._hint.setToolTip(hint)
        theme.set_look(self._hint, "role", role)
        # Stopping is not what the accent stands for.
        theme.set_look(self._button, "role", "" if stop else "primary")
        self._button.set_icon("stop" if stop else "send")
