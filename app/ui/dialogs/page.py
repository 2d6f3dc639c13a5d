"""A page of the settings dialog: titled groups of fields, scrolled when they do not fit."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.ui import theme
from app.ui.dialogs.field import Field
from app.ui.dialogs.fold import Fold


class Page(QScrollArea):
    """Subclasses add fields and read them; `edited` fires for every change by the user.

    A field is checked when it is complete, and again with every key while it shows an error.
    """

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, Field] = {}
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body = QWidget()
        self._folds: list[Fold] = []
        self._rows = self._outer = QVBoxLayout(self._body)
        self._rows.setContentsMargins(theme.MARGIN + theme.GRID, theme.MARGIN, theme.MARGIN, theme.MARGIN)
        self._rows.setSpacing(0)
        self._heading = QLabel()
        self._heading.setProperty("role", "title")
        self._rows.addWidget(self._heading)
        self.setWidget(self._body)
        self.viewport().setAutoFillBackground(False)
        self._body.setAutoFillBackground(False)

    @property
    def title(self) -> str:
        return self._heading.text()

    def set_title(self, title: str) -> None:
        self._heading.setText(title)

    def texts(self) -> dict[str, str]:
        """What is in the fields, by name."""
        return {name: field.text() for name, field in self.fields.items()}

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """Fill the fields and forget their errors."""
        for name, field in self.fields.items():
            field.set_text(texts[name])
            field.set_error("")

    def check(self) -> dict[str, str]:
        """Errors by field; empty when everything can be saved."""
        return {}

    def reset(self) -> None:
        """Fill the page with defaults."""
        raise NotImplementedError

    def show_errors(self) -> bool:
        """Check all fields, show each error beside its field, focus the first; True when there are any."""
        errors = self.check()
        for name, field in self.fields.items():
            field.set_error(errors.get(name, ""))
        for name, field in self.fields.items():
            if name in errors:
                for fold in self._folds:
                    fold.set_open(fold.is_open or fold.isAncestorOf(field))
                self.ensureWidgetVisible(field)
                field.control.setFocus(Qt.FocusReason.OtherFocusReason)
                break
        return bool(errors)

    def add_text(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setWordWrap(True)
        label.setProperty("role", "muted")
        self._rows.addSpacing(theme.HALF)
        self._rows.addWidget(label)
        return label

    def add_space(self) -> None:
        self._rows.addSpacing(theme.GAP)

    def add_group(self, title: str) -> None:
        self._rows.addSpacing(theme.MARGIN)
        label = QLabel(title)
        label.setProperty("role", "label")
        self._rows.addWidget(label)
        self._rows.addSpacing(theme.HALF)

    def begin_fold(self, title: str) -> Fold:
        """What is added from here to `end_fold` can be folded away."""
        fold = Fold(title)
        self._rows.addSpacing(theme.MARGIN)
        self._rows.addWidget(fold)
        self._folds.append(fold)
        self._rows = fold.rows
        return fold

    def end_fold(self) -> None:
        self._rows = self._outer

    def add_loose(self, field: Field) -> None:
        """A field that is no setting of its own. A line above every field keeps rows apart."""
        rule = QFrame()
        rule.setProperty("role", "rule")
        self._rows.addWidget(rule)
        self._rows.addWidget(field)

    def add_field(self, name: str, field: Field) -> None:
        """A field that is read and checked under `name`."""
        self.add_loose(field)
        self.fields[name] = field
        field.edited.connect(self._on_edited)
        field.finished.connect(self._on_finished)

    def add_widget(self, widget: QWidget, stretch: int = 0) -> None:
        self._rows.addWidget(widget, stretch)

    def add_end(self) -> None:
        self._rows.addStretch()

    def _on_edited(self) -> None:
        if any(field.error for field in self.fields.values()):
            self._recheck(only_shown=True)
        self.edited.emit()

    def _on_finished(self) -> None:
        self._recheck(only_shown=False)

    def _recheck(self, *, only_shown: bool) -> None:
        errors = self.check()
        for name, field in self.fields.items():
            if field.error or not only_shown:
                field.set_error(errors.get(name, ""))
