"""The files that tell a Linux desktop about the program: menu entry, file type, icons, AppStream metadata."""

from __future__ import annotations

import shutil
from datetime import datetime, timezone
from pathlib import Path

from slipstream_bundle.icons import DRAWING, SIZES
from slipstream_bundle.places import APP_ID, NAME, PACKAGING, Work, version

_FILES = PACKAGING / "linux"


def write(work: Work, share: Path) -> None:
    """Fill a folder `share` as it is below `/usr` or `~/.local`."""
    _copy(_FILES / "slipstream.desktop", share / "applications" / "slipstream.desktop")
    _copy(_FILES / "slipstream-mime.xml", share / "mime" / "packages" / "slipstream.xml")
    metainfo = share / "metainfo" / f"{APP_ID}.metainfo.xml"
    metainfo.parent.mkdir(parents=True, exist_ok=True)
    metainfo.write_text(metainfo_text(), encoding="utf-8")
    icons = share / "icons" / "hicolor"
    for side in SIZES:
        if side <= 512:
            _copy(work.prepared / f"{side}.png", icons / f"{side}x{side}" / "apps" / f"{NAME}.png")
    _copy(DRAWING, icons / "scalable" / "apps" / f"{NAME}.svg")


def metainfo_text(day: str = "") -> str:
    """The AppStream metadata of this version; `day` as 2026-01-31, else today."""
    template = (_FILES / "metainfo.xml").read_text(encoding="utf-8")
    day = day or datetime.now(timezone.utc).strftime("%Y-%m-%d")
    return template.format(app_id=APP_ID, version=version(), date=day)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o644)
