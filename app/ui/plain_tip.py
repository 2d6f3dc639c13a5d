"""Tooltips of what others wrote: HTML in a name or a title is shown as it is, and loads nothing."""

from __future__ import annotations

from html import escape


def plain_tip(text: str) -> str:
    """`text` for `setToolTip`, which reads HTML wherever it finds a tag."""
    return f"<span>{escape(text)}</span>" if "<" in text else text
