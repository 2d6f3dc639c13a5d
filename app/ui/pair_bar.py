"""The bar above the conversation: which pair is loaded, whether it speculates, how full its context is.

It shows what it is told and asks by signals; it loads nothing and knows no service.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.core import events
from app.core.events import LoadProgress, SpeculationStatus
from app.ui import theme
from app.ui.bar_message import LoadMessage, ReloadMessage
from app.ui.context_meter import ContextMeter
from app.ui.language import translated
from app.ui.model_choice import ModelChoice
from app.ui.model_selector import ModelSelector
from app.ui.popover import Popover
from app.ui.state_chip import StateChip, chip_text
from app.ui.switch import Switch
from app.ui.theme import Theme

# Narrower than this the chip goes to the second row and messages to a third.
NARROW = 600
_SELECTOR_WIDTH = 300
# Reasons that another setting of the pair takes away.
_MENDED_BY_SETTINGS = frozenset({"batch-too-small", "no-confidence", "no-memory", "algorithm-differs"})


class PairBar(QFrame):
    """Signals carry what the user asked for. `sidecar_chosen("")` means: without a sidecar."""

    target_chosen = Signal(str)
    sidecar_chosen = Signal(str)
    open_target_requested = Signal()
    open_sidecar_requested = Signal()
    speculation_toggled = Signal(bool)
    cancel_load_requested = Signal()
    reload_requested = Signal()
    settings_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._status = SpeculationStatus()
        self._progress: LoadProgress | None = None
        self._reload_needed = False
        self._sampling_place = ""
        self._narrow: bool | None = None
        self.chip = StateChip()
        self.chip.clicked.connect(self.open_popover)
        self._chip_room = QWidget()
        room = QHBoxLayout(self._chip_room)
        room.setContentsMargins(0, 0, 0, 0)
        room.addStretch()
        room.addWidget(self.chip)
        self._make_selectors()
        self.switch = Switch(self.tr("Speculation"))
        self.switch.setToolTip(self.tr("Switch speculation on or off, also in the middle of a reply."))
        self.switch.clicked.connect(lambda on: self.speculation_toggled.emit(on))
        self.context_meter = ContextMeter()
        self.load_message = LoadMessage()
        self.load_message.cancel_requested.connect(self.cancel_load_requested)
        self.reload_message = ReloadMessage()
        self.reload_message.reload_requested.connect(self.reload_requested)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.MARGIN, theme.GRID, theme.MARGIN, theme.GRID)
        layout.setSpacing(theme.HALF)
        self._lines = [QHBoxLayout() for _ in range(3)]
        for line in self._lines:
            line.setSpacing(theme.GAP)
            layout.addLayout(line)
        self._arrange(narrow=False)
        self._show()

    # What goes in

    def set_targets(self, choices: Sequence[ModelChoice]) -> None:
        self.target.set_choices(choices)

    def set_sidecars(self, choices: Sequence[ModelChoice]) -> None:
        """Those that do not fit the target carry a reason and are shown disabled."""
        self.sidecar.set_choices(choices)

    def set_pair(self, target_path: str, draft_path: str) -> None:
        self.target.set_path(target_path)
        self.sidecar.set_path(draft_path)

    def set_status(self, status: SpeculationStatus) -> None:
        self._status = status
        self._show()

    def set_load_progress(self, progress: LoadProgress | None) -> None:
        """None when nothing is being loaded; otherwise the bar shows progress, whatever the status says."""
        self._progress = progress
        self._show()

    def set_speculation_on(self, on: bool) -> None:
        """The remembered choice; the chip says what comes of it."""
        self.switch.setChecked(on)

    def set_context(self, used: int, size: int) -> None:
        self.context_meter.set_context(used, size)

    def set_reload_needed(self, needed: bool) -> None:
        """Settings differ from what is loaded: offer to reload."""
        self._reload_needed = needed
        self._show()

    # What can be asked

    @property
    def status(self) -> SpeculationStatus:
        """What the chip shows: loading while there is progress."""
        if self._progress is not None:
            return SpeculationStatus(events.LOADING)
        return self._status

    def toggle_speculation(self) -> None:
        """As if the switch had been clicked; nothing happens while it is disabled."""
        self.switch.click()

    def open_popover(self) -> Popover:
        """Explain the chip: the state, its reason, and the way out as a button."""
        status = self.status
        # The reason follows in full; the title does not give half of it.
        title = chip_text(status, self._progress)
        popover = Popover(title.partition(" · ")[0] if status.reason is not None else title, self)
        reason = status.reason
        if reason is not None:
            for text in (reason.what, reason.why, reason.remedy):
                popover.add_text(translated(text))
        fill = {
            events.NO_MODEL: self._explain_no_model,
            events.LOADING: self._explain_loading,
            events.SPECULATING: self._explain_speculating,
            events.SUSPENDED: self._explain_suspended,
            events.OFF: self._explain_off,
            events.UNAVAILABLE: self._explain_unavailable,
        }.get(status.state)
        if fill is not None:
            fill(popover)
        if self._sampling_place and self._progress is None:
            popover.add_text(self._sampling_place, "muted")
        popover.open_below(self.chip)
        return popover

    def set_sampling_place(self, text: str) -> None:
        """Where tokens are chosen; the popover says it. Empty while there is nothing to say."""
        self._sampling_place = text

    # Inside

    def _make_selectors(self) -> None:
        self.target = ModelSelector(
            self.tr("Target model"),
            self.tr("Choose a model"),
            empty_text=self.tr("No models found in the model folders."),
        )
        self.target.chosen.connect(self.target_chosen)
        self.target.open_file_requested.connect(self.open_target_requested)
        self.sidecar = ModelSelector(
            self.tr("Sidecar"),
            self.tr("No sidecar"),
            none_text=self.tr("No sidecar"),
            empty_text=self.tr("No sidecars found in the model folders."),
        )
        self.sidecar.chosen.connect(self.sidecar_chosen)
        self.sidecar.open_file_requested.connect(self.open_sidecar_requested)
        self._pair = QWidget()
        row = QHBoxLayout(self._pair)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.GRID)
        plus = QLabel("+")
        plus.setProperty("role", "muted")
        plus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        # Each takes what its name needs; what is missing then is missing for both.
        row.addWidget(self.target)
        row.addWidget(plus)
        row.addWidget(self.sidecar)
        row.addStretch(1)
        Theme.current().changed.connect(self._restyle)

    def _restyle(self) -> None:
        scale = Theme.current().scale
        for selector in (self.target, self.sidecar):
            selector.setMaximumWidth(round(_SELECTOR_WIDTH * scale))
        # The chip's room is kept while its text is short, so that the selectors stay where they are.
        self._chip_room.setMinimumWidth(0 if self._narrow else self.chip.usual_width())

    def _arrange(self, *, narrow: bool) -> None:
        if narrow == self._narrow:
            return
        self._narrow = narrow
        messages = (self.load_message, self.reload_message)
        last = (*messages, None, self.context_meter)
        plan: list[tuple[QWidget | None, ...]]
        if narrow:
            plan = [(self._pair,), (self.switch, None, self._chip_room), last]
        else:
            plan = [(self._pair, None, self._chip_room), (self.switch, *last), ()]
        for line, widgets in zip(self._lines, plan, strict=True):
            while line.count():
                line.takeAt(0)
            for widget in widgets:
                if widget is None:
                    line.addStretch()
                else:
                    line.addWidget(widget, int(widget is self._pair or widget in messages))
        self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(narrow=event.size().width() < NARROW * Theme.current().scale)

    def _show(self) -> None:
        status = self.status
        self.chip.set_status(status, self._progress)
        self.switch.setEnabled(status.state in (events.SPECULATING, events.SUSPENDED, events.OFF))
        self.load_message.set_progress(self._progress)
        self.reload_message.setVisible(self._reload_needed and self._progress is None)

    def _explain_no_model(self, popover: Popover) -> None:
        popover.add_text(self.tr("Choose a target model, and a sidecar trained for it, to start."))
        popover.add_button(self.tr("Choose a model"), self.target.open_menu, "primary")

    def _explain_loading(self, popover: Popover) -> None:
        if self._progress is not None:
            popover.add_text(translated(self._progress.stage))
        popover.add_button(self.tr("Cancel loading"), self.cancel_load_requested.emit)

    def _explain_speculating(self, popover: Popover) -> None:
        status = self.status
        popover.add_text(
            self.tr("{algorithm} drafts up to {n} tokens a step; the target verifies each of them.").format(
                algorithm=status.algorithm or self.tr("The sidecar"), n=status.draft_n_max
            )
        )
        if status.automatic:
            popover.add_text(self.tr("The length is chosen while you chat: as long as it pays."), "muted")
        popover.add_button(self.tr("Switch off"), self.toggle_speculation)

    def _explain_suspended(self, popover: Popover) -> None:
        popover.add_text(
            self.tr("Drafts were accepted too rarely to pay, so the target decodes on its own for now.")
        )
        popover.add_text(self.tr("Speculation is tried again by itself; nothing needs to be done."), "muted")
        popover.add_button(self.tr("Switch off"), self.toggle_speculation)

    def _explain_off(self, popover: Popover) -> None:
        popover.add_text(self.tr("The target decodes on its own: this is what speculation is compared with."))
        popover.add_button(self.tr("Switch on"), self.toggle_speculation, "primary")

    def _explain_unavailable(self, popover: Popover) -> None:
        popover.add_text(self.tr("Chatting works; every token comes from the target alone."), "muted")
        reason = self.status.reason
        if reason is not None and reason.code in _MENDED_BY_SETTINGS:
            popover.add_button(self.tr("Open settings"), self.settings_requested.emit)
        popover.add_button(self.tr("Choose a sidecar"), self.sidecar.open_menu, "primary")
