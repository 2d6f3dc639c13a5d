"""macOS: the .app of the bundle in a disk image to drag it from. Needs hdiutil, so it runs on macOS only."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

from slipstream_bundle.places import TITLE, Work, version
from slipstream_bundle.problem import BuildProblem
from slipstream_bundle.run import need, run


def build(work: Work) -> Path:
    """Write Slipstream-VERSION-macos-ARCH.dmg into `work.out`. Signed only ad hoc: no certificate is here."""
    need("hdiutil", "Build the disk image on macOS.")
    app = work.bundle.with_name(f"{TITLE}.app")
    if not app.is_dir():
        raise BuildProblem(f"{app} is not there; build the bundle first.")
    run(["codesign", "--force", "--deep", "--sign", "-", app])
    stage = work.folder / work.backend / "dmg"
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    shutil.copytree(app, stage / app.name, symlinks=True)
    (stage / "Applications").symlink_to("/Applications")
    work.out.mkdir(parents=True, exist_ok=True)
    target = work.out / f"{TITLE}-{version()}-macos-{platform.machine()}.dmg"
    made = ["-volname", f"{TITLE} {version()}", "-srcfolder", stage, "-ov", "-format", "UDZO"]
    run(["hdiutil", "create", *made, target])
    return target
