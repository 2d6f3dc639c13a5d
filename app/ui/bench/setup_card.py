"""What to measure: prompts, runs, tokens, a draft length or a sweep over lengths, and the button to begin."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.core.bench import (
    BUILTIN,
    COPY_EDIT,
    FILE,
    LONG_PROSE,
    LONGEST_DRAFT,
    PROMPT,
    BenchRequest,
)
from app.core.wording import reason_of
from app.ui import theme
from app.ui.bench.flow import flow
from app.ui.bench.words import parse_lengths
from app.ui.icons import TextButton
from app.ui.language import translated
from app.ui.theme import Theme

_PROMPT_LINES = 3


class SetupCard(QFrame):
    """`run_requested` carries a `BenchRequest`; what cannot be understood is said here instead."""

    run_requested = Signal(object)
    file_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._reason = ""
        self._make_controls()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GAP, theme.MARGIN, theme.GAP)
        layout.setSpacing(theme.GRID)
        cells = (
            (self.tr("Prompts"), self.source),
            (self.tr("Runs of each"), self.runs),
            (self.tr("Tokens a run"), self.tokens),
            (self.tr("Draft length"), self._length_box),
        )
        layout.addWidget(flow(*(_labelled(*cell) for cell in cells), across=theme.MARGIN))
        layout.addWidget(self.prompt)
        layout.addWidget(self._file_box)
        layout.addWidget(self._sweep_box)
        foot = QHBoxLayout()
        foot.setSpacing(theme.MARGIN)
        foot.addWidget(self._line, 1)
        foot.addWidget(self.run_button, 0, Qt.AlignmentFlag.AlignBottom)
        layout.addLayout(foot)
        self._show()
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    # -- what is asked for ------------------------------------------------------------------------------

    def request(self) -> BenchRequest:
        """ValueError, in words for the user, when something is missing or cannot be understood."""
        return BenchRequest(
            source=str(self.source.currentData()),
            prompt=self.prompt.toPlainText().strip(),
            prompt_file=self.file.text().strip(),
            runs=self.runs.value(),
            max_tokens=self.tokens.value(),
            draft_n_max=self.length.value(),
            automatic=self.automatic.isChecked(),
            sweep=self.sweep.isChecked(),
            lengths=parse_lengths(self.lengths.text()) if self.sweep.isChecked() else (),
        )

    @property
    def line(self) -> str:
        """What stands beside the button."""
        return self._line.text()

    def set_source(self, source: str) -> None:
        self.source.setCurrentIndex(self.source.findData(source))

    def set_file(self, path: str) -> None:
        self.file.setText(path)

    def set_length(self, length: int, automatic: bool) -> None:
        """The pair's own choice, as a start."""
        self.length.setValue(length)
        self.automatic.setChecked(automatic)

    def set_longest(self, longest: int) -> None:
        """The longest draft that the pair can make; 0 while it is not known."""
        self.length.setMaximum(longest or LONGEST_DRAFT)
        self.lengths.setPlaceholderText(f"1-{longest}" if longest else self.tr("all"))

    def set_reason(self, reason: str) -> None:
        """Why nothing can be measured now; empty when it can."""
        self._reason = reason
        self._show()

    # -- building ---------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        self.source = QComboBox()
        self.source.setAccessibleName(self.tr("Prompts"))
        for text, source in (
            (self.tr("Built-in set (24 prompts)"), BUILTIN),
            (self.tr("Copy-edit set (6 prompts)"), COPY_EDIT),
            (self.tr("Long prose (6 prompts)"), LONG_PROSE),
            (self.tr("One prompt"), PROMPT),
            (self.tr("Prompts from a file"), FILE),
        ):
            self.source.addItem(text, source)
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.prompt = QPlainTextEdit()
        self.prompt.setAccessibleName(self.tr("Prompt"))
        self.prompt.setPlaceholderText(self.tr("The prompt to measure with"))
        self.prompt.setTabChangesFocus(True)
        self.file = QLineEdit()
        self.file.setAccessibleName(self.tr("File with prompts"))
        self.file.setPlaceholderText(self.tr("One prompt on each line, or JSON lines"))
        self.file_button = TextButton(self.tr("Choose…"), icon_name="folder")
        self.file_button.clicked.connect(self.file_requested)
        self._file_box = _row(self.file, self.file_button, stretch=self.file)
        self.runs = _number(1, 50, 3, self.tr("Runs of each prompt"))
        self.runs.setToolTip(self.tr("Each run is a pair: once without and once with drafts."))
        self.tokens = _number(8, 4096, 64, self.tr("Tokens a run"))
        self.length = _number(1, LONGEST_DRAFT, 7, self.tr("Draft length"))
        self.automatic = QCheckBox(self.tr("automatic"))
        self.automatic.setToolTip(self.tr("The engine chooses the length of every draft."))
        self._length_box = _row(self.length, self.automatic)
        self._length_box.setFocusProxy(self.length)
        self.sweep = QCheckBox(self.tr("Compare draft lengths and recommend one"))
        self.lengths = QLineEdit()
        self.lengths.setAccessibleName(self.tr("Draft lengths to compare"))
        self.lengths.setToolTip(self.tr("For example 1,2,4 or 1-7. Leave it empty for all."))
        self._sweep_box = flow(self.sweep, self.lengths)
        self._line = QLabel()
        self._line.setWordWrap(True)
        self.run_button = TextButton(self.tr("Run"), role="primary")
        self.run_button.setAccessibleName(self.tr("Run the benchmark"))
        self.run_button.clicked.connect(self._on_run)
        self.source.currentIndexChanged.connect(self._show)
        self.prompt.textChanged.connect(self._show)
        for signal in (
            self.file.textChanged,
            self.runs.valueChanged,
            self.tokens.valueChanged,
            self.automatic.toggled,
            self.sweep.toggled,
            self.lengths.textChanged,
        ):
            signal.connect(self._show)
        for control in (self.source, self.runs, self.tokens, self.length):
            # The wheel scrolls the page, not the value under the pointer.
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    # -- what happens -----------------------------------------------------------------------------------

    def _on_run(self) -> None:
        try:
            request = self.request()
        except ValueError as error:
            self._say(translated(reason_of(error)), "error")
            return
        self.run_requested.emit(request)

    def _show(self) -> None:
        source = self.source.currentData()
        self.prompt.setVisible(source == PROMPT)
        self._file_box.setVisible(source == FILE)
        sweep = self.sweep.isChecked()
        self.lengths.setVisible(sweep)
        self.length.setEnabled(not sweep and not self.automatic.isChecked())
        self.automatic.setEnabled(not sweep)
        self.run_button.setEnabled(not self._reason)
        self.run_button.setToolTip(self._reason)
        if self._reason:
            self._say(self._reason, "muted")
        else:
            self._say(
                self.tr(
                    "Runs with and without drafts take turns on the loaded pair; the text is the same, "
                    "only the time differs. Chatting waits until it is done."
                ),
                "label",
            )

    def _say(self, text: str, role: str) -> None:
        theme.set_look(self._line, "role", role)
        self._line.setText(text)
        self.run_button.setAccessibleDescription(text)

    def _restyle(self) -> None:
        metrics = self.prompt.fontMetrics()
        for box in (self.runs, self.tokens, self.length):
            box.setFixedHeight(self.source.sizeHint().height())
        self.prompt.setFixedHeight(_PROMPT_LINES * metrics.lineSpacing() + 2 * theme.GRID + theme.HALF)


def _number(low: int, high: int, value: int, name: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    box.setAccessibleName(name)
    box.setMinimumWidth(72)
    return box


def _labelled(text: str, control: QWidget) -> QWidget:
    label = QLabel(text)
    label.setProperty("role", "label")
    label.setBuddy(control)
    box = QWidget()
    layout = QVBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(theme.HALF)
    layout.addWidget(label)
    layout.addWidget(control)
    return box


def _row(*widgets: QWidget, stretch: QWidget | None = None) -> QWidget:
    box = QWidget()
    layout = QHBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(theme.GRID)
    for widget in widgets:
        layout.addWidget(widget, int(widget is stretch))
    if stretch is None:
        layout.addStretch()
    return box
