"""What a screen reader finds: the accessibility tree of a window, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

_Role = QAccessible.Role
# What can be operated, and so must have a name.
CONTROLS = {
    _Role.PushButton: "button",
    _Role.ButtonMenu: "menu button",
    _Role.ButtonDropDown: "menu button",
    _Role.CheckBox: "check box",
    _Role.RadioButton: "radio button",
    _Role.ComboBox: "choice",
    _Role.EditableText: "field",
    _Role.SpinBox: "number field",
    _Role.Slider: "slider",
    _Role.List: "list",
    _Role.Tree: "tree",
    _Role.Table: "table",
    _Role.ListItem: "list item",
    _Role.MenuItem: "menu entry",
    _Role.PageTab: "tab",
    _Role.ProgressBar: "progress",
    _Role.Dialog: "dialog",
    _Role.Link: "link",
}
_DEPTH = 40


@dataclass(frozen=True)
class Node:
    """`path` says where it is, for a failing test."""

    kind: str
    name: str
    path: str


def controls_of(window: QWidget) -> list[Node]:
    """Every control that can be seen in `window` and must have a name."""
    root = QAccessible.queryAccessibleInterface(window)
    assert root is not None
    return [node for node in _walk(root, type(window).__name__, 0) if node is not None]


def _walk(interface: QAccessibleInterface, path: str, depth: int) -> Iterator[Node]:
    widget = interface.object()
    state = interface.state()
    hidden = bool(state.invisible) or (isinstance(widget, QWidget) and not widget.isVisible())
    if hidden or depth > _DEPTH:
        return
    role = interface.role()
    if role in CONTROLS and not _part_of_another(widget):
        name = interface.text(QAccessible.Text.Name).strip()
        if role == _Role.ComboBox and isinstance(widget, QWidget):
            # On Linux the tree gives a choice's value for its name; the name comes from its label.
            name = widget.accessibleName()
        yield Node(CONTROLS[role], name, path)
    for index in range(interface.childCount()):
        child = interface.child(index)
        if child is not None and child.isValid():
            what = child.object()
            name = (what.objectName() or type(what).__name__) if what is not None else str(child.role())
            yield from _walk(child, f"{path}/{name}", depth + 1)


def _part_of_another(widget: object) -> bool:
    """Qt's own pieces inside a control that has a name: the arrow of a tool bar, the line of a choice."""
    if not isinstance(widget, QWidget):
        return False
    name = widget.objectName()
    return name.startswith("qt_") or type(widget).__name__ in ("QComboBoxPrivateContainer",)
