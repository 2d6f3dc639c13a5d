"""The style sheet made from a palette. Widgets choose a look by the dynamic property `role`.

Roles: QPushButton `primary`, `quiet`, `danger`; QLabel `label`, `muted`, `title`, `headline`, `error`,
`warning`, `good`, `speculative`, `ordinary`, `rejected`; QFrame `card`, `raised`, `pane`, `rule`.
The focus ring is 2 px of accent; buttons take focus by keyboard only, so it shows on keyboard focus.
"""

from __future__ import annotations

from collections.abc import Callable

from app.ui.palette import Palette, mix

_TEMPLATE = """
* { outline: none; }
QMainWindow, QDialog { background: @window; }
QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: 6px 8px; }

QLabel { background: transparent; color: @text; }
QLabel[role="label"] { color: @muted; font-size: @label_px; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="title"] { font-size: @reading_px; font-weight: 600; }
QLabel[role="display"] { font-size: @display_px; font-weight: 600; }
QLabel[role="headline"] { font-size: @headline_px; font-weight: 600; }
QLabel[tone="good"] { color: @good; }
QLabel[tone="warning"] { color: @warning; }
QLabel[tone="muted"] { color: @muted; }
QLabel[role="error"] { color: @error; }
QLabel[role="warning"] { color: @warning; }
QLabel[role="good"] { color: @good; }
QLabel[role="speculative"] { color: @speculative; }
QLabel[role="ordinary"] { color: @ordinary; }
QLabel[role="rejected"] { color: @rejected; }

QFrame[role="card"] { background: @surface; border: 1px solid @line; border-radius: 10px; }
QFrame[role="raised"] { background: @raised; border: none; border-radius: 10px; }
QFrame[role="chip"] { background: @surface; border: 1px solid @line; border-radius: 6px; }
QFrame[role="thought"] { background: transparent; border: none; border-left: 2px solid @line; }
QFrame[role="toast"] { background: @raised; border: 1px solid @strong_line; border-radius: 10px; }
QFrame[role="composer"] { background: @surface; border: 1px solid @strong_line; border-radius: 10px; }
QFrame[role="composer"] { padding: 1px; }
QFrame[role="composer"][focused="true"] { border: 2px solid @accent; padding: 0; }
QFrame[role="pane"] { background: @window; border: none; }
QFrame[role="page"] { background: @surface; border: none; }
QFrame[role="rule"] { background: @line; border: none; min-height: 1px; max-height: 1px; }

QPushButton {
    background: @surface; color: @text; border: 1px solid @strong_line; border-radius: 6px;
    padding: 5px 12px; min-height: 16px;
}
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @pressed; }
QPushButton:disabled { color: @muted; border-color: @line; background: @window; }
QPushButton:focus { border: 2px solid @accent; padding: 4px 11px; }
QPushButton[role="primary"] {
    background: @accent; color: @on_accent; border-color: @accent; font-weight: 600;
}
QPushButton[role="primary"]:hover { background: @accent_hover; }
QPushButton[role="primary"]:pressed { background: @accent_pressed; }
QPushButton[role="primary"]:focus { border-color: @text; }
QPushButton[role="primary"]:disabled { background: @raised; color: @muted; border-color: @line; }
QPushButton[role="quiet"] { background: transparent; border-color: transparent; }
QPushButton[role="quiet"]:hover { background: @hover; }
QPushButton[role="quiet"]:pressed { background: @pressed; }
QPushButton[role="quiet"]:focus { border-color: @accent; }
QPushButton[role="quiet"]:disabled { background: transparent; }
QPushButton[role="prompt"] { background: @surface; border: 1px solid @line; border-radius: 10px; }
QPushButton[role="prompt"]:hover { background: @hover; border-color: @strong_line; }
QPushButton[role="prompt"]:focus { border: 2px solid @accent; }
QPushButton[align="left"] { text-align: left; padding-left: 8px; }
QPushButton[align="left"]:focus { padding-left: 7px; }
QPushButton[align="flush"] { text-align: left; padding-left: 0; }
QPushButton[role="danger"] { color: @error; border-color: @error; }
QPushButton[role="danger"]:disabled { color: @muted; border-color: @line; }

QToolButton {
    background: transparent; color: @text; border: 1px solid transparent; border-radius: 6px; padding: 5px;
    min-width: 16px; min-height: 16px;
}
QToolButton:hover { background: @hover; }
QToolButton:pressed { background: @pressed; }
QToolButton:checked { background: @raised; border-color: @line; }
QToolButton:disabled { color: @muted; }
QToolButton:focus { border: 2px solid @accent; padding: 4px; }
QLineEdit QToolButton { background: transparent; border: none; padding: 0; min-width: 0; min-height: 0; }

QLineEdit, QAbstractSpinBox, QComboBox {
    background: @surface; color: @text; border: 1px solid @strong_line; border-radius: 6px;
    padding: 5px 8px; min-height: 16px; selection-background-color: @selection; selection-color: @text;
    placeholder-text-color: @muted;
}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QComboBox:on {
    border: 2px solid @accent; padding: 4px 7px;
}
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
    color: @muted; background: @window; border-color: @line;
}
QPlainTextEdit, QTextEdit {
    background: @surface; color: @text; border: 1px solid @strong_line; border-radius: 6px; padding: 4px;
    selection-background-color: @selection; selection-color: @text;
    placeholder-text-color: @muted;
}
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid @accent; padding: 3px; }
QTextBrowser[role="flow"], QTextBrowser[role="flow"]:focus,
QPlainTextEdit[role="composer"], QPlainTextEdit[role="composer"]:focus {
    background: transparent; border: none; border-radius: 0; padding: 0;
}

QAbstractSpinBox QLineEdit, QComboBox QLineEdit, QAbstractSpinBox QLineEdit:focus, QComboBox QLineEdit:focus {
    border: none; padding: 0; background: transparent; border-radius: 0;
}
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus { padding-left: 7px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
    background: transparent; border: none; width: @stepper_px; subcontrol-origin: border;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 2px 2px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 2px 2px 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @hover; }
QAbstractSpinBox::up-arrow { image: url(icons:arrow-up.svg); width: @spin_px; height: @spin_px; }
QAbstractSpinBox::down-arrow { image: url(icons:arrow-down.svg); width: @spin_px; height: @spin_px; }
QComboBox { padding-right: @combo_px; }
QComboBox:focus, QComboBox:on { padding-right: @combo_inner_px; }
QComboBox::drop-down {
    border: none; width: @drop_px; subcontrol-origin: padding; subcontrol-position: right;
}
QComboBox::down-arrow { image: url(icons:arrow-down.svg); width: @arrow_px; height: @arrow_px; }
QComboBox QAbstractItemView {
    background: @surface; color: @text; border: 1px solid @line; padding: 4px; outline: none;
    selection-background-color: @raised; selection-color: @text;
}

QCheckBox, QRadioButton { spacing: 8px; background: transparent; min-height: 20px; }
QCheckBox:disabled, QRadioButton:disabled { color: @muted; }
QCheckBox::indicator {
    width: @box_px; height: @box_px; border: 1px solid @strong_line; border-radius: 4px; background: @surface;
}
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(icons:@check); }
QCheckBox::indicator:disabled { background: @raised; border-color: @line; }
QRadioButton::indicator {
    width: 14px; height: 14px; border: 1px solid @strong_line; border-radius: 8px; background: @surface;
}
QRadioButton::indicator:checked { border: 5px solid @accent; width: 6px; height: 6px; }
QCheckBox::indicator:focus { border: 2px solid @accent; width: @box_inner_px; height: @box_inner_px; }
QCheckBox::indicator:checked:focus { border-color: @text; }
QRadioButton::indicator:focus { border: 2px solid @accent; width: 12px; height: 12px; }
QRadioButton::indicator:checked:focus { border: 5px solid @text; width: 6px; height: 6px; }

QListView, QTreeView, QTableView {
    background: @surface; color: @text; border: 1px solid @line; border-radius: 6px; outline: none;
    selection-background-color: @selection; selection-color: @text;
}
QListView:focus, QTreeView:focus, QTableView:focus { border: 2px solid @accent; }
QTreeView::item, QTableView::item { padding: 0 6px; }
QListView[role="choices"]::item { padding: 6px 8px; color: @text; }
QListView[role="choices"]::item:selected { background: @selection; }
QListView[role="sidebar"], QListView[role="sidebar"]:focus {
    background: transparent; border: none; border-radius: 0;
}
QLineEdit[role="search"] { padding-top: 0; padding-bottom: 0; min-height: 28px; }
QLineEdit[role="search"]:focus { padding-top: 0; padding-bottom: 0; min-height: 26px; }
QLineEdit[role="rename"], QLineEdit[role="search"] { padding-top: 0; padding-bottom: 0; min-height: 28px; }
QLineEdit[role="search"]:focus { padding-top: 0; padding-bottom: 0; min-height: 26px; }
QLineEdit[role="rename"]:focus { padding: 2px 4px; border: 2px solid @accent; }
QHeaderView::section {
    background: @window; color: @muted; border: none; border-bottom: 1px solid @line; padding: 6px 8px;
}
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QTabBar::tab {
    background: transparent; color: @muted; padding: 8px 12px; border: none;
    border-bottom: 2px solid transparent;
}
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:focus { color: @accent; }
QGroupBox { border: none; margin-top: 24px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; }

QMenu { background: @surface; color: @text; border: 1px solid @line; border-radius: 6px; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: @raised; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }
QMenu::right-arrow { image: url(icons:arrow-right.svg); width: @arrow_px; height: @arrow_px; }
QMenu::right-arrow { margin-right: 4px; }
QPushButton::menu-indicator { image: url(icons:arrow-down.svg); width: @arrow_px; height: @arrow_px; }
QPushButton::menu-indicator { subcontrol-position: right center; right: 8px; }

QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @scroll; border: none; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QSplitter::handle { background: @line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:hover { background: @accent; }
QProgressBar {
    background: @raised; border: none; border-radius: 3px; min-height: 6px; max-height: 6px;
}
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QSlider::groove:horizontal { background: @line; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider::handle:horizontal {
    background: @surface; border: 2px solid @accent; width: 12px; height: 12px;
    margin: -6px 0; border-radius: 8px;
}
QSlider::handle:horizontal:focus { border-color: @text; }
"""


