"""The Debian package, for Debian 12 and 13 and Ubuntu 22.04 and newer; made with dpkg-deb."""

from __future__ import annotations

import shutil
from pathlib import Path

from slipstream_bundle import linux_share
from slipstream_bundle.freeze import folder_bytes
from slipstream_bundle.places import PACKAGING, ROOT, Work, version
from slipstream_bundle.run import need, run

# What the bundle leaves to the system; the second names are those since Debian 13.
DEPENDS = (
    "libc6 (>= 2.35)",
    "libstdc++6 (>= 12)",
    "libgcc-s1",
    "libegl1",
    "libgl1",
    "libx11-6",
    "libx11-xcb1",
    "libxcb1",
    "libfontconfig1",
    "libfreetype6",
    "libdbus-1-3",
    "libglib2.0-0t64 | libglib2.0-0",
    "libgssapi-krb5-2",
    "libwayland-client0",
    "libwayland-cursor0",
    "libwayland-egl1",
    "zlib1g",
)
RECOMMENDS = ("xdg-utils", "shared-mime-info", "fonts-dejavu-core | fonts-noto-core | fonts-liberation")


def control(installed_kb: int) -> str:
    """The package's control file. `installed_kb`: the size on disk in KiB."""
    return (
        "Package: slipstream\n"
        f"Version: {version()}\n"
        "Section: science\n"
        "Priority: optional\n"
        "Architecture: amd64\n"
        "Maintainer: The Slipstream authors <slipstream@localhost>\n"
        f"Installed-Size: {installed_kb}\n"
        f"Depends: {', '.join(DEPENDS)}\n"
        f"Recommends: {', '.join(RECOMMENDS)}\n"
        "Description: local chat that shows what speculative decoding does\n"
        " Chat with a GGUF model on this machine, with speculative decoding by a sidecar\n"
        " trained for it, and see live whether that pays: speedup, draft acceptance,\n"
        " tokens per second, rollbacks. Models are not included.\n"
    )


def build(work: Work) -> Path:
    """Write slipstream_VERSION_amd64.deb into `work.out`."""
    need("dpkg-deb", "Install dpkg.")
    stage = work.folder / work.backend / "deb"
    shutil.rmtree(stage, ignore_errors=True)
    program = stage / "usr" / "lib" / "slipstream"
    shutil.copytree(work.bundle, program, symlinks=True)
    (stage / "usr" / "bin").mkdir()
    (stage / "usr" / "bin" / "slipstream").symlink_to("../lib/slipstream/slipstream")
    linux_share.write(work, stage / "usr" / "share")
    documents = stage / "usr" / "share" / "doc" / "slipstream"
    documents.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", documents / "copyright")
    (stage / "DEBIAN").mkdir()
    (stage / "DEBIAN" / "control").write_text(control(folder_bytes(stage) // 1024), encoding="utf-8")
    shutil.copyfile(PACKAGING / "linux" / "postrm", stage / "DEBIAN" / "postrm")
    (stage / "DEBIAN" / "postrm").chmod(0o755)
    _set_modes(stage)
    work.out.mkdir(parents=True, exist_ok=True)
    target = work.out / f"slipstream_{version()}{work.suffix}_amd64.deb"
    run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", stage, target])
    return target


def _set_modes(stage: Path) -> None:
    """Everybody may read, nobody but root may write; the umask of whoever builds says nothing."""
    for path in [stage, *stage.rglob("*")]:
        if path.is_symlink():
            continue
        runs = path.is_dir() or (path.name in ("slipstream", "postrm") and path.stat().st_mode & 0o100)
        path.chmod(0o755 if runs else 0o644)
