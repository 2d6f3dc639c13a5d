"""The parts of set-up one by one: messages, progress, the compilers, the display, the commands."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from slipstream_setup import (
    build_tools,
    command_line,
    console,
    engine,
    pip,
    program,
    pythons,
    system_packages,
)
from slipstream_setup.child import run_logged
from slipstream_setup.problem import SetupProblem


@pytest.fixture
def linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only there do Qt's libraries and displays need looking after."""
    monkeypatch.setattr(sys, "platform", "linux")


@pytest.mark.parametrize(
    "name", ["bootstrap.py", "slipstream_setup/pythons.py", "slipstream_setup/__init__.py"]
)
def test_what_decides_about_python_reads_on_an_old_one(root: Path, name: str) -> None:
    ast.parse((root / "packaging" / name).read_text(encoding="utf-8"), feature_version=(3, 6))


def test_set_up_needs_the_standard_library_alone(root: Path) -> None:
    allowed = {*sys.stdlib_module_names, "slipstream_setup"}
    for path in [
        root / "packaging" / "bootstrap.py",
        *(root / "packaging" / "slipstream_setup").glob("*.py"),
    ]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            foreign = {name.split(".")[0] for name in names} - allowed
            # The probe runs in the environment, and may look for what is installed there.
            assert foreign <= ({"llama_cpp"} if path.name == "engine_probe.py" else set()), path


def test_too_old_a_python_with_no_other_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pythons, "candidates", lambda: [["no-such-python"]])
    assert pythons.hand_over(["bootstrap.py", "run"]) == 1
    said = capsys.readouterr().err
    assert "needs Python 3.10 to 3.13" in said
    assert "Install one, for example" in said


@pytest.mark.parametrize(
    ("facts", "objection"),
    [
        ({}, ""),
        ({"version": [3, 9, 18]}, "3.9.18"),
        ({"version": [3, 14, 0]}, "3.14.0"),
        ({"implementation": "PyPy"}, "PyPy"),
        ({"bits": 32}, "32-bit"),
        ({"free_threaded": True}, "free-threaded"),
        ({"can_make_venv": False}, ""),
    ],
)
def test_which_python_is_suitable(facts: dict[str, object], objection: str) -> None:
    ordinary = {
        "version": [3, 12, 1],
        "executable": "python3",
        "implementation": "CPython",
        "bits": 64,
        "free_threaded": False,
        "can_make_venv": True,
    }
    said = pythons.Python({**ordinary, **facts}).objection()
    assert objection in said
    assert bool(said) == bool(objection)


def test_a_python_says_what_it_is() -> None:
    found = pythons.ask([sys.executable])
    assert found is not None
    assert found.version == tuple(sys.version_info[:3])
    assert pythons.ask(["no-such-python"]) is None
    assert pythons.ask([sys.executable, "-c", "print(1)"]) is None


def read(lines: Sequence[str], cores: int = 2) -> engine.BuildProgress:
    progress = engine.BuildProgress(cores)
    for line in lines:
        progress.read(line)
    return progress


def test_progress_of_a_compilation() -> None:
    assert read(["Collecting llama-cpp-python\n"]).text() == "fetching the source"
    assert read(["  Installing build dependencies: started\n"]).text() == "fetching CMake"
    assert (
        read(["Building wheel for llama-cpp-python (pyproject.toml): started"]).text()
        == "starting the compiler"
    )
    ninja = read(["  [1/193] Building C object ggml.c.o\n", "  [48/193] Building CXX object llama.cpp.o\n"])
    assert re.fullmatch(r"compiled 48 of 193 files, about \d+ (s|min) left", ninja.text())
    make = read(["[ 45%] Building CXX object llama.cpp.o"])
    assert make.text().startswith("compiled 45%")
    assert read(["  [193/193] Linking\n", "Installing collected packages: llama"]).text() == "installing it"


def test_time_left_follows_the_machine() -> None:
    expected = engine.expected_seconds(2)
    progress = read(["[1/100] a"])
    began = progress._compiling_since
    assert began is not None
    assert progress.left(began) == pytest.approx(expected, rel=0.05)
    # Half done in ten times the time expected for it: as long again.
    progress.read("[50/100] a")
    assert progress.left(began + 5 * expected) == pytest.approx(5 * expected)
    progress.read("[100/100] a")
    assert progress.left(began + 10 * expected) == 0


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.0, "10 s"), (31.0, "40 s"), (50.0, "50 s"), (51.0, "1 min"), (330.0, "6 min")]
)
def test_an_estimate_is_no_more_exact_than_it_is(seconds: float, said: str) -> None:
    assert console.roughly(seconds) == said


