"""Where the program keeps what belongs to the user."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_NAME = "Slipstream"


@dataclass(frozen=True, slots=True)
class Paths:
    """Folders, none of which needs to exist yet. `models` is where model files are looked for first."""

    data: Path
    config: Path
    cache: Path
    logs: Path
    models: Path

    @classmethod
    def under(cls, home: Path) -> Paths:
        """Everything below one folder."""
        return cls(home / "data", home / "config", home / "cache", home / "logs", home / "models")

    @property
    def database(self) -> Path:
        return self.data / "conversations.db"

    @property
    def benchmarks(self) -> Path:
        return self.data / "benchmarks"

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    @property
    def lock(self) -> Path:
        return self.data / "slipstream.lock"


def app_paths() -> Paths:
    """The folder named by SLIPSTREAM_HOME, or where the system keeps such things."""
    home = os.environ.get("SLIPSTREAM_HOME", "").strip()
    if home:
        return Paths.under(Path(home).expanduser().absolute())
    folders = platformdirs.PlatformDirs(_NAME, appauthor=False)
    data = folders.user_data_path
    return Paths(
        data, folders.user_config_path, folders.user_cache_path, folders.user_log_path, data / "models"
    )
