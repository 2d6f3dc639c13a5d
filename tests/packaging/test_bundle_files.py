"""What bundles are made from: one version everywhere, file types, icons, metadata, plists, the installer."""

from __future__ import annotations

import configparser
import json
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from slipstream_bundle import (
    appimage,
    deb,
    freeze,
    icons,
    linux_share,
    native,
    places,
    slim,
    tarball,
    windows,
)
from slipstream_bundle import environment as environment_of_bundle
from slipstream_bundle.problem import BuildProblem

import app
from app.bench.environment import environment

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("icons")
    icons.draw(Path(sys.executable), folder)
    return folder


@pytest.fixture
def work(tmp_path: Path, drawn: Path) -> places.Work:
    """A work folder whose bundle is a few small files."""
    made = places.Work(tmp_path / "work")
    shutil.copytree(drawn, made.prepared)
    (made.bundle / "_internal").mkdir(parents=True)
    program = made.bundle / "slipstream"
    program.write_text("#!/bin/sh\necho program\n", encoding="utf-8")
    program.chmod(0o755)
    (made.bundle / "_internal" / "library.so").write_bytes(b"library")
    return made


# --- One version ------------------------------------------------------------------------------------


def test_everything_made_says_the_version_of_the_program(work: places.Work) -> None:
    assert places.version() == app.__version__
    assert f"\nVersion: {app.__version__}\n" in deb.control(1)
    assert freeze.info_plist()["CFBundleShortVersionString"] == app.__version__
    metadata = ElementTree.fromstring(linux_share.metainfo_text("2026-01-31"))
    release = metadata.find("releases/release")
    assert release is not None
    assert release.get("version") == app.__version__
    assert f"-{app.__version__}-" in tarball.name(work)
    assert f"StringStruct('FileVersion', '{app.__version__}')" in windows.version_resource()


def test_command_line_and_reports_say_the_version_of_the_program(root: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "app", "--version"], cwd=root, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == f"Slipstream {app.__version__}"
    assert environment().program == f"Slipstream {app.__version__}"


@pytest.mark.parametrize(
    ("text", "numbers"), [("1.2.3", (1, 2, 3, 0)), ("0.4", (0, 4, 0, 0)), ("2.0.1rc4", (2, 0, 1, 0))]
)
def test_windows_gets_four_numbers(text: str, numbers: tuple[int, int, int, int]) -> None:
    assert windows.version_numbers(text) == numbers


def test_a_version_without_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="no version"):
        windows.version_numbers("next")


# --- Icons and desktop files ------------------------------------------------------------------------


def test_icons_of_all_sizes_are_drawn(drawn: Path) -> None:
    for side in icons.SIZES:
        png = (drawn / f"{side}.png").read_bytes()
        assert struct.unpack(">II", png[16:24]) == (side, side)


def test_the_icon_files_of_windows_and_macos_hold_the_pictures(drawn: Path) -> None:
    ico = (drawn / "slipstream.ico").read_bytes()
    _, kind, count = struct.unpack("<HHH", ico[:6])
    assert kind == 1
    sides = []
    for i in range(count):
        side, _, _, _, _, _, length, offset = struct.unpack("<BBBBHHII", ico[6 + 16 * i : 22 + 16 * i])
        assert ico[offset : offset + length] == (drawn / f"{side or 256}.png").read_bytes()
        sides.append(side or 256)
    assert {16, 32, 48, 256} <= set(sides)
    icns = (drawn / "slipstream.icns").read_bytes()
    assert icns[:4] == b"icns"
    assert struct.unpack(">I", icns[4:8]) == (len(icns),)


