"""The headings of the conversation list: pinned, then by the calendar of this machine."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app.core.conversation import ConversationSummary


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationModel", text)


class Calendar:
    """Names the section of a time, as seen from `now` (seconds since the epoch)."""

    def __init__(self, now: float) -> None:
        today = _day(now) or date.today()
        self._today = today
        # Newest first; the first whose beginning a time has reached is its section.
        self._sections = [
            (_begin(today), _tr("Today")),
            (_begin(today - timedelta(days=1)), _tr("Yesterday")),
            (_begin(today - timedelta(days=7)), _tr("Last 7 days")),
            (_begin(today - timedelta(days=30)), _tr("Last 30 days")),
        ]

    def section(self, updated_at: float) -> str:
        for begin, name in self._sections:
            if updated_at >= begin:
                return name
        day = _day(updated_at)
        return _month(day.year, day.month, day.year == self._today.year) if day else _tr("Long ago")

    def short(self, updated_at: float) -> str:
        """The day in a few letters."""
        if updated_at >= self._sections[0][0]:
            return self._sections[0][1]
        if updated_at >= self._sections[1][0]:
            return self._sections[1][1]
        day = _day(updated_at)
        if day is None:
            return ""
        return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat)


@lru_cache(maxsize=256)
def _month(year: int, month: int, this_year: bool) -> str:
    name = QLocale().standaloneMonthName(month)
    return name if this_year else f"{name} {year}"


def _day(seconds: float) -> date | None:
    try:
        return date.fromtimestamp(seconds)
    except (OverflowError, OSError, ValueError):
        return None


def _begin(day: date) -> float:
    return datetime(day.year, day.month, day.day).timestamp()


def sectioned(
    items: Sequence[ConversationSummary], calendar: Calendar
) -> list[tuple[str, list[ConversationSummary]]]:
    """(heading, conversations) in the order in which they are shown; `items` come newest first."""
    pinned = sorted((s for s in items if s.pin is not None), key=lambda s: s.pin or 0.0)
    sections = [(_tr("Pinned"), pinned)] if pinned else []
    for item in items:
        if item.pin is not None:
            continue
        name = calendar.section(item.updated_at)
        if not sections or sections[-1][0] != name:
            sections.append((name, []))
        sections[-1][1].append(item)
    return sections


@lru_cache(maxsize=20_000)
def folded(text: str) -> str:
    """Without case and accents, as the search of the store sees words."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return parts if parts.isascii() else "".join(c for c in parts if not unicodedata.combining(c))


def holds(text: str, words: Sequence[str]) -> bool:
    """Whether all of the folded `words` are in the text."""
    plain = folded(text)
    return all(word in plain for word in words)
