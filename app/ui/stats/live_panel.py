"""The live panel: the instrument beside the conversation. It shows `PanelFigures` and computes nothing.

The headline is the speedup; everything else is smaller, labelled and in one place, whatever is known.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core import events
from app.core.events import SpeculationStatus
from app.services.panel_figures import PanelFigures
from app.ui import theme
from app.ui.icons import IconButton
from app.ui.stats import numbers
from app.ui.stats.explanations import acceptance_notice, speedup_note, tooltips
from app.ui.stats.figure import Figure, FigureRow
from app.ui.stats.headline import Headline
from app.ui.stats.notice import Notice
from app.ui.stats.position_bars import PositionBars
from app.ui.stats.sparkline import Sparkline
from app.ui.stats.time_split import TimePart, TimeSplit

UPDATE_MS = 200


class LivePanel(QFrame):
    """Shows figures, at most five times a second. One Tab stop; arrows go from figure to figure."""

    turn_off_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "pane")
        self.setAccessibleName(self.tr("Live panel"))
        self._shown = PanelFigures()
        self._pending: PanelFigures | None = None
        self._status = SpeculationStatus()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(UPDATE_MS)
        self._timer.timeout.connect(self._on_timer)
        self._figures: list[Figure] = []

        self._column = _FigureColumn(self._figures)
        self._column.setObjectName("figures")
        self._rows = QVBoxLayout(self._column)
        self._rows.setContentsMargins(theme.MARGIN, 0, theme.MARGIN, theme.MARGIN)
        self._rows.setSpacing(0)
        self._build()
        self._rows.addStretch()

        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._column)
        self._column.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        self._column.figure_focused.connect(self._scroll.ensureWidgetVisible)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._keep_width)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._make_header())
        layout.addWidget(self._scroll, 1)
        self._show()

    # What goes in

    def set_figures(self, figures: PanelFigures) -> None:
        """Show `figures`: at once, or within 200 ms when the last change was less than that ago."""
        self._pending = figures
        if not self._timer.isActive():
            self._on_timer()

    def set_status(self, status: SpeculationStatus) -> None:
        """The state decides what the headline proposes and how many bars there are."""
        if status != self._status:
            self._status = status
            self._show()

    # What can be asked

    def texts(self) -> dict[str, str]:
        """Everything shown, by label, as it reads on screen."""
        out: dict[str, str] = {}
        for figure in self._figures:
            label, _, value = figure.copy_text().partition(": ")
            out[label] = value
        if not self.acceptance_notice.isHidden():
            out[self.tr("Notice")] = self.acceptance_notice.text
        return out

    def figures(self) -> tuple[Figure, ...]:
        """The figures from top to bottom."""
        return tuple(self._figures)

    def copy_all(self) -> None:
        """All figures to the clipboard: a line each, label and value separated by a tab."""
        QGuiApplication.clipboard().setText("\n".join(f"{k}\t{v}" for k, v in self.texts().items()))

    # Inside

    def _on_timer(self) -> None:
        if self._pending is None:
            return
        if self._pending != self._shown:
            self._shown = self._pending
            self._show()
        self._pending = None
        self._timer.start()

    def _keep_width(self, _low: int, high: int) -> None:
        """The scroll bar goes into the right margin, so that nothing moves when it comes."""
        bar = self._scroll.verticalScrollBar().sizeHint().width() if high else 0
        self._rows.setContentsMargins(theme.MARGIN, 0, max(theme.MARGIN - bar, 0), theme.MARGIN)

    def add_tool(self, button: QWidget) -> None:
        """A button of the window at the end of the header."""
        self._header.addWidget(button)

    def _make_header(self) -> QHBoxLayout:
        self._header = header = QHBoxLayout()
        header.setContentsMargins(theme.MARGIN, theme.GRID, theme.GRID, theme.HALF)
        title = QLabel(self.tr("Live panel"))
        title.setProperty("role", "label")
        header.addWidget(title)
        header.addStretch()
        self.copy_button = IconButton("copy", self.tr("Copy all figures"), role="muted")
        self.copy_button.clicked.connect(self.copy_all)
        header.addWidget(self.copy_button)
        return header

    def _add(self, figure: Figure) -> None:
        figure.copy_all_requested.connect(self.copy_all)
        self._figures.append(figure)
        self._rows.addWidget(figure)
        self._column.watch(figure)

    def _row(self, label: str, tooltip: str) -> FigureRow:
        row = FigureRow(label, tooltip)
        self._add(row)
        return row

    def _section(self, title: str) -> None:
        self._rows.addSpacing(theme.GRID)
        rule = QFrame()
        rule.setProperty("role", "rule")
        self._rows.addWidget(rule)
        self._rows.addSpacing(theme.GRID)
        label = QLabel(title)
        label.setProperty("role", "label")
        self._rows.addWidget(label)
        self._rows.addSpacing(theme.HALF)

    def _build(self) -> None:
        tip = tooltips()
        self.headline = Headline(self.tr("Speedup"), tip["speedup"])
        self.headline.turn_off_requested.connect(self.turn_off_requested)
        self._add(self.headline)

        self._section(self.tr("Speed"))
        self.now = self._row(self.tr("Now"), tip["now"])
        self.average = self._row(self.tr("Average"), tip["average"])
        self.sparkline = Sparkline(self.tr("Speed over the reply"), tip["series"])
        self._add(self.sparkline)

        self._section(self.tr("Drafts"))
        self.acceptance = self._row(self.tr("Acceptance"), tip["acceptance"])
        self.acceptance_notice = Notice()
        self._rows.addWidget(self.acceptance_notice)
        self.length = self._row(self.tr("Mean accepted length"), tip["length"])
        self._rows.addSpacing(theme.HALF)
        heading = QLabel(self.tr("Acceptance by position"))
        heading.setProperty("role", "label")
        self._rows.addWidget(heading)
        self.positions = PositionBars(self.tr("Acceptance by position"), tip["positions"])
        self._add(self.positions)
        self.drafted = self._row(self.tr("Drafted tokens"), tip["drafted"])
        self.accepted = self._row(self.tr("Accepted tokens"), tip["accepted"])
        self.steps = self._row(self.tr("Verification steps"), tip["steps"])
        self.rollbacks = self._row(self.tr("Rollbacks"), tip["rollbacks"])

        self._section(self.tr("Time split"))
        self.time_split = TimeSplit(self.tr("Time split"), tip["time"])
        self._add(self.time_split)

        self._section(self.tr("Prompt"))
        self.ttft = self._row(self.tr("First token (TTFT)"), tip["ttft"])
        self.prefill = self._row(self.tr("Prefill"), tip["prefill"])

    def _show(self) -> None:
        f = self._shown
        on = self._status.state in (events.SPECULATING, events.SUSPENDED)
        self.headline.set_speedup(f.speedup, speedup_note(f, self._status), offer_off=on)
        self.now.set_value(numbers.tokens_per_second(f.tokens_per_second_now))
        self.average.set_value(numbers.tokens_per_second(f.tokens_per_second))
        self.sparkline.set_series(f.series, f.series_modes, f.tokens_per_second)
        self.acceptance.set_value(numbers.percent(f.acceptance))
        self.acceptance_notice.set_text(acceptance_notice(f))
        self.length.set_value(numbers.per_step(f.mean_accepted_length))
        slots = self._status.draft_n_max if on else 0
        self.positions.set_rates(f.acceptance_by_position, f.conditional_by_position, slots)
        self.drafted.set_value(numbers.count(f.drafted))
        self.accepted.set_value(numbers.count(f.accepted))
        self.steps.set_value(numbers.count(f.verification_steps))
        self.rollbacks.set_value(numbers.count(f.rollbacks), self._rollback_kinds())
        self.time_split.set_parts(
            [
                TimePart(self.tr("Draft"), f.draft_seconds or 0.0, "speculative"),
                TimePart(self.tr("Verify"), f.verify_seconds or 0.0, "ordinary"),
                TimePart(self.tr("Process"), f.process_seconds or 0.0, "speculative", hatched=True),
                TimePart(self.tr("Roll back"), f.rollback_seconds or 0.0, "rejected"),
                TimePart(self.tr("Other"), f.other_seconds or 0.0, "muted"),
            ]
        )
        self.ttft.set_value(numbers.seconds(f.ttft_seconds))
        self.prefill.set_value(numbers.tokens_per_second(f.prefill_tokens_per_second), self._reuse())

    def _rollback_kinds(self) -> str:
        f = self._shown
        if f.rollbacks is None:
            return ""
        return self.tr("native {native} · checkpoint {checkpoint}").format(
            native=f.native_rollbacks or 0, checkpoint=f.checkpoint_rollbacks or 0
        )

    def _reuse(self) -> str:
        f = self._shown
        if not f.prompt_tokens:
            return ""
        return self.tr("{reused} of {total} reused").format(
            reused=f.reused_tokens or 0, total=f.prompt_tokens
        )


class _FigureColumn(QWidget):
    """Keeps one figure in the Tab order and moves between figures with the arrow keys."""

    figure_focused = Signal(QWidget)

    def __init__(self, figures: list[Figure]) -> None:
        super().__init__()
        self._figures = figures

    def watch(self, figure: Figure) -> None:
        figure.installEventFilter(self)
        if len(self._figures) == 1:
            figure.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, Figure):
            for figure in self._figures:
                strong = figure is watched
                figure.setFocusPolicy(Qt.FocusPolicy.StrongFocus if strong else Qt.FocusPolicy.ClickFocus)
            self.figure_focused.emit(watched)
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = next((i for i, figure in enumerate(self._figures) if figure.hasFocus()), None)
        last = len(self._figures) - 1
        target = {
            Qt.Key.Key_Up: (here or 0) - 1,
            Qt.Key.Key_Down: (here or 0) + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if here is None or target is None:
            super().keyPressEvent(event)
            return
        self._figures[min(max(target, 0), last)].setFocus(Qt.FocusReason.TabFocusReason)
