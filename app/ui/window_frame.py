"""The three columns of the window: sidebar, centre, panel. Side columns fold; their widths are remembered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.ui import theme
from app.ui.theme import Theme

# With the largest text the three columns still stand side by side in a window of the usual width.
_MOST_SCALE = 4 / 3


class WindowFrame(QSplitter):
    """What the user wants shown, and what there is room for. `folded_changed` follows either.

    Below `theme.FOLD_BELOW`, which grows with the text, both side columns fold by themselves. One that is
    asked for there comes back alone, until the window is wide again or narrower still.
    """

    folded_changed = Signal()

    def __init__(
        self, sidebar: QWidget, centre: QWidget, panel: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._sidebar, self._centre, self._panel = sidebar, centre, panel
        self._wanted = {sidebar: True, panel: True}
        self._forced: QWidget | None = None  # shown although the window is narrow
        self._narrow = False
        self._widths = {sidebar: theme.SIDEBAR_WIDTH, panel: theme.PANEL_WIDTH}
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for index, widget in enumerate((sidebar, centre, panel)):
            self.addWidget(widget)
            self.setStretchFactor(index, int(widget is centre))
        centre.setMinimumWidth(320)
        self.splitterMoved.connect(self._note_widths)
        Theme.current().changed.connect(self._note_room)

    @property
    def sidebar_wanted(self) -> bool:
        """The user's choice, whatever the window has room for."""
        return self._wanted[self._sidebar]

    @property
    def panel_wanted(self) -> bool:
        return self._wanted[self._panel]

    @property
    def sidebar_width(self) -> int:
        return self._widths[self._sidebar]

    @property
    def panel_width(self) -> int:
        return self._widths[self._panel]

    @property
    def sidebar_shown(self) -> bool:
        return not self._sidebar.isHidden()

    @property
    def panel_shown(self) -> bool:
        return not self._panel.isHidden()

    def set_widths(self, sidebar: int, panel: int) -> None:
        """Restore remembered widths; what makes no sense is put right by the columns' own limits."""
        self._widths = {self._sidebar: sidebar, self._panel: panel}
        self._apply()

    def set_wanted(self, *, sidebar: bool, panel: bool) -> None:
        """Restore what the user wants shown, whether there is room for it now or not."""
        self._wanted = {self._sidebar: sidebar, self._panel: panel}
        self._apply()

    def show_sidebar(self, shown: bool) -> None:
        self._want(self._sidebar, shown)

    def show_panel(self, shown: bool) -> None:
        self._want(self._panel, shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._note_room()

    def _note_room(self) -> None:
        narrow = self.width() < theme.FOLD_BELOW * min(Theme.current().scale, _MOST_SCALE)
        if narrow != self._narrow:
            self._narrow = narrow
            self._forced = None
            self._apply()

    def _want(self, widget: QWidget, shown: bool) -> None:
        if self._narrow:
            # For now only: the wish for a wide window stays what it was.
            self._forced = widget if shown else None
        else:
            self._wanted[widget] = shown
        self._apply()

    def _apply(self) -> None:
        for widget, wanted in self._wanted.items():
            widget.setVisible(widget is self._forced if self._narrow else wanted)
        side = [self._widths[w] if not w.isHidden() else 0 for w in (self._sidebar, self._panel)]
        centre = max(self.width() - sum(side) - 2 * self.handleWidth(), self._centre.minimumWidth())
        self.setSizes([side[0], centre, side[1]])
        self.folded_changed.emit()

    def _note_widths(self) -> None:
        for widget in self._widths:
            if not widget.isHidden():
                self._widths[widget] = widget.width()
