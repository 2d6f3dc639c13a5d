"""Makes the script that keeps the translations importable; it is otherwise run by path."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from app.ui import language  # noqa: E402


@pytest.fixture(autouse=True)
def english_afterwards(qapp: QApplication) -> Iterator[None]:
    """One language is installed per application: the next test starts in English again."""
    before = QLocale()
    yield
    language.install("en")
    QLocale.setDefault(before)
