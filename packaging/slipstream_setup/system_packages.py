"""What Linux itself must bring: libraries that Qt loads, a font, compilers; and how to get them.

Tables of names per package manager, a check by loading each library, and the one command that installs
what is missing. macOS and Windows bring Qt's libraries with the system.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from slipstream_setup.child import run_logged
from slipstream_setup.problem import SetupProblem

MANAGERS = ("apt-get", "dnf", "pacman", "zypper")

# What is missing -> its package for apt, dnf, pacman and zypper.
# Needed by any program with Qt, also without a display.
QT_LIBRARIES = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl", "libglvnd", "Mesa-libEGL1"),
    "libGL.so.1": ("libgl1", "libglvnd-glx", "libglvnd", "Mesa-libGL1"),
    "libX11.so.6": ("libx11-6", "libX11", "libx11", "libX11-6"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon", "libxkbcommon", "libxkbcommon0"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs", "dbus", "libdbus-1-3"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig", "fontconfig", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype", "freetype2", "libfreetype6"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2", "glib2", "libglib-2_0-0"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2", "glib2", "libgthread-2_0-0"),
    "libgssapi_krb5.so.2": ("libgssapi-krb5-2", "krb5-libs", "krb5", "krb5"),
    "libzstd.so.1": ("libzstd1", "libzstd", "zstd", "libzstd1"),
    "libgomp.so.1": ("libgomp1", "libgomp", "gcc-libs", "libgomp1"),
}
X11_LIBRARIES = {
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb", "libx11", "libX11-xcb1"),
    "libxkbcommon-x11.so.0": (
        "libxkbcommon-x11-0",
        "libxkbcommon-x11",
        "libxkbcommon-x11",
        "libxkbcommon-x11-0",
    ),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor", "libxcb-cursor0"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm", "libxcb-icccm4"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image", "xcb-util-image", "libxcb-image0"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms", "libxcb-keysyms1"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb", "libxcb", "libxcb-randr0"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb", "libxcb", "libxcb-render0"),
    "libxcb-render-util.so.0": (
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
        "libxcb-render-util0",
    ),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb", "libxcb", "libxcb-shape0"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb", "libxcb", "libxcb-shm0"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb", "libxcb", "libxcb-sync1"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util", "xcb-util", "libxcb-util1"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb", "libxcb", "libxcb-xfixes0"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb", "libxcb", "libxcb-xkb1"),
}
WAYLAND_LIBRARIES = {
    "libwayland-client.so.0": (
        "libwayland-client0",
        "libwayland-client",
        "wayland",
        "libwayland-client0",
    ),
    "libwayland-cursor.so.0": (
        "libwayland-cursor0",
        "libwayland-cursor",
        "wayland",
        "libwayland-cursor0",
    ),
}
OTHER = {
    "a font": ("fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu", "dejavu-fonts"),
    "a C compiler": ("gcc libc6-dev", "gcc", "gcc", "gcc"),
    "a C++ compiler": ("g++", "gcc-c++", "gcc", "gcc-c++"),
}
_ALL = {**QT_LIBRARIES, **X11_LIBRARIES, **WAYLAND_LIBRARIES, **OTHER}
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


def display_kind() -> str:
    """Whose libraries opening a window needs besides Qt's own: x11, wayland, or empty for none."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if not sys.platform.startswith("linux") or (platform and not platform.startswith(("xcb", "wayland"))):
        return ""
    if platform.startswith("wayland") or (os.environ.get("WAYLAND_DISPLAY") and platform != "xcb"):
        return "wayland"
    return "x11" if os.environ.get("DISPLAY") else ""


def missing_for_qt(display: str) -> tuple[list[str], list[str]]:
    """Libraries and fonts that are not there: those Qt cannot do without now, and those of other displays."""
    if not sys.platform.startswith("linux"):
        return [], []
    needed = [name for name in QT_LIBRARIES if not _loads(name)]
    if not _has_font():
        needed.append("a font")
    optional: list[str] = []
    for kind, names in (("x11", X11_LIBRARIES), ("wayland", WAYLAND_LIBRARIES)):
        absent = [name for name in names if not _loads(name)]
        (needed if kind == display else optional).extend(absent)
    return needed, optional


def manager() -> str:
    """The package manager of this system, or empty."""
    return next((name for name in MANAGERS if shutil.which(name)), "")


def install_command(missing: Iterable[str], with_manager: str) -> list[str]:
    """The command that brings what is missing, for an administrator."""
    column = MANAGERS.index(with_manager)
    return _verb(with_manager) + _packages(missing, column)


def python_venv_package(version: tuple[int, ...]) -> str:
    """Debian keeps `venv` and `ensurepip` in a package of their own."""
    return f"python{version[0]}.{version[1]}-venv"


def administrator_prefix() -> list[str] | None:
    """What to put before a command to run it as administrator without a question; None if that cannot be."""
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True).returncode == 0:
        return [sudo, "-n"]
    return None


def install_with_apt(packages: list[str], log: Path, lock_fd: int | None = None) -> bool:
    """Install Debian packages if that is allowed here; False when it is not, or did not work."""
    prefix = administrator_prefix()
    if prefix is None or not shutil.which("apt-get"):
        return False
    install = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", *_verb("apt-get"), "-y", *packages]
    if run_logged(install, log, lock_fd=lock_fd)[0] == 0:
        return True
    # The lists of packages may be missing or old.
    run_logged([*prefix, "apt-get", "update"], log, lock_fd=lock_fd)
    return run_logged(install, log, lock_fd=lock_fd)[0] == 0


def problem(missing: list[str], why: str) -> SetupProblem:
    """The message for what is missing and cannot be installed here, with the exact command."""
    what = f"This system lacks {', '.join(missing)}. {why}"
    found = manager()
    if not found:
        return SetupProblem(what, "Install them with your system's package manager, and run this again.")
    prefix = "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "sudo "
    command = " ".join(install_command(missing, found))
    return SetupProblem(what, f"To install what is missing:\n  {prefix}{command}")


def debian_packages(missing: Iterable[str]) -> list[str]:
    return _packages(missing, 0)


def _packages(missing: Iterable[str], column: int) -> list[str]:
    names: dict[str, None] = {}
    for item in missing:
        names.update(dict.fromkeys(_ALL[item][column].split()))
    return list(names)


def _verb(with_manager: str) -> list[str]:
    if with_manager == "pacman":
        return ["pacman", "-S", "--needed"]
    if with_manager == "apt-get":
        return ["apt-get", "install", "--no-install-recommends"]
    return [with_manager, "install"]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_font() -> bool:
    for folder in _FONT_FOLDERS:
        for _, _, files in os.walk(os.path.expanduser(folder)):
            if any(name.lower().endswith((".ttf", ".otf", ".ttc")) for name in files):
                return True
    return False
