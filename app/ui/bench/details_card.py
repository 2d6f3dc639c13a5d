"""Everything recorded in a benchmark, as tables: the sections of the report, the runs, and their rounds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.bench import BenchRecord
from app.core.bench_values import Pair, Rows, Run, Section
from app.core.rounds import Round
from app.ui import theme
from app.ui.bench.flow import flow
from app.ui.bench.words import category_of, choice_name, recorded, title, tr
from app.ui.chat.text_view import copy_text
from app.ui.language import translated
from app.ui.stats import numbers
from app.ui.theme import Theme

# Of the report; shown first.
_FIRST = "Summary"
_HEIGHT = 300
_WIDEST = 420

Table = tuple[Sequence[str], Sequence[Sequence[str]]]


class DetailsCard(QFrame):
    """One table at a time; a second choice names the run whose rounds are shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._record: BenchRecord | None = None
        head = QLabel(self.tr("Everything recorded"))
        head.setProperty("role", "title")
        self.section = QComboBox()
        self.section.setAccessibleName(self.tr("What to show"))
        self.run = QComboBox()
        self.run.setAccessibleName(self.tr("Rounds of which run"))
        self.table = _Table()
        self.table.setAccessibleName(self.tr("Everything recorded"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.MARGIN)
        layout.setSpacing(theme.GRID)
        layout.addWidget(head)
        layout.addWidget(flow(self.section, self.run))
        layout.addWidget(self.table)
        for combo in (self.section, self.run):
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            combo.activated.connect(self._show)

    def set_record(self, record: BenchRecord) -> None:
        self._record = record
        names = [translated(section.title) or self.tr("Overview") for section in record.sections]
        self.section.clear()
        self.section.addItems([title(name) for name in names])
        if record.points:
            self.section.addItems([self.tr("Runs"), self.tr("Rounds")])
        self.run.clear()
        for name, _ in self._runs():
            self.run.addItem(name)
        titles = [section.title for section in record.sections]
        self.section.setCurrentIndex(titles.index(_FIRST) if _FIRST in titles else 0)
        self._show()

    def show_section(self, name: str) -> None:
        """ValueError when there is no such section."""
        index = self.section.findText(name)
        if index < 0:
            raise ValueError(f"no section {name!r}")
        self.section.setCurrentIndex(index)
        self._show()

    def _show(self) -> None:
        record = self._record
        if record is None:
            return
        index, known = self.section.currentIndex(), len(record.sections)
        self.run.setVisible(index == known + 1)
        if index < known:
            self.table.fill(*_section_table(record.sections[index]))
        elif index == known:
            self.table.fill(*_runs_table(record))
        else:
            runs = self._runs()
            self.table.fill(*_rounds_table(runs[max(self.run.currentIndex(), 0)][1]))

    def _runs(self) -> list[tuple[str, Run]]:
        record = self._record
        runs = []
        for point in record.points if record is not None else ():
            length = f"{choice_name(point.choice)}, " if record is not None and len(record.points) > 1 else ""
            for pair in point.pairs:
                where = self.tr("{length}prompt {p}, run {r}").format(
                    length=length, p=pair.prompt + 1, r=pair.number + 1
                )
                runs += [(f"{where}: {recorded(run.mode)}", run) for run in (pair.ordinary, pair.speculative)]
        return runs


class _Table(QTableWidget):
    """Read-only cells; copying takes the marked ones, separated by tabs."""

    def __init__(self) -> None:
        super().__init__()
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    def fill(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.clear()
        self.setColumnCount(len(columns))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels([translated(column) for column in columns])
        self.horizontalHeader().setVisible(any(columns))
        for y, row in enumerate(rows):
            for x, text in enumerate(row):
                text = translated(text)
                line = " ".join(text.split())
                item = QTableWidgetItem(line)
                item.setToolTip(text if len(text) > 40 else "")
                self.setItem(y, x, item)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.resizeColumnsToContents()
        for x in range(len(columns)):
            self.setColumnWidth(x, min(self.columnWidth(x) + theme.GRID, _WIDEST))
        header.setStretchLastSection(True)
        if rows:
            self.setCurrentCell(0, 0)
            self.clearSelection()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            lines: dict[int, list[str]] = {}
            for index in sorted(self.selectedIndexes()):
                lines.setdefault(index.row(), []).append(str(index.data() or ""))
            copy_text("\n".join("\t".join(cells) for cells in lines.values()))
            return
        super().keyPressEvent(event)

    def _restyle(self) -> None:
        self.setFont(Theme.current().font(theme.BODY, tabular=True))
        self.setFixedHeight(round(_HEIGHT * Theme.current().scale))


def _section_table(section: Section) -> Table:
    if isinstance(section, Rows):
        return ("", ""), section.rows
    return section.columns, section.rows


def _runs_table(record: BenchRecord) -> Table:
    columns = (
        tr("length"), tr("prompt"), tr("category"), tr("run"), tr("ordinary"), tr("speculative"),
        tr("speedup"), tr("tokens"), tr("accepted"), tr("same text"), tr("ended by"),
    )  # fmt: skip
    rows = [
        _run_cells(point.choice.label, pair, record.prompts[pair.prompt][1])
        for point in record.points
        for pair in point.pairs
    ]
    return columns, rows


def _run_cells(length: str, pair: Pair, category: str) -> tuple[str, ...]:
    times = pair.times
    verified = sum(r.verified for r in pair.speculative.rounds)
    accepted = sum(r.accepted for r in pair.speculative.rounds)
    rates = (numbers.DASH, numbers.DASH, numbers.DASH)
    if times.usable:
        rates = (
            numbers.tokens_per_second(times.ordinary_tokens / times.ordinary_seconds),
            numbers.tokens_per_second(times.speculative_tokens / times.speculative_seconds),
            numbers.ratio(times.ratio),
        )
    return (
        length,
        str(pair.prompt + 1),
        category_of(category) if category else numbers.DASH,
        str(pair.number + 1),
        *rates,
        str(len(pair.speculative.tokens)),
        numbers.percent(accepted / verified) if verified else numbers.DASH,
        tr("yes") if pair.matches else tr("no"),
        recorded(pair.speculative.finish_reason),
    )


def _rounds_table(run: Run) -> Table:
    columns = (
        tr("round"), tr("mode"), tr("position"), tr("tokens"), tr("drafted"), tr("verified"), tr("accepted"),
        tr("rollback"), tr("ms"), tr("draft"), tr("decode"), tr("sync"), tr("process"), tr("accept"),
        tr("rollback time"), tr("timed"),
    )  # fmt: skip
    return columns, [_round_cells(i, r) for i, r in enumerate(run.rounds, 1)]


def _round_cells(number: int, r: Round) -> tuple[str, ...]:
    t = r.timings
    times = (r.seconds, t.draft, t.decode, t.sync, t.process, t.accept, t.rollback)
    return (
        str(number),
        recorded(r.mode),
        str(r.position),
        " ".join(map(str, r.tokens)),
        str(len(r.drafted)),
        str(r.verified),
        str(r.accepted),
        recorded(r.rollback) or numbers.DASH,
        *(numbers.decimal(1000 * s, 2) for s in times),
        tr("yes") if r.timed else tr("no"),
    )
