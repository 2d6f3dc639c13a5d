"""The archive that is installed without administrator rights: program, desktop files and two scripts."""

from __future__ import annotations

import shutil
from pathlib import Path

from slipstream_bundle import linux_share
from slipstream_bundle.places import APP_ID, PACKAGING, Work, version
from slipstream_bundle.run import need, run

MACHINE = "x86_64"


def name(work: Work) -> str:
    return f"slipstream-{version()}{work.suffix}-linux-{MACHINE}"


def build(work: Work) -> Path:
    """Write NAME.tar.xz into `work.out`."""
    need("tar", "Install tar.")
    need("xz", "Install xz-utils.")
    stage = work.folder / work.backend / "tar" / name(work)
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    write_installer(work, stage)
    shutil.copytree(work.bundle, stage / "slipstream", symlinks=True)
    work.out.mkdir(parents=True, exist_ok=True)
    target = work.out / f"{name(work)}.tar.xz"
    order = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]
    run(
        ["tar", *order, "-C", stage.parent, "-cJf", target, stage.name],
        env={"XZ_OPT": "-6 --block-size=24MiB --threads=0", "LC_ALL": "C"},
    )
    return target


def write_installer(work: Work, stage: Path) -> None:
    """The scripts and `share`, everything but the program."""
    for script in ("install.sh", "uninstall.sh"):
        text = (PACKAGING / "linux" / script).read_text(encoding="utf-8")
        for place, value in (("@VERSION@", version()), ("@MACHINE@", MACHINE), ("@APP_ID@", APP_ID)):
            text = text.replace(place, value)
        (stage / script).write_text(text, encoding="utf-8")
        (stage / script).chmod(0o755)
    linux_share.write(work, stage / "share")
