"""The exact prompt: the text that is sent, with the vocabulary's own tokens set off, and its length."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.core.events import Problem
from app.core.templates import EDITED, FROM_FILE, NAMED, PromptPreview
from app.ui import theme
from app.ui.closing import closable
from app.ui.fitting import fit
from app.ui.icons import TextButton
from app.ui.language import translated
from app.ui.theme import Theme

_SIZE = QSize(720, 560)
# A longer prompt is shown from its beginning; all of it can be copied.
_MOST = 400_000


class PromptDialog(QDialog):
    """`set_result` fills it; until then it says that it waits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Prompt"))
        self._preview: PromptPreview | None = None
        self.heading = QLabel(self.tr("Waiting for the engine"))
        self.heading.setProperty("role", "title")
        self.heading.setWordWrap(True)
        self.note = QLabel(
            self.tr(
                "What the model reads next: this conversation and what you are writing, "
                "as the template puts it."
            )
        )
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Prompt"))
        self.legend = QLabel(
            self.tr("Set off in colour: single tokens of the model's own, such as the end of a turn.")
        )
        self.legend.setProperty("role", "label")
        self.legend.setWordWrap(True)
        self.legend.hide()
        self.copy_button = TextButton(self.tr("Copy"), icon_name="copy")
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self._copy)
        self.close_button = closable(self, self._sheet(), self.copy_button)
        self._restyle()
        Theme.current().changed.connect(self._restyle)
        scale = min(Theme.current().scale, 1.4)
        fit(self, _SIZE.width() * scale, _SIZE.height() * scale)

    def set_result(self, result: PromptPreview | Problem) -> None:
        if isinstance(result, Problem):
            self.heading.setText(translated(result.what))
            self.note.setText(" ".join(translated(part) for part in (result.why, result.remedy) if part))
            return
        self._preview = result
        self.heading.setText(self._headline(result))
        if result.note:
            self.note.setText(translated(result.note))
        self.copy_button.setEnabled(True)
        self.legend.setVisible(any(piece.special for piece in result.pieces))
        self._fill()

    def _headline(self, result: PromptPreview) -> str:
        if result.template == FROM_FILE:
            name = self.tr("the model's own template")
        elif result.template == EDITED:
            name = self.tr("the edited template")
        else:
            name = self.tr("template {name}").format(name=NAMED[result.template])
        if result.n_tokens is None:
            return self.tr("Tokens unknown · {template}").format(template=name)
        return self.tr("{n} tokens · {template}").format(n=result.n_tokens, template=name)

    def _fill(self) -> None:
        if self._preview is None:
            return
        palette = Theme.current().palette
        plain, special = QTextCharFormat(), QTextCharFormat()
        special.setForeground(QColor(palette.accent))
        special.setBackground(QColor(palette.raised))
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        left = _MOST
        for piece in self._preview.pieces:
            cursor.insertText(piece.text[:left], special if piece.special else plain)
            left -= len(piece.text)
            if left <= 0:
                break
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _copy(self) -> None:
        if self._preview is not None:
            QGuiApplication.clipboard().setText(self._preview.text)

    def _sheet(self) -> QWidget:
        sheet = QFrame()
        sheet.setProperty("role", "page")
        inner = QVBoxLayout(sheet)
        inner.setContentsMargins(theme.MARGIN, theme.MARGIN, theme.MARGIN, theme.GAP)
        inner.setSpacing(theme.GRID)
        inner.addWidget(self.heading)
        inner.addWidget(self.note)
        inner.addWidget(self.text, 1)
        inner.addWidget(self.legend)
        return sheet

    def _restyle(self) -> None:
        self.text.setFont(Theme.current().font(theme.CODE))
        self._fill()
