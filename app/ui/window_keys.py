"""Where the keyboard goes in the window: from control to control, and from part to part."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.ui.main_window import MainWindow


def set_tab_order(window: MainWindow) -> None:
    """The order of the columns, each from top to bottom."""
    order = [
        window.sidebar.new_button,
        window.sidebar.fold_button,
        window.sidebar.search,
        window.sidebar.more_button,
        window.sidebar.tags,
        window.sidebar.list,
        window.sidebar.bench_button,
        window.sidebar.settings_button,
        window.sidebar_button,
        window.pair_bar,
        window.panel_button,
        window.chat.empty,
        window.chat.messages,
        window.chat.composer.field,
        window.chat.composer.button,
        window.chat.composer.attach_button,
        window.chat.composer.snippet_button,
        window.panel,
    ]
    for first, second in pairwise(order):
        QWidget.setTabOrder(first, second)


def next_pane(window: MainWindow) -> None:
    """The keyboard goes from the list to the message field to the panel, and on."""
    panes = [
        (window.sidebar, window.sidebar.list),
        (window.chat, window.chat.composer.field),
        (window.bench_binder.view, window.bench_binder.view.setup.source),
        (window.panel, window.panel),
    ]
    shown = [(pane, target) for pane, target in panes if not pane.isHidden()]
    focus = window.focusWidget()
    at = next((i for i, (pane, _) in enumerate(shown) if focus and pane.isAncestorOf(focus)), -1)
    target: QWidget = shown[(at + 1) % len(shown)][1]
    if target is window.panel:
        # The panel's first stop is whatever it offers to the keyboard.
        target = next((w for w in window.panel.findChildren(QWidget) if _takes_focus(w)), window.panel)
    target.setFocus(Qt.FocusReason.TabFocusReason)


def _takes_focus(widget: QWidget) -> bool:
    return widget.isVisible() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
