"""Everything that can be done, found by a few letters: commands and recent conversations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.ui import theme
from app.ui.fuzzy import fit
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme

_WIDTH = 560
_ROW = 34
_ROWS = 9
_TOP = 72
_PLACES = Qt.ItemDataRole.UserRole + 1
_NOTE = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class Entry:
    """`note` stands quietly at the end of the line: keys, or what kind of thing it is."""

    text: str
    note: str
    run: Callable[[], object]


class CommandPalette(QDialog):
    """Opens above the window; Enter carries out the marked line, Esc closes."""

    def __init__(self, entries: Sequence[Entry], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(self.tr("Commands"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._window = parent
        self._entries = list(entries)
        self._shown: list[Entry] = []
        frame = QFrame()
        frame.setProperty("role", "toast")
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Type a command, or the title of a conversation"))
        self.field.setAccessibleName(self.tr("Find a command or a conversation"))
        self.field.textChanged.connect(self._find)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Commands and conversations"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_Line(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.itemEntered.connect(self.list.setCurrentItem)
        self.list.itemClicked.connect(lambda _item: self.run())
        self.nothing = QLabel(self.tr("Nothing is called that."))
        self.nothing.setProperty("role", "muted")
        self.nothing.setContentsMargins(theme.GAP, theme.GRID, theme.GAP, theme.GRID)
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        inner.setSpacing(theme.GRID)
        inner.addWidget(self.field)
        inner.addWidget(self.list)
        inner.addWidget(self.nothing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)
        self.setStyleSheet("CommandPalette { background: transparent; }")
        palette = Theme.current().palette
        self.list.setStyleSheet(
            "QListWidget, QListWidget:focus { border: none; background: transparent; }"
            f"QListWidget::item {{ border-radius: 6px; color: {palette.text}; }}"
            f"QListWidget::item:selected {{ background: {palette.selection}; }}"
        )
        self._find("")

    @property
    def shown(self) -> list[str]:
        """The lines that fit what is typed, best first."""
        return [entry.text for entry in self._shown]

    def open_above(self) -> None:
        """In the upper middle of the window, with the keyboard in the field."""
        parent = self._window
        scale = Theme.current().scale
        width = min(round(_WIDTH * scale), parent.width() - 2 * theme.MARGIN)
        self.setFixedWidth(width)
        self.adjustSize()
        at = parent.mapToGlobal(QPoint((parent.width() - width) // 2, min(_TOP, parent.height() // 8)))
        self.move(at)
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def run(self) -> None:
        """Close, then carry out the marked line: what it opens must not lie beneath."""
        row = self.list.currentRow()
        if 0 <= row < len(self._shown):
            entry = self._shown[row]
            self.close()
            entry.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {
                Qt.Key.Key_Down: 1,
                Qt.Key.Key_Up: -1,
                Qt.Key.Key_PageDown: _ROWS - 1,
                Qt.Key.Key_PageUp: 1 - _ROWS,
            }.get(Qt.Key(event.key()))
            if step is not None:
                self._mark(self.list.currentRow() + step, wrap=abs(step) == 1)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run()
                return True
        return super().eventFilter(watched, event)

    def _find(self, query: str) -> None:
        found = [(score, entry) for entry in self._entries if (score := fit(query, entry.text)) is not None]
        found.sort(key=lambda pair: -pair[0][0] if query.strip() else 0.0)
        self._shown = [entry for _, entry in found]
        self.list.clear()
        for (_, places), entry in found:
            item = QListWidgetItem(entry.text)
            item.setData(_PLACES, places)
            item.setData(_NOTE, entry.note)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.text}, {entry.note}".rstrip(", "))
            item.setToolTip(plain_tip(entry.text))
            self.list.addItem(item)
        rows = min(max(len(found), 1), _ROWS)
        self.list.setFixedHeight(round(rows * _ROW * Theme.current().scale) + 4)
        self.list.setVisible(bool(found))
        self.nothing.setVisible(not found)
        self._mark(0)
        self.adjustSize()

    def _mark(self, row: int, *, wrap: bool = False) -> None:
        n = self.list.count()
        if n:
            row = row % n if wrap else min(max(row, 0), n - 1)
            self.list.setCurrentRow(row)
            self.field.setAccessibleDescription(self.list.item(row).text())


class _Line(QStyledItemDelegate):
    """The letters that were typed in bold, the note at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: object) -> QSize:
        return QSize(0, round(_ROW * Theme.current().scale))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        self.initStyleOption(option, index)  # type: ignore[arg-type]
        text, option.text = option.text, ""
        widget = option.widget
        if widget is not None:
            widget.style().drawControl(widget.style().ControlElement.CE_ItemViewItem, option, painter, widget)
        palette = Theme.current().palette
        room = option.rect.adjusted(theme.GAP, 0, -theme.GAP, 0)
        note = str(index.data(_NOTE) or "")  # type: ignore[attr-defined]
        painter.save()
        painter.setFont(Theme.current().font(theme.LABEL))
        painter.setPen(palette.colour("text" if option.state & option.state.State_Selected else "muted"))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(room, right, note)
        room.setRight(room.right() - painter.fontMetrics().horizontalAdvance(note) - theme.MARGIN)
        painter.setPen(palette.colour("text"))
        self._draw(painter, room, text, set(index.data(_PLACES) or ()))  # type: ignore[attr-defined]
        painter.restore()

    @staticmethod
    def _draw(painter: QPainter, room: QRect, text: str, places: set[int]) -> None:
        plain, bold = Theme.current().font(), Theme.current().font(bold=True)
        bold.setWeight(QFont.Weight.Bold)
        shown = QFontMetrics(bold).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        at, x = 0, room.left()
        while at < len(shown):
            end = at + 1
            while end < len(shown) and (end in places) == (at in places):
                end += 1
            painter.setFont(bold if at in places else plain)
            part = shown[at:end]
            painter.drawText(
                QRect(x, room.top(), room.right() - x + 1, room.height()), Qt.AlignmentFlag.AlignVCenter, part
            )
            x += painter.fontMetrics().horizontalAdvance(part)
            at = end
