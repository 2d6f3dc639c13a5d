"""A failure in the conversation: what happened, why, what to do, and one button that does it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout

from app.core.events import Problem
from app.ui import icons, theme
from app.ui.chat.text_view import copy_text
from app.ui.icons import IconButton, TextButton
from app.ui.language import translated
from app.ui.theme import Theme

# What a card's button asks for. The window carries it out.
OPEN_TARGET = "open-target"
OPEN_SIDECAR = "open-sidecar"
WITHOUT_SIDECAR = "without-sidecar"
SETTINGS = "settings"
RELOAD = "reload"
NEW_CHAT = "new-chat"

_CODES_OF_ACTION = {
    OPEN_TARGET: (
        "no-model",
        "file-missing",
        "file-empty",
        "file-unreadable",
        "is-a-folder",
        "not-a-file",
        "not-gguf",
        "not-a-target",
        "is-sidecar",
        "damaged",
        "cut-short",
        "gguf-too-new",
        "gguf-too-old",
        "gguf-big-endian",
        "needs-conversion",
        "engine-too-old",
        "not-first-shard",
        "shard-missing",
        "shard-renamed",
        "tensor-type-retired",
        "tensor-type-unknown",
    ),
    WITHOUT_SIDECAR: (
        "retry-without-draft",
        "vocabulary-differs",
        "vocabulary-type-differs",
        "width-differs",
        "taps-unsupported",
        "tap-out-of-range",
        "architecture-differs",
        "heads-unsupported",
        "not-a-sidecar",
        "no-sidecar",
        "sidecar-unusable",
        "ordinary-model-as-sidecar",
        "draft-is-target",
        "no-drafter",
        "no-rollback",
    ),
    SETTINGS: (
        "no-memory",
        "no-confidence",
        "algorithm-differs",
        "batch-too-small",
        "draft-setting",
        "no-heads",
    ),
    RELOAD: ("file-changed", "load-failed", "decode-failed"),
    NEW_CHAT: ("context-full",),
}
_ACTION_OF_CODE = {code: action for action, codes in _CODES_OF_ACTION.items() for code in codes}
_QUIET_CODES = ("load-warning", "read-only", "settings-damaged")


def action_of(problem: Problem) -> str:
    """The action that fits a problem, or empty."""
    if problem.is_bug:
        return ""
    return _ACTION_OF_CODE.get(problem.code, "")


def action_of_load(problem: Problem, sidecar_name: str) -> str:
    """The same for a load that failed: what is wrong with the sidecar's file is no fault of the target."""
    action = action_of(problem)
    if action == OPEN_TARGET and sidecar_name and sidecar_name in f"{problem.what} {problem.why}":
        return WITHOUT_SIDECAR
    return action or ("" if problem.is_bug else RELOAD)


def action_label(action: str) -> str:
    def tr(text: str) -> str:
        return QCoreApplication.translate("ProblemCard", text)

    return {
        OPEN_TARGET: tr("Choose a target…"),
        OPEN_SIDECAR: tr("Choose a sidecar…"),
        WITHOUT_SIDECAR: tr("Load without the sidecar"),
        SETTINGS: tr("Open settings"),
        RELOAD: tr("Load again"),
        NEW_CHAT: tr("New chat"),
    }[action]


def report_of(problem: Problem) -> str:
    """Everything known about a problem, to be sent to whoever can mend it."""
    parts = (problem.what, problem.why, problem.remedy, problem.details)
    return "\n\n".join(part for part in parts if part)


class ProblemCard(QFrame):
    """`action_requested` carries one of the action names of this module; `dismissed` says: take it away."""

    action_requested = Signal(str)
    dismissed = Signal()

    def __init__(self, problem: Problem, action: str | None = None, *, dismissable: bool = True) -> None:
        """`action` instead of the one that fits the problem's code."""
        super().__init__()
        self._problem = problem
        self._action = action_of(problem) if action is None else action
        self.setProperty("role", "card")
        self.setAccessibleName(report_of(problem))
        outer = QHBoxLayout(self)
        outer.setContentsMargins(theme.MARGIN, theme.GAP, theme.GRID, theme.GAP)
        outer.setSpacing(theme.GAP)
        self._mark = QLabel()
        outer.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(theme.HALF)
        outer.addLayout(column, 1)
        self._what = self._paragraph(translated(problem.what), "title")
        column.addWidget(self._what)
        if problem.why:
            column.addWidget(self._paragraph(translated(problem.why), "muted"))
        if problem.remedy:
            column.addWidget(self._paragraph(translated(problem.remedy), ""))
        buttons = self._make_buttons()
        if buttons.count():
            column.addSpacing(theme.HALF)
            column.addLayout(buttons)
        if dismissable:
            close = IconButton("close", self.tr("Dismiss"), role="muted")
            close.clicked.connect(self.dismissed)
            outer.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    @property
    def problem(self) -> Problem:
        return self._problem

    @property
    def action(self) -> str:
        """What its button asks for, or empty."""
        return self._action

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        bar = self.rect().adjusted(1, theme.CARD_RADIUS, 0, -theme.CARD_RADIUS)
        bar.setWidth(3)
        painter.fillRect(bar, Theme.current().palette.colour(self._role()))
        painter.end()

    def _paragraph(self, text: str, role: str) -> QLabel:
        label = QLabel(text)
        label.setProperty("role", role)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        return label

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.GRID)
        action = self._action
        if action:
            button = TextButton(action_label(action), role="primary")
            button.clicked.connect(lambda: self.action_requested.emit(action))
            row.addWidget(button)
        if self._problem.is_bug:
            copy = TextButton(self.tr("Copy report"), icon_name="copy")
            copy.clicked.connect(lambda: copy_text(report_of(self._problem)))
            row.addWidget(copy)
        if row.count():
            row.addStretch()
        return row

    def _role(self) -> str:
        return "warning" if self._problem.code in _QUIET_CODES else "error"

    def _restyle(self) -> None:
        name = "info" if self._role() == "warning" else "warning"
        side = round(20 * Theme.current().scale)
        self._mark.setFixedSize(side, side)
        self._mark.setPixmap(icons.pixmap(name, self._role(), side - 2, self.devicePixelRatioF()))
