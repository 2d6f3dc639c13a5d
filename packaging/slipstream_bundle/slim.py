"""What a bundle holds and what it leaves out. Read by slipstream.spec; no PyInstaller in here."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

# Imported by names that are made at run time, or found by plugins of a library.
HIDDEN = ["app.compose", "app.smoke", "app.chat_command", "app.bench.local_bench", "pygments.formatters.html"]
HIDDEN_PACKAGES = ["app", "pygments.lexers", "pygments.styles"]
# Distributions whose version the program asks for at run time.
METADATA = ["llama-cpp-python", "PySide6-Essentials", "numpy"]

# Never used by the program, but imported somewhere by something it uses.
EXCLUDED_MODULES = [
    "tkinter", "_tkinter", "turtle", "idlelib", "lib2to3", "ensurepip", "venv", "test", "unittest",
    "doctest", "pydoc", "pydoc_data", "pdb", "distutils", "setuptools", "pkg_resources", "pip", "wheel",
    "_distutils_hack",
    "ssl", "_ssl", "xmlrpc", "curses", "_curses", "readline", "ftplib", "smtplib", "nntplib", "telnetlib",
    "numpy.f2py", "numpy.testing", "numpy.distutils", "numpy.tests", "numpy.conftest", "numpy._pyinstaller",
    "PIL", "pytest", "IPython", "matplotlib", "scipy", "pandas", "django", "flask", "starlette", "fastapi",
    "uvicorn", "huggingface_hub", "transformers", "torch", "llama_cpp.server",
    "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtSql",
    "PySide6.QtTest", "PySide6.QtPrintSupport", "PySide6.QtDesigner", "PySide6.QtHelp", "PySide6.QtUiTools",
    "PySide6.QtXml", "PySide6.QtConcurrent", "PySide6.QtSvgWidgets", "PySide6.QtQuickWidgets",
]  # fmt: skip

# Plugins of Qt that stay, by folder; others are left out. Screens: X11, Wayland, Windows, macOS, and none.
_PLUGINS = {
    "platforms": {"qxcb", "qwayland", "qoffscreen", "qwindows", "qcocoa"},
    "iconengines": {"qsvgicon"},
    "imageformats": {"qsvg", "qico", "qjpeg"},
    "platforminputcontexts": {"composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"},
    # The one for GTK would bring that library's own idea of everything; this one asks the desktop.
    "platformthemes": {"qxdgdesktopportal"},
    "styles": {"qmodernwindowsstyle", "qmacstyle"},
    "wayland-shell-integration": {"xdg-shell", "qt-shell"},
    "wayland-decoration-client": {"bradient", "adwaita"},
}
# Libraries of Qt that come along only as somebody else's need.
_QT_LIBRARIES = re.compile(
    r"(lib)?Qt6?(Quick|Qml|Sql|Test|PrintSupport|Designer|Help|UiTools|Pdf|VirtualKeyboard|EglFS|"
    r"WaylandCompositor|WaylandEglCompositor|Lottie|Labs|ShaderTools|Concurrent|Xml\b)",
    re.IGNORECASE,
)
# The system's own: every supported one has a newer or equal copy, and its graphics drivers need that copy.
_SYSTEM = re.compile(
    r"lib(stdc\+\+|gcc_s|X11|X11-xcb|Xau|Xdmcp|xcb|GL|EGL|GLX|GLdispatch|OpenGL|fontconfig|freetype|expat|"
    r"glib-2\.0|gthread-2\.0|dbus-1|systemd|cap|gcrypt|gpg-error|lzma-system|bsd|md|pcre2?-8?|png16|z|brotli\w+|"
    r"gssapi_krb5|krb5|k5crypto|krb5support|com_err|keyutils|uuid|mount|blkid|selinux|ffi-system)\.so"
)
_TRANSLATIONS = re.compile(r"qtbase_(de|en)\.qm$")


def keeps(name: str) -> bool:
    """Whether a file collected under `name` (its path in the bundle) belongs there."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = path.parts
    if "translations" in parts and "PySide6" in parts:
        return bool(_TRANSLATIONS.search(path.name))
    if "plugins" in parts and "PySide6" in parts:
        folder = parts[parts.index("plugins") + 1]
        stem = path.name.split(".")[0].removeprefix("lib")
        return stem in _PLUGINS.get(folder, set())
    if "PySide6" in parts and {"qml", "metatypes", "typesystems", "include", "glue", "scripts"} & set(parts):
        return False
    if _SYSTEM.match(path.name):
        return False
    if path.name.startswith(("QtOpenGL", "QtOpenGLWidgets")):
        return False
    return not _QT_LIBRARIES.match(path.name)


def resources(root: Path) -> list[tuple[str, str]]:
    """The program's own files, as PyInstaller's pairs of source and folder; models are not among them."""
    found = []
    for path in sorted((root / "resources").rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts or path.suffix in (".py", ".gguf", ".ts"):
            continue
        if path.parent.name == "sidecars":
            continue
        found.append((str(path), str(path.parent.relative_to(root))))
    return found
