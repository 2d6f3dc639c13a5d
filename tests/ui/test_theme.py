"""Colours can be read, figures have one width, and the theme follows what it is told."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem, QTableWidget, QTableWidgetItem

from app.core.locations import resources_dir
from app.ui import icons
from app.ui.palette import DARK, LIGHT, Palette, contrast
from app.ui.theme import BODY, CODE, HEADLINE, Theme

TEXT_ROLES = ("text", "muted", "speculative", "ordinary", "rejected", "warning", "error", "good")
CODE_ROLES = ("code_keyword", "code_string", "code_number", "code_name")


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_contrast_everywhere(palette: Palette) -> None:
    for role in TEXT_ROLES + CODE_ROLES:
        for ground in ("window", "surface", "raised"):
            assert contrast(getattr(palette, role), getattr(palette, ground)) >= 4.5, (role, ground)
    assert contrast(palette.on_accent, palette.accent) >= 4.5
    assert contrast(palette.text, palette.selection) >= 4.5
    assert contrast(palette.strong_line, palette.window) >= 3
    for step in range(16):
        assert contrast(palette.text, palette.shade(step, 16)) >= 4.5


def test_shading_runs_in_steps(theme: Theme) -> None:
    shades = [LIGHT.shade(i, 7) for i in range(7)]
    assert len(set(shades)) == 7
    lightness = [contrast(s, "#FFFFFF") for s in shades]
    assert lightness == sorted(lightness)
    assert LIGHT.shade(0, 1) == LIGHT.shade(0, 7)
    assert LIGHT.shade(20, 7) == LIGHT.shade(6, 7)


def test_mode_changes_colours_and_says_so(theme: Theme, qtbot) -> None:
    theme.set_mode("light")
    assert theme.palette is LIGHT
    with qtbot.waitSignal(theme.changed):
        theme.set_mode("dark")
    assert theme.palette is DARK
    assert QApplication.palette().window().color().name().upper() == DARK.window
    with pytest.raises(ValueError, match="sepia"):
        theme.set_mode("sepia")


def test_zoom_scales_every_role(theme: Theme) -> None:
    before = {role: theme.px(role) for role in (BODY, HEADLINE, CODE)}
    theme.set_zoom(1.5)
    for role, size in before.items():
        assert theme.px(role) == pytest.approx(size * 1.5, abs=1)
    theme.set_zoom(99)
    assert theme.zoom == 2.0


def test_tabular_figures_have_one_width(theme: Theme) -> None:
    metrics = QFontMetricsF(theme.font(BODY, tabular=True))
    assert len({metrics.horizontalAdvance(d) for d in "0123456789"}) == 1


def test_every_icon_renders(theme: Theme) -> None:
    names = [p.stem for p in (resources_dir() / "icons").glob("*.svg")]
    assert len(names) > 20
    for name in names:
        image = icons.pixmap(name, size=32).toImage()
        assert any(image.pixelColor(x, y).alpha() for x in range(32) for y in range(32)), name


def test_icons_follow_the_theme(theme: Theme, qtbot) -> None:
    theme.set_mode("light")
    button = icons.IconButton("stop", "Stop")
    qtbot.addWidget(button)

    def centre() -> str:
        return button.icon().pixmap(QSize(16, 16)).toImage().pixelColor(8, 8).name().upper()

    assert centre() == LIGHT.text
    theme.set_mode("dark")
    assert centre() == DARK.text


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_tables_have_no_box_between_their_scroll_bars(theme: Theme, qtbot, mode: str) -> None:
    theme.set_mode(mode)
    table = QTableWidget(40, 8)
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show()
    across, down = table.horizontalScrollBar(), table.verticalScrollBar()
    assert across.isVisible()
    assert down.isVisible()
    start = down.mapTo(table, down.rect().bottomLeft()) + QPoint(0, 1)
    assert start == across.mapTo(table, across.rect().topRight()) + QPoint(1, 0)
    # Half of it: the other half has the round corner of the frame.
    half = QRect(start, QSize(down.width() // 2, across.height() // 2))
    picture = table.grab(half).toImage()
    columns, lines = range(picture.width()), range(picture.height())
    colours = {picture.pixelColor(x, y).name() for x in columns for y in lines}
    assert colours == {theme.palette.surface.lower()}


def test_cells_of_tables_keep_their_text_off_the_edge(theme: Theme, qtbot) -> None:
    table = QTableWidget(1, 1)
    qtbot.addWidget(table)
    table.setItem(0, 0, QTableWidgetItem("target"))
    table.show()
    option = QStyleOptionViewItem()
    option.initFrom(table)
    option.rect = table.visualItemRect(table.item(0, 0))
    option.text = "target"
    option.features = QStyleOptionViewItem.ViewItemFeature.HasDisplay
    inner = table.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, table)
    assert inner.left() - option.rect.left() >= 6
