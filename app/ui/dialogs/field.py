"""One setting in a dialog: label, a plain line on what it does, the control; an error replaces the line.

A field holds text and nothing else; what text means is decided by `values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.ui import icons, theme
from app.ui.switch import Switch
from app.ui.theme import Theme

CONTROL_WIDTH = 168
UNIT_WIDTH = 64
_MOST_SCALE = 1.85
_MARK = 12
_TEXT_HEIGHT = 132
_TYPING_PAUSE_MS = 400
QWIDGETSIZE_MAX = (1 << 24) - 1


class Field(QWidget):
    """`edited` fires while the user types, `finished` when a value is complete."""

    edited = Signal()
    finished = Signal()

    def __init__(self, label: str, about: str, control: QWidget, *, unit: str = "") -> None:
        super().__init__()
        self._about, self._error = about, ""
        self.control = control
        control.setAccessibleName(label)
        self._label = QLabel(label)
        self._label.setBuddy(control)
        self._mark = QLabel()
        self._mark.hide()
        self._line = QLabel()
        self._line.setWordWrap(True)
        self._line.setProperty("role", "label")
        self._unit = QLabel(unit)
        self._unit.setProperty("role", "muted")

        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(6)
        top.addWidget(self._label)
        top.addWidget(self._mark)
        top.addStretch()
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addLayout(top)
        text.addWidget(self._line)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, theme.GRID, 0, theme.GRID)
        layout.setSpacing(theme.GRID)
        layout.addLayout(text, 1)
        layout.addSpacing(theme.MARGIN)
        top_right = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        layout.addWidget(control, 0, top_right)
        layout.addWidget(self._unit, 0, Qt.AlignmentFlag.AlignTop)
        self._restyle()
        Theme.current().changed.connect(self._restyle)

    @property
    def label(self) -> str:
        return self._label.text()

    @property
    def about(self) -> str:
        """What the setting does; shown unless there is an error."""
        return self._about

    @property
    def error(self) -> str:
        return self._error

    def text(self) -> str:
        raise NotImplementedError

    def set_text(self, text: str) -> None:
        raise NotImplementedError

    def set_about(self, about: str) -> None:
        self._about = about
        self._show_line()

    def set_error(self, error: str) -> None:
        """Show `error` where the explanation was; empty brings the explanation back."""
        self._error = error
        self._show_line()

    def set_needs_reload(self, needed: bool) -> None:
        """Mark the field as one that takes effect after a reload only."""
        self._mark.setVisible(needed)
        self._mark.setToolTip(self.tr("Takes effect after a reload."))
        self._mark.setAccessibleName(self.tr("Takes effect after a reload."))
        self._show_line()

    @property
    def needs_reload(self) -> bool:
        return not self._mark.isHidden()

    def _show_line(self) -> None:
        colour = Theme.current().palette.error
        self._line.setText(
            f"<span style='color:{colour}'>{escape(self._error)}</span>" if self._error else self._about
        )
        description = self._error or self._about
        if self.needs_reload:
            description += " " + self.tr("Takes effect after a reload.")
        self.control.setAccessibleDescription(description)

    def _restyle(self) -> None:
        scale = Theme.current().scale
        self._mark.setPixmap(icons.pixmap("retry", "muted", round(_MARK * scale), self.devicePixelRatioF()))
        self._unit.setFixedWidth(round(UNIT_WIDTH * scale))
        self._unit.setMinimumHeight(self.control.sizeHint().height())
        if not isinstance(self.control, Switch):
            # The label beside it needs its room as well.
            self.control.setFixedWidth(round(CONTROL_WIDTH * min(scale, _MOST_SCALE)))
        self._show_line()


class NumberField(Field):
    """A line for a number. Up and Down step it by `step`, or double and halve it when `step` is 0.

    Shown with the decimal sign of the language in use; both signs may be typed. The text has a point.
    """

    def __init__(self, label: str, about: str, *, unit: str = "", step: float = 1, decimals: int = 0) -> None:
        self.edit = QLineEdit()
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        super().__init__(label, about, self.edit, unit=unit)
        self._step, self._decimals = step, decimals
        self.edit.setToolTip(self.tr("Type a number; the up and down keys change it."))
        self.edit.setFont(Theme.current().font(theme.BODY, tabular=True))
        self.edit.textEdited.connect(self.edited)
        self.edit.editingFinished.connect(self.finished)
        self.edit.installEventFilter(self)

    def text(self) -> str:
        return self.edit.text().replace(QLocale().decimalPoint(), ".").replace(",", ".")

    def set_text(self, text: str) -> None:
        self.edit.setText(text.replace(".", QLocale().decimalPoint()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            direction = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
            if direction is not None:
                self._change(direction)
                return True
        return super().eventFilter(watched, event)

    def _change(self, direction: int) -> None:
        try:
            value = float(self.text())
        except ValueError:
            return
        if self._step:
            value += direction * self._step
        else:
            value = value * 2 if direction > 0 else value / 2
        self.set_text(f"{value:.{self._decimals}f}")
        self.edited.emit()
        self.finished.emit()


class ChoiceField(Field):
    """One of several words; `editable` takes any text besides."""

    def __init__(
        self,
        label: str,
        about: str,
        choices: Sequence[tuple[str, str]],
        *,
        unit: str = "",
        editable: bool = False,
    ) -> None:
        """`choices`: (stored text, shown text)."""
        self.combo = QComboBox()
        super().__init__(label, about, self.combo, unit=unit)
        for stored, shown in choices:
            self.combo.addItem(shown, stored)
        if editable:
            self.combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            line = QLineEdit()
            line.setAccessibleName(label)
            line.editingFinished.connect(self.finished)
            self.combo.setLineEdit(line)
            self.combo.setCompleter(None)  # type: ignore[arg-type]
            self.combo.editTextChanged.connect(lambda _text: self.edited.emit())
        self.combo.activated.connect(self._on_activated)
        # The wheel scrolls the page, not the value under the pointer.
        self.combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.combo.installEventFilter(self)

    def text(self) -> str:
        if self.combo.isEditable():
            typed = self.combo.currentText()
            index = self.combo.findText(typed, Qt.MatchFlag.MatchFixedString)
            return typed if index < 0 else str(self.combo.itemData(index))
        return str(self.combo.currentData())

    def set_text(self, text: str) -> None:
        index = self.combo.findData(text)
        if index >= 0:
            self.combo.setCurrentIndex(index)
        elif self.combo.isEditable():
            self.combo.setEditText(text)
        else:
            # Set elsewhere, by the command line say: shown as it is, and kept.
            self.combo.addItem(text, text)
            self.combo.setCurrentIndex(self.combo.count() - 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _on_activated(self, _index: int) -> None:
        self.edited.emit()
        self.finished.emit()


class SwitchField(Field):
    """Stored as `on` or `off`."""

    def __init__(self, label: str, about: str) -> None:
        self.switch = Switch("")
        super().__init__(label, about, self.switch)
        self.switch.clicked.connect(self._on_clicked)

    def text(self) -> str:
        return "on" if self.switch.isChecked() else "off"

    def set_text(self, text: str) -> None:
        self.switch.setChecked(text == "on")

    def _on_clicked(self) -> None:
        self.edited.emit()
        self.finished.emit()


class TextField(Field):
    """Several lines of text, as wide as the page."""

    def __init__(self, label: str, about: str) -> None:
        self.edit = QPlainTextEdit()
        self.edit.setTabChangesFocus(True)
        self.edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        super().__init__(label, about, self.edit)
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        self._unit.hide()
        while row.count() > 1:
            row.takeAt(1)
        first = row.itemAt(0)
        column = first.layout() if first is not None else None
        assert isinstance(column, QVBoxLayout)
        column.addSpacing(theme.HALF)
        column.addWidget(self.edit)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_PAUSE_MS)
        self._timer.timeout.connect(self.finished)
        self.edit.textChanged.connect(self._on_changed)
        self._filling = False

    def text(self) -> str:
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        self._filling = True
        if text != self.text():
            self.edit.setPlainText(text)
        self._filling = False

    def set_placeholder(self, text: str) -> None:
        self.edit.setPlaceholderText(text)

    def _on_changed(self) -> None:
        if not self._filling:
            self.edited.emit()
            self._timer.start()

    def _restyle(self) -> None:
        super()._restyle()
        scale = Theme.current().scale
        self.edit.setFont(Theme.current().font(theme.CODE))
        self.edit.setMinimumWidth(round(CONTROL_WIDTH * scale))
        self.edit.setMaximumWidth(QWIDGETSIZE_MAX)
        self.edit.setFixedHeight(round(_TEXT_HEIGHT * scale))


class SeedField(Field):
    """Random for each reply, or one fixed number; stored as empty text or the number."""

    def __init__(self, label: str, about: str, random_text: str, fixed_text: str) -> None:
        box = QWidget()
        self.combo = QComboBox()
        self.combo.addItems([random_text, fixed_text])
        self.edit = QLineEdit()
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.HALF)
        layout.addWidget(self.combo)
        layout.addWidget(self.edit)
        super().__init__(label, about, box)
        self._label.setBuddy(self.combo)
        for control in (self.combo, self.edit):
            control.setAccessibleName(label)
        self.edit.setFont(Theme.current().font(theme.BODY, tabular=True))
        self.combo.activated.connect(self._on_mode)
        self.edit.textEdited.connect(self.edited)
        self.edit.editingFinished.connect(self.finished)

    @property
    def fixed(self) -> bool:
        return self.combo.currentIndex() == 1

    def text(self) -> str:
        """A fixed seed that was not typed yet reads as a dash, which is not a number."""
        return (self.edit.text().strip() or "-") if self.fixed else ""

    def set_text(self, text: str) -> None:
        self.combo.setCurrentIndex(int(bool(text)))
        if text:
            self.edit.setText(text)
        self.edit.setEnabled(bool(text))

    def _on_mode(self, index: int) -> None:
        self.edit.setEnabled(index == 1)
        if index == 1:
            if not self.edit.text():
                self.edit.setText("0")
            self.edit.setFocus()
            self.edit.selectAll()
        self.edited.emit()
        self.finished.emit()