@pytest.mark.parametrize(
    ("line", "reason", "remedy"),
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full", ""),
        ("c++: fatal error: Killed signal terminated program cc1plus", "out of memory", "PARALLEL_LEVEL=1"),
        ("Failed to establish: [Errno -3] Temporary failure in name resolution", "package index", "network"),
        ("ERROR: No matching distribution found for numpy==1.0", "no numpy==1.0 that fits", "README"),
        ("    The user requested (constraint) ruff==0.17.6", "no ruff==0.17.6 that fits", "config list"),
        ("ERROR: something new", "pip failed: ERROR: something new", ""),
    ],
)
def test_why_pip_failed(line: str, reason: str, remedy: str) -> None:
    problem = pip.explain(["Collecting x", line, "note: see above"], "the.log")
    assert reason in problem.what
    assert remedy in problem.remedy
    assert "the.log" in problem.remedy


def test_a_command_that_cannot_write_utf8_is_read_all_the_same(tmp_path: Path) -> None:
    code = "import sys; sys.stdout.buffer.write(b'caf\\xe9\\n'); print('last'); sys.exit(3)"
    seen: list[str] = []
    status, last = run_logged([sys.executable, "-c", code], tmp_path / "log", on_line=seen.append)
    assert status == 3
    assert last == ["caf\ufffd", "last"]
    assert [line.strip() for line in seen] == last
    assert "caf\ufffd\nlast\n" in (tmp_path / "log").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", system_packages.MANAGERS)
def test_every_library_has_a_package_for_every_manager(name: str) -> None:
    tables = (
        system_packages.QT_LIBRARIES,
        system_packages.X11_LIBRARIES,
        system_packages.WAYLAND_LIBRARIES,
        system_packages.OTHER,
    )
    missing = [item for table in tables for item in table]
    command = system_packages.install_command(missing, name)
    assert command[0] == name
    assert len(command) > 20
    assert len(set(command)) == len(command)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9+._-]*|--?[A-Za-z-]+", word) for word in command)


@pytest.mark.usefixtures("linux")
def test_a_missing_library_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(system_packages.QT_LIBRARIES, "libnosuch.so.9", ("libnosuch9",) * 4)
    monkeypatch.setattr(system_packages, "_ALL", {"libnosuch.so.9": ("libnosuch9",) * 4})
    monkeypatch.setattr(system_packages, "manager", lambda: "zypper")
    needed, _ = system_packages.missing_for_qt("")
    assert "libnosuch.so.9" in needed
    said = str(system_packages.problem(["libnosuch.so.9"], "Qt cannot start without."))
    assert "libnosuch.so.9" in said
    assert "zypper install libnosuch9" in said


@pytest.mark.usefixtures("linux")
def test_libraries_of_the_display_in_use_are_needed_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(system_packages.X11_LIBRARIES, "libnosuch.so.9", ("libnosuch9",) * 4)
    assert "libnosuch.so.9" in system_packages.missing_for_qt("x11")[0]
    assert "libnosuch.so.9" in system_packages.missing_for_qt("wayland")[1]
    assert "libnosuch.so.9" in system_packages.missing_for_qt("")[1]


@pytest.mark.usefixtures("linux")
def test_a_compiler_that_does_not_compile_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    assert "a C compiler" in build_tools.missing()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert "a C compiler" in build_tools.missing()


@pytest.mark.parametrize(
    ("platform", "command"), [("darwin", "xcode-select --install"), ("win32", "winget install Microsoft")]
)
def test_missing_compilers_elsewhere(monkeypatch: pytest.MonkeyPatch, platform: str, command: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert command in str(build_tools.problem(["a C++ compiler"]))


@pytest.mark.usefixtures("linux")
@pytest.mark.parametrize(
    ("environment", "kind"),
    [
        ({}, ""),
        ({"DISPLAY": ":0"}, "x11"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "wayland"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "QT_QPA_PLATFORM": "xcb"}, "x11"),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, ""),
    ],
)
def test_kind_of_display(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], kind: str) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert system_packages.display_kind() == kind


@pytest.mark.usefixtures("linux")
@pytest.mark.parametrize(
    ("arguments", "opens"),
    [
        ([], True),
        (["smoke"], True),
        (["--some-option"], True),
        (["chat", "-p", "x"], False),
        (["--version"], False),
    ],
)
def test_without_a_display_it_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], opens: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    if opens:
        with pytest.raises(SetupProblem, match="no display") as raised:
            program.require_display(arguments)
        assert "QT_QPA_PLATFORM=offscreen" in raised.value.remedy
    program_arguments = arguments if not opens else ["chat"]
    program.require_display(program_arguments)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    program.require_display(arguments)


def test_a_wrong_command_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["rnu"]) == 2
    assert "run [ARGUMENTS...]" in capsys.readouterr().err
    assert command_line.main(["setup", "--no-such-option"]) == 2
    assert command_line.main(["--help"]) == 0
    assert "run [ARGUMENTS...]" in capsys.readouterr().out


def test_bootstrap_is_run_by_path_from_anywhere(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(root / "packaging" / "bootstrap.py"), "help"]
    out = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert out.returncode == 0
    assert "usage: python3 packaging/bootstrap.py" in out.stdout
