"""Installing for one user, upgrading and removing, with the real scripts and a bundle of small files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from slipstream_bundle import checksums, icons, linux_share, places, tarball


def make_bundle(work: places.Work, says: str, extra: str) -> None:
    shutil.rmtree(work.bundle, ignore_errors=True)
    (work.bundle / "_internal").mkdir(parents=True)
    program = work.bundle / "slipstream"
    program.write_text(f"#!/bin/sh\necho {says}\n", encoding="utf-8")
    program.chmod(0o755)
    (work.bundle / "_internal" / extra).write_bytes(b"x")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> places.Work:
    made = places.Work(tmp_path_factory.mktemp("work"))
    icons.draw(Path(sys.executable), made.prepared)
    return made


def stage(work: places.Work, folder: Path, says: str, extra: str) -> Path:
    """An unpacked archive."""
    make_bundle(work, says, extra)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tarball.write_installer(work, folder)
    shutil.copytree(work.bundle, folder / "slipstream")
    return folder


def sh(script: Path, home: Path) -> str:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run(["sh", str(script)], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def start(home: Path) -> str:
    return subprocess.run(
        [str(home / ".local/bin/slipstream")], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_install_upgrade_remove_keeps_what_is_the_users(work: places.Work, tmp_path: Path) -> None:
    home = tmp_path / "Дом mit Leerzeichen"
    data = home / ".local/share/Slipstream"
    (data / "models").mkdir(parents=True)
    (data / "conversations.db").write_bytes(b"mine")
    (home / ".config/Slipstream").mkdir(parents=True)
    (home / ".config/Slipstream/settings.json").write_bytes(b"{}")

    said = sh(stage(work, tmp_path / "one", "old", "only-old.so") / "install.sh", home)
    assert f"Slipstream {places.version()} is installed" in said
    assert start(home) == "old"
    entry = (home / ".local/share/applications/slipstream.desktop").read_text(encoding="utf-8")
    assert f'\nExec="{home}/.local/opt/slipstream/slipstream" window %F\n' in entry

    sh(stage(work, tmp_path / "two", "new", "only-new.so") / "install.sh", home)
    assert start(home) == "new"
    inside = sorted(p.name for p in (home / ".local/opt/slipstream/_internal").iterdir())
    assert inside == ["only-new.so"]
    assert [p.name for p in (home / ".local/opt").iterdir()] == ["slipstream"]

    said = sh(home / ".local/opt/slipstream/uninstall.sh", home)
    assert str(data) in said
    assert str(home / ".config/Slipstream") in said
    left = sorted(str(p.relative_to(home)) for p in home.rglob("*") if p.is_file() or p.is_symlink())
    assert left == [".config/Slipstream/settings.json", ".local/share/Slipstream/conversations.db"]


def test_the_archive_holds_one_folder_with_everything(work: places.Work) -> None:
    make_bundle(work, "packed", "library.so")
    with tarfile.open(tarball.build(work)) as archive:
        names = archive.getnames()
    top = tarball.name(work)
    assert {name.split("/")[0] for name in names} == {top}
    for name in (
        "install.sh",
        "uninstall.sh",
        "slipstream/slipstream",
        "share/applications/slipstream.desktop",
    ):
        assert f"{top}/{name}" in names


def test_checksums_are_those_sha256sum_finds(tmp_path: Path) -> None:
    (tmp_path / "b.bin").write_bytes(b"b" * 3_000_000)
    (tmp_path / "a.bin").write_bytes(b"")
    checksums.write(tmp_path)
    checksums.write(tmp_path)
    done = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["a.bin: OK", "b.bin: OK"]


def test_uninstall_knows_every_file_that_install_puts_there(work: places.Work, tmp_path: Path) -> None:
    linux_share.write(work, tmp_path)
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"slipstream.desktop", "slipstream.xml", "app.slipstream.Slipstream.metainfo.xml"} | {
        "slipstream.png",
        "slipstream.svg",
    }
