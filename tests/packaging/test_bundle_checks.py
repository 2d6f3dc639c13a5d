"""The checks on a bundle find what is wrong: libraries, planted ones, licences, a program that misbehaves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from slipstream_bundle import checking, elf


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """libone.so needs libtwo.so, libthree.so needs nothing; plugin.so needs libone.so."""
    folder = tmp_path_factory.mktemp("libraries")
    source = folder / "empty.c"
    source.write_text('#include <stdio.h>\nvoid say(void) { puts("x"); }\n', encoding="utf-8")
    for name, needs in (("two", []), ("one", ["two"]), ("three", []), ("plugin", ["one"])):
        out = folder / ("plugin.so" if name == "plugin" else f"lib{name}.so")
        flags = ["-shared", "-fPIC", "-Wl,--no-as-needed", f"-L{folder}", *[f"-l{n}" for n in needs]]
        subprocess.run(["cc", "-o", str(out), str(source), *flags], check=True)
    source.unlink()
    return folder


def test_a_library_nobody_needs_is_found(libraries: Path) -> None:
    names = [(f"lib{name}.so", libraries / f"lib{name}.so") for name in ("one", "two", "three")]
    plugin = ("plugins/plugin.so", libraries / "plugin.so")
    assert elf.unneeded([*names, plugin]) == {"libthree.so"}
    # Without the plugin, one library goes after the other.
    assert elf.unneeded(names) == {"libone.so", "libtwo.so", "libthree.so"}


def test_versions_of_symbols_are_read(libraries: Path) -> None:
    assert ("GLIBC", (2, 2, 5)) in elf.versions(libraries / "libone.so")


def test_a_missing_library_and_a_symbol_that_is_too_new_are_reported(
    libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "bundle"
    (bundle / "_internal").mkdir(parents=True)
    for name in ("libone.so", "libtwo.so"):
        shutil.copyfile(libraries / name, bundle / "_internal" / name)
    good = elf.check(bundle, bundle / "_internal")
    assert good.ok
    assert good.looked_at == 2
    monkeypatch.setitem(elf.NEWEST_ALLOWED, "GLIBC", (2, 1))
    (bundle / "_internal" / "libtwo.so").unlink()
    report = elf.check(bundle, bundle / "_internal")
    assert not report.ok
    assert [line.split()[0] for line in report.too_new] == ["_internal/libone.so"]
    assert [line for line in report.not_found if "libtwo.so => not found" in line]


def test_a_bundle_without_libraries_is_not_good(tmp_path: Path) -> None:
    assert not elf.check(tmp_path, tmp_path).ok


# --- The run as a stranger --------------------------------------------------------------------------

REPORT = {"ok": True, "error": "", "log": [], "replies": [], "backend": "CPU"}


def staged(tmp_path: Path, body: str) -> checking.Stage:
    """A stage whose program is a shell script."""
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    program = bundle / "slipstream"
    picture = 'for last; do :; done\nhead -c 20000 /dev/zero > "$last"\n'
    program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{picture}{body}", encoding="utf-8")
    program.chmod(0o755)
    for folder in [tmp_path, *tmp_path.parents][:3]:
        folder.chmod(0o755)
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    stage = checking.Stage(tmp_path / "stage")
    stage.folder.mkdir()
    checking.prepare(stage, bundle, [model])
    return stage


def answer(**changes: object) -> str:
    return f"cat <<'END'\n{json.dumps({**REPORT, **changes})}\nEND\n"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (answer(), ""),
        (answer(ok=False, error="no window") + "exit 1\n", "it says: no window"),
        (answer(log=["WARNING x: y"]), "in the log: WARNING x: y"),
        (answer() + "echo oops >&2\n", "it wrote errors: oops"),
        (answer() + "exit 3\n", "it ended with 3"),
        ("echo nothing\n", "no report came out"),
        (answer() + 'rm "$last"\n', "there is no picture"),
        (answer() + 'mkdir "$TMPDIR/slipstream-smoke-x"\n', "it left temporary files"),
        (answer() + 'echo x > "$TMPDIR/loaded.txt"\n', "a library planted in the current directory"),
        ('test -f "$HOME/.local/share/Slipstream/models/model.gguf" || exit 9\n' + answer(), ""),
        ("case $HOME$TMPDIR in *Дом*ünï*) ;; *) exit 9 ;; esac\n" + answer(), ""),
        ('touch "${0%/*}/written" 2>/dev/null && exit 9\n' + answer(), ""),
    ],
)
def test_what_a_run_shows_is_judged(tmp_path: Path, body: str, problem: str) -> None:
    stage = staged(tmp_path, body)
    seen = checking.smoke(stage, "run", {}, timeout=30)
    checking.release(stage)
    assert [
        line for line in seen.problems if problem and problem not in line and "ended with" not in line
    ] == []
    assert bool(seen.problems) == bool(problem), seen.problems
    assert not problem or any(problem in line for line in seen.problems), seen.problems


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    stage = staged(tmp_path, "exec sleep 60\n")
    seen = checking.smoke(stage, "run", {}, timeout=1)
    assert any("did not end within" in line for line in seen.problems)


def test_a_library_in_the_current_directory_is_not_loaded(tmp_path: Path, root: Path) -> None:
    stage = checking.Stage(tmp_path)
    stage.current.mkdir()
    stage.marker.parent.mkdir()
    checking._plant(stage)
    assert {path.name for path in stage.current.glob("*.so*")} == set(checking.PLANTED)
    code = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    trap = str(stage.current / checking.PLANTED[0])
    subprocess.run([sys.executable, "-c", code, trap], cwd=stage.current, check=True)
    assert stage.marker.exists()  # the trap works
    stage.marker.unlink()
    subprocess.run(
        [sys.executable, "-c", "from app.engine import devices; assert devices.devices()"],
        cwd=stage.current,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONSAFEPATH": "1"},
        check=True,
    )
    assert not stage.marker.exists()
