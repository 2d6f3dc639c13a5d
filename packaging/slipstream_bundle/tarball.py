"""The archive that is installed without administrator rights: program, desktop files and two scripts."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

from slipstream_bundle import linux_share
from slipstream_bundle.places import APP_ID, PACKAGING, Work, version

MACHINE = "x86_64"


def name(work: Work) -> str:
    return f"slipstream-{version()}{work.suffix}-linux-{MACHINE}"


def build(work: Work) -> Path:
    """Write NAME.tar.xz into `work.out`."""
    stage = work.folder / work.backend / "tar" / name(work)
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    write_installer(work, stage)
    shutil.copytree(work.bundle, stage / "slipstream", symlinks=True)
    work.out.mkdir(parents=True, exist_ok=True)
    target = work.out / f"{name(work)}.tar.xz"
    with tarfile.open(target, "w:xz", preset=6) as archive:
        archive.add(stage, stage.name, filter=_anonymous)
    return target


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Who built the archive is nobody's business."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def write_installer(work: Work, stage: Path) -> None:
    """The scripts and `share`, everything but the program."""
    for script in ("install.sh", "uninstall.sh"):
        text = (PACKAGING / "linux" / script).read_text(encoding="utf-8")
        for place, value in (("@VERSION@", version()), ("@MACHINE@", MACHINE), ("@APP_ID@", APP_ID)):
            text = text.replace(place, value)
        (stage / script).write_text(text, encoding="utf-8")
        (stage / script).chmod(0o755)
    linux_share.write(work, stage / "share")
