"""A message that is being changed in its place: the text, its files, and two ways out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.core.conversation import Attachment
from app.ui import theme
from app.ui.chat.attachment_chips import AttachmentChips
from app.ui.chat.composer_text import ComposerText
from app.ui.icons import TextButton


class EditBox(QFrame):
    """`sent` carries the text and a tuple of attachments; Enter sends, Esc cancels."""

    sent = Signal(str, object)
    cancelled = Signal()

    def __init__(self, text: str, attachments: Sequence[Attachment], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "composer")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.GAP, theme.GRID, theme.GRID, theme.GRID)
        layout.setSpacing(theme.HALF)
        self._chips = AttachmentChips(removable=True)
        self._chips.set_attachments(attachments)
        self._chips.removed.connect(self._remove)
        layout.addWidget(self._chips)
        self.field = ComposerText()
        self.field.setAccessibleName(self.tr("Your message"))
        self.field.set_text(text)
        self.field.submitted.connect(self._send)
        self.field.escaped.connect(self.cancelled)
        self.field.focused.connect(lambda on: theme.set_look(self, "focused", on))
        layout.addWidget(self.field)
        row = QHBoxLayout()
        row.setSpacing(theme.GRID)
        self._hint = QLabel(self.tr("Sends a new version; this one is kept"))
        self._hint.setProperty("role", "label")
        row.addWidget(self._hint, 1)
        self.cancel_button = TextButton(self.tr("Cancel"), role="quiet")
        self.cancel_button.clicked.connect(self.cancelled)
        row.addWidget(self.cancel_button)
        self.send_button = TextButton(self.tr("Send"), role="primary", icon_name="send")
        self.send_button.clicked.connect(self._send)
        row.addWidget(self.send_button)
        layout.addLayout(row)
        self.field.textChanged.connect(self._show)
        self._show()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        self.field.setFocus(reason)

    @property
    def draft(self) -> tuple[str, tuple[Attachment, ...]]:
        """The text and the files as they are now."""
        return self.field.text(), self._chips.attachments

    def _send(self) -> None:
        text, attachments = self.draft
        if text.strip() or attachments:
            self.sent.emit(text, attachments)

    def _remove(self, index: int) -> None:
        kept = list(self._chips.attachments)
        del kept[index]
        self._chips.set_attachments(kept)
        self._show()

    def _show(self) -> None:
        self.send_button.setEnabled(bool(self.field.text().strip() or self._chips.attachments))
