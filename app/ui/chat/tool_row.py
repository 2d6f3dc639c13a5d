"""The tools of a message at a fixed place below it. They show on hover and on keyboard focus.

The row always takes its height and its buttons can always be reached with Tab, so nothing moves when
they appear.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from app.ui import icons, theme
from app.ui.elided_label import ElidedLabel
from app.ui.theme import Theme

_HIDDEN = QSize(0, 0)


class ToolRow(QWidget):
    """Buttons from the left (or from the right), then a quiet line about the message."""

    def __init__(self, align_right: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._align_right = align_right
        self._buttons: list[QToolButton] = []
        self._revealed = False
        self._hovered = False
        self._held = False
        self._fixed = 0
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.HALF)
        self._note = ElidedLabel()
        self._note.setProperty("role", "label")
        self._note.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._note_text = ""
        self._restyle()
        Theme.current().changed.connect(self._restyle)
        if align_right:
            self._layout.addStretch(1)
        else:
            self._layout.addWidget(self._note, 1)

    @property
    def revealed(self) -> bool:
        return self._revealed

    @property
    def note(self) -> str:
        return self._note_text

    @property
    def buttons(self) -> Sequence[QToolButton]:
        return self._buttons

    def add(self, button: QToolButton) -> None:
        """One more tool, beside those that are there."""
        # On the left the note comes last; on the right the free space comes first.
        self._layout.insertWidget(len(self._buttons) + (1 if self._align_right else self._fixed), button)
        self._buttons.append(button)
        button.installEventFilter(self)
        button.toggled.connect(self._update)
        self._update()

    def add_fixed(self, widget: QWidget) -> None:
        """Something that is always seen, at the outer edge; before any tool."""
        if self._align_right:
            self._layout.addWidget(widget)
        else:
            self._layout.insertWidget(self._fixed, widget)
        self._fixed += 1

    def set_held(self, held: bool) -> None:
        """Keep the tools in sight, e.g. while a menu of theirs is open."""
        self._held = held
        self._update()

    def set_note(self, text: str) -> None:
        self._note_text = text
        self._note.setToolTip(text)
        self._update()

    def set_hovered(self, hovered: bool) -> None:
        self._hovered = hovered
        self._update()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._update()
        return False

    def _restyle(self) -> None:
        self.setFixedHeight(round(theme.HIT * Theme.current().scale))
        self._update()

    def _update(self) -> None:
        # A checked tool says what is on; it stays visible.
        kept = any(b.isChecked() for b in self._buttons)
        self._revealed = self._hovered or self._held or kept or any(b.hasFocus() for b in self._buttons)
        for button in self._buttons:
            button.setIconSize(icons.icon_size() if self._revealed else _HIDDEN)
        self._note.setText(self._note_text if self._revealed else "")
