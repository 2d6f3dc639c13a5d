"""Attached files as small marks: name, size and tokens, maybe a way to take each off again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from app.core.conversation import Attachment
from app.ui import theme
from app.ui.bench.flow import FlowLayout
from app.ui.elided_label import ElidedLabel
from app.ui.icons import IconButton
from app.ui.plain_tip import plain_tip
from app.ui.stats import numbers
from app.ui.theme import Theme

_NAME_WIDTH = 220
_ROWS = 3.5  # shown at once; half a row says that there are more


class AttachmentChips(QWidget):
    """Hidden while there are none. `removed` carries the index of the one to take off."""

    removed = Signal(int)

    def __init__(self, removable: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._removable = removable
        self._attachments: tuple[Attachment, ...] = ()
        self._tokens: dict[int, int] = {}
        self._labels: list[QLabel] = []
        self._flow = FlowLayout(self, theme.HALF, theme.HALF)
        self.hide()

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        return self._attachments

    @property
    def texts(self) -> list[str]:
        """What the marks say."""
        return [label.text() for label in self._labels]

    def set_attachments(self, attachments: Sequence[Attachment]) -> None:
        if tuple(attachments) == self._attachments:
            return
        known = {id(a): self._tokens[i] for i, a in enumerate(self._attachments) if i in self._tokens}
        self._attachments = tuple(attachments)
        self._tokens = {i: known[id(a)] for i, a in enumerate(self._attachments) if id(a) in known}
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._labels = []
        for i, attachment in enumerate(self._attachments):
            self._flow.addWidget(self._make_chip(i, attachment))
        self.setVisible(bool(self._attachments))

    def set_tokens(self, index: int, tokens: int) -> None:
        """How many tokens an attachment takes in the prompt."""
        if index < len(self._attachments):
            self._tokens[index] = tokens
            self._labels[index].setText(self._said(index))

    def _make_chip(self, index: int, attachment: Attachment) -> QFrame:
        chip = QFrame()
        chip.setProperty("role", "chip")
        layout = QHBoxLayout(chip)
        layout.setContentsMargins(theme.GRID, 2, 2 if self._removable else theme.GRID, 2)
        layout.setSpacing(theme.HALF)
        label = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        label.setToolTip(plain_tip(attachment.name))
        self._labels.append(label)
        label.setText(self._said(index))
        layout.addWidget(label)
        if self._removable:
            remove = IconButton("close", self.tr("Remove {name}").format(name=attachment.name), role="muted")
            remove.clicked.connect(lambda: self.removed.emit(index))
            layout.addWidget(remove)
        return chip

    def _said(self, index: int) -> str:
        attachment = self._attachments[index]
        metrics = self.fontMetrics()
        room = round(_NAME_WIDTH * Theme.current().scale)
        name = metrics.elidedText(attachment.name, Qt.TextElideMode.ElideMiddle, room)
        parts = [name, numbers.file_size(len(attachment.text.encode("utf-8", "replace")))]
        if index in self._tokens:
            parts.append(self.tr("{n} tokens").format(n=self._tokens[index]))
        return " · ".join(parts)


class ScrolledChips(QScrollArea):
    """As high as the chips, up to a few rows, beyond which they scroll. Hidden and shown with them."""

    def __init__(self, chips: AttachmentChips, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips = chips
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Attached files"))
        shown = not chips.isHidden()
        self.setWidget(chips)
        # The area has shown it.
        chips.setVisible(shown)
        self.viewport().setAutoFillBackground(False)
        chips.setAutoFillBackground(False)
        chips.installEventFilter(self)
        self.setVisible(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._chips:
            if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
                self.setVisible(not self._chips.isHidden())
            if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.LayoutRequest, QEvent.Type.Resize):
                self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self._chips.layout()
        first = layout.itemAt(0) if layout is not None else None
        if layout is None or first is None:
            return
        row = first.sizeHint().height() + theme.HALF
        self.setFixedHeight(min(layout.heightForWidth(self.viewport().width()), round(_ROWS * row)))