def test_the_menu_entry_opens_gguf_files(work: places.Work, tmp_path: Path) -> None:
    share = tmp_path / "share"
    linux_share.write(work, share)
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(share / "applications" / "slipstream.desktop", encoding="utf-8")
    fields = entry["Desktop Entry"]
    assert fields["Exec"] == "slipstream window %F"
    assert fields["MimeType"] == "application/x-gguf;"
    mime = ElementTree.parse(share / "mime" / "packages" / "slipstream.xml").getroot()
    kind = mime.find(f"{MIME}mime-type")
    assert kind is not None
    assert kind.get("type") == "application/x-gguf"
    assert [glob.get("pattern") for glob in kind.findall(f"{MIME}glob")] == ["*.gguf"]
    for side in (16, 48, 256, 512):
        assert (share / f"icons/hicolor/{side}x{side}/apps/{fields['Icon']}.png").is_file()
    assert (share / "icons/hicolor/scalable/apps/slipstream.svg").is_file()


def test_the_metadata_lead_to_the_menu_entry() -> None:
    metadata = ElementTree.fromstring(linux_share.metainfo_text())
    assert metadata.findtext("id") == places.APP_ID
    assert metadata.findtext("launchable") == "slipstream.desktop"
    assert metadata.findtext("project_license") == "Apache-2.0"


def test_the_desktop_name_is_the_one_of_the_window(root: Path) -> None:
    """Wayland finds icon and menu entry of a window by this name."""
    assert f'setDesktopFileName("{places.NAME}")' in (root / "app" / "compose.py").read_text(encoding="utf-8")


def test_macos_is_told_of_gguf_files() -> None:
    plist = plistlib.loads(plistlib.dumps(freeze.info_plist()))
    (document,) = plist["CFBundleDocumentTypes"]
    (declared,) = plist["UTExportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"] == {"public.filename-extension": ["gguf"]}


def test_the_windows_installer_needs_no_administrator_and_keeps_data(root: Path) -> None:
    script = (root / "packaging" / "windows" / "slipstream.iss").read_text(encoding="utf-8")
    assert "PrivilegesRequired=lowest" in script
    used = set(re.findall(r"\{#(\w+)\}", script))
    assert used == {"Version", "FileVersion", "Bundle", "Prepared", "Out", "OutName"}
    removed = re.search(r"\[InstallDelete\](.*?)\n\[", script, re.DOTALL)
    assert removed is not None
    assert re.findall(r'Name: "([^"]+)"', removed.group(1)) == [r"{app}\_internal"]
    assert "[UninstallDelete]" not in script


# --- What goes in -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "PySide6/Qt/lib/libQt6Widgets.so.6",
        "PySide6/QtWidgets.abi3.so",
        "PySide6/translations/qtbase_de.qm",
        "libpython3.11.so.1.0",
        "libgomp.so.1",
        "llama_cpp/lib/libggml-cpu-haswell.so",
        "llama_cpp/lib/ggml-cpu-haswell.dll",
    ],
)
def test_a_bundle_keeps(name: str) -> None:
    assert slim.keeps(name)


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/xcbglintegrations/libqxcb-glx-integration.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/plugins/imageformats/libqtiff.so",
        "PySide6/Qt/lib/libQt6Quick.so.6",
        "PySide6/Qt6Qml.dll",
        "PySide6/Qt/qml/QtQuick/qmldir",
        "PySide6/translations/qtbase_fr.qm",
        "libstdc++.so.6",
        "libgcc_s.so.1",
        "libX11.so.6",
        "libfontconfig.so.1",
    ],
)
def test_a_bundle_leaves_out(name: str) -> None:
    assert not slim.keeps(name)


def test_resources_go_in_without_models(root: Path) -> None:
    found = [Path(source).relative_to(root / "resources").as_posix() for source, _ in slim.resources(root)]
    assert "app/slipstream.svg" in found
    assert "icons/send.svg" in found
    assert not [name for name in found if name.endswith((".gguf", ".py", ".ts"))]
    for source, folder in slim.resources(root):
        assert Path(folder) == Path(source).parent.relative_to(root)


def test_hidden_imports_exist() -> None:
    """A module that was renamed would be missing in a bundle only."""
    for name in (*slim.HIDDEN, *slim.HIDDEN_PACKAGES):
        done = subprocess.run(
            [sys.executable, "-c", f"import importlib.util as u; u.find_spec({name!r}).origin"]
        )
        assert done.returncode == 0, name


