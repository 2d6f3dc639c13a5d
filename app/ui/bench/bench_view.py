"""The benchmark page: what to measure, what is being measured, what came out, and what came out earlier."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.bench import BenchRecord
from app.core.events import Problem
from app.ui import theme
from app.ui.bench.history_card import HistoryCard
from app.ui.bench.result_view import ResultView
from app.ui.bench.running_card import RunningCard
from app.ui.bench.setup_card import SetupCard
from app.ui.chat.problem_card import NEW_CHAT, SETTINGS, ProblemCard, action_of
from app.ui.chat.toast import Toast
from app.ui.icons import TextButton

_WIDEST = 880


class BenchView(QFrame):
    """Widgets only; `BenchBinder` connects them to the services."""

    back_requested = Signal()
    action_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        self.back_button = TextButton(self.tr("Back to the chat"), role="quiet")
        self.back_button.setToolTip(self.tr("Back to the chat (Esc)"))
        self.back_button.clicked.connect(self.back_requested)
        title = QLabel(self.tr("Benchmark"))
        title.setProperty("role", "display")
        self.setup = SetupCard()
        self.running = RunningCard()
        self.result = ResultView()
        self.history = HistoryCard()
        self._empty = QLabel(
            self.tr(
                "Find out in minutes whether speculation pays on this machine, on what kind of text, "
                "and with which draft length."
            )
        )
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        self._cards: list[ProblemCard] = []

        column = QWidget()
        column.setMaximumWidth(_WIDEST)
        self._column = QVBoxLayout(column)
        self._column.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.MARGIN)
        self._column.setSpacing(theme.GAP)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.back_button)
        self._column.addLayout(head)
        self._column.addWidget(self._empty)
        for card in (self.setup, self.running, self.result, self.history):
            self._column.addWidget(card)
        self._column.addStretch()
        page = QFrame()
        page.setProperty("role", "page")
        across = QHBoxLayout(page)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(column, 1000)
        across.addStretch(1)
        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pane.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pane.setWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pane)
        self.toast = Toast(self)
        self.show_record(None)
        self.set_running(False)

    @property
    def cards(self) -> list[ProblemCard]:
        """Problems that are shown."""
        return self._cards

    def show_record(self, record: BenchRecord | None) -> None:
        """The benchmark that is looked at, if any."""
        if record is not None:
            self.result.set_record(record)
        self.result.setVisible(record is not None)
        self._empty.setVisible(record is None and self.running.isHidden())

    def set_running(self, running: bool) -> None:
        """The set-up makes room for what runs."""
        if running:
            self.running.reset()
            self.clear_problems()
            self.pane.verticalScrollBar().setValue(0)
        focus = self.focusWidget()
        # Qt would pass it on to whatever comes next.
        had_focus = focus is not None and any(w.isAncestorOf(focus) for w in (self.setup, self.running))
        self.running.setVisible(running)
        self.setup.setVisible(not running)
        self.history.set_running(running)
        self._empty.setVisible(self.result.isHidden() and not running)
        if had_focus:
            target = self.running.cancel_button if running else self.setup.run_button
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def add_problem(self, problem: Problem) -> ProblemCard:
        """A card above everything else; the same problem is not told twice."""
        for card in self._cards:
            if card.problem == problem:
                return card
        action = action_of(problem)
        # A new chat is the way out of a full context in the conversation only.
        card = ProblemCard(problem, SETTINGS if action == NEW_CHAT else action)
        card.action_requested.connect(self.action_requested)
        card.dismissed.connect(lambda: self._remove(card))
        self._cards.append(card)
        self._column.insertWidget(1, card)
        self.pane.verticalScrollBar().setValue(0)
        return card

    def clear_problems(self) -> None:
        for card in list(self._cards):
            self._remove(card)

    def show_result(self) -> None:
        """The verdict at the upper edge, as soon as everything has its place."""
        QTimer.singleShot(
            0, self, lambda: self.pane.verticalScrollBar().setValue(self.result.y() - theme.GAP)
        )

    def focus_first(self) -> None:
        """The keyboard begins at what can be done now."""
        target = self.setup.source if self.running.isHidden() else self.running.cancel_button
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.back_requested.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.toast.place()

    def _remove(self, card: ProblemCard) -> None:
        self._cards.remove(card)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()
