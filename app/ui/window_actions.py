"""The window's commands as actions: one for each line of the command table, with its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenuBar

from app.ui.commands import command_groups

# Where other systems expect these, and what else is typed for the same.
_ROLES = {
    "settings": QAction.MenuRole.PreferencesRole,
    "about": QAction.MenuRole.AboutRole,
    "quit": QAction.MenuRole.QuitRole,
}
_MORE_KEYS = {"larger": ("Ctrl+=",), "palette": ("Ctrl+Shift+P",)}


def make_actions(window: QMainWindow, handlers: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """By name; KeyError for a command that nobody carries out."""
    actions = {}
    for _, commands in command_groups():
        for command in commands:
            if command.fixed:
                continue
            action = QAction(command.text, window)
            action.setShortcuts([QKeySequence(k) for k in (command.keys, *_MORE_KEYS.get(command.name, ()))])
            action.setMenuRole(_ROLES.get(command.name, QAction.MenuRole.NoRole))
            action.triggered.connect(lambda _=False, do=handlers[command.name]: do())
            window.addAction(action)
            actions[command.name] = action
    return actions


class WindowMenus:
    """The menu bar: the system's own where it has one, else out of sight until it is asked for."""

    def __init__(self, window: QMainWindow, actions: Mapping[str, QAction]) -> None:
        self.bar: QMenuBar = window.menuBar()
        for title, commands in command_groups():
            menu = self.bar.addMenu(title)
            for command in commands:
                if not command.fixed:
                    menu.addAction(actions[command.name])
        self.bar.setVisible(self.bar.isNativeMenuBar())

    def toggle(self) -> None:
        """Show the bar with the keyboard in it, or hide it; a system's own bar stays."""
        if self.bar.isNativeMenuBar():
            return
        if self.bar.isVisible():
            self.bar.hide()
            return
        self.bar.show()
        self.bar.setFocus()
        self.bar.setActiveAction(self.bar.actions()[0])
