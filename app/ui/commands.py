"""What can be done by key: one table for the window's actions and for the list of shortcuts."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.ui.dialogs.shortcuts_dialog import ShortcutGroup


@dataclass(frozen=True, slots=True)
class Command:
    """`keys` in Qt's portable form. A `fixed` command is handled where the key is pressed."""

    name: str
    keys: str
    text: str
    fixed: bool = False


def _tr(text: str) -> str:
    return QCoreApplication.translate("Commands", text)


def command_groups() -> list[tuple[str, list[Command]]]:
    """Every command, by group, in the order in which they are listed."""
    return [
        (
            _tr("Conversations"),
            [
                Command("new", "Ctrl+N", _tr("New chat")),
                Command("search", "Ctrl+Shift+F", _tr("Search conversations")),
                Command("previous", "Ctrl+PgUp", _tr("Conversation above")),
                Command("next", "Ctrl+PgDown", _tr("Conversation below")),
                Command("rename", "F2", _tr("Rename the conversation")),
                Command("pin", "Ctrl+Shift+L", _tr("Pin or unpin the conversation")),
                Command("export", "Ctrl+Shift+E", _tr("Export the conversation")),
                Command("import", "Ctrl+Shift+I", _tr("Import conversations")),
                Command("delete", "Del", _tr("Delete (in the list)"), fixed=True),
                Command("pins", "Alt+Up", _tr("Move a pin up (down: Alt+Down)"), fixed=True),
                Command("undo", "Ctrl+Z", _tr("Undo deleting (in the list)"), fixed=True),
            ],
        ),
        (
            _tr("Messages"),
            [
                Command("send", "Return", _tr("Send"), fixed=True),
                Command("break", "Shift+Return", _tr("Break the line"), fixed=True),
                Command("stop", "Esc", _tr("Stop the reply"), fixed=True),
                Command("write", "Ctrl+L", _tr("Go to the message field")),
                Command("find", "Ctrl+F", _tr("Find in the conversation")),
                Command("latest", "Ctrl+End", _tr("Jump to the latest message")),
                Command("drafts", "Ctrl+D", _tr("Show or hide drafts in all replies")),
            ],
        ),
        (
            _tr("Models"),
            [
                Command("open-target", "Ctrl+O", _tr("Choose a target file")),
                Command("open-sidecar", "Ctrl+Shift+O", _tr("Choose a sidecar file")),
                Command("speculation", "Ctrl+Shift+S", _tr("Switch speculation off or on")),
                Command("reload", "Ctrl+R", _tr("Load the pair again")),
                Command("prompt", "Ctrl+Alt+P", _tr("Show the prompt")),
            ],
        ),
        (
            _tr("Window"),
            [
                Command("sidebar", "Ctrl+B", _tr("Show or hide the conversations")),
                Command("panel", "Ctrl+J", _tr("Show or hide the live panel")),
                Command("bench", "Ctrl+Shift+B", _tr("Benchmark")),
                Command("pane", "F6", _tr("Next part of the window")),
                Command("larger", "Ctrl++", _tr("Larger text")),
                Command("smaller", "Ctrl+-", _tr("Smaller text")),
                Command("normal", "Ctrl+0", _tr("Normal text")),
                Command("palette", "Ctrl+K", _tr("All commands")),
                Command("menu", "F10", _tr("Menu bar")),
                Command("settings", "Ctrl+,", _tr("Settings")),
                Command("shortcuts", "F1", _tr("Keyboard shortcuts")),
                Command("about", "Shift+F1", _tr("About Slipstream")),
                Command("quit", "Ctrl+Q", _tr("Quit")),
            ],
        ),
    ]


def shortcut_groups() -> list[ShortcutGroup]:
    """The same for the list of shortcuts."""
    return [
        ShortcutGroup(title, tuple((c.keys, c.text) for c in commands))
        for title, commands in command_groups()
    ]
