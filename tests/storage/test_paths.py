"""Where things are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.storage.paths import app_paths


def test_home_variable_moves_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "дом с пробелом"
    monkeypatch.setenv("SLIPSTREAM_HOME", str(home))
    paths = app_paths()
    for folder in (paths.data, paths.config, paths.cache, paths.logs, paths.models):
        assert home in folder.parents
    assert len({paths.data, paths.config, paths.cache, paths.logs, paths.models}) == 5
    assert paths.models == home / "models"  # where core.locations looks as well
    assert not home.exists()


def test_home_variable_may_be_relative_or_begin_with_a_tilde(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLIPSTREAM_HOME", "here")
    assert app_paths().data == tmp_path / "here" / "data"
    monkeypatch.setenv("SLIPSTREAM_HOME", "~/there")
    assert app_paths().data == Path.home() / "there" / "data"


def test_the_systems_folders_are_used_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, "", "  "):
        if value is None:
            monkeypatch.delenv("SLIPSTREAM_HOME", raising=False)
        else:
            monkeypatch.setenv("SLIPSTREAM_HOME", value)
        paths = app_paths()
        for folder in (paths.data, paths.config, paths.cache, paths.logs, paths.models):
            assert "Slipstream" in str(folder)
            assert folder.is_absolute()
