"""The AppImage: a squashfs image of the bundle behind the AppImage project's runtime (type 2).

The runtime is a program of its own, which is given as a file (`SLIPSTREAM_APPIMAGE_RUNTIME`, for x86-64);
nothing is downloaded here. An AppImage is that runtime followed by the image.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from slipstream_bundle import linux_share
from slipstream_bundle.places import NAME, PACKAGING, Work, version
from slipstream_bundle.problem import BuildProblem
from slipstream_bundle.run import need, run

RUNTIME = "SLIPSTREAM_APPIMAGE_RUNTIME"
_MAGIC = b"AI\x02"


def build(work: Work) -> Path:
    """Write Slipstream-VERSION-x86_64.AppImage into `work.out`."""
    need("mksquashfs", "Install squashfs-tools.")
    runtime = os.environ.get(RUNTIME, "")
    if not runtime or not Path(runtime).is_file():
        raise BuildProblem(
            f"{RUNTIME} does not name the AppImage runtime.",
            "Download runtime-x86_64 from the releases of the AppImage project's type2-runtime, and set it.",
        )
    head = Path(runtime).read_bytes()
    if head[:4] != b"\x7fELF" or head[8:11] != _MAGIC:
        raise BuildProblem(f"{runtime} is no AppImage runtime of type 2.")
    image = squash(work)
    target = work.out / f"Slipstream-{version()}{work.suffix}-x86_64.AppImage"
    with target.open("wb") as file:
        file.write(head)
        with image.open("rb") as body:
            shutil.copyfileobj(body, file)
    target.chmod(0o755)
    return target


def squash(work: Work) -> Path:
    """The image alone: AppDir and its compressed form. The runtimes read zstd."""
    stage = work.folder / work.backend / "AppDir"
    write_tree(work, stage)
    image = stage.with_suffix(".squashfs")
    image.unlink(missing_ok=True)
    work.out.mkdir(parents=True, exist_ok=True)
    packing = ["-b", "1M", "-comp", "zstd", "-Xcompression-level", "19"]
    run(["mksquashfs", stage, image, "-root-owned", "-noappend", "-quiet", "-no-progress", *packing])
    return image


def write_tree(work: Work, stage: Path) -> None:
    """AppRun, the desktop entry and the icon at the top, the program and `share` below `usr`."""
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(work.bundle, stage / "usr" / "lib" / NAME, symlinks=True)
    linux_share.write(work, stage / "usr" / "share")
    shutil.copyfile(PACKAGING / "linux" / "AppRun", stage / "AppRun")
    (stage / "AppRun").chmod(0o755)
    shutil.copyfile(stage / "usr/share/applications/slipstream.desktop", stage / "slipstream.desktop")
    shutil.copyfile(work.prepared / "256.png", stage / "slipstream.png")
    (stage / ".DirIcon").symlink_to("slipstream.png")
