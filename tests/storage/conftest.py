"""Stores in a folder whose name is hard on programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.storage.paths import Paths
from app.storage.store import FileStore


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.under(tmp_path / "Папка с 'кавычками' % #1 é 語")


@pytest.fixture
def open_store(paths: Paths) -> Iterator[Callable[..., FileStore]]:
    """Opens stores on the same folder; whatever is still open at the end is closed."""
    opened: list[FileStore] = []

    def make(**options: float) -> FileStore:
        opened.append(FileStore(paths, **options))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., FileStore]) -> FileStore:
    return open_store()
