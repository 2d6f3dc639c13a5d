"""The chip: one line that always says whether speculation is active and, if not, why."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.core import events
from app.core.events import LoadProgress, Problem, SpeculationStatus
from app.ui import language, theme
from app.ui.language import translated
from app.ui.palette import mix
from app.ui.theme import Theme

_MARK = 8
_REASON_LIMIT = 36
_SHORTEST = 120


def _tr(text: str) -> str:
    return QCoreApplication.translate("StateChip", text)


def short_reason(problem: Problem | None) -> str:
    """A few words for the chip; the popover has the whole story."""
    if problem is None:
        return ""
    known = {
        "algorithm-differs": _tr("algorithm differs"),
        "architecture-differs": _tr("made for another target"),
        "batch-too-small": _tr("batch too small"),
        "cut-short": _tr("sidecar is cut short"),
        "damaged": _tr("sidecar is damaged"),
        "draft-is-target": _tr("target is its own sidecar"),
        "draft-setting": _tr("a draft setting is not possible"),
        "engine-too-old": _tr("library too old"),
        "file-missing": _tr("sidecar is missing"),
        "no-confidence": _tr("no confidence head"),
        "heads-unsupported": _tr("heads not supported"),
        "no-draft": _tr("no sidecar chosen"),
        "no-drafter": _tr("no drafter for this kind"),
        "no-heads": _tr("target has no heads"),
        "no-memory": _tr("not enough memory"),
        "no-rollback": _tr("drafts cannot be taken back"),
        "no-sidecar": _tr("no sidecar chosen"),
        "not-a-sidecar": _tr("not a sidecar"),
        "ordinary-model-as-sidecar": _tr("not a sidecar"),
        "sidecar-unusable": _tr("sidecar not usable"),
        "tap-out-of-range": _tr("made for another target"),
        "taps-unsupported": _tr("target cannot be read"),
        "vocabulary-differs": _tr("vocabulary differs"),
        "vocabulary-type-differs": _tr("vocabulary type differs"),
        "width-differs": _tr("width differs"),
    }
    if problem.code in known:
        return known[problem.code]
    words = translated(problem.what).strip().rstrip(".").removeprefix("The ")
    if language.code() == language.SOURCE and len(words) > 1 and words[1].islower():
        words = words[0].lower() + words[1:]
    if len(words) > _REASON_LIMIT:
        cut = words.rfind(" ", 0, _REASON_LIMIT)
        words = words[: cut if cut > 0 else _REASON_LIMIT] + "…"
    return words


def chip_text(status: SpeculationStatus, progress: LoadProgress | None = None) -> str:
    """The words of the chip, with the draft length in effect while speculating."""
    if status.state == events.LOADING:
        fraction = progress.fraction if progress is not None else 0.0
        return _tr("Loading {percent} %").format(percent=int(100 * min(max(fraction, 0.0), 1.0)))
    if status.state == events.SPECULATING:
        parts = [_tr("Speculating")]
        if status.automatic:
            parts.append(_tr("auto {n}").format(n=status.draft_n_max))
        else:
            parts += [status.algorithm, str(status.draft_n_max)]
        return " · ".join(part for part in parts if part)
    if status.state == events.SUSPENDED:
        return _tr("Suspended") + " · " + (short_reason(status.reason) or _tr("text does not pay"))
    if status.state == events.OFF:
        return _tr("Off")
    if status.state == events.UNAVAILABLE:
        reason = short_reason(status.reason)
        return _tr("Not available") + (f" · {reason}" if reason else "")
    return _tr("No model")


class StateChip(QAbstractButton):
    """Click, space or return asks for the reason (`clicked`). Each state has a mark of its own shape."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status = SpeculationStatus()
        self._progress: LoadProgress | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._refresh()
        Theme.current().changed.connect(self._restyle)

    def set_status(self, status: SpeculationStatus, progress: LoadProgress | None = None) -> None:
        """`progress` matters while loading only."""
        self._status, self._progress = status, progress
        self._refresh()

    @property
    def status(self) -> SpeculationStatus:
        return self._status

    @property
    def role(self) -> str:
        """The colour that goes with the state."""
        return {
            events.SPECULATING: "speculative",
            events.SUSPENDED: "warning",
            events.OFF: "ordinary",
            events.UNAVAILABLE: "warning",
        }.get(self._status.state, "muted")

    def usual_width(self) -> int:
        """The width of the longest text of a loaded pair that can speculate, in the fonts of this machine."""
        texts = (
            chip_text(SpeculationStatus(events.SUSPENDED)),
            chip_text(SpeculationStatus(events.SPECULATING, algorithm="DFlash2", draft_n_max=16)),
        )
        return max(self._width(text) for text in texts)

    def sizeHint(self) -> QSize:
        height = QFontMetrics(self._font()).height()
        return QSize(self._width(self.text()), max(theme.HIT, height + theme.GRID))

    def minimumSizeHint(self) -> QSize:
        """In a very narrow window the text is cut; the tooltip has all of it."""
        return QSize(min(_SHORTEST, self.sizeHint().width()), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def _width(self, text: str) -> int:
        return QFontMetrics(self._font()).horizontalAdvance(text) + self._mark() + 8 + 2 * 12

    def _mark(self) -> int:
        return round(_MARK * Theme.current().scale)

    def _font(self) -> QFont:
        return Theme.current().font(theme.BODY, tabular=True)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _refresh(self) -> None:
        text = chip_text(self._status, self._progress)
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(self.tr("Speculation state: {text}").format(text=text))
            about = self.tr("Whether speculation is active, by which algorithm, and how long its drafts are.")
            self.setToolTip(f"{text}\n{about}")
            self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = Theme.current().palette
        colour = getattr(palette, self.role)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = shape.height() / 2
        share = 0.16 if self.underMouse() or self.isDown() else 0.09
        painter.setPen(QPen(QColor(mix(colour, palette.surface, 0.45)), 1))
        painter.setBrush(QColor(mix(colour, palette.surface, share)))
        painter.drawRoundedRect(shape, radius, radius)
        self._draw_mark(painter, QPointF(12 + self._mark() / 2, shape.center().y()), QColor(colour))
        painter.setFont(self._font())
        painter.setPen(QColor(palette.text))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        room = self.rect().adjusted(12 + self._mark() + 8, 0, -8, 0)
        text = QFontMetrics(self._font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, flags, text)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(palette.accent), theme.FOCUS))
            painter.drawRoundedRect(shape.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _draw_mark(self, painter: QPainter, centre: QPointF, colour: QColor) -> None:
        """Full disc: speculating; half: suspended; ring: off; triangle: not available; arc: loading."""
        r = self._mark() / 2
        box = QRectF(centre.x() - r, centre.y() - r, 2 * r, 2 * r)
        state = self._status.state
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if state == events.SPECULATING:
            painter.setBrush(colour)
            painter.drawEllipse(box)
        elif state == events.SUSPENDED:
            painter.drawEllipse(box)
            painter.setBrush(colour)
            painter.drawPie(box, 90 * 16, 180 * 16)
        elif state == events.UNAVAILABLE:
            painter.setBrush(colour)
            painter.setPen(QPen(colour, 1))
            corners = [box.bottomLeft(), box.bottomRight(), QPointF(centre.x(), box.top())]
            painter.drawPolygon(QPolygonF(corners))
        elif state == events.LOADING:
            fraction = self._progress.fraction if self._progress is not None else 0.0
            painter.drawArc(box, 90 * 16, -round(360 * 16 * max(fraction, 0.05)))
        else:
            painter.drawEllipse(box)
