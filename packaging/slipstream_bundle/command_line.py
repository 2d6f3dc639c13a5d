"""The commands of `packaging/build.py`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from slipstream_bundle import (
    appimage,
    checksums,
    deb,
    dmg,
    environment,
    freeze,
    models,
    native,
    tarball,
    windows,
)
from slipstream_bundle.places import BACKENDS, Work, default_work
from slipstream_bundle.problem import BuildProblem


def _native(work: Work, jobs: int) -> None:
    native.build(work, jobs)


def _bundle(work: Work, jobs: int) -> None:
    if not native.libraries(work):
        native.build(work, jobs)
    environment.make(work)
    freeze.bundle(work)


def _of_bundle(make: Callable[[Work], object]) -> Callable[[Work, int], None]:
    """A step that packs the bundle, which is made first if there is none."""

    def step(work: Work, jobs: int) -> None:
        if not work.bundle.is_dir():
            _bundle(work, jobs)
        print(f"made: {make(work)}", flush=True)

    return step


COMMANDS: dict[str, tuple[str, Callable[[Work, int], None]]] = {
    "native": ("compile the native library for any machine", _native),
    "bundle": ("the one-folder program; compiles the native library first if there is none", _bundle),
    "tar": ("Linux: an archive that is installed without administrator rights", _of_bundle(tarball.build)),
    "deb": ("Linux: the package for Debian and Ubuntu", _of_bundle(deb.build)),
    "appimage": ("Linux: one file to run; needs the AppImage runtime", _of_bundle(appimage.build)),
    "windows": ("Windows: the installer; needs Inno Setup 6", _of_bundle(windows.installer)),
    "dmg": ("macOS: the .app in a disk image", _of_bundle(dmg.build)),
    "models": ("the default pair as an archive of its own", lambda work, _: print(models.build(work))),
    "checksums": ("SHA256SUMS of all that was made", lambda work, _: print(checksums.write(work.out))),
}


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python packaging/build.py",
        description="Build what people install.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="commands:\n" + "\n".join(f"  {name:10} {text}" for name, (text, _) in COMMANDS.items()),
    )
    parser.add_argument("commands", nargs="+", choices=list(COMMANDS), metavar="COMMAND")
    parser.add_argument(
        "--backend", choices=BACKENDS, default="cpu", help="which processors it can use (cpu)"
    )
    parser.add_argument(
        "--work", type=Path, default=None, metavar="DIR", help=f"work folder ({default_work()})"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Returns the exit status: 0, 1 for a problem, 2 for a wrong command."""
    args = build_parser().parse_args(list(arguments))
    work = Work((args.work or default_work()).absolute(), args.backend)
    try:
        for name in args.commands:
            COMMANDS[name][1](work, max(1, args.jobs))
    except BuildProblem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    return 0
