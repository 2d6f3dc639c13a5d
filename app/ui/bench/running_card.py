"""A benchmark that runs: what is being done, how far it is, how long it takes, and what came out so far."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.core.bench import BenchProgress
from app.core.rounds import ORDINARY
from app.services.bench_tally import BenchTally, Rates
from app.ui import theme
from app.ui.bench.bar_chart import BarChart, BarRow
from app.ui.bench.words import category_of, choice_name, time_left, title
from app.ui.icons import TextButton
from app.ui.language import translated
from app.ui.stats import numbers
from app.ui.theme import Theme

_STEPS = 1000


class RunningCard(QFrame):
    """`cancelled`: stop and keep what is there."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GRID)
        layout.setSpacing(theme.GRID)
        self._stage = QLabel()
        self._stage.setProperty("role", "title")
        self._stage.setWordWrap(True)
        self._left = QLabel()
        self._left.setProperty("role", "muted")
        self.cancel_button = TextButton(self.tr("Stop"), icon_name="stop")
        self.cancel_button.setToolTip(self.tr("What is measured so far is kept."))
        self.cancel_button.clicked.connect(self.cancelled)
        head = QHBoxLayout()
        head.setSpacing(theme.GAP)
        head.addWidget(self._stage, 1)
        head.addWidget(self._left)
        head.addWidget(self.cancel_button)
        layout.addLayout(head)
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the benchmark"))
        layout.addWidget(self.bar)
        self._now = QLabel()
        self._now.setProperty("role", "muted")
        layout.addWidget(self._now)
        self.by_category = BarChart(self.tr("So far"))
        self.by_choice = BarChart(self.tr("So far, by draft length"))
        layout.addWidget(self.by_category)
        layout.addWidget(self.by_choice)
        self.reset()
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    @property
    def stage(self) -> str:
        return self._stage.text()

    @property
    def left(self) -> str:
        return self._left.text()

    def reset(self) -> None:
        """As it is before the first report."""
        self._stage.setText(self.tr("Starting"))
        self._now.setText(" ")
        self._left.clear()
        self.bar.setValue(0)
        self.cancel_button.setEnabled(True)
        self.set_tally(BenchTally())

    def set_progress(self, progress: BenchProgress, seconds_left: float | None) -> None:
        stage = translated(progress.stage)
        self._stage.setText(title(stage))
        self.bar.setValue(round(_STEPS * progress.fraction))
        self.bar.setAccessibleDescription(f"{numbers.percent(progress.fraction)}, {stage}")
        self._left.setText(time_left(seconds_left))
        if progress.mode and progress.finished is None:
            self._now.setText(self._now_text(progress))

    def set_stopping(self) -> None:
        self.cancel_button.setEnabled(False)
        self._left.setText(self.tr("stopping"))

    def set_tally(self, tally: BenchTally) -> None:
        """Bars of what has been finished."""
        rows = [_bar(self.tr("All so far"), tally.total)]
        rows += [_bar(category_of(name), rates) for name, rates in tally.categories.items()]
        self.by_category.set_rows(rows if len(rows) != 2 else rows[:1])
        self.by_category.setVisible(tally.pairs > 0)
        choices = [_bar(choice_name(choice), rates) for choice, rates in tally.choices.items()]
        self.by_choice.set_rows(choices)
        self.by_choice.setVisible(len(choices) > 1)

    def _now_text(self, progress: BenchProgress) -> str:
        mode = self.tr("ordinary") if progress.mode == ORDINARY else self.tr("speculative")
        if progress.mode != ORDINARY and progress.choice is not None:
            mode += f", {choice_name(progress.choice)}"
        if not progress.tokens_per_second:
            return mode
        return f"{mode}: {numbers.tokens_per_second(progress.tokens_per_second)}"

    def _restyle(self) -> None:
        font = Theme.current().font(theme.BODY, tabular=True)
        for label in (self._left, self._now):
            label.setFont(font)
            label.setTextFormat(Qt.TextFormat.PlainText)


def _bar(label: str, rates: Rates) -> BarRow:
    return BarRow(label, rates.ordinary, rates.speculative)