# Parts of controls that grow with the text: px at a scale of 1, and what a thicker edge takes of them.
_SIZES = {
    "spin_px": (8, 0),
    "stepper_px": (18, 0),
    "arrow_px": (9, 0),
    "drop_px": (20, 0),
    "combo_px": (24, 0),
    "combo_inner_px": (24, 1),
    "box_px": (14, 0),
    "box_inner_px": (14, 2),
}


def stylesheet(p: Palette, px: Callable[[str], int]) -> str:
    """The application's style sheet; `px` gives the size of a type role."""
    values = {
        "accent_hover": mix(p.text, p.accent, 0.12),
        "accent_pressed": mix(p.text, p.accent, 0.22),
        "strong_line": p.strong_line,
        "on_accent": p.on_accent,
        "selection": p.selection,
        "speculative": p.speculative,
        "ordinary": p.ordinary,
        "rejected": p.rejected,
        "warning": p.warning,
        "surface": p.surface,
        "pressed": p.pressed,
        "window": p.window,
        "raised": p.raised,
        "accent": p.accent,
        "scroll": mix(p.muted, p.window, 0.45),
        "muted": p.muted,
        "error": p.error,
        "hover": p.hover,
        "check": "check-on-dark.svg" if p.dark else "check-on-light.svg",
        "good": p.good,
        "line": p.line,
        "text": p.text,
        "display_px": f"{round(1.45 * px('reading'))}px",
        "headline_px": f"{px('headline')}px",
        "reading_px": f"{px('reading')}px",
        "label_px": f"{px('label')}px",
        **{name: f"{round(size * px('body') / 13) - less}px" for name, (size, less) in _SIZES.items()},
    }
    sheet = _TEMPLATE
    # Longest names first: @accent is a prefix of @accent_hover.
    for name in sorted(values, key=len, reverse=True):
        sheet = sheet.replace(f"@{name}", values[name])
    return sheet
