"""The first start: what this program is, what answers, and the first question – three steps, no more."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.events import LoadProgress, Problem
from app.ui import theme
from app.ui.chat.empty_state import PromptButton
from app.ui.icons import TextButton
from app.ui.language import translated
from app.ui.theme import Theme

WELCOME, PAIR, QUESTION = range(3)
_WIDTH = 560


class FirstRun(QScrollArea):
    """Shown instead of the chat until `finished(question)`; an empty question means: none yet.

    `open_requested` asks for a model file of the user's own.
    """

    finished = Signal(str)
    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QFrame()
        page.setProperty("role", "page")
        self.setWidget(page)
        middle = QHBoxLayout()
        outer = QVBoxLayout(page)
        outer.setContentsMargins(theme.MARGIN, theme.MARGIN, theme.MARGIN, theme.MARGIN)
        outer.addStretch(2)
        outer.addLayout(middle)
        outer.addStretch(3)
        self._column = QWidget()
        middle.addStretch(1)
        middle.addWidget(self._column, 100000)
        middle.addStretch(1)
        layout = QVBoxLayout(self._column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GRID)
        self.step = QLabel()
        self.step.setProperty("role", "label")
        self.title = _wrapped("display")
        self.text = _wrapped("muted")
        layout.addWidget(self.step)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addSpacing(theme.GRID)
        self._at = WELCOME
        # Hidden ones take no room, which pages of a stack would.
        self._steps = [self._make_welcome(), self._make_pair(), self._make_question()]
        for box in self._steps:
            layout.addWidget(box)
        layout.addSpacing(theme.GRID)
        self.back_button = TextButton(self.tr("Back"), role="quiet")
        self.back_button.clicked.connect(lambda: self.show_step(self.at - 1))
        self.next_button = TextButton("", role="primary")
        self.next_button.clicked.connect(self._next)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.GRID)
        buttons.addWidget(self.next_button)
        buttons.addWidget(self.back_button)
        buttons.addStretch()
        layout.addLayout(buttons)
        self._names = ("", "")
        self._restyle()
        Theme.current().changed.connect(self._restyle)
        self.show_step(WELCOME)
        self.set_pair("", "")

    @property
    def at(self) -> int:
        """`WELCOME`, `PAIR` or `QUESTION`."""
        return self._at

    def show_step(self, step: int) -> None:
        self._at = step
        for index, box in enumerate(self._steps):
            box.setVisible(index == step)
        titles = (
            self.tr("Welcome to Slipstream"),
            self.tr("What answers"),
            self.tr("Your first question"),
        )
        texts = (
            self.tr(
                "A chat with a model that runs on this machine. Nothing you write leaves it. A small second "
                "model, the sidecar, drafts ahead; the model verifies every word, so answers stay the same, "
                "and the panel beside shows how much time that saves."
            ),
            self.tr(
                "A pair is a model and a sidecar trained for it. "
                "You can change it at any time, at the top of the window."
            ),
            self.tr("Take one of these, or write your own."),
        )
        self.step.setText(self.tr("Step {n} of 3").format(n=step + 1))
        self.title.setText(titles[step])
        self.text.setText(texts[step])
        self.back_button.setVisible(step > WELCOME)
        self._refresh()
        first = self.next_button if self.next_button.isEnabled() else self.open_button
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_pair(self, target: str, sidecar: str) -> None:
        """The names of what is chosen; empty for nothing."""
        self._names = (target, sidecar)
        if target and sidecar:
            text = self.tr("{target} with the sidecar {sidecar}").format(target=target, sidecar=sidecar)
        elif target:
            text = self.tr("{target}, without a sidecar").format(target=target)
        else:
            text = self.tr("No model is chosen yet.")
        self._pair.setText(text)
        self._state.setVisible(bool(target))
        self.open_button.setText(self.tr("Choose another model…") if target else self.tr("Choose a model…"))
        self._refresh()

    def set_progress(self, progress: LoadProgress | None) -> None:
        """While the pair loads; None when it is ready."""
        if progress is not None:
            self._state.setText(self.tr("Loading {percent} %").format(percent=round(100 * progress.fraction)))
        else:
            self._state.setText(self.tr("Ready to answer"))

    def set_problem(self, problem: Problem) -> None:
        """Why the pair does not load."""
        self._state.setText(" ".join(translated(p) for p in (problem.what, problem.why) if p))

    def _next(self) -> None:
        if self.at == QUESTION:
            self.finished.emit("")
        else:
            self.show_step(self.at + 1)

    def _refresh(self) -> None:
        words = (self.tr("Start"), self.tr("Use this pair"), self.tr("Write my own"))
        self.next_button.setText(words[self.at])
        self.next_button.setEnabled(self.at != PAIR or bool(self._names[0]))

    def _make_welcome(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GRID)
        for line in (
            self.tr("1  Choose what answers."),
            self.tr("2  Ask something."),
            self.tr("3  Watch the panel: it says whether the sidecar pays for your text."),
        ):
            label = _wrapped("")
            label.setText(line)
            layout.addWidget(label)
        layout.addStretch()
        return box

    def _make_pair(self) -> QWidget:
        card = QFrame()
        card.setProperty("role", "card")
        inner = QVBoxLayout(card)
        inner.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        inner.setSpacing(theme.HALF)
        self._pair, self._state = _wrapped("title"), _wrapped("muted")
        inner.addWidget(self._pair)
        inner.addWidget(self._state)
        self.open_button = TextButton(self.tr("Choose another model…"), icon_name="folder")
        self.open_button.clicked.connect(self.open_requested)
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GAP)
        layout.addWidget(card)
        layout.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch()
        return box

    def _make_question(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GRID)
        self.questions = [
            PromptButton(prompt, note)
            for prompt, note in (
                (
                    self.tr("Explain in three sentences what a language model does."),
                    self.tr("A short answer, to see it work."),
                ),
                (
                    self.tr("Write a Python function that says whether a number is prime."),
                    self.tr("Code: here drafting ahead pays most."),
                ),
            )
        ]
        for button in self.questions:
            button.clicked.connect(lambda _=False, b=button: self.finished.emit(b.prompt))
            layout.addWidget(button)
        layout.addStretch()
        return box

    def _restyle(self) -> None:
        self._column.setMaximumWidth(min(round(_WIDTH * Theme.current().scale), theme.COLUMN_WIDTH))


def _wrapped(role: str) -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setProperty("role", role)
    return label
