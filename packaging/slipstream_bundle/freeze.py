"""Makes the one-folder bundle: prepares what slipstream.spec names, runs PyInstaller, looks at the result."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

from slipstream_bundle import environment, icons, native, windows
from slipstream_bundle.places import APP_ID, PACKAGING, TITLE, Work, version
from slipstream_bundle.problem import BuildProblem
from slipstream_bundle.run import run

__all__ = ["APP_ID", "bundle", "info_plist", "native_files", "version"]


def bundle(work: Work) -> None:
    """Freeze the program into `work.bundle` (on macOS also into an .app beside it)."""
    if environment.folder_of_library(work) is None or not any((work.native / "lib").glob("*")):
        raise BuildProblem("There is no native library for this bundle yet.")
    shutil.rmtree(work.prepared, ignore_errors=True)
    icons.draw(work.python, work.prepared)
    (work.prepared / "version.txt").write_text(windows.version_resource(), encoding="utf-8")
    freezer = [work.python, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    freezer += ["--distpath", work.bundle.parent, "--workpath", work.folder / work.backend / "pyinstaller"]
    # Frozen code must not differ from one build to the next because of hashes.
    run(
        [*freezer, PACKAGING / "slipstream.spec"],
        env={"SLIPSTREAM_PREPARED": str(work.prepared), "PYTHONHASHSEED": "1"},
    )
    _strip(work)
    collect = [work.python, PACKAGING / "slipstream_bundle" / "licences.py"]
    for folder in contents_folders(work):
        target = folder / "resources" / "licences"
        run([*collect, target, work.prepared / "collected.json", native.fetch_source(work)])
    print(f"bundle: {work.bundle}, {megabytes(folder_bytes(work.bundle))} MB", flush=True)


def _strip(work: Work) -> None:
    """Take the debugging symbols out of the interpreter; what comes in wheels has none and is left alone."""
    if not sys.platform.startswith("linux"):
        return
    contents = work.bundle / "_internal"
    for path in [*contents.glob("libpython*"), *contents.glob("python3.*/lib-dynload/*.so")]:
        run(["strip", "--strip-unneeded", path], quiet=True)


def contents_folders(work: Work) -> list[Path]:
    """Where the files of the bundle are, in the folder and, on macOS, in the .app."""
    app = work.bundle.with_name("Slipstream.app") / "Contents" / "Resources"
    return [work.bundle / "_internal", *([app] if app.is_dir() else [])]


def native_files() -> list[tuple[str, str]]:
    """The native library in the environment this runs in; it stays beside the binding that opens it."""
    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or not spec.submodule_search_locations:
        raise BuildProblem("The environment has no llama_cpp.")
    folder = Path(next(iter(spec.submodule_search_locations))) / "lib"
    return [(str(path), "llama_cpp/lib") for path in sorted(folder.iterdir())]


def info_plist() -> dict[str, object]:
    """What macOS is told about the program."""
    return {
        "CFBundleName": TITLE,
        "CFBundleDisplayName": TITLE,
        "CFBundleShortVersionString": version(),
        "LSMinimumSystemVersion": "13.0",
        "LSApplicationCategoryType": "public.app-category.productivity",
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "GGUF model",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Default",
                "LSItemContentTypes": [f"{APP_ID}.gguf"],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": f"{APP_ID}.gguf",
                "UTTypeDescription": "GGUF model",
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {"public.filename-extension": ["gguf"]},
            }
        ],
    }


def folder_bytes(folder: Path) -> int:
    """Bytes of all files below; links count nothing."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink())


def megabytes(count: int) -> str:
    return f"{count / 1e6:.1f}"
