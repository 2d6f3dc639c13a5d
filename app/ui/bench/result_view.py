"""A benchmark that has ended: the verdict first, then the charts, whether texts match, and the rest."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.core.bench import BenchRecord
from app.core.bench_values import Figures, Point, Recommendation, Rows
from app.ui import theme
from app.ui.bench.bar_chart import BarChart, BarRow
from app.ui.bench.details_card import DetailsCard
from app.ui.bench.flow import flow
from app.ui.bench.sweep_chart import SweepChart, SweepPoint
from app.ui.bench.words import category_of, choice_name, date_of, title, tr, verdict_of, workload_of
from app.ui.chat.problem_card import ProblemCard
from app.ui.icons import TextButton
from app.ui.language import translated
from app.ui.stats import numbers
from app.ui.stats.notice import Notice

# What the comparison says about the text, in the words of the report; the speedup is the headline.
_TEXT_ROWS = (
    "output tokens match",
    "runs deterministic",
    "first divergence",
    "logit gap at the divergence",
    "verdict",
    "divergences",
)
_PICTURE_SCALE = 2


class ResultView(QFrame):
    """Wishes go out as signals; `use_requested`: the recommended length for the pair."""

    use_requested = Signal()
    copy_requested = Signal()
    picture_requested = Signal()
    csv_requested = Signal()
    json_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.GAP)
        # What the picture shows: everything but buttons and tables.
        self._shown = QFrame()
        self._shown.setProperty("role", "page")
        column = QVBoxLayout(self._shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        layout.addWidget(self._shown)
        column.addWidget(self._make_verdict())
        self.bars = BarChart(self.tr("Ordinary against speculative decoding"))
        self._bars_card = _card(self.tr("Ordinary against speculative"), self.bars)
        column.addWidget(self._bars_card)
        column.addWidget(self._make_sweep())
        column.addWidget(self._make_text())
        layout.addWidget(self._make_exports())
        self.details = DetailsCard()
        layout.addWidget(self.details)

    # -- what is shown ----------------------------------------------------------------------------------

    @property
    def headline(self) -> str:
        return self._headline.text()

    @property
    def note(self) -> str:
        """How sure the headline is."""
        return self._note.text()

    @property
    def text_lines(self) -> str:
        """What is said about the text of both modes."""
        return self._text.text()

    @property
    def advice(self) -> str:
        return self._advice.text()

    def set_record(self, record: BenchRecord) -> None:
        point = record.point
        verdict = verdict_of(point.figures.speedup if point is not None else None)
        self._headline.setText(verdict.headline)
        theme.set_look(self._headline, "role", "headline")
        theme.set_look(self._headline, "tone", verdict.role)
        self._note.setText(verdict.note)
        self._what.setText(_what(record))
        self._facts.setText(_facts(point) if point is not None else "")
        self._stopped.set_text(
            self.tr("It was stopped early. The figures are those of what was finished.")
            if record.cancelled
            else ""
        )
        self._warnings.set_text("\n".join(map(translated, record.warnings)))
        self._set_errors(record)
        self.bars.set_rows(bar_rows(point) if point is not None else ())
        self._bars_card.setVisible(point is not None)
        self._set_sweep(record)
        lines = _text_lines(record)
        self._text.setText("\n".join(lines))
        self._text_card.setVisible(bool(lines))
        self.details.set_record(record)

    def set_used(self, used: bool) -> None:
        """Whether the pair is set as recommended."""
        self.use_button.setEnabled(not used)
        found = self._recommendation
        if used:
            text = self.tr("In use for this pair")
        elif found is not None and found.length == 0:
            text = self.tr("Switch speculation off for the pair")
        else:
            text = self.tr("Use this length for the pair")
        self.use_button.setText(text)

    def picture(self) -> QPixmap:
        """Verdict and charts, twice as fine as on the screen."""
        size = self._shown.size()
        pixmap = QPixmap(size * _PICTURE_SCALE)
        pixmap.setDevicePixelRatio(_PICTURE_SCALE)
        self._shown.render(pixmap, QPoint(0, 0))
        return pixmap

    # -- building ---------------------------------------------------------------------------------------

    def _make_verdict(self) -> QWidget:
        card = QFrame()
        card.setProperty("role", "card")
        layout = QVBoxLayout(card)
        layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        layout.setSpacing(theme.HALF)
        self._what = _label("label")
        self._headline = _label("headline")
        self._headline.setAccessibleName(self.tr("Result"))
        self._note = _label("")
        self._facts = _label("muted")
        self._stopped, self._warnings = Notice(), Notice()
        for widget in (
            self._what,
            self._headline,
            self._note,
            self._facts,
            self._stopped,
            self._warnings,
        ):
            layout.addWidget(widget)
        self._errors = QVBoxLayout()
        self._cards: list[ProblemCard] = []
        layout.addLayout(self._errors)
        return card

    def _make_sweep(self) -> QWidget:
        self.sweep = SweepChart(self.tr("Speedup and acceptance by draft length"))
        self._sweep_card = _card(self.tr("Draft length"), self.sweep)
        self._advice = _label("")
        self._recommendation: Recommendation | None = None
        self.use_button = TextButton(self.tr("Use this length for the pair"), role="primary")
        self.use_button.clicked.connect(self.use_requested)
        layout = self._sweep_card.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addWidget(self._advice)
        layout.addWidget(self.use_button, 0, Qt.AlignmentFlag.AlignLeft)
        return self._sweep_card

    def _make_text(self) -> QWidget:
        self._text = _label("")
        self._text_card = _card(self.tr("Is the text the same?"), self._text)
        return self._text_card

    def _make_exports(self) -> QWidget:
        self.copy_button = TextButton(self.tr("Copy report"), role="primary", icon_name="copy")
        self.copy_button.setToolTip(self.tr("The whole run as Markdown, without private paths and names."))
        self.copy_button.clicked.connect(self.copy_requested)
        self.picture_button = TextButton(self.tr("Save picture…"))
        self.picture_button.clicked.connect(self.picture_requested)
        self.csv_button = TextButton(self.tr("Save CSV…"))
        self.csv_button.clicked.connect(self.csv_requested)
        self.json_button = TextButton(self.tr("Save JSON…"))
        self.json_button.setToolTip(self.tr("Every recorded round; slipstream bench --recount checks it."))
        self.json_button.clicked.connect(self.json_requested)
        return flow(self.copy_button, self.picture_button, self.csv_button, self.json_button)

    # -- parts ------------------------------------------------------------------------------------------

    def _set_errors(self, record: BenchRecord) -> None:
        for old in self._cards:
            self._errors.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._cards = [ProblemCard(problem, "", dismissable=False) for problem in record.errors]
        for card in self._cards:
            self._errors.addWidget(card)

    def _set_sweep(self, record: BenchRecord) -> None:
        self._recommendation = found = record.recommendation
        points = [sweep_point(p, found) for p in record.points if p.figures.speedup is not None]
        self.sweep.set_points([p for p in points if p is not None])
        self._sweep_card.setVisible(len(points) > 1 or found is not None)
        self._advice.setText(translated(record.advice))
        self.use_button.setVisible(found is not None)


def bar_rows(point: Point) -> list[BarRow]:
    """All prompts, then the categories."""
    rows = [_bar(tr("All prompts"), point.figures)]
    return rows + [_bar(category_of(name), f) for name, f in point.categories.items()]


def sweep_point(point: Point, found: Recommendation | None) -> SweepPoint | None:
    """None when it has no speedup."""
    speedup = point.figures.speedup
    if speedup is None:
        return None
    choice = point.choice
    best = found is not None and (found.length, found.p_min) == (choice.n_max, choice.p_min)
    rate = point.figures.draft.acceptance_rate
    return SweepPoint(choice.label, speedup.ratio, speedup.low, speedup.high, rate, best)


def _bar(label: str, figures: Figures) -> BarRow:
    ratio = figures.speedup.ratio if figures.speedup is not None else None
    return BarRow(label, figures.ordinary.median, figures.speculative.median, ratio)


def _what(record: BenchRecord) -> str:
    parts = [date_of(record.created), workload_of(record.workload)]
    point = record.point
    algorithm = record.algorithm
    if point is not None:
        algorithm += f", {choice_name(point.choice)}"
        if len(record.points) > 1:
            algorithm += tr(" (the fastest of {n})").format(n=len(record.points))
    return " · ".join([*parts, algorithm, record.program])


def _facts(point: Point) -> str:
    figures = point.figures
    return tr(
        "{ordinary} ordinary, {speculative} speculative; {accepted} of the drafts accepted, {length}"
    ).format(
        ordinary=numbers.tokens_per_second(figures.ordinary.median),
        speculative=numbers.tokens_per_second(figures.speculative.median),
        accepted=numbers.percent(figures.draft.acceptance_rate),
        length=numbers.per_step(figures.draft.mean_accepted_length),
    )


def _text_lines(record: BenchRecord) -> list[str]:
    rows: tuple[tuple[str, str], ...] = ()
    for section in record.sections:
        if isinstance(section, Rows) and section.title == "comparison":
            rows = section.rows
    return [f"{title(translated(name))}: {translated(value)}" for name, value in rows if name in _TEXT_ROWS]


def _label(role: str) -> QLabel:
    label = QLabel()
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _card(title: str, content: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("role", "card")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
    layout.setSpacing(theme.GRID)
    head = QLabel(title)
    head.setProperty("role", "title")
    layout.addWidget(head)
    layout.addWidget(content)
    return card