def test_nothing_the_program_imports_is_left_out(root: Path) -> None:
    """Every Qt module of the sources stays in the bundle."""
    used = set()
    for path in (root / "app").rglob("*.py"):
        used |= set(re.findall(r"from (PySide6\.\w+) import", path.read_text(encoding="utf-8")))
    assert "PySide6.QtWidgets" in used
    assert not used & set(slim.EXCLUDED_MODULES)


# --- The native library -----------------------------------------------------------------------------


def test_the_native_library_is_built_for_any_machine() -> None:
    for platform in ("linux", "win32", "darwin"):
        for backend in places.BACKENDS:
            flags = native.cmake_flags(backend, platform)
            assert "-DGGML_NATIVE=OFF" in flags
            assert not [flag for flag in flags if "march" in flag]
    for platform in ("linux", "win32"):
        flags = native.cmake_flags("cpu", platform)
        assert {"-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON"} <= set(flags)
    assert "-DCMAKE_INSTALL_RPATH=$ORIGIN:$ORIGIN/../.." in native.cmake_flags("cpu", "linux")


@pytest.mark.parametrize(
    ("backend", "flag"),
    [("vulkan", "-DGGML_VULKAN=ON"), ("cuda", "-DGGML_CUDA=ON"), ("metal", "-DGGML_METAL=ON")],
)
def test_a_gpu_build_is_a_choice(backend: str, flag: str) -> None:
    assert flag in native.cmake_flags(backend)
    assert flag not in native.cmake_flags("cpu")


def test_bundles_take_the_pinned_binding(root: Path) -> None:
    constraints = (root / "packaging" / "constraints.txt").read_text(encoding="utf-8")
    assert f"llama-cpp-python=={native.pinned_version()}\n" in constraints


def test_a_work_folder_is_not_in_the_source_tree(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLIPSTREAM_BUILD", raising=False)
    assert not places.default_work().is_relative_to(root)


def test_the_environment_holds_what_the_program_needs_but_not_pips_binding() -> None:
    names = {re.split(r"[<>=!]", one)[0] for one in environment_of_bundle.requirements()}
    assert {"PySide6-Essentials", "numpy", "platformdirs", "pyinstaller"} <= names
    assert "llama-cpp-python" not in names


def test_an_appimage_needs_its_runtime(
    work: places.Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appimage, "need", lambda tool, remedy: tool)
    monkeypatch.delenv(appimage.RUNTIME, raising=False)
    with pytest.raises(BuildProblem, match="does not name the AppImage runtime"):
        appimage.build(work)
    other = tmp_path / "other"
    other.write_bytes(b"\x7fELF" + b"\0" * 20)
    monkeypatch.setenv(appimage.RUNTIME, str(other))
    with pytest.raises(BuildProblem, match="no AppImage runtime of type 2"):
        appimage.build(work)


def test_the_tree_of_an_appimage_starts_the_program(work: places.Work, tmp_path: Path) -> None:
    stage = tmp_path / "AppDir"
    appimage.write_tree(work, stage)
    done = subprocess.run([str(stage / "AppRun")], capture_output=True, text=True, check=True)
    assert done.stdout == "program\n"
    assert (stage / "slipstream.desktop").is_file()
    assert (stage / ".DirIcon").resolve() == stage / "slipstream.png"


def test_the_list_of_collected_files_can_be_read_back(tmp_path: Path) -> None:
    from app.core import licences

    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "LICENSE").write_text("Do what you like.\n", encoding="utf-8")
    part = licences.Part("a", "1", "MIT", ("a/LICENSE",))
    licences.write(tmp_path, [licences.Part("b", "2", "Zlib", ("gone",)), part])
    assert [row["name"] for row in json.loads((tmp_path / "index.json").read_text("utf-8"))] == ["a", "b"]
    first, second = licences.read(tmp_path)
    assert first == part
    assert licences.text_of(tmp_path, first) == "Do what you like."
    assert "No such file" in licences.text_of(tmp_path, second)
