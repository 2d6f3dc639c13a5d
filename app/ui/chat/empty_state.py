"""What the conversation shows while there is nothing in it: what this is for, and the first thing to do."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.ui import theme
from app.ui.icons import TextButton
from app.ui.theme import Theme

NO_MODEL = "no-model"
LOADING = "loading"
READY = "ready"
_WIDTH = 520


class PromptButton(QPushButton):
    """An example prompt and, smaller, what it shows."""

    def __init__(self, prompt: str, note: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prompt = prompt
        self.setProperty("role", "prompt")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(f"{prompt} – {note}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        layout.setSpacing(2)
        first = QLabel(prompt)
        second = QLabel(note)
        second.setProperty("role", "label")
        for label in (first, second):
            label.setWordWrap(True)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            layout.addWidget(label)
        self._layout = layout

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._layout.heightForWidth(width)

    def sizeHint(self) -> QSize:
        return self._layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._layout.minimumSize()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)


class EmptyState(QScrollArea):
    """`prompt_chosen` carries an example; `open_requested` asks for a target file."""

    prompt_chosen = Signal(str)
    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._state = NO_MODEL
        self._target = ""
        page = QFrame()
        page.setProperty("role", "page")
        self.setWidget(page)
        outer = QVBoxLayout(page)
        outer.setContentsMargins(theme.MARGIN, theme.MARGIN, theme.MARGIN, theme.MARGIN)
        outer.addStretch(2)
        middle = QHBoxLayout()
        outer.addLayout(middle)
        outer.addStretch(3)
        self._column = column = QWidget()
        Theme.current().changed.connect(self._restyle)
        middle.addStretch(1)
        middle.addWidget(column, 100000)
        middle.addStretch(1)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GRID)
        self._title = QLabel()
        self._title.setProperty("role", "display")
        self._text = QLabel()
        self._text.setProperty("role", "muted")
        for label in (self._title, self._text):
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addSpacing(theme.GRID)
        self._open = TextButton(self.tr("Choose a target…"), role="primary", icon_name="folder")
        self._open.clicked.connect(self.open_requested)
        layout.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        self._prompts = [PromptButton(prompt, note) for prompt, note in self._examples()]
        for button in self._prompts:
            button.clicked.connect(lambda _=False, b=button: self.prompt_chosen.emit(b.prompt))
            layout.addWidget(button)
        self._restyle()
        self._show()

    @property
    def prompts(self) -> list[PromptButton]:
        return self._prompts

    @property
    def text(self) -> str:
        return f"{self._title.text()}\n{self._text.text()}"

    def set_state(self, state: str, target: str = "") -> None:
        """`no-model`, `loading` or `ready`, with the target's name."""
        self._state, self._target = state, target
        self._show()

    def _restyle(self) -> None:
        self._column.setMaximumWidth(min(round(_WIDTH * Theme.current().scale), theme.COLUMN_WIDTH))

    def _examples(self) -> list[tuple[str, str]]:
        return [
            (
                self.tr("Write a Python function that reads a CSV file into a list of dictionaries."),
                self.tr("Code repeats itself: drafts are often right."),
            ),
            (
                self.tr("List the planets of the solar system, one line each, with one fact about each."),
                self.tr("Regular text: drafts are right now and then."),
            ),
            (
                self.tr("Tell a short story about a lighthouse keeper who finds a letter."),
                self.tr("Free prose: the hardest text to draft."),
            ),
        ]

    def _show(self) -> None:
        ready = self._state != NO_MODEL
        if self._state == NO_MODEL:
            self._title.setText(self.tr("Choose a model to begin"))
            self._text.setText(
                self.tr(
                    "Slipstream runs a target model together with a small sidecar that drafts for it, and "
                    "shows whether that pays on your machine. Choose a target here, or drop a GGUF file "
                    "anywhere on this window."
                )
            )
        else:
            self._title.setText(self.tr("What do you want to ask?"))
            said = (
                self.tr("%1 is loading; a message you send now is answered as soon as it is ready.")
                if self._state == LOADING
                else self.tr(
                    "%1 answers here. The panel beside shows whether speculation pays for your text."
                )
            )
            self._text.setText(said.replace("%1", self._target))
        self._open.setVisible(not ready)
        for button in self._prompts:
            button.setVisible(ready)
